"""Hostile mail: a few hundred messages, and methods, that make a careless dispatcher fall over.

The same ones at every run, and on every Python. They are used by the checks, and to measure
dispatchers against each other.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from typing import Any

from ..dispatcher import RpcError
from ..wire import NotJSON, decode
from .kitchen import METHODS, OUT_OF_DISH

__all__ = ["GROUPS", "HOSTILE", "HOSTILE_METHODS", "LEFT_OPEN", "SECRET", "agrees", "as_json"]

SECRET = "password 1234"
"""Every crash of these methods carries this text. It must never reach a reply."""


# --- the methods -------------------------------------------------------------------------------


class _Fire(BaseException):
    """A crash that `except Exception` lets through."""


class _Mute(Exception):
    def __str__(self) -> str:
        raise ValueError(SECRET)

    __repr__ = __str__


class _TrappedError(RpcError):
    """An error raised on purpose whose code cannot be read."""

    code = property(lambda self: 1 / 0)

    def __init__(self) -> None:
        Exception.__init__(self, SECRET)


class _TrappedDict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError(SECRET)


def _raises(error: Callable[[], BaseException]) -> Callable[[Any], Any]:
    def method(params: Any) -> Any:
        raise error()

    return method


def _note(code: Any, message: Any, data: Any = None) -> Callable[[Any], Any]:
    return _raises(lambda: RpcError(code, message, data))


def _mirror(params: Any) -> Any:
    return _mirror(params)


def _circle(params: Any) -> Any:
    plate: dict[str, Any] = {}
    plate["plate"] = plate
    return plate


def _tower(params: Any) -> Any:
    plates: list[Any] = []
    collecting = gc.isenabled()
    gc.disable()  # it would look through everything each time that some hundred plates are new
    for _ in range(100_000):
        plates = [plates]
    if collecting:
        gc.enable()
    return plates


async def _cook() -> None:
    """Wait for nothing."""


def _later(params: Any) -> Any:
    """Return what an async function returns: closed, so that Python does not miss the await."""
    coroutine = _cook()
    coroutine.close()
    return coroutine


def _stream(params: Any) -> Any:
    yield params


def _eat(params: Any) -> Any:
    params.clear()
    return {"eaten": True}


_CRASHES: dict[str, Callable[[Any], Any]] = {
    "crash/key": _raises(lambda: KeyError(SECRET)),
    "crash/type": _raises(lambda: TypeError(SECRET)),
    "crash/attribute": _raises(lambda: AttributeError(SECRET)),
    "crash/value": _raises(lambda: ValueError(SECRET)),
    "crash/assertion": _raises(lambda: AssertionError(SECRET)),
    "crash/stop": _raises(lambda: StopIteration(SECRET)),
    "crash/json": _raises(lambda: json.JSONDecodeError(SECRET, "", 0)),
    "crash/fire": _raises(lambda: _Fire(SECRET)),
    "crash/mute": _raises(_Mute),
    "crash/mirror": _mirror,
}

_UNSENDABLE: dict[str, Callable[[Any], Any]] = {
    "unsendable/set": lambda params: {6, 2},
    "unsendable/bytes": lambda params: b"steak",
    "unsendable/object": lambda params: {"order": object()},
    "unsendable/nan": lambda params: float("nan"),
    "unsendable/infinity": lambda params: [float("-inf")],
    "unsendable/circle": _circle,
    "unsendable/tower": _tower,
    "unsendable/tuple_key": lambda params: {(6, 2): "steak"},
    "unsendable/function": lambda params: _circle,
    "unsendable/later": _later,
    "unsendable/stream": _stream,
    "unsendable/long": lambda params: 10**5000,
    "unsendable/trap": lambda params: _TrappedDict(table=6),
}

_FINE: dict[str, Callable[[Any], Any]] = {
    "fine/null": lambda params: None,
    "fine/false": lambda params: False,
    "fine/zero": lambda params: 0,
    "fine/empty": lambda params: "",
    "fine/list": lambda params: [],
    "fine/number": lambda params: 1.0,
    "fine/large": lambda params: 10**26,
    "fine/error": lambda params: {"error": {"code": 1, "message": "only data"}},
    "fine/surrogate": lambda params: "\ud800",
    "fine/eat": _eat,
}

_NOTES: dict[str, Callable[[Any], Any]] = {
    "note/own": _note(OUT_OF_DISH, "We are out of that dish"),
    "note/data": _note(-32022, "Unsupported version", {"supported": ["2026-07-28"]}),
    "note/list": _note(OUT_OF_DISH, "Two are missing", ["salad", "steak"]),
    "note/false": _note(OUT_OF_DISH, "Data can be false", False),
    "note/zero": _note(0, "Zero is an integer"),
    "note/params": _note(-32602, "Invalid params: table is missing"),
    "note/method": _note(-32601, "Method not found: deeper down"),
    "note/internal": _note(-32603, "Internal error"),
    "note/empty": _note(OUT_OF_DISH, ""),
}

_OPEN_METHODS: dict[str, Callable[[Any], Any]] = {
    "open/exit": _raises(lambda: SystemExit(SECRET)),
    "open/trap": _raises(_TrappedError),
    "open/set": _note(OUT_OF_DISH, "Data that is no JSON", {6, 2}),
    "open/nan": _note(OUT_OF_DISH, "Data that is no JSON", float("nan")),
    "open/true": _note(True, "A code that is true"),
    "open/text": _note("86", "A code that is text"),
    "open/fraction": _note(86.5, "A code that is a fraction"),
    "open/none": _note(None, "No code"),
    "open/number": _note(OUT_OF_DISH, 7),
}

HOSTILE_METHODS: dict[str, Callable[[Any], Any]] = {
    **METHODS,
    **_CRASHES,
    **_UNSENDABLE,
    **_FINE,
    **_NOTES,
    **_OPEN_METHODS,
}
"""The kitchen's methods, and those that crash, or return and raise what is hard to send."""


# --- the messages ------------------------------------------------------------------------------


def _raw(method: str, id: str = "1", params: str = "") -> str:
    """Return a raw request; every part is a piece of JSON text, and "" leaves it out."""
    members = ['"jsonrpc": "2.0"', f'"method": {method}']
    members += [f'"id": {id}'] if id else []
    members += [f'"params": {params}'] if params else []
    return f"{{{', '.join(members)}}}"


def _echo(params: str) -> str:
    return _raw('"echo"', params=params)


_PING = _raw('"ping"')

_NOT_JSON: tuple[str | bytes, ...] = (
    *("", " ", "\n", "{", "}", "[", "]", '"', "{}}", "nul", "True", "None", "undefined", "ping"),
    *("NaN", "Infinity", "-Infinity", "[NaN]", "01", "+1", ".5", "1.", "0x10", "1_000", "١"),
    *("{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}", '{jsonrpc: "2.0", id: 1, method: "ping"}'),
    *('{"jsonrpc": "2.0", "id": 1, "method": ', '{"jsonrpc": "2.0", "id": 1, "method": "ping"'),
    *('{"jsonrpc": "2.0", "id": 1, "method": "ping",}', '{"jsonrpc": "2.0" "id": 1}'),
    *('{"jsonrpc": "2.0",, "id": 1}', '{"jsonrpc" "2.0"}', '{"id": 1, "method"}', '{"id": }'),
    *(_PING + "}", _PING + _PING, _PING + "\n" + _PING, _PING + " x", "x" + _PING, _PING + ","),
    *(_PING[:-1] + " // a comment\n}", "/* a comment */" + _PING, "<order>steak</order>"),
    *(_raw('"ping'), _raw("ping"), _raw("'ping'"), _raw('"pi\nng"'), _raw('"pi\tng"')),
    *(_raw(r'"pi\xng"'), _raw(r'"\u12"'), _raw('"pi\x00ng"'), "\x00" + _PING, _PING + "\x00"),
    *("\xa0" + _PING, "\x0c" + _PING, _PING + "\x0b", _PING + "\u2028"),
    *(_raw('"ping"', id=id) for id in ("NaN", "Infinity", "-Infinity", "01", "+1", "1.", "0x1")),
    *(_echo(f'{{"n": {word}}}') for word in ("NaN", "Infinity", "-Infinity", "-", "1e", "tru")),
    *(_raw('"notifications/progress"', id="", params=text) for text in ('{"a": NaN}', "{", "[1,]")),
    *("[" * 100_000, '{"a":' * 50_000, "[" + _PING, "[" + _PING + ",]"),
    *("9" * 5000, _raw('"ping"', id="9" * 5000), _echo(f'{{"n": -{"9" * 5000}}}')),
    *(b"", b"{", b"\xff", b"\x80" + _PING.encode(), _PING.encode() + b"\xff"),
    *(_echo('{"dish": "?"}').encode().replace(b"?", bad) for bad in (b"\xe9", b"\xc0\x80")),
    *(_echo('{"dish": "?"}').encode().replace(b"?", bad) for bad in (b"\xed\xa0\x80", b"\xe2\x82")),
)

_VALUES = ("null", "true", "false", "0", "1", "-1", "1.5", '""', '"ping"', "[]", "{}", '{"a": 1}')
_LEGAL_IDS = (
    *("0", "1", "-1", "-0", "7", "9007199254740993", "1" + "0" * 26, "-9223372036854775809"),
    *('""', '"1"', '"7"', '" "', '"true"', '"null"', r'"\u00e9"', r'"\ud83c\udf7d"', r'"\n"'),
    *(r'"\u0000"', '"' + "7" * 300 + '"'),
)
_OTHER_IDS = (
    *("null", "true", "false", "1.0", "1.5", "-0.0", "1e2", "[]", "[1]", "[null]", "{}"),
    *('{"id": 1}', '["1"]'),
)

_NO_CALL: tuple[str | bytes, ...] = (
    *_VALUES,
    *(f'{{"jsonrpc": {v}, "id": 1, "method": "ping"}}' for v in _VALUES if v != '"ping"'),
    *(f'{{"jsonrpc": {v}, "id": 1, "method": "ping"}}' for v in ("2.0", "2", '"2"', '"1.0"')),
    *(f'{{"jsonrpc": {v}, "method": "ping"}}' for v in ("2.0", "null", '"2.0 "', '["2.0"]')),
    *('{"id": 1, "method": "ping"}', '{"method": "ping"}', '{"jsonrpc": "2.0"}'),
    *('{"jsonrpc": "2.0", "id": 1}', '{"jsonrpc": "2.0", "id": 1, "params": {}}'),
    *('{"jsonrpc": "2.0", "id": 1, "Method": "ping"}', '{"JSONRPC": "2.0", "id": 1}'),
    *(_raw(v) for v in _VALUES if not v.startswith('"')),
    *(_raw(v, id="") for v in _VALUES if not v.startswith('"')),
    *(_raw(v) for v in ('["ping"]', '{"ping": 1}', "[[]]")),
    *(_raw("7", id=id) for id in ("0", '"a"', "null", "true", "1.5")),
    *(_raw("7", params="[]"), _raw("null", params="null"), _raw("[]", id="[]", params="7")),
    *('{"jsonrpc": "2.0", "id": 7, "result": {}}', '{"jsonrpc": "2.0", "id": 7, "result": null}'),
    *('{"jsonrpc": "2.0", "id": "7", "error": {"code": 1, "message": ""}}',),
    *('{"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": ""}}',),
    *('{"jsonrpc": "2.0", "result": {}}', '{"jsonrpc": "2.0", "error": {}}'),
    *('{"jsonrpc": "2.0", "id": 7, "result": {}, "error": {"code": 1, "message": ""}}',),
    *('{"result": {}, "id": 7}', '{"error": {"code": 1, "message": ""}, "id": 7}'),
)

_IDS: tuple[str | bytes, ...] = (
    *(_raw('"ping"', id=id) for id in (*_LEGAL_IDS, *_OTHER_IDS)),
    *(_raw('"kitchen/juggle"', id=id) for id in ("0", "-1", '""', '"0"', "1" + "0" * 26)),
    *(_raw('"kitchen/juggle"', id=id) for id in ("null", "true", "1.5", "[]", "{}")),
    *(_raw('"kitchen/burn"', id=id) for id in ("0", '""', '"0"', "null", "false", "1.0", "{}")),
    *(_raw('"add"', id=id, params="{}") for id in ("0", '""', "null", "false", "0.0", "[0]")),
)

_PARAMS: tuple[str | bytes, ...] = (
    *(_raw('"ping"', params=v) for v in _VALUES),
    *(_raw('"kitchen/juggle"', params=v) for v in _VALUES),
    *(_raw('"kitchen/burn"', params=v) for v in ("null", "[1]", '"table"', "7", "{}")),
    *(_echo(v) for v in ("[1]", '[{"table": 6}]', '[6, "steak"]', '"table"', "null")),
    *(_echo(v) for v in ('{"": ""}', '{"id": null}', '{"self": 1}', '{"params": {}}', "{}")),
    *(_raw('"echo"'), _raw('"orders/place"'), _raw('"add"'), _raw('"fine/eat"')),
    *(_raw('"add"', params=v) for v in ('{"a": 2, "b": 3}', '{"a": 2}', '{"b": 3}', '{"a": null}')),
    *(_raw('"add"', params=v) for v in ('{"a": 2, "b": null}', '{"a": 2, "b": "3"}', "[2, 3]")),
    *(_raw('"add"', params='{"a": "2", "b": "3"}'), _raw('"add"', params='{"a": [], "b": [6]}')),
    *(_raw('"orders/get"', params=v) for v in ('{"ticket": 103}', '{"ticket": 7}', "{}")),
    *(_raw('"orders/get"', params=v) for v in ('{"ticket": []}', '{"ticket": null}')),
    *(_raw('"orders/place"', params='{"table": 6, "dish": "lobster"}'),),
    *(_raw('"orders/place"', params='{"table": 6, "dish": "salad", "wine": "red"}'),),
)

_NAMES: tuple[str | bytes, ...] = (
    *(_raw(name) for name in ('""', '" "', '"PING"', '"ping "', '" ping"', r'"ping\u0000"')),
    *(_raw(name) for name in ('"__class__"', '"__init__"', '"__getitem__"', '"keys"', '"get"')),
    *(_raw(name) for name in ('"constructor"', '"toString"', '"rpc.discover"', '"null"', '"1"')),
    *(_raw(name) for name in ('"orders"', '"orders/"', '"orders/place/../get"', '"{}"', '"%s%n"')),
    *(_raw(name) for name in (r'"\ud83c\udf7d"', r'"p\u0131ng"', '"' + "é" * 50_000 + '"')),
    *(_raw(r'"p\u0069ng"'), _raw('"orders\\/place"')),
)

_CALLS: tuple[str | bytes, ...] = tuple(
    _raw(f'"{name}"') for name in (*_CRASHES, *_FINE, *_NOTES, "kitchen/burn")
)
_RESULTS: tuple[str | bytes, ...] = tuple(_raw(f'"{name}"') for name in _UNSENDABLE)

_NOTIFICATIONS: tuple[str | bytes, ...] = (
    *(_raw(f'"{name}"', id="") for name in METHODS),
    *(_raw(f'"{name}"', id="") for name in (*_CRASHES, "note/own", "note/params", "fine/null")),
    *(_raw(f'"{name}"', id="") for name in ("unsendable/set", "unsendable/circle")),
    *(_raw('"kitchen/juggle"', id="", params=v) for v in ("", "{}", "[]", "[1]")),
    *(_raw('"ping"', id="", params=v) for v in ("{}", "[]", '{"id": 1}')),
    *(_raw('""', id=""), _raw('"__class__"', id=""), _raw('"add"', id="", params='{"a": 1}')),
)

_BAD_NOTIFICATIONS: tuple[str | bytes, ...] = (
    *(_raw('"ping"', id="", params=v) for v in ("null", "7", '"table"', "true")),
    *(_raw('"kitchen/juggle"', id="", params=v) for v in ("null", "7", '"table"', "true")),
)

_TEXT: tuple[str | bytes, ...] = (
    *(f"  {_PING}\r\n", f"\t{_PING}\n\n", _PING.encode(), f" {_PING} ".encode()),
    *(_PING.replace(" ", ""), _PING.replace(" ", "\n  ")),
    *('{"params": {}, "method": "ping", "id": 1, "jsonrpc": "2.0"}',),
    *(r'{"\u006asonrpc": "2.0", "\u0069d": 1, "method": "ping"}',),
    *('{"jsonrpc": "2.0", "id": 1, "method": "ping", "result": 7, "error": null, "x": [{}]}',),
    *('{"jsonrpc": "2.0", "method": "ping", "Id": 1, "ID": 1}',),
    *(_echo('{"dish": "crème brûlée 🍮"}'), _echo('{"dish": "crème brûlée 🍮"}').encode()),
    *(_echo(r'{"s": "\ud800"}'), _echo(r'{"s": "\udc00\ud800"}'), _echo(r'{"\ud800": 1}')),
    *(_echo(r'{"s": "\u0000\u001f\u007f"}'), _echo('{"s": "\u2028\u2029\x7f"}')),
    *(_echo('{"s": "</script><b>"}'), _echo(r'{"s": "\\\"\/"}'), _echo('{"s": "NaN"}')),
    *(_echo(f'{{"n": {n}}}') for n in ("1.0", "1", "true", "-0", "0.1", "1e2", "1E-400")),
    *(_echo(f'{{"n": {n}}}') for n in ("9007199254740993", "1" + "0" * 100, "null", "[[[]]]")),
    *(_echo('{"s": "' + "x" * 100_000 + '"}'), _echo(f'{{"list": [{"1, " * 20_000}1]}}')),
    *(_echo(f'{{"deep": {"[" * 100}{"]" * 100}}}'),),
)

_SILENT = _raw('"ping"', id="")
_BURNT = _raw('"kitchen/burn"', id="2")
_BATCHES: tuple[str | bytes, ...] = (
    *("[1]", "[1, 2, 3]", "[[]]", "[null]", "[{}]", f"[[{_PING}]]", f"[{_PING}]"),
    *(f"[{_PING}, {_PING}]", f"[{_SILENT}]", f"[{_SILENT}, {_PING}]", f"[{_PING}, 7, {_BURNT}]"),
)

LEFT_OPEN: tuple[str | bytes, ...] = (
    *("\ufeff" + _PING, b"\xef\xbb\xbf" + _PING.encode(), _PING.encode("utf-16")),
    *(_PING.encode("utf-16-le"), _PING.encode("utf-32")),
    *(_echo('{"n": 1e999}'), _echo('{"n": [-1e999]}'), _raw('"ping"', id="1e999"), "1e999"),
    *(_raw(f'"{name}"') for name in _OPEN_METHODS),
    *(_raw(f'"{name}"', id="") for name in ("open/exit", "open/trap")),
    *('{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}',),
    *('{"jsonrpc": "2.0", "id": 1, "method": "add", "method": "ping"}',),
    *(_echo('{"a": 1, "a": 2}'),),
)
"""Messages that the six steps leave open: a dispatcher may decide either way, and none is wrong.

Byte-order marks, UTF-16, infinity, duplicate members, `SystemExit`, and errors raised on purpose
whose code, message or data is not what JSON-RPC asks for.
"""

GROUPS: dict[str, tuple[str | bytes, ...]] = {
    "not JSON": _NOT_JSON,
    "no request": _NO_CALL,
    "batches": _BATCHES,
    "ids": _IDS,
    "notifications": _NOTIFICATIONS,
    "notifications with bad params": _BAD_NOTIFICATIONS,
    "params": _PARAMS,
    "method names": _NAMES,
    "calls": _CALLS,
    "results": _RESULTS,
    "text": _TEXT,
}
"""The hostile messages by what is special about them."""

HOSTILE: tuple[str | bytes, ...] = tuple(
    dict.fromkeys(raw for messages in GROUPS.values() for raw in messages)
)
"""All of them, each once, without those that are left open."""


# --- what counts as right ----------------------------------------------------------------------


def agrees(raw: str | bytes, expected: Any, reply: Any) -> bool:
    """Tell whether `reply` decides about `raw` as `expected`, the core's own reply, does.

    Values are compared type by type: `1`, `True` and `1.0` differ. Wording does not count, but
    `SECRET` in it does. With -32600, the id may be null or what the message has as its id. `data`
    may be there or not where there is none to give.
    """
    if expected is None or reply is None:
        return expected is reply
    if isinstance(expected, list):
        return _batch_agrees(expected, reply)
    return _agree(expected, reply, _message(raw))


def _batch_agrees(expected: list[Any], reply: Any) -> bool:
    """Compare two arrays of replies. A batch may be answered in any order."""
    if not isinstance(reply, list):
        return False
    rest = list(reply)
    for one in expected:
        match = next((other for other in rest if _agree(one, other, one)), None)
        if match is None:
            return False
        rest.remove(match)
    return not rest


def _agree(expected: Any, reply: Any, message: Any) -> bool:
    text = as_json(reply)
    if text is None or SECRET in text or not isinstance(reply, dict):
        return False
    if "result" in expected:
        return text == as_json(expected)
    return (
        set(reply) == {"jsonrpc", "id", "error"}
        and reply["jsonrpc"] == "2.0"
        and _id_agrees(expected, reply["id"], message)
        and _error_agrees(expected["error"], reply["error"])
    )


def _id_agrees(expected: Any, id: Any, message: Any) -> bool:
    legal = [as_json(expected["id"])]
    if expected["error"]["code"] == -32600:
        legal.append("null")
        legal += [as_json(message["id"])] if isinstance(message, dict) and "id" in message else []
    return as_json(id) in legal


def _error_agrees(expected: dict[str, Any], error: Any) -> bool:
    return (
        isinstance(error, dict)
        and {"code", "message"} <= set(error) <= {"code", "message", "data"}
        and as_json(error["code"]) == as_json(expected["code"])
        and isinstance(error["message"], str)
        and ("data" not in expected or as_json(error.get("data")) == as_json(expected["data"]))
    )


def _message(raw: str | bytes) -> Any:
    try:
        return decode(raw)
    except NotJSON:
        return None


def as_json(value: Any) -> str | None:
    """Return a value as strict JSON in one fixed form, None if it has none.

    `1` and `1.0` differ.
    """
    try:
        return json.dumps(value, allow_nan=False, sort_keys=True)
    except Exception:
        return None
