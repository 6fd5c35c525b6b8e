"""Known mistakes: functions with one planted fault each, and which one an answer behaves like.

A wrong answer is recognized by its row of behaviors: what it does with each of a fixed set of
messages. A faulty function is made of the core's own, which it shows the message through a lens
that hides something, so nothing here states a rule a second time. The faulty dispatchers are in
`clerks`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...dispatcher import handle
from ...messages import shape_of
from ...rules import MCP
from ..kitchen import needs
from .clerks import HANDLE_FAULTS
from .comparing import same, show
from .faults import (
    Fault,
    Lens,
    is_falsy,
    is_none,
    members_of,
    with_member,
    with_plain_id,
    with_version,
    without,
)

__all__ = [
    "CRASH",
    "HANDLE_FAULTS",
    "ID_FAULTS",
    "MAILROOM",
    "SHAPE_FAULTS",
    "VERDICT_FAULTS",
    "Diagnosis",
    "Fault",
    "Row",
    "diagnose",
    "row_of",
    "verdict_code",
]


Row = Sequence[Any]
"""What a function does with each case: what it returns, in a form that can be compared."""

CRASH = ("crash",)
"""Stands in a row for a call that raised."""

_PART = 0.15


class Diagnosis(NamedTuple):
    """The fault that an answer behaves like: `exactly`, or in every case where the fault shows.

    `shown_by` holds the indices of the cases that show it.
    """

    fault: Fault
    exactly: bool
    shown_by: tuple[int, ...]

    def sentence(self, name: str) -> str:
        """Return the diagnosis of the answer of this name, in a sentence."""
        if self.exactly:
            return f"{name} behaves exactly like {self.fault.kind} that {self.fault.does}."
        return f"{name} {self.fault.does}, and that is not all."


def row_of(
    function: Callable[..., Any],
    cases: Sequence[tuple[Any, ...]],
    behavior: Callable[[Any], Any] = lambda value: value,
) -> Row:
    """Return what one of the course's own functions does with each case."""
    return [_behave(function, args, behavior) for args in cases]


def diagnose(
    row: Row,
    right: Row,
    faults: Sequence[Fault],
    cases: Sequence[tuple[Any, ...]],
    behavior: Callable[[Any], Any] = lambda value: value,
) -> Diagnosis | None:
    """Find the fault that a wrong row shows; None where no sentence would be true.

    A fault that matches the whole row comes first. Else it is one that shows in the row wherever
    it can show, and among those the one that explains most: a good part of what is wrong, for
    what refuses nearly everything has no opinion on ids. And the rest must be right by half: what
    hands out dishes by their place takes `true` for 1 by accident.
    """
    wrong = _differences(row, right)
    if all(same(one, row[0]) for one in row):
        return None if row[0] == CRASH else Diagnosis(_same_for_all(row[0]), True, wrong)
    found = []
    for fault in faults:
        planted = row_of(fault.behave, cases, behavior)
        shown_by = _differences(planted, right)
        if all(same(row[i], planted[i]) for i in shown_by):
            exactly = shown_by == wrong
            if exactly or _is_mostly_right(row, right, shown_by):
                found.append(Diagnosis(fault, exactly, shown_by))
    best = max(found, key=lambda one: (one.exactly, len(one.shown_by)), default=None)
    return best if best and len(best.shown_by) >= len(wrong) * _PART else None


def _differences(row: Row, right: Row) -> tuple[int, ...]:
    return tuple(i for i in range(len(row)) if not same(row[i], right[i]))


def _is_mostly_right(row: Row, right: Row, but_for: Sequence[int]) -> bool:
    """Tell whether at least half of the other cases that return are right."""
    rest = [i for i in range(len(row)) if i not in but_for and row[i] != CRASH]
    return 2 * sum(same(row[i], right[i]) for i in rest) >= len(rest)


def _same_for_all(value: Any) -> Fault:
    does = "returns nothing, whatever it gets" if value is None else f"always gives {show(value)}"
    return Fault("always the same", does, lambda *args: value, ())


def _behave(
    function: Callable[..., Any], args: tuple[Any, ...], behavior: Callable[[Any], Any]
) -> Any:
    try:
        return behavior(function(*args))
    except BaseException:
        return CRASH


# --- shape_of(message) -------------------------------------------------------------------------


def _shape(name: str, does: str, exposed_by: Any, behave: Callable[[Any], Any]) -> Fault:
    return Fault(name, does, behave, (exposed_by,))


def _seen(lens: Lens) -> Callable[[Any], Any]:
    return lambda message: shape_of(lens(message))


def _message(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members}


_ERROR = {"code": -32601, "message": "Method not found"}


def _trusting(message: Any) -> Any:
    message.get("method")
    return shape_of(message)


def _loose_version(message: Any) -> Any:
    return with_member("jsonrpc", "2.0")(message)


def _response_first(message: Any) -> Any:
    if {"method", "result"} <= set(members_of(message)):
        message = without("method", lambda value: True)(message)
    return shape_of(message)


def _with_both(hidden: str) -> Callable[[Any], Any]:
    def behave(message: Any) -> Any:
        both = {"result", "error"} <= set(members_of(message))
        return shape_of(without(hidden, lambda value: both)(message))

    return behave


def _whole_error(message: Any) -> Any:
    return with_member("error", _ERROR)(message)


def _swapped(message: Any) -> Any:
    shape = shape_of(message)
    return {"request": "notification", "notification": "request"}.get(shape, shape)


def _no_null_ids(message: Any) -> Any:
    shape = shape_of(message)
    return "invalid" if shape == "error" and message["id"] is None else shape


_KNOWN = {"jsonrpc", "id", "method", "params", "result", "error"}


def _no_extras(message: Any) -> Any:
    return "invalid" if set(members_of(message)) - _KNOWN else shape_of(message)


def _only_results_with_ids(message: Any) -> Any:
    result = "result" in members_of(message) and "method" not in message
    return shape_of({**message, "id": message.get("id") or 1} if result else message)


SHAPE_FAULTS = (
    _shape("jsonrpc unread", "never looks at jsonrpc", {"method": "ping"}, _seen(with_version)),
    _shape(
        "any jsonrpc",
        "takes any value of jsonrpc",
        {"jsonrpc": 2.0, "method": "ping"},
        _seen(_loose_version),
    ),
    _shape("everything is an object", "trusts every message to be an object", [1], _trusting),
    _shape(
        "method of any type",
        "takes a method that is no string",
        _message(method=7),
        _seen(with_member("method", "ping")),
    ),
    _shape(
        "null is no id",
        "takes an id of `null` for a missing id",
        _message(id=None, method="ping"),
        _seen(without("id", is_none)),
    ),
    _shape(
        "falsy is no id",
        'takes the ids 0 and "" for a missing id',
        _message(id=0, method="ping"),
        _seen(without("id", is_falsy)),
    ),
    _shape(
        "true as an id",
        "lets `true` through as an id",
        _message(id=True, method="ping"),
        _seen(with_plain_id(bool)),
    ),
    _shape(
        "fraction as an id",
        "lets a fraction through as an id",
        _message(id=1.5, method="ping"),
        _seen(with_plain_id(float)),
    ),
    _shape(
        "any number as an id",
        "lets every number through as an id, `true` among them",
        _message(id=1.5, method="ping"),
        _seen(with_plain_id(float, bool)),
    ),
    _shape(
        "null as an id",
        "lets `null` through as an id",
        _message(id=None, method="ping"),
        _seen(with_plain_id(type(None))),
    ),
    _shape(
        "ids unread",
        "never looks at what the id is",
        _message(id=[1], method="ping"),
        _seen(with_member("id", 1)),
    ),
    _shape(
        "response first",
        "takes a request that has a member called result for a response",
        _message(id=1, method="ping", result=7),
        _response_first,
    ),
    _shape(
        "both is a result",
        "takes a message with both result and error for a result",
        _message(id=1, result=7, error=_ERROR),
        _with_both("error"),
    ),
    _shape(
        "both is an error",
        "takes a message with both result and error for an error",
        _message(id=1, result=7, error=_ERROR),
        _with_both("result"),
    ),
    _shape(
        "null is no result",
        "takes a result of `null` for a missing one",
        _message(id=1, result=None),
        _seen(without("result", is_none)),
    ),
    _shape(
        "falsy is no result",
        "takes a result such as 0, false or {} for a missing one",
        _message(id=1, result=0),
        _seen(without("result", is_falsy)),
    ),
    _shape(
        "error unread",
        "never looks into the error",
        _message(id=1, error="no"),
        _seen(_whole_error),
    ),
    _shape(
        "no error with id null",
        "refuses an error response whose id is `null`",
        _message(id=None, error=_ERROR),
        _no_null_ids,
    ),
    _shape(
        "no extra members",
        "refuses members that nobody asked for",
        _message(id=1, method="ping", note="hot"),
        _no_extras,
    ),
    _shape(
        "a result needs no id",
        "takes a result without an id, or with `null`, for a response",
        _message(result=7),
        _only_results_with_ids,
    ),
    _shape(
        "request and notification swapped",
        "takes requests for notifications, and notifications for requests",
        _message(method="ping"),
        _swapped,
    ),
)
"""Faulty classifiers: each is called as `shape_of(message)`."""


# --- valid_id(value) ---------------------------------------------------------------------------


def _id(name: str, does: str, value: Any, accepts: Callable[[Any], Any]) -> Fault:
    return Fault(name, does, accepts, (value,))


_legal = MCP.legal_id


ID_FAULTS = (
    _id("true as an id", "lets true and false through", True, lambda v: isinstance(v, (str, int))),
    _id("null as an id", "lets null through", None, lambda v: v is None or _legal(v)),
    _id(
        "fraction as an id", "lets fractions through", 1.5, lambda v: _legal(v) or type(v) is float
    ),
    _id(
        "any number as an id",
        "lets every number through, true and false among them",
        1.5,
        lambda v: isinstance(v, (str, int, float)),
    ),
    _id(
        "whole fractions",
        "lets 1.0 through, because it is whole",
        1.0,
        lambda v: _legal(v) or (isinstance(v, float) and v.is_integer()),
    ),
    _id("falsy is no id", 'refuses 0 and ""', 0, lambda v: _legal(v) and bool(v)),
    _id("no empty text", 'refuses ""', "", lambda v: _legal(v) and v != ""),
    _id("no zero", "refuses 0", 0, lambda v: _legal(v) and v != 0),
    _id(
        "only positive",
        "refuses numbers below 1",
        0,
        lambda v: _legal(v) and (isinstance(v, str) or v > 0),
    ),
    _id(
        "no negative numbers",
        "refuses negative numbers",
        -1,
        lambda v: _legal(v) and (isinstance(v, str) or v >= 0),
    ),
    _id(
        "no large numbers",
        "refuses numbers that a double cannot hold",
        10**26,
        lambda v: _legal(v) and (isinstance(v, str) or abs(v) < 2**53),
    ),
    _id("only numbers", "refuses text", "7", lambda v: _legal(v) and isinstance(v, int)),
    _id("only text", "refuses numbers", 7, lambda v: isinstance(v, str)),
    _id(
        "numbers in text only",
        "refuses text that is no number",
        "order",
        lambda v: _legal(v) and (not isinstance(v, str) or v.isdigit()),
    ),
    _id("None for no", "gives None where it should give False", None, lambda v: _legal(v) or None),
    _id(
        "the wrong way round",
        "says yes to what is no id, and no to what is one",
        7,
        lambda v: not _legal(v),
    ),
    _id(
        "hashable is enough",
        "lets everything through that is no list and no object",
        None,
        lambda v: not isinstance(v, (list, dict)),
    ),
)
"""Faulty judges of ids: each is called as `valid_id(value)`."""


# --- verdict_code(raw, methods) ----------------------------------------------------------------


def verdict_code(raw: str, methods: dict[str, list[str]]) -> int:
    """Return the code that the core answers with, 0 where nothing is wrong."""
    return _code(handle(raw, _stand_ins(methods)))


def _code(reply: Any) -> int:
    return reply["error"]["code"] if reply and "error" in reply else 0


def _stand_ins(methods: dict[str, list[str]]) -> dict[str, Callable[[Any], Any]]:
    """Return a method for each name that asks for its params and does nothing."""
    return {name: _stand_in(names) for name, names in methods.items()}


def _stand_in(names: list[str]) -> Callable[[Any], Any]:
    return lambda params: needs(params, *names)


def _verdict(name: str, does: str, exposed_by: str, behave: Callable[..., Any]) -> Fault:
    return Fault(name, does, behave, (exposed_by, MAILROOM))


MAILROOM = {"letters/list": [], "letters/send": ["to", "text"], "letters/get": ["number"]}
"""The methods of lesson 2, each with the params that it needs."""


def _read(lens: Lens) -> Callable[..., Any]:
    def behave(raw: str, methods: dict[str, list[str]]) -> Any:
        try:
            message = lens(json.loads(raw))
        except ValueError:
            return -32700
        return verdict_code(json.dumps(message), methods)

    return behave


def _changed(codes: dict[int, Any]) -> Callable[..., Any]:
    def behave(raw: str, methods: dict[str, list[str]]) -> Any:
        code = verdict_code(raw, methods)
        return codes.get(code, code)

    return behave


def _in_params(lens: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[..., Any]:
    def see(message: Any) -> Any:
        params = members_of(message).get("params")
        return {**message, "params": lens(params)} if isinstance(params, dict) else message

    return _read(see)


def _naive(raw: str, methods: dict[str, list[str]]) -> Any:
    """Looks for each name inside whatever params are, and never at the id."""
    try:
        message = json.loads(raw)
    except ValueError:
        return -32700
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or "method" not in message:
        return -32600
    if message["method"] not in methods:
        return -32601
    missing = [name for name in methods[message["method"]] if name not in message.get("params", {})]
    return -32602 if missing else 0


def _naive_but_for_ids(raw: str, methods: dict[str, list[str]]) -> Any:
    return _naive(raw, methods) if verdict_code(raw, methods) != -32600 else -32600


def _only_first_name(raw: str, methods: dict[str, list[str]]) -> Any:
    return verdict_code(raw, {name: names[:1] for name, names in methods.items()})


def _no_extra_params(raw: str, methods: dict[str, list[str]]) -> Any:
    code = verdict_code(raw, methods)
    if code:
        return code
    message = json.loads(raw)
    return -32602 if set(message.get("params", {})) - set(methods[message["method"]]) else 0


def _params_must_be_there(message: Any) -> Any:
    if message["method"] in MAILROOM:
        message["params"]
    return message


def _crash_on_no_json(raw: str, methods: dict[str, list[str]]) -> Any:
    json.loads(raw)
    return verdict_code(raw, methods)


def _trust(message: Any) -> Any:
    message.get("method")
    return message


def _name_of_any_type(message: Any) -> Any:
    known = isinstance(members_of(message).get("method"), str)
    return message if known else with_member("method", "no such method")(message)


def _send(more: str, method: str = "letters/send", id: str = '"id": 1, ') -> str:
    return f'{{"jsonrpc": "2.0", {id}"method": "{method}"{more}}}'


VERDICT_FAULTS = (
    _verdict(
        "the check of the lesson",
        "looks for names inside whatever params are, and never at the id",
        _send(', "params": "to text"', id='"id": true, '),
        _naive,
    ),
    _verdict(
        "names inside anything",
        "looks for names inside whatever params are: a string, a list or an object",
        _send(', "params": ["to", "text"]'),
        _naive_but_for_ids,
    ),
    _verdict(
        "ids unread",
        "never looks at the id",
        _send("", "letters/list", '"id": [1], '),
        _read(with_member("id", 1)),
    ),
    _verdict(
        "true as an id",
        "lets `true` through as an id",
        _send("", "letters/list", '"id": true, '),
        _read(with_plain_id(bool)),
    ),
    _verdict(
        "fraction as an id",
        "lets a fraction through as an id",
        _send("", "letters/list", '"id": 1.5, '),
        _read(with_plain_id(float)),
    ),
    _verdict(
        "null as an id",
        "lets `null` through as an id",
        _send("", "letters/list", '"id": null, '),
        _read(with_plain_id(type(None))),
    ),
    _verdict(
        "jsonrpc unread",
        "never looks at jsonrpc",
        '{"id": 1, "method": "letters/list"}',
        _read(with_version),
    ),
    _verdict(
        "everything is an object", "trusts every message to be an object", "[1]", _read(_trust)
    ),
    _verdict(
        "method of any type",
        "takes a method that is no string for one that is unknown",
        '{"jsonrpc": "2.0", "id": 1, "method": 7}',
        _read(_name_of_any_type),
    ),
    _verdict(
        "null params",
        "takes params of `null` for missing ones",
        _send(', "params": null', "letters/list"),
        _read(without("params", is_none)),
    ),
    _verdict(
        "falsy params",
        'takes `null`, [] and "" for missing params',
        _send(', "params": []', "letters/list"),
        _read(without("params", is_falsy)),
    ),
    _verdict(
        "params must be there",
        "falls over when there are no params",
        _send(""),
        _read(_params_must_be_there),
    ),
    _verdict(
        "falsy values",
        'takes a param that is 0, "" or null for a missing one',
        _send(', "params": {"to": "", "text": "hi"}'),
        _in_params(lambda params: {name: params[name] for name in params if params[name]}),
    ),
    _verdict(
        "only the first name",
        "looks for the first of the needed params only",
        _send(', "params": {"to": "Ada"}'),
        _only_first_name,
    ),
    _verdict(
        "no extra params",
        "refuses params that the method does not need",
        _send(', "params": {"page": 2}', "letters/list"),
        _no_extra_params,
    ),
    _verdict("no parse error", "falls over a text that is not JSON", "{", _crash_on_no_json),
    _verdict(
        "the sign is missing",
        "leaves out the minus sign of a code",
        "{",
        _changed({code: -code for code in (-32700, -32600, -32601, -32602)}),
    ),
    _verdict(
        "two stamps swapped",
        "mixes up -32601 and -32602",
        _send("", "letters/burn"),
        _changed({-32601: -32602, -32602: -32601}),
    ),
    _verdict(
        "one stamp for both",
        "calls a text that is not JSON an invalid request",
        "{",
        _changed({-32700: -32600}),
    ),
    _verdict(
        "None for fine",
        "gives None where it should give 0",
        _send("", "letters/list"),
        _changed({0: None}),
    ),
)
"""Faulty judges of messages: each is called as `verdict_code(raw, methods)`."""
