"""What is wrong with a message that a learner wrote as raw text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ...messages import classify
from ...wire import NotJSON, Place, decode
from ..bench.broken_json import explain
from ..judging.answers import Problem, Shows
from ..judging.outcome import MESSAGE, Case
from ..judging.values import same, show
from ..sandbox import Opaque
from ..text import a_or_an, shorten, visible

__all__ = ["judge_message", "shows_message"]

_AROUND = 200  # characters on each side of a place
_SHAPES = {
    "request": "a request",
    "notification": "a notification",
    "result": "a response with a result",
    "error": "a response with an error",
}


def judge_message(
    name: str, value: Any, shape: str, members: dict[str, Any], *, error: int | None = None
) -> Problem | None:
    """Return what keeps `value` from being the raw text of a message of this shape, or None.

    `members` are what the message must hold; `error` is the code that its error must have.
    """
    should = _should(shape, members, error)
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if not isinstance(value, str):
        return _no_text(name, value, should)
    if not value.strip():
        message = f"{name} is empty. Write the message between the quotes."
        return Problem(message, Case(show(value), "nothing to read", should, value, MESSAGE))
    try:
        message = decode(value)
    except NotJSON as fault:
        return _no_json(name, value, fault, should)
    return _judge_parsed(name, value, message, shape, members, error)


def shows_message(wanted: str, praise: str) -> Shows:
    """Return the judge of an exercise that asks for this message as raw text.

    Raises `ValueError` if it is none.
    """
    message = decode(wanted)
    shape, fault = classify(message)
    if shape not in _SHAPES:
        raise ValueError(fault)
    members = {name: value for name, value in message.items() if name not in ("jsonrpc", "error")}
    code = message["error"]["code"] if shape == "error" else None
    return Shows(lambda name, value: judge_message(name, value, shape, members, error=code), praise)


def _no_text(name: str, value: Any, should: str) -> Problem:
    name_of_type = type(value).__name__
    kind = value.kind if type(value) is Opaque else a_or_an(name_of_type)
    case = Case(show(value), "None" if value is None else kind, should, labels=MESSAGE)
    if value is None:
        return Problem(f"{name} is None: nothing is written in it. It must be text.", case)
    what = kind if type(value) is Opaque else f"a Python {name_of_type}"
    message = f"{name} is {what}. What goes over the wire is text: put it in quotes."
    return Problem(message, case, "a dict is not yet text" if isinstance(value, dict) else None)


def _judge_parsed(
    name: str, raw: str, message: Any, shape: str, members: dict[str, Any], error: int | None
) -> Problem | None:
    found, fault = classify(message)
    came_back = _SHAPES.get(found, f"no message: {fault}")
    case = Case(raw, came_back, _should(shape, members, error), raw, MESSAGE)
    if found != shape:
        case = replace(case, topic=shape)
        return _other_shape(name, message, (found, fault), shape, case)
    for member, wanted in members.items():
        if not same(message.get(member), wanted):
            return _other_value(member, message.get(member, ...), wanted, case)
    if error is not None and message["error"]["code"] != error:
        return _other_value("code", message["error"]["code"], error, case)
    return None


def _no_json(name: str, text: str, fault: NotJSON, should: str) -> Problem:
    place = fault.place
    why = explain(text, place) if place else ""
    if not why:
        where = f"see line {place.line}, column {place.column}" if place else fault.why
        why = f"{name} is not JSON: {where}."
    shown = with_caret(text, place) if place else text
    return Problem(why, Case(shown, "not JSON", should, text, MESSAGE))


def with_caret(text: str, place: Place) -> str:
    """Return a text with a caret under the place where it stops being JSON.

    A long text is cut to what stands around that place.
    """
    lines = text.split("\n")
    before = visible(lines[place.line - 1][: place.column - 1])
    after = visible(lines[place.line - 1][place.column - 1 :])
    start = "… " if len(before) > _AROUND else ""
    end = " …" if len(after) > _AROUND else ""
    before = f"{start}{before[-_AROUND:]}"
    line = f"{before}{after[:_AROUND]}{end}"
    above = lines[max(place.line - 3, 0) : place.line - 1]
    return "\n".join([*(shorten(one, _AROUND) for one in above), line, f"{' ' * len(before)}^"])


def _other_shape(
    name: str, message: Any, found: tuple[str, str], shape: str, case: Case
) -> Problem:
    has_null = isinstance(message, dict) and message.get("id", 0) is None
    if found[0] == "invalid" and shape == "notification" and has_null:
        sentence = 'An id of null is still an id: a notification has no member "id" at all.'
        return Problem(sentence, case, "null is no id")
    if found[0] == "invalid":
        return Problem(f"{name} is JSON, but no message: {found[1]}.", case)
    sentence = f"{name} is {_SHAPES[found[0]]}, and {_SHAPES[shape]} was asked for"
    if found[0] == "notification":
        return Problem(f"{sentence}: without an id nobody waits.", case, "a request without an id")
    if shape == "notification":
        waits = f"{sentence}: an id says that somebody waits."
        return Problem(waits, case, "an id that nobody needs")
    return Problem(f"{sentence}.", case)


def _other_value(member: str, value: Any, wanted: Any, case: Case) -> Problem:
    if value is ...:
        return Problem(f'"{member}" is missing, and should be {_text(wanted)}.', case)
    if member == "params" and isinstance(value, list):
        sentence = "The params are a list, and should be an object, with a name for each value."
        return Problem(sentence, case, "params by position")
    if isinstance(value, dict) and isinstance(wanted, dict):
        for name, due in wanted.items():
            if not same(value.get(name, ...), due):
                return _other_value(name, value.get(name, ...), due, case)
    sentence = f'"{member}" is {_text(value)}, and should be {_text(wanted)}'
    if isinstance(value, str) and value == str(wanted):
        return Problem(f"{sentence}: the type counts.", case, "a number in quotes")
    return Problem(f"{sentence}.", case)


def _should(shape: str, members: dict[str, Any], error: int | None) -> str:
    held = ", ".join(f'"{member}": {_text(value)}' for member, value in members.items())
    if error is None:
        return f"{'a response' if shape == 'result' else _SHAPES[shape]} with {held}"
    return f'a response with {held} and an error that has "code": {error}'


def _text(value: Any) -> str:
    try:
        return shorten(json.dumps(value, ensure_ascii=False), 100)
    except ValueError:  # an integer with more digits than Python writes
        return "a very long number"
