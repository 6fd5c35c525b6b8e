"""The exercises of lesson 4: the dispatcher, as far as step 2, 3 and 5, whole, and repaired."""

from __future__ import annotations

from ..judging.answers import Judge
from ..judging.dispatchers import Dispatches

__all__ = ["JUDGES"]


JUDGES: dict[str, Judge] = {
    "handle_step_2": Dispatches(2, "Steps 1 and 2 are right, for all of {count} messages."),
    "handle_step_3": Dispatches(
        3, "Steps 1 to 3 are right, for all of {count} messages. Nobody is disturbed."
    ),
    "handle_step_5": Dispatches(5, "Steps 1 to 5 are right, for all of {count} messages."),
    "handle": Dispatches(
        6,
        "All six steps are right, for all of {count} messages and some more. Lesson 5 asks for "
        "more: NaN, results that cannot be sent, and methods that exit.",
    ),
    "repaired": Dispatches(6, "It is repaired, for all of {count} messages and some more."),
}
