"""Which names are exercises, and what to say of one that is none."""

from __future__ import annotations

from typing import Any, TypeGuard

from ..text import function_name, near, visible
from . import EXERCISES

__all__ = ["is_known", "unknown"]


def is_known(id: Any) -> TypeGuard[str]:
    """Tell whether this is the id of an exercise."""
    return type(id) is str and id in EXERCISES


def unknown(id: Any, function: str = "check") -> str:
    """Say to the caller of this function that there is no such exercise, and which may be meant."""
    if type(id) is not str or not id.isprintable() or "{" in id:  # an answer, and no name
        name = function_name(id)
        example = name if name in EXERCISES else "first_request"
        more = f", {example}" if function == "check" else ""
        return (
            f'{function} wants the name of an exercise first, as in {function}("{example}"{more}).'
        )
    from ..judging.break_clerks import CLERKS  # with all that a dispatcher is judged by

    if id.capitalize() in CLERKS:
        name = id.capitalize()
        return f'{name} is a clerk, and no exercise: send mail with break_clerk("{name}", raw).'
    return f'There is no exercise "{visible(id[:40])}". {near(id, EXERCISES)}'
