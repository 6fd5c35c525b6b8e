"""What an exercise is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..judging.judging import Judge
from ..judging.outcome import State

__all__ = ["Exercise", "Wrong"]


class Wrong(NamedTuple):
    """A wrong answer, and what a check must say of it."""

    source: str
    state: State
    message: str
    misconception: str | None = None


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    `id` is the name of what is written. All answers are source texts that bind this name: the
    `stub` that the learner finds, the `solution`, other `right` answers, and `wrong` ones. `hints`
    are rungs, from a nudge to nearly all. `where` links to the place that teaches it.
    """

    id: str
    lesson: int
    title: str
    prompt: str
    stub: str
    hints: tuple[str, ...]
    solution: str
    right: tuple[str, ...]
    wrong: tuple[Wrong, ...]
    judge: Judge
    where: str
