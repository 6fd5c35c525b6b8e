"""Checks an answer against the record of its exercise: one `Outcome`, five states."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import sandbox
from ..judging.answers import NotAttempted
from ..judging.break_clerks import CLERKS
from ..judging.dispatchers import Dispatches
from ..judging.outcome import Case, Outcome
from ..progress import record
from ..text import function_name, near, visible
from . import EXERCISES

__all__ = ["Case", "NotAttempted", "Outcome", "check"]


def check(id: str, answer: Any = ..., *, seconds: float | None = None) -> Outcome:
    """Check an answer to the exercise `id`; return the `Outcome`, and note it in the progress.

    The answer is a function, a raw text or another value, as the exercise asks. Its code runs in
    the sandbox, for `seconds` at most. Never raises on account of the answer.
    """
    if not is_known(id):
        name = visible(id[:40]) if type(id) is str else "check"
        return Outcome(name, "not attempted", unknown(id))
    exercise = EXERCISES[id]
    limit = sandbox.limit_here() if seconds is None else seconds
    found = replace(exercise.judge(id, answer, limit), where=exercise.where)
    record(id, found.state, mistake=found.misconception)
    if not isinstance(exercise.judge, Dispatches):
        return found
    return replace(found, handle=answer, methods=exercise.judge.methods)


def is_known(id: Any) -> bool:
    """Tell whether this is the id of an exercise."""
    return type(id) is str and id in EXERCISES


def unknown(id: Any, function: str = "check") -> str:
    """Say to the caller of this function that there is no such exercise, and which may be meant."""
    more = ", valid_id" if function == "check" else ""
    if type(id) is not str or not id.isprintable() or "{" in id:  # an answer, and no name
        name = function_name(id)
        example = name if name in EXERCISES else "valid_id"
        more = more and f", {example}"
        return (
            f'{function} wants the name of an exercise first, as in {function}("{example}"{more}).'
        )
    if id.capitalize() in CLERKS:
        name = id.capitalize()
        return f'{name} is a clerk, and no exercise: send mail with break_clerk("{name}", raw).'
    return f'There is no exercise "{visible(id[:40])}". {near(id, EXERCISES)}'
