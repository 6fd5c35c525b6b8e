"""The exercises of lesson 5: what the six steps leave to be known."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ...dispatcher import dispatch
from ...wire import NotJSON, decode, encode
from ..judging.answers import Behaves, Judge, Obeys, Problem
from ..judging.clauses import of_parsed, of_text
from ..judging.differences import Difference
from ..judging.dispatchers import Dispatches
from ..judging.hostile_messages import GROUPS
from ..judging.hostile_methods import HOSTILE_METHODS
from ..judging.values import same, show
from ..sandbox import Opaque
from ..text import shorten

__all__ = ["JUDGES"]


# --- reply_id(message) -------------------------------------------------------------------------


def _reply_id(message: Any) -> Any:
    return dispatch(json.dumps(message), {}).reply["id"]


_REFUSED = tuple(
    (json.loads(raw),)
    for group in ("no request", "batches", "ids")
    for raw in GROUPS[group]
    if dispatch(raw, {}).step == 2
) + tuple(
    ({"jsonrpc": version, "method": "ping", "id": id},)
    for version in ("1.0", 2.0)
    for id in (0, "", 7, "a", "0", True, 1.5, None)
)
_REFUSED += tuple(
    ({**message, "id": id},)
    for id in (7, "a", 0, "")
    for message in (
        {"jsonrpc": "2.0", "method": 5, "result": {}},
        {"jsonrpc": "1.0", "method": "ping", "error": {"code": 1, "message": "no"}},
        {"jsonrpc": "2.0", "result": {}, "error": {"code": 1, "message": "no"}},
        {"jsonrpc": "2.0", "error": "no"},
        {"result": None},
    )
)


# --- strict_loads(raw) -------------------------------------------------------------------------

_NOT_READ = "a ValueError"


def _tried(answer: Callable[[Any], Any], raw: Any) -> Any:
    """Return what a reader returns, in a list, or that it raised ValueError."""
    try:
        return [answer(raw)]
    except ValueError:
        return _NOT_READ


def _read_in_words(value: Any) -> str:
    if value == _NOT_READ:
        return _NOT_READ
    return show(value[0] if type(value) is list else value)  # it may be too large to be carried


def _differs_in_reading(value: Any, should: Any) -> Difference:
    if value == _NOT_READ:
        return Difference("refuses", "it raises ValueError", "a value")
    if should == _NOT_READ:
        return Difference("reads", "it returns a value", "a ValueError")
    return Difference("another", "it returns another value")


# --- duplicate_members(raw) --------------------------------------------------------------------


def _duplicates(raw: str) -> list[str]:
    found: dict[str, None] = {}

    def look(pairs: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in pairs]
        found.update((name, None) for name in names if names.count(name) > 1)

    json.loads(raw, object_pairs_hook=look)
    return list(found)


def _judge_duplicates(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    should = _duplicates(args[0])
    call = f"{name}({show(args[0], 80)})"
    if not isinstance(value, (list, tuple, set, frozenset)):
        return Problem(f"{call} returns {show(value, 60)}, and should return a list.")
    if sorted(map(repr, value)) == sorted(map(repr, should)):
        return None
    # A name that stands twice, but in two objects.
    mistake = "each object by itself" if {*map(str, value)} - {*should} else None
    sentence = f"{call} returns {show(value, 60)}, and should return {show(should)}."
    return Problem(sentence, None, mistake)


# --- reply_line(id, result) --------------------------------------------------------------------

_CIRCLE: list[Any] = []
_CIRCLE.append(_CIRCLE)

_TOWER = Opaque("something nested very deep")

_RESULTS: tuple[tuple[Any, Any], ...] = (
    *((1, {"status": "cooking"}), ("x", None), (0, []), ("", False), (-1, 1.0), (10**26, "é🍮")),
    *((2, {"s": "\ud800", "line": "a\nb"}), (3, {"error": 1}), (4, {"n": 1e300})),
    *((5, {6, 2}), (6, b"steak"), (7, float("nan")), (8, [float("inf")]), (9, _CIRCLE)),
    *((8, _TOWER), ("t", {"deep": _TOWER})),
    *((0, {"order": object()}), ("", {(6, 2): "steak"}), ("y", {"deep": [{"n": float("-inf")}]})),
)


def _built(result: Any) -> Any:
    """Return a result with its tower, which is too deep to be carried to another process."""
    if type(result) is dict:
        return {name: _built(value) for name, value in result.items()}
    return HOSTILE_METHODS["unsendable/tower"]({}) if result == _TOWER else result


def _line(id: Any, result: Any) -> str:
    request = encode({"jsonrpc": "2.0", "id": id, "method": "it"})
    return str(dispatch(request, {"it": lambda params: result}).sent)


def _judge_line(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    args = args[0], _built(args[1])
    call = f"{name}({', '.join(show(arg, 40) for arg in args)})"
    should = json.loads(_line(*args))
    if not isinstance(value, str):
        return Problem(f"{call} returns {show(value, 60)}, and should return text.")
    if value.endswith("\n") and value.count("\n") == 1:
        sentence = f"{call} returns a line break after the line: whoever sends the line adds it."
        return Problem(sentence)
    if "\n" in value or "\r" in value:
        return Problem(f"{call} returns more than one line.")
    if not value.isascii():
        return Problem(f"{call} returns {show(value, 60)}, and that is not all ASCII.")
    try:
        reply = decode(value)
    except NotJSON:
        mistake = "Python's JSON" if "NaN" in value or "Infinity" in value else None
        return Problem(f"{call} returns {show(value, 90)}, which is not JSON.", None, mistake)
    if not isinstance(reply, dict) or not same(reply.get("id", _CIRCLE), should["id"]):
        return Problem(f"The reply of {call} has the wrong id.")
    if "error" in should:
        return _judge_unsendable(call, reply, args[1])
    if same(reply, should):
        return None
    due = shorten(encode(should), 90)
    return Problem(f"{call} returns {show(value, 90)}, and should return {due}.")


def _judge_unsendable(call: str, reply: dict[str, Any], result: Any) -> Problem | None:
    error: Any = reply.get("error")
    if any(text in encode(error) for text in _told_by(result)):
        return Problem(f"The reply of {call} tells of the exception.", None, "the text leaks")
    fits = isinstance(error, dict) and isinstance(error.get("message"), str)
    if fits and same(error.get("code"), -32603) and set(reply) == {"jsonrpc", "id", "error"}:
        return None
    if "result" in reply:
        sentence = f"{call} sends another result than it was given, and should send -32603."
        return Problem(sentence, None, "a result is made to fit")
    return Problem(f"The reply of {call} should be an error with the code -32603.")


def _told_by(result: Any) -> list[str]:
    """Return what an exception says of a result that cannot be written, and its class."""
    try:
        json.dumps(result, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return [type(error).__name__, str(error).partition(":")[0].partition(" while")[0]]
    return []


JUDGES: dict[str, Judge] = {
    "strict_handle": Dispatches(
        6,
        "All six steps are right, for all of {count} messages, as strictly as the course asks. "
        "This one is yours to keep.",
        strict=True,
    ),
    "reply_id": Behaves(
        ("message",),
        "All {count} refused messages get the right id.",
        _REFUSED,
        raw=json.dumps,
        reference=_reply_id,
        describe=of_parsed,
    ),
    "strict_loads": Behaves(
        ("raw",),
        "All {count} texts are read, or refused, as they should be.",
        via=_tried,
        reference=lambda raw: _tried(decode, raw),
        describe=of_text,
        words=_read_in_words,
        differs=_differs_in_reading,
    ),
    "duplicate_members": Obeys(
        ("raw",),
        "All {count} texts get the right list.",
        raw=lambda raw: raw,
        find=_judge_duplicates,
        wanted=lambda raw: show(_duplicates(raw)),
    ),
    "reply_line": Obeys(
        ("id", "result"),
        "All {count} replies can be sent.",
        _RESULTS,
        via=lambda answer, id, result: answer(id, _built(result)),
        find=_judge_line,
        wanted=lambda id, result: _line(id, _built(result)),
    ),
}
