"""What can be said about a message or a value, in clauses: computed, and never written by hand.

A clause is listed with the condition under which it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...messages import is_response, kind_of, shape_of
from ...wire import NotJSON, decode
from .behaviors import Clause, behavior_of, holding
from .hostile_messages import Raw
from .hostile_methods import HOSTILE_METHODS
from .runs import Due
from .values import as_json, message_of

__all__ = [
    "Clause",
    "faults_of",
    "holding",
    "is_left_open",
    "is_taught",
    "of_message",
    "of_parsed",
    "of_text",
    "of_value",
]

_BOM = "\ufeff"
_PYTHON = re.compile(r"[{\[,:]\s*'|^\s*(True|False|None)\s*$")
_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_PAIR = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..")
_HALF_IN_BYTES = re.compile(rb"\xed[\xa0-\xbf]")
_STRING = re.compile(r'"(\\.|[^"\\])*"')
_CONSTANT = re.compile(r"\b(true|false|null)\b")
_NO_WORDS = re.compile(r"\b(NaN|-?Infinity)\b")


def _true(*listed: tuple[Any, str]) -> Iterator[str]:
    return (value for holds, value in listed if holds)


def _all_in(slot: str, values: Iterable[str]) -> Iterator[Clause]:
    return ((slot, value) for value in values)


# --- values ------------------------------------------------------------------------------------


def of_value(what: str, value: Any) -> Iterator[Clause]:
    """Say what a JSON value is: "the id is a fraction", "the id is 0"."""
    return _all_in(f"{what} {'are' if what.endswith('params') else 'is'} {{}}", _kinds(value))


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
        empty = "an empty array" if isinstance(value, list) else "an empty object"
        yield f"{kind_of(value)} with something in it" if value else empty
    if isinstance(value, (int, float)):
        yield "a number"


def _of_integer(value: int) -> Iterator[str]:
    return _true(
        (value in (0, 1), str(value) if value in (0, 1) else ""),
        (value < 0, "a negative integer"),
        (value > 0, "an integer above 0"),
        (value <= 0, "0 or less"),
        (abs(value) > 2**53, "beyond 2**53"),
        (abs(value) >= 2**63, "beyond 64 bits"),
    )


def _of_string(value: str) -> Iterator[str]:
    is_number = bool(re.fullmatch(r"\s*[+-]?[0-9]+\s*", value))
    return _true(
        (not value, '""'),
        (value, "a string that is not empty"),
        (is_number, "a string that int() reads"),
        (is_number and value.isdigit(), "a string of digits alone"),
        (is_number and not value.isdigit(), "a string of digits and more"),
        (value and not is_number, "a string that is no number"),
        (value != value.strip(), "a string with a blank at an end"),
        (not value.isascii(), "a string beyond ASCII"),
        (len(value) > 100, "a very long string"),
        (not re.fullmatch(r"[\w./-]*", value, re.ASCII), "a string with unusual characters"),
        (value and not value.strip(), "a string of blanks"),
        (value.lower() != value, "a string with capitals"),
        (as_json(_loaded(value)) != "null", "a string that is JSON itself"),
    )


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# --- texts -------------------------------------------------------------------------------------


def of_text(raw: Raw) -> Iterator[Clause]:
    """Say what a raw text is: whether it is JSON, why not, and what is odd about it."""
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    yield from holding((isinstance(raw, bytes), "the message {}", "is bytes"))
    yield from _all_in("the text {}", _of_writing(raw, text))
    try:
        value = decode(raw)
    except NotJSON as error:
        yield "the text {}", "is not JSON"
        yield from _all_in("the text {}", _why_no_json(raw, text, error))
        yield from _read_by_python(raw, text)
    else:
        yield "the text {}", "is JSON"
        yield from _all_in("the text {}", _of_odd_json(text, value))


def _of_writing(raw: Raw, text: str) -> Iterator[str]:
    blanks = text.strip() != text.strip(" \t\n\r")
    return _true(
        (text.startswith(_BOM), "begins with a byte-order mark"),
        (text != text.strip(), "has blanks around it"),
        (blanks, "has blanks around it that JSON does not know"),
        (isinstance(raw, bytes) and b"\0" in raw, "is in UTF-16 or UTF-32"),
        (not text.isascii(), "is not all ASCII"),
        (not text.strip(), "is empty or blank"),
        (len(text) > 4000, "is very long"),
        ("\n" in text.strip(), "has a line break in it"),
    )


def _why_no_json(raw: Raw, text: str, error: NotJSON) -> Iterator[str]:
    why = error.why
    at_end = error.place is not None and error.place.offset >= len(text.rstrip())
    in_string = "control character" in why
    yield next(
        _true(
            ("UTF-8" in why, "has a byte that is not UTF-8"),
            ("too deep" in why, "is nested too deep to read"),
            ("too long" in why, "has a number too long to read"),
            ("no JSON value" in why, "has NaN or Infinity in it"),
            ("Extra data" in why, "goes on after its end"),
            (at_end, "ends too early"),
            (in_string, "has a line break or a control character in a string"),
            ("escape" in why, "has a bad escape in a string"),
            (re.search(r",\s*[}\]]", text), "has a comma before a closing bracket"),
            (True, "has a fault in its grammar"),
        )
    )
    half = isinstance(raw, bytes) and _HALF_IN_BYTES.search(raw)
    looks = '"method": ' in text and '"id"' not in text
    yield from _true(
        ("no JSON value" in why, "has NaN in it" if "NaN" in why else "has Infinity in it"),
        ("UTF-8" in why and _loaded(text) is not None, "would be JSON without its bad bytes"),
        (half, "has half of a pair in its bytes"),
        (_PYTHON.search(text), "is written as Python writes it"),
        ('"id": ' in text, "shows an id, although it is not JSON"),
        (re.search(r'"id": *\d', text), "shows an integer as id, although it is not JSON"),
        (looks, "looks like a notification, although it is not JSON"),
    )


def _read_by_python(raw: Raw, text: str) -> Iterator[Clause]:
    try:
        json.loads(raw)
    except (ValueError, RecursionError) as error:
        yield "json.loads fails with {}", type(error).__name__
    else:
        yield _READ
        if isinstance(raw, bytes) and not _NO_WORDS.search(text):
            reads = "is bytes that json.loads reads, although they are not JSON in UTF-8"
            yield "the text {}", reads


def _of_odd_json(text: str, value: Any) -> Iterator[str]:
    repeated = False

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        repeated = repeated or len(dict(pairs)) < len(pairs)
        return dict(pairs)

    json.loads(text, object_pairs_hook=look)
    infinite = as_json(value) is None
    return _true(
        (repeated, "has a name twice in one object"),
        (infinite, "has a number that becomes infinity"),
        (_ESCAPED.search(_PAIR.sub("", text)), "has half of a pair in an escape"),
        (_CONSTANT.search(_STRING.sub("", text)), "has true, false or null in it"),
        (_NO_WORDS.search(text) and not infinite, "has NaN or Infinity in a string"),
    )


# --- messages ----------------------------------------------------------------------------------

_RPC = {"jsonrpc", "id", "method", "params", "result", "error"}


def of_parsed(message: Any) -> Iterator[Clause]:
    """Say what a parsed message is: its members, each by what it is."""
    if not isinstance(message, dict):
        yield "the message is {}", "no object"
        yield from _all_in("the message is {}", _kinds(message))
        if isinstance(message, list) and message:
            yield "the message is {}", f"an array that begins with {_named(message[0])}"
        return
    yield "the message is {}", "an object"
    yield from of_member("jsonrpc", message, "jsonrpc")
    yield from of_member("the id", message, "id")
    yield from of_member("the method's name", message, "method")
    name, error = message.get("method"), message.get("error")
    if isinstance(name, str):
        begins = "begins" if name.startswith("notifications/") else "does not begin"
        yield "the method's name {}", f"{begins} with notifications/"
    yield from _all_in("jsonrpc is {}", _of_version(message))
    no_id = "id" in message and type(message["id"]) not in (int, str)
    no_name = "method" in message and not isinstance(name, str)
    yield from holding(
        (no_id, "the id is {}", "neither a string nor an integer"),
        (no_name, "the method's name is {}", "no string"),
    )
    yield from of_value("the result", message["result"]) if "result" in message else ()
    yield from of_value("the error", error) if "error" in message else ()
    if isinstance(error, dict):
        yield from of_member("the error's code", error, "code")
        yield from of_member("the error's message", error, "message")
    yield from _all_in("the message {}", _of_outcome(message))


def _of_outcome(message: dict[str, Any]) -> Iterator[str]:
    has = [name in message for name in ("result", "error")]
    return _true(
        (all(has), "has both result and error"),
        (any(has) and not all(has), f"has {'a result' if has[0] else 'an error'}"),
        (is_response(message), "is a response"),
        (any(has) and not is_response(message), "has a method and a result or an error"),
        (set(message) - _RPC, "has a member that nobody asked for"),
    )


def _named(value: Any) -> str:
    shape = shape_of(value)
    known = shape in ("request", "notification")
    return f"a {shape}" if known else "neither request nor notification"


def of_member(what: str, message: dict[str, Any], name: str) -> Iterator[Clause]:
    """Say what a member is, or that it is missing."""
    if name in message:
        return of_value(what, message[name])
    return iter([(f"{what} is {{}}", "missing")])


def _of_version(message: dict[str, Any]) -> Iterator[str]:
    version = message.get("jsonrpc")
    if version == "2.0":
        return iter(['"2.0"'])
    inside = isinstance(version, (str, list)) and "2.0" in version
    return _true(
        (isinstance(version, str), "another string"),
        ("jsonrpc" in message, "there, but wrong"),
        (str(version).startswith("2"), 'not "2.0", but begins with 2'),
        (inside, 'not "2.0", but has "2.0" in it'),
        (version in (2, 2.0), "the number 2.0"),
    )


def of_message(raw: Raw, due: Due) -> Iterator[Clause]:
    """Say what a raw message is, what is due for it, and what its method does."""
    yield from of_text(raw)
    yield from _all_in("{} is due", _of_due(due))
    if due.step == 1:
        return
    message = decode(raw)
    yield from of_parsed(message)
    if due.step < 3:
        invalid = isinstance(message, dict) and not is_response(message)
        yield from holding(
            (invalid, "the message is {}", "an invalid request"),
            (message == {}, "the message is {}", "false for Python"),
        )
        return
    kind = "a notification" if "id" not in message else "a request"
    yield "the message is {}", kind
    yield from _of_name(message["method"])
    called = behavior_of(*due.calls[0]).clauses if due.calls else ()
    runs = holding((due.calls, "the method {}", "has to run"))
    for clause in (*_of_params(message), *runs, *called):
        yield clause
        yield _for_kind(clause, kind)


def _for_kind(clause: Clause, kind: str) -> Clause:
    """Say the same of notifications, or of requests, alone."""
    slot, value = clause
    for head in ("the method", "the params", "the data", "the code", "the result"):
        if slot.startswith(head):
            return f"{head} of {kind}{slot.removeprefix(head)}", value
    return f"for {kind}, {slot}", value


def _of_due(due: Due) -> Iterator[str]:
    if due.reply is None:
        return iter([])
    failed, id = due.code is not None, due.reply["id"]
    own = failed and due.step == 6 and behavior_of(*due.calls[0]).on_purpose
    return _true(
        (True, "an answer"),
        (not failed, "a result"),
        (failed, "an error"),
        (failed, str(due.code)),
        (own, "the method's own error"),
        (failed and id is None, "an error with the id null"),
        (due.step == 2 and id is not None, "a refusal with the id of the message"),
    )


def _of_name(name: str) -> Iterator[Clause]:
    is_known = name in HOSTILE_METHODS
    is_part = not is_known and any(name in known for known in HOSTILE_METHODS)
    first = "the first" if name == next(iter(HOSTILE_METHODS)) else "known, but not the first"
    return holding(
        (not is_known, "the method is {}", "unknown"),
        (is_part, "the method is {}", "unknown, but a part of a known name"),
        (is_known, "the method is {}", first),
        ("/" in name, "the method's name {}", "has a slash in it"),
        ("/" not in name, "the method's name {}", "has no slash in it"),
        (name.startswith("rpc."), "the method's name {}", "begins with rpc."),
        (hasattr(dict, name), "the method is {}", "the name of an attribute of a dict"),
    )


def _of_params(message: dict[str, Any]) -> Iterator[Clause]:
    yield from of_value("the params", message["params"]) if "params" in message else ()
    yield from _all_in("the params are {}", _of_form(message))


def _of_form(message: dict[str, Any]) -> Iterator[str]:
    """Say what form params have, beyond what kind of value they are."""
    params = message.get("params", {})
    if "params" not in message:
        yield "missing"
    elif not isinstance(params, dict):
        yield "no object"
        if isinstance(params, list) and len(params) == 1 and isinstance(params[0], dict):
            yield "an array of one object"
    else:
        yield from (f"an object with {one} in it" for one in _inside(params))
        if params:
            yield (
                "an object with _meta in it" if "_meta" in params else "an object that is not empty"
            )


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


def faults_of(raw: Raw, due: Due) -> int:
    """Count what is wrong with a message: with two or more it is there for the order of steps."""
    message = message_of(raw)
    if message is None:
        return 1
    name = message.get("method")
    faults = [
        message.get("jsonrpc") != "2.0",
        not isinstance(name, str),
        "id" in message and type(message["id"]) not in (int, str),
        not isinstance(message.get("params", {}), dict),
        isinstance(name, str) and name not in HOSTILE_METHODS,
        bool(due.calls) and ("the method {}", "returns") not in behavior_of(*due.calls[0]).clauses,
    ]
    return sum(faults)


# --- what is asked -----------------------------------------------------------------------------

_OPEN = {
    ("the text {}", "begins with a byte-order mark"),
    ("the text {}", "is in UTF-16 or UTF-32"),
    ("the text {}", "has a name twice in one object"),
    ("the text {}", "has a number that becomes infinity"),
}
_READ = ("the text {}", "is read by json.loads, although it is not JSON")


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
    later = _method_of(raw).startswith(("unsendable/", "crash/mute"))
    return not (later or is_left_open(raw) or _READ in of_text(raw))


def _method_of(raw: Raw) -> str:
    name = (message_of(raw) or {}).get("method")
    return name if isinstance(name, str) else ""
