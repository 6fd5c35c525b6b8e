"""The mistakes that a class makes, and where the course answers each of them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..exercises import EXERCISES
from ..progress import Answer
from ..questions.records import predictions, questions
from ..text import many, shorten, visible
from .poll import find_poll

__all__ = ["Mistake", "mistakes_of"]


@dataclass(frozen=True)
class Mistake:
    """A mistake by its name: how many `learners` made it, and what `answers` it."""

    name: str
    learners: int
    answers: str

    def __str__(self) -> str:
        who = many(self.learners, "learner")
        return f"{who}: {visible(shorten(self.name, 80))}. {self.answers}".rstrip()


def mistakes_of(learners: Mapping[str, Mapping[str, Answer]], most: int) -> list[Mistake]:
    """Return the mistakes that most learners made. Each learner counts once for each of them."""
    counted: Counter[str] = Counter()
    for entries in learners.values():
        counted.update({name for entry in entries.values() for name in entry.mistakes})
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [Mistake(name, count, _answer(name)) for name, count in ranked]


def _answer(mistake: str) -> str:
    for question in [*questions(), *predictions()]:
        for option in find_poll(question).options:
            if option.misconception == mistake:
                return f'{option.why} To vote on: "{question}".'
    for exercise in EXERCISES.values():
        if any(wrong.misconception == mistake for wrong in exercise.wrong):
            page, _, heading = exercise.where.partition("#")
            return f"See {page}, {heading.replace('-', ' ')}."
    return ""
