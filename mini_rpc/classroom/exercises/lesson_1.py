"""The exercises of lesson 1: the four shapes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ...messages import shape_of
from ..judging.answers import Behaves, Judge, Problem, Shows
from ..judging.clauses import Clause, of_member, of_parsed
from .raw_text import judge_message

__all__ = ["JUDGES"]

_COOKING = {"id": 7, "result": {"status": "cooking"}}


def _judge_responses(name: str, value: Any) -> Problem | None:
    if isinstance(value, dict) and {"result", "error"} <= set(value):
        value = (value["result"], value["error"])
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return Problem(f'{name} must hold two texts, under "result" and "error".')
    return judge_message("The result", value[0], "result", _COOKING) or judge_message(
        "The error", value[1], "error", {"id": 8}, error=-32601
    )


def _of_params(message: Any) -> Iterable[Clause]:
    return of_member("the params", message, "params") if isinstance(message, dict) else ()


JUDGES: dict[str, Judge] = {
    "two_responses": Shows(_judge_responses, "Both tickets are answered, each under its own id."),
    "shape_of_valid": Behaves(
        ("message",),
        "All {count} messages have their names.",
        raw=json.dumps,
        reference=shape_of,
    ),
    "shape_of": Behaves(
        ("message",),
        "All {count} messages are told apart, the strange ones too.",
        reference=shape_of,
        describe=lambda message: (*of_parsed(message), *_of_params(message)),
    ),
}
