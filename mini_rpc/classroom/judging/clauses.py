"""What can be said about a message or a value, in clauses: computed, and never written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...messages import is_response, kind_of, shape_of
from ...wire import NotJSON, decode
from .behaviors import Clause, behavior_of
from .hostile_messages import Raw
from .hostile_methods import HOSTILE_METHODS
from .runs import Due
from .values import as_json

__all__ = [
    "Clause",
    "faults_of",
    "is_left_open",
    "is_taught",
    "of_message",
    "of_parsed",
    "of_text",
    "of_value",
]

_BOM = "\ufeff"
_NAMES = {list: "array", dict: "object"}
_PYTHON = re.compile(r"[{\[,:]\s*'|^\s*(True|False|None)\s*$")
_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_PAIR = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..")
_HALF_IN_BYTES = re.compile(rb"\xed[\xa0-\xbf]")
_STRING = re.compile(r'"(\\.|[^"\\])*"')
_CONSTANT = re.compile(r"\b(true|false|null)\b")
_NO_WORDS = re.compile(r"\b(NaN|-?Infinity)\b")


# --- values ------------------------------------------------------------------------------------


def of_value(what: str, value: Any) -> Iterator[Clause]:
    """Say what a JSON value is: "the id is a fraction", "the id is 0"."""
    slot = f"{what} is {{}}" if not what.endswith("params") else f"{what} are {{}}"
    yield from ((slot, one) for one in _kinds(value))


def _kinds(value: Any) -> Iterator[str]:
    yield kind_of(value)
    if not value:
        yield "false for Python"
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, int):
        yield from _of_integer(value)
    elif isinstance(value, float):
        yield "a whole fraction" if value.is_integer() else "a fraction that is not whole"
    elif isinstance(value, str):
        yield from _of_string(value)
    elif isinstance(value, (list, dict)):
        yield "an array or an object"
        yield (
            f"{kind_of(value)} with something in it" if value else f"an empty {_NAMES[type(value)]}"
        )
    if isinstance(value, (int, float)):
        yield "a number"


def _of_integer(value: int) -> Iterator[str]:
    if value in (0, 1):
        yield str(value)
    yield "a negative integer" if value < 0 else "an integer above 0" if value else "0 or less"
    if value < 0:
        yield "0 or less"
    if abs(value) > 2**53:
        yield "beyond 2**53"
    if abs(value) >= 2**63:
        yield "beyond 64 bits"


def _of_string(value: str) -> Iterator[str]:
    yield '""' if not value else "a string that is not empty"
    if re.fullmatch(r"\s*[+-]?[0-9]+\s*", value):
        yield "a string that int() reads"
        yield "a string of digits alone" if value.isdigit() else "a string of digits and more"
    elif value:
        yield "a string that is no number"
    if value != value.strip():
        yield "a string with a blank at an end"
    if not value.isascii():
        yield "a string beyond ASCII"
    if len(value) > 100:
        yield "a very long string"
    if not re.fullmatch(r"[\w/-]*", value, re.ASCII):
        yield "a string with unusual characters"
    if value and not value.strip():
        yield "a string of blanks"
    if value.lower() != value:
        yield "a string with capitals"
    if as_json(_loaded(value)) != "null":
        yield "a string that is JSON itself"


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# --- texts -------------------------------------------------------------------------------------


def of_text(raw: Raw) -> Iterator[Clause]:
    """Say what a raw text is: whether it is JSON, why not, and what is odd about it."""
    if isinstance(raw, bytes):
        yield "the message {}", "is bytes"
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    yield from (("the text {}", one) for one in _of_writing(raw, text))
    try:
        value = decode(raw)
    except NotJSON as error:
        yield "the text {}", "is not JSON"
        yield from (("the text {}", one) for one in _why_no_json(raw, text, error))
        yield from _read_by_python(raw)
    else:
        yield "the text {}", "is JSON"
        yield from (("the text {}", one) for one in _of_odd_json(text, value))


def _of_writing(raw: Raw, text: str) -> Iterator[str]:
    if text.startswith(_BOM):
        yield "begins with a byte-order mark"
    if text != text.strip():
        yield "has blanks around it"
    if text.strip() != text.strip(" \t\n\r"):
        yield "has blanks around it that JSON does not know"
    if isinstance(raw, bytes) and b"\0" in raw:
        yield "is in UTF-16 or UTF-32"
    if not text.isascii():
        yield "is not all ASCII"
    if not text.strip():
        yield "is empty or blank"
    if len(text) > 4000:
        yield "is very long"
    if "\n" in text.strip():
        yield "has a line break in it"


_WHY = {
    "UTF-8": "has a byte that is not UTF-8",
    "too deep": "is nested too deep to read",
    "too long": "has a number too long to read",
    "no JSON value": "has NaN or Infinity in it",
    "Extra data": "goes on after its end",
}
_WHERE = {
    "control character": "has a line break or a control character in a string",
    "escape": "has a bad escape in a string",
}


def _why_no_json(raw: Raw, text: str, error: NotJSON) -> Iterator[str]:
    why = error.why
    at_end = error.place is not None and error.place.offset >= len(text.rstrip())
    known = [said for word, said in _WHY.items() if word in why]
    known += ["ends too early"] if at_end else []
    known += [said for word, said in _WHERE.items() if word in why]
    known += ["has a comma before a closing bracket"] if re.search(r",\s*[}\]]", text) else []
    yield (known or ["has a fault in its grammar"])[0]
    if "no JSON value" in why:
        yield "has NaN in it" if "NaN" in why else "has Infinity in it"
    if "UTF-8" in why and _loaded(text) is not None:
        yield "would be JSON without its bad bytes"
    if isinstance(raw, bytes) and _HALF_IN_BYTES.search(raw):
        yield "has half of a pair in its bytes"
    if _PYTHON.search(text):
        yield "is written as Python writes it"
    if '"id": ' in text:
        yield "shows an id, although it is not JSON"
    if re.search(r'"id": *\d', text):
        yield "shows an integer as id, although it is not JSON"
    if '"method": ' in text and '"id"' not in text:
        yield "looks like a notification, although it is not JSON"


def _read_by_python(raw: Raw) -> Iterator[Clause]:
    try:
        json.loads(raw)
    except (ValueError, RecursionError) as error:
        yield "json.loads fails with {}", type(error).__name__
    else:
        yield "the text {}", "is read by json.loads, although it is not JSON"
        if isinstance(raw, bytes) and not _NO_WORDS.search(raw.decode("utf-8", "replace")):
            yield (
                "the text {}",
                "is bytes that json.loads reads, although they are not JSON in UTF-8",
            )


def _of_odd_json(text: str, value: Any) -> Iterator[str]:
    repeated = infinite = False

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        repeated = repeated or len(dict(pairs)) < len(pairs)
        return dict(pairs)

    json.loads(text, object_pairs_hook=look)
    infinite = as_json(value) is None
    if repeated:
        yield "has a name twice in one object"
    if infinite:
        yield "has a number that becomes infinity"
    if _ESCAPED.search(_PAIR.sub("", text)):
        yield "has half of a pair in an escape"
    if _CONSTANT.search(_STRING.sub("", text)):
        yield "has true, false or null in it"
    if _NO_WORDS.search(text) and not infinite:
        yield "has NaN or Infinity in a string"


# --- messages ----------------------------------------------------------------------------------

_RPC = {"jsonrpc", "id", "method", "params", "result", "error"}


def of_parsed(message: Any) -> Iterator[Clause]:
    """Say what a parsed message is: its members, each by what it is."""
    if not isinstance(message, dict):
        yield "the message is {}", "no object"
        yield from (("the message is {}", one) for one in _kinds(message))
        if isinstance(message, list) and message:
            yield "the message is {}", f"an array that begins with {_named(message[0])}"
        return
    yield "the message is {}", "an object"
    yield from of_member("jsonrpc", message, "jsonrpc")
    yield from of_member("the id", message, "id")
    yield from of_member("the method's name", message, "method")
    if isinstance(name := message.get("method"), str):
        begins = "begins" if name.startswith("notifications/") else "does not begin"
        yield "the method's name {}", f"{begins} with notifications/"
    yield from _of_version(message)
    yield from _of_legality(message)
    if "result" in message:
        yield from of_value("the result", message["result"])
    yield from _of_error(message)
    if "result" in message and "error" in message:
        yield "the message {}", "has both result and error"
    elif {"result", "error"} & set(message):
        yield "the message {}", f"has {'a result' if 'result' in message else 'an error'}"
    if is_response(message):
        yield "the message {}", "is a response"
    elif {"result", "error"} & set(message):
        yield "the message {}", "has a method and a result or an error"
    if set(message) - _RPC:
        yield "the message {}", "has a member that nobody asked for"


def _named(value: Any) -> str:
    shape = shape_of(value)
    known = shape in ("request", "notification")
    return f"a {shape}" if known else "neither request nor notification"


def of_member(what: str, message: dict[str, Any], name: str) -> Iterator[Clause]:
    if name in message:
        yield from of_value(what, message[name])
    else:
        yield f"{what} is {{}}", "missing"


def _of_version(message: dict[str, Any]) -> Iterator[Clause]:
    version = message.get("jsonrpc")
    if version == "2.0":
        yield "jsonrpc is {}", '"2.0"'
        return
    if isinstance(version, str):
        yield "jsonrpc is {}", "another string"
    if "jsonrpc" in message:
        yield "jsonrpc is {}", "there, but wrong"
    if str(version).startswith("2"):
        yield "jsonrpc is {}", 'not "2.0", but begins with 2'
    if isinstance(version, (str, list)) and "2.0" in version:
        yield "jsonrpc is {}", 'not "2.0", but has "2.0" in it'
    if version in (2, 2.0):
        yield "jsonrpc is {}", "the number 2.0"


def _of_legality(message: dict[str, Any]) -> Iterator[Clause]:
    if "id" in message and type(message["id"]) not in (int, str):
        yield "the id is {}", "neither a string nor an integer"
    if "method" in message and not isinstance(message["method"], str):
        yield "the method's name is {}", "no string"


def _of_error(message: dict[str, Any]) -> Iterator[Clause]:
    error = message.get("error")
    if "error" in message:
        yield from of_value("the error", error)
    if isinstance(error, dict):
        yield from of_member("the error's code", error, "code")
        yield from of_member("the error's message", error, "message")


def of_message(raw: Raw, due: Due) -> Iterator[Clause]:
    """Say what a raw message is, what is due for it, and what its method does."""
    yield from of_text(raw)
    yield from _of_due(due)
    try:
        message = decode(raw)
    except NotJSON:
        return
    yield from of_parsed(message)
    if due.step < 3:
        if isinstance(message, dict) and not is_response(message):
            yield "the message is {}", "an invalid request"
        if message == {}:
            yield "the message is {}", "false for Python"
        return
    kind = "a notification" if "id" not in message else "a request"
    yield "the message is {}", kind
    yield from _of_name(message["method"], due)
    for clause in (*_of_params(message), *_of_call(message, due)):
        yield clause
        yield _for_kind(clause, kind)


def _for_kind(clause: Clause, kind: str) -> Clause:
    """Say the same of notifications, or of requests, alone."""
    slot, value = clause
    for head in ("the method", "the params", "the data", "the code", "the result"):
        if slot.startswith(head):
            return f"{head} of {kind}{slot.removeprefix(head)}", value
    return f"for {kind}, {slot}", value


def _of_due(due: Due) -> Iterator[Clause]:
    if due.reply is None:
        return
    yield "{} is due", "an answer"
    if due.code is None:
        yield "{} is due", "a result"
        return
    yield "{} is due", "an error"
    yield "{} is due", str(due.code)
    if due.step == 6 and behavior_of(*due.calls[0]).on_purpose:
        yield "{} is due", "the method's own error"
    if due.reply["id"] is None:
        yield "{} is due", "an error with the id null"
    elif due.step == 2:
        yield "{} is due", "a refusal with the id of the message"


def _of_name(name: str, due: Due) -> Iterator[Clause]:
    if _is_unknown(name):
        yield "the method is {}", "unknown"
        if any(name in known for known in HOSTILE_METHODS):
            yield "the method is {}", "unknown, but a part of a known name"
    else:
        is_first = name == next(iter(HOSTILE_METHODS))
        yield "the method is {}", "the first" if is_first else "known, but not the first"
    yield "the method's name {}", "has a slash in it" if "/" in name else "has no slash in it"
    if name.startswith("rpc."):
        yield "the method's name {}", "begins with rpc."
    if hasattr(dict, name):
        yield "the method is {}", "the name of an attribute of a dict"


def _of_params(message: dict[str, Any]) -> Iterator[Clause]:
    if "params" not in message:
        yield "the params are {}", "missing"
        return
    params = message["params"]
    yield from of_value("the params", params)
    if not isinstance(params, dict):
        yield "the params are {}", "no object"
        if isinstance(params, list) and len(params) == 1 and isinstance(params[0], dict):
            yield "the params are {}", "an array of one object"
        return
    yield from (("the params are {}", f"an object with {one} in it") for one in _inside(params))
    if "_meta" in params:
        yield "the params are {}", "an object with _meta in it"
    elif params:
        yield "the params are {}", "an object that is not empty"


def _inside(params: dict[str, Any]) -> Iterator[str]:
    """Yield what is in params, however deep: kinds of values, and a name that misleads."""
    found: dict[str, None] = {}
    rest: list[Any] = [params]
    while rest:
        value = rest.pop()
        inner = value.values() if isinstance(value, dict) else value
        found.update((kind_of(one), None) for one in inner)
        found.update((('"id"', None),) if isinstance(value, dict) and "id" in value else ())
        rest += (one for one in inner if isinstance(one, (dict, list)))
    yield from found


def _of_call(message: dict[str, Any], due: Due) -> Iterator[Clause]:
    if due.calls:
        yield "the method {}", "has to run"
        yield from behavior_of(*due.calls[0]).clauses


def faults_of(raw: Raw, due: Due) -> int:
    """Count what is wrong with a message: with two or more it is there for the order of steps."""
    try:
        message = decode(raw)
    except NotJSON:
        return 1
    if not isinstance(message, dict):
        return 1
    name = message.get("method")
    ids_fault = "id" in message and type(message["id"]) not in (int, str)
    faults = [
        message.get("jsonrpc") != "2.0",
        not isinstance(name, str),
        ids_fault,
        not isinstance(message.get("params", {}), dict),
        isinstance(name, str) and _is_unknown(name),
        bool(due.calls) and ("the method {}", "returns") not in behavior_of(*due.calls[0]).clauses,
    ]
    return sum(faults)


def _is_unknown(name: str) -> bool:
    return not behavior_of(name, "{}").clauses


# --- what is asked -----------------------------------------------------------------------------

_OPEN = {
    ("the text {}", "begins with a byte-order mark"),
    ("the text {}", "is in UTF-16 or UTF-32"),
    ("the text {}", "has a name twice in one object"),
    ("the text {}", "has a number that becomes infinity"),
}


def is_left_open(raw: Raw) -> bool:
    """Tell whether the six steps leave a message open, so that no dispatcher can be wrong on it.

    Byte-order marks, UTF-16 and UTF-32, infinity, a name twice in one object, and methods that
    leave by `SystemExit` and its kind, or raise an error on purpose that no reply can carry.
    """
    return not _OPEN.isdisjoint(of_text(raw)) or _method_of(raw).startswith(("open/", "crash/fire"))


def is_taught(raw: Raw) -> bool:
    """Tell whether lessons 1 to 4 and the six steps say what becomes of a message.

    Lesson 5 adds what `json.loads` reads although it is not JSON, results that JSON cannot carry,
    and exceptions whose own text crashes.
    """
    read = ("the text {}", "is read by json.loads, although it is not JSON")
    later = _method_of(raw).startswith(("unsendable/", "crash/mute"))
    return not (later or is_left_open(raw) or read in of_text(raw))


def _method_of(raw: Raw) -> str:
    try:
        message = decode(raw)
    except NotJSON:
        return ""
    name = message.get("method") if isinstance(message, dict) else None
    return name if isinstance(name, str) else ""
