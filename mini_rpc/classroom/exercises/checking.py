"""Checks an answer against its exercise: one `Outcome`, five states."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from .. import sandbox
from ..judging.answers import NotAttempted
from ..judging.dispatchers import Dispatches
from ..judging.outcome import Case, Outcome
from ..progress import record
from ..text import visible
from . import EXERCISES, Exercise
from .names import is_known, unknown

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
    found = replace(_judged(exercise, answer, limit), where=exercise.where)
    record(id, found.state, mistake=found.misconception)
    if isinstance(exercise.judge, Dispatches):
        found = replace(found, handle=answer, methods=exercise.judge.methods)
    others = exercise.right[:2] if found.state == "correct" else ()
    return replace(found, others=others, live=_buttons if _in_a_kernel() else None)


def _judged(exercise: Exercise, answer: Any, seconds: float) -> Outcome:
    """Judge an answer. Whatever it is, there is something to say."""
    try:
        return exercise.judge(exercise.id, answer, seconds)
    except Exception as error:  # a fault of the course; the answer is no pass, and nothing is lost
        how = f"the check itself failed with {type(error).__name__}"
        return Outcome(exercise.id, "not attempted", f"{exercise.id} could not be judged: {how}.")


def _in_a_kernel() -> bool:
    ipython: Any = sys.modules.get("IPython")
    return hasattr(ipython and ipython.get_ipython(), "kernel")


def _buttons(outcome: Outcome) -> Any:
    from .buttons import Buttons

    return Buttons(outcome)
