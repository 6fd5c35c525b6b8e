"""Checks an answer against its exercise: one `Outcome`, five states."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import mini_rpc

from .. import sandbox
from ..judging.answers import NotAttempted
from ..judging.outcome import Case, Outcome
from ..progress import record
from ..text import visible
from . import EXERCISES, Exercise
from .help import is_known, is_open, shell_here, unknown

__all__ = ["READ", "Case", "NotAttempted", "Outcome", "check"]


_NOTHING = object()  # no answer at all; three dots are one that is not yet written


def check(
    id: str | None = None, answer: Any = _NOTHING, *, seconds: float | None = None
) -> Outcome:
    """Check an answer to the exercise `id`; return the `Outcome`, and note it in the progress.

    The answer is a function, a raw text or another value, as the exercise asks. Its code runs in
    the sandbox, for `seconds` at most. Never raises on account of the answer.
    """
    if not is_known(id):
        name = visible(id[:40]) if type(id) is str else "check"
        return Outcome(name, "not attempted", unknown(id))
    if answer is _NOTHING:
        wants = f'check wants your answer as well: check("{id}", {id}).'
        return Outcome(id, "not attempted", wants)
    exercise = EXERCISES[id]
    limit = sandbox.limit_here() if seconds is None else seconds
    found = _judged(exercise, answer, limit)
    record(id, found.state, mistake=found.misconception)
    if methods := getattr(exercise.judge, "methods", None):  # it judges a dispatcher
        found = replace(found, handle=answer, methods=methods)
    others = exercise.others if found.passed and is_open(id) else ()
    live = _buttons if shell_here() else None
    where, case = exercise.where, found.case
    if case:  # of the shape or the step that failed, if one of them did
        where = READ.get(case.topic) or READ.get(case.should.strip("'")) or where
    return replace(found, message=_said(found), where=where, others=others, live=live)


_AN_ERROR = re.compile(r"<(an?|the class) \w*(Error|Exception)>")  # as it is shown
_NO_NAME = re.compile(r"nothing: NameError: name '(\w+)' is not defined.*")
_LESSON_1, _LESSON_4 = "01_four_shapes.ipynb", "04_dispatcher.ipynb"
READ = {
    "request": f"{_LESSON_1}#Request",
    "notification": f"{_LESSON_1}#Notification",
    "result": f"{_LESSON_1}#Result",
    "error": f"{_LESSON_1}#Error",
    "step 1": f"{_LESSON_4}#Step-1:-parse",
    "step 2": f"{_LESSON_4}#Step-2:-shape.-Your-turn",
    "step 3": f"{_LESSON_4}#Step-3:-is-there-an-id?",
    "step 4": f"{_LESSON_4}#Steps-4-and-5:-params-and-method",
    "step 5": f"{_LESSON_4}#Steps-4-and-5:-params-and-method",
    "step 6": f"{_LESSON_4}#Step-6:-call,-and-hide",
}
"""Where a shape or a step is taught, for an answer that fails there."""


def _said(found: Outcome) -> str:
    """Return what is said; where print stands for return, return for raise, or a name for nothing,
    also that. What a dispatcher returns in the place of a reply was raised by a method."""
    came_back = found.case.came_back if found.case else ""
    said = found.message.rstrip()
    if missing := _NO_NAME.fullmatch(came_back):
        return f"{said}{_where_it_is(missing[1])}"
    if found.state != "wrong":
        return found.message
    if found.printed and came_back == "None":
        return f"{said} It prints: write return instead."
    if _AN_ERROR.fullmatch(came_back):
        raised = "It returns the error: write raise."
        told = "It returns the exception itself: a reply is a dict that says what is in it."
        return f"{said} {told if found.handle else raised}"
    return found.message


def _where_it_is(name: str) -> str:
    """Say where a name comes from that a page has not imported, or was written in another one."""
    if name in mini_rpc.__all__:
        return f" First run: from mini_rpc import {name}"
    if is_known(name):
        return f" It belongs to lesson {EXERCISES[name].lesson}: copy it into a cell of this page."
    return ""


def _judged(exercise: Exercise, answer: Any, seconds: float) -> Outcome:
    """Judge an answer. Whatever it is, there is something to say."""
    if exercise.is_untouched(answer):
        answer = ...
    try:
        return exercise.judge(exercise.id, answer, seconds)
    except Exception as error:  # a fault of the course; the answer is no pass, and nothing is lost
        how = f"the check itself failed with {type(error).__name__}"
        if why := getattr(error, "strerror", None):
            how += f" ({why})"
        return Outcome(exercise.id, "not attempted", f"{exercise.id} could not be judged: {how}.")


def _buttons(outcome: Outcome) -> Any:
    from .buttons import Buttons

    return Buttons(outcome)
