"""Practice that comes back: warm-up questions from earlier lessons, and a mixed final."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from ..lessons import LAST, LESSONS
from ..progress import Answer, draw
from ..teacher import teacher
from ..text import NoSuchName
from ..widget import show
from .provoke import provoke
from .quiz import ask, puzzle
from .records import goals, puzzles, questions

__all__ = ["FINAL", "WARM_UP", "final_round", "warm_up"]

WARM_UP = 2
"""How many questions a warm-up asks."""

FINAL = {"quiz": 12, "puzzle": 2, "goals": 1}
"""How many questions and tasks of each kind the final has."""


def warm_up(lesson: int) -> None:
    """Ask two questions from the lessons before this one.

    Questions that were never answered, or answered wrongly, come first, and those of lessons that
    the teacher hides come last. What was drawn once stays.
    Raises `ValueError` for a lesson that has none before it.
    """
    if type(lesson) is not int or lesson not in LESSONS or lesson == min(LESSONS):
        raise NoSuchName(f"warm_up wants the number of a lesson, from 1 to {LAST}.")
    pool = {id: question for id, question in questions().items() if question.lesson < lesson}
    name = f"warm-up {lesson}"
    for id in draw(name, _drawer(name, {"quiz": pool}, {"quiz": WARM_UP})):
        _show(name, id, hides="below")


def final_round() -> None:
    """Ask twelve questions from all lessons, and set three tasks: two talks to read and one set of
    goals for the bench."""
    pools = {"quiz": questions(), "puzzle": puzzles(), "goals": goals()}
    for id in draw("final", _drawer("final", pools, FINAL)):
        _show("final", id)


def _drawer(
    name: str, pools: Mapping[str, Mapping[str, Any]], wanted: Mapping[str, int]
) -> Callable[[dict[str, Answer]], list[str]]:
    """Return what chooses: of each kind so many, those that need practice first."""

    def choose(known: dict[str, Answer]) -> list[str]:
        drawn = []
        for kind, ids in pools.items():
            order = [f"{kind}:{id}" for id in ids]
            Random(name).shuffle(order)
            shown = {f"{kind}:{id}" for id in ids if ids[id].lesson in teacher().lessons}
            order.sort(key=lambda key: (key not in shown, _is_known(key, known)))
            drawn += order[: wanted[kind]]
        return drawn

    return choose


def _is_known(key: str, known: Mapping[str, Answer]) -> bool:
    """Tell whether a question was answered, and rightly wherever it was asked."""
    found = [answer for name, answer in known.items() if name == key or name.endswith(f" {key}")]
    return bool(found) and all(answer.passed for answer in found)


def _show(name: str, drawn: str, hides: str = "") -> None:
    kind, _, id = drawn.partition(":")
    key = f"{name} {drawn}"
    if kind == "quiz" and id in questions():
        show(ask(questions()[id], key, hides=hides))
    elif kind == "puzzle" and id in puzzles():
        show(puzzle(id, key))
    elif kind == "goals" and id in goals():
        show(provoke(id, key))
