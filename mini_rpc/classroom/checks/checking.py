"""Checks an answer against the record of its exercise: one `Outcome`, five states."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from .. import sandbox
from ..exercises import EXERCISES
from ..progress import record
from .judging import NotAttempted
from .outcome import Case, Outcome
from .six_steps import Dispatches

__all__ = ["Case", "NotAttempted", "Outcome", "check"]


def check(id: str, answer: Any = ..., *, seconds: float | None = None) -> Outcome:
    """Check an answer to the exercise `id`; return the `Outcome`, and note it in the progress.

    The answer is a function, a raw text or another value, as the exercise asks. Its code runs in
    the sandbox, for `seconds` at most. Never raises on account of the answer.
    """
    if not is_known(id):
        name = id[:40] if type(id) is str else "check"
        return Outcome(name, "not attempted", unknown(id))
    exercise = EXERCISES[id]
    limit = sandbox.SECONDS if seconds is None else seconds
    found = exercise.judge(id, answer, limit)
    record(id, found.state)
    handle = answer if isinstance(exercise.judge, Dispatches) else None
    return Outcome(id, *found, where=exercise.where, handle=handle)


def is_known(id: Any) -> bool:
    """Tell whether this is the id of an exercise."""
    return type(id) is str and id in EXERCISES


def unknown(id: Any) -> str:
    """Say that there is no such exercise, and which one may be meant."""
    if type(id) is not str:
        return 'check wants the name of an exercise first, as in check("valid_id", valid_id).'
    near = get_close_matches(id, EXERCISES, n=2)
    names = " or ".join(f'"{name}"' for name in near) or ", ".join(EXERCISES)
    return f'There is no exercise "{id[:40]}". Is it {names}?'
