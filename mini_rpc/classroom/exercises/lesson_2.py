"""The exercises of lesson 2: error codes, the stamps on returned mail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...codes import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    Code,
    find_code,
)
from ...dispatcher import handle
from ...messages import error_response
from ..judging.answers import Behaves, Judge, Obeys, Problem, Shows
from ..judging.behaviors import Clause, holding
from ..judging.clauses import of_member, of_parsed, of_text
from ..judging.outcome import Case
from ..judging.values import same, show
from ..kitchen import needs

__all__ = ["JUDGES"]


# --- read_the_stamps ---------------------------------------------------------------------------

_STAMPS: dict[str, Code] = {
    "the text is not JSON": PARSE_ERROR,
    "it is JSON, but no request": INVALID_REQUEST,
    "there is no such method": METHOD_NOT_FOUND,
    "a param is missing": INVALID_PARAMS,
    "the method crashed": INTERNAL_ERROR,
    "the protocol version is not supported": UNSUPPORTED_PROTOCOL_VERSION,
}


def _judge_stamps(name: str, value: Any) -> Problem | None:
    if not isinstance(value, dict):
        return Problem(f"{name} must be a dict, with a code for each situation.")
    for situation, code in _STAMPS.items():
        if situation not in value:
            return Problem(f'"{situation}" is missing.')
        if not same(value[situation], code.number):
            return _wrong_stamp(situation, value[situation], code)
    return None


def _wrong_stamp(situation: str, given: Any, code: Code) -> Problem:
    if type(given) is not int:
        case = Case(situation, show(given), "an integer")
        return Problem(f'"{situation}": a code is an integer, and {show(given)} is none.', case)
    case = Case(situation, show(given), "another code")
    if given == -code.number:
        return Problem(f'"{situation}": the minus sign is missing.', case, "the sign is missing")
    other = find_code(given)
    if other is None:
        return Problem(f'"{situation}": {show(given)} is no code that has a meaning here.', case)
    sentence = f'"{situation}": {given} is {other.name}, and says: {other.meaning}'
    return Problem(sentence, case, "two stamps swapped")


# --- verdict_code ------------------------------------------------------------------------------

MAILROOM = {"letters/list": [], "letters/send": ["to", "text"], "letters/get": ["number"]}
"""The methods of lesson 2, each with the params that it needs."""


def _code_of(raw: str) -> int:
    """Return the code that the core answers with, 0 where nothing is wrong."""
    methods: dict[str, Any] = {
        name: lambda params, names=names: needs(params, *names) for name, names in MAILROOM.items()
    }
    reply = handle(raw, methods)
    return reply["error"]["code"] if reply and "error" in reply else 0


def _of_letter(raw: str) -> Iterator[Clause]:
    yield from of_text(raw)
    try:
        message = json.loads(raw)
    except ValueError:
        return
    yield from of_parsed(message)
    if not isinstance(message, dict):
        return
    yield from of_member("the params", message, "params")
    name, params = message.get("method"), message.get("params", {})
    if not isinstance(params, dict):
        yield "the params are {}", "there, but no object"
    if not isinstance(name, str) or name not in MAILROOM:
        yield "the method is {}", "unknown"
        return
    yield from _of_needs(MAILROOM[name], params)


def _of_needs(needed: list[str], params: Any) -> Iterator[Clause]:
    yield "the method needs {}", "params" if needed else "no params"
    if not needed:
        return
    if not isinstance(params, dict):
        named = isinstance(params, (str, list)) and all(one in params for one in needed)
        yield from holding((named, "the params, no object, {}", "have the names in them"))
        return
    missing = [one for one in needed if one not in params]
    first = "missing, but not the first" if needed[0] in params else "missing"
    is_false = any(one in params and not params[one] for one in needed)
    yield from holding(
        (missing, "a param is {}", "missing"),
        (missing, "a param is {}", first),
        (is_false, "a needed param is {}", "there, but false for Python"),
        (set(params) - set(needed), "a param is {}", "there that nobody needs"),
    )


# --- version_error -----------------------------------------------------------------------------


def _right_version_error(id: Any, requested: str, supported: list[str]) -> dict[str, Any]:
    code = UNSUPPORTED_PROTOCOL_VERSION
    data = {"supported": supported, "requested": requested}
    return error_response(id, code.number, code.name, data)


def _judge_version_error(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    should = _right_version_error(*args)
    if isinstance(value, str):
        return Problem(f"{name} returns text. Return the response as a dict.")
    if not isinstance(value, dict):
        return Problem(f"{name} returns {show(value)}. Return the response as a dict.")
    error = value.get("error")
    if not isinstance(error, dict):
        return Problem('The response has no "error", or it is no object.')
    return (
        _member(value, should, "jsonrpc", "id")
        or _member(error, should["error"], "code")
        or _judge_data(value, error, should["error"]["data"])
        or _judge_rest(value, error)
    )


def _judge_data(
    value: dict[str, Any], error: dict[str, Any], should: dict[str, Any]
) -> Problem | None:
    data = error.get("data")
    if not isinstance(data, dict):
        if "data" in value or {"supported", "requested"} & {*value, *error}:
            sentence = '"supported" and "requested" belong in "data", and "data" in the error.'
            return Problem(sentence, None, "data in the wrong place")
        sentence = 'The error has no "data" with what a machine can read.'
        return Problem(sentence, None, "data is dropped")
    data = {key: list(one) if isinstance(one, tuple) else one for key, one in data.items()}
    return _member(data, should, "supported", "requested")


def _judge_rest(value: dict[str, Any], error: dict[str, Any]) -> Problem | None:
    if not isinstance(error.get("message"), str):
        return Problem('An error has a "message" of text for people.')
    if "result" in value:
        return Problem('A response has "result" or "error", never both.')
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return Problem("The response holds something that JSON cannot carry.")
    return None


def _member(value: dict[str, Any], should: dict[str, Any], *names: str) -> Problem | None:
    for name in names:
        if name not in value:
            return Problem(f'"{name}" is missing.')
        if not same(value[name], should[name]):
            return Problem(f'"{name}" is {show(value[name])}, and should be {show(should[name])}.')
    return None


JUDGES: dict[str, Judge] = {
    "read_the_stamps": Shows(_judge_stamps, "Every letter carries the right stamp."),
    "verdict_code": Behaves(
        ("raw", "methods"),
        "All {count} letters get the right stamp.",
        raw=lambda raw: raw,
        via=lambda answer, raw: answer(raw, MAILROOM),
        reference=_code_of,
        describe=_of_letter,
    ),
    "version_error": Obeys(
        ("id", "requested", "supported"),
        "People can read it, and a machine can act on it.",
        read=tuple,
        find=_judge_version_error,
        wanted=lambda id, requested, supported: (
            f"an error response with the id {show(id)}, its code, a message of your own, and data"
        ),
    ),
}
