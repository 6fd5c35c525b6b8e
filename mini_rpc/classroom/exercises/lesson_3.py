"""The exercises of lesson 3: what MCP takes away from JSON-RPC."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

from ...rules import MCP
from ..judging.answers import Behaves, Judge, Obeys, Problem
from ..judging.clauses import of_value
from ..judging.outcome import Case
from ..judging.values import same, show

__all__ = ["JUDGES"]


# --- valid_id ----------------------------------------------------------------------------------


def _id_in_a_message(value: Any) -> str | None:
    try:
        id = json.dumps(value, allow_nan=False)
    except ValueError:
        return None
    return f'{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}'


# --- fresh_id ----------------------------------------------------------------------------------

_IN_FLIGHT: tuple[tuple[set[Any]], ...] = tuple(
    (set(ids),)
    for ids in (
        *((), (1,), (2,), (0,), (1, 2, 3), (3, 1), ("1",), (1, "1"), ("a", "b"), ("salad", 7)),
        *(("",), (-1, 10**26), range(1000), map(str, range(1000)), range(1, 1001)),
    )
)
_FRESH = "a string or an integer that is not in flight"


def _ask_often(answer: Callable[[Any], Any], in_flight: set[Any]) -> list[Any]:
    """Ask for an id, and for others while it waits too; return it, and the first bad other.

    There are as many questions as ids, up to 300: who draws lots is lucky once, but not so often.
    """
    first = _plain(answer(in_flight.copy()))
    if not MCP.legal_id(first):
        return [first]
    waiting = {*in_flight, first}
    others = (_plain(answer(waiting.copy())) for _ in range(min(len(waiting), 300)))
    return [first, *islice((id for id in others if not MCP.legal_id(id) or id in waiting), 1)]


def _plain(id: Any) -> Any:
    """Return an id as it is on the wire, where a class that goes on from `str` does not show."""
    return str.__str__(id) if isinstance(id, str) else id


def _judge_fresh(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    if not isinstance(value, list):  # it stayed in the sandbox
        return _judge_id(name, args[0], value)
    in_flight, (first, *others) = args[0], value
    problems = [_judge_id(name, in_flight, first)]
    problems += [_judge_id(name, {*in_flight, first}, other) for other in others]
    return next(filter(None, problems), None)


def _judge_id(name: str, in_flight: set[Any], id: Any) -> Problem | None:
    call = f"{name}({_in_words(in_flight)})"
    case = Case(call, show(id), _FRESH)
    if not MCP.legal_id(id):
        mistake = "true as an id" if isinstance(id, bool) else None
        return Problem(f"{call} gives {show(id)}, and that is no legal id.", case, mistake)
    if any(same(id, waiting) for waiting in in_flight):
        sentence = f"{call} gives {show(id)}, and that one is still waiting."
        return Problem(sentence, case, "an id is used twice")
    return None


def _in_words(in_flight: set[Any]) -> str:
    """Return the set as Python writes it, but always in the same order."""
    if not in_flight:
        return "set()"
    ids = sorted(map(show, in_flight))
    return f"{{{', '.join(ids[:4])}{', …' if len(ids) > 4 else ''}}}"


JUDGES: dict[str, Judge] = {
    "valid_id": Behaves(
        ("value",),
        "All {count} values are told apart, true and 1.0 among them.",
        raw=_id_in_a_message,
        reference=MCP.legal_id,
        describe=lambda value: of_value("the value", value),
    ),
    "fresh_id": Obeys(
        ("in_flight",),
        "No two tickets in flight carry the same number.",
        _IN_FLIGHT,
        find=_judge_fresh,
        wanted=lambda in_flight: _FRESH,
        via=_ask_often,
        goes_on=True,
    ),
}
