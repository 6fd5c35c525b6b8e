"""Every helper that a page speaks of is there after its first cell of code."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest

import mini_rpc.classroom as classroom
from mini_rpc.classroom.questions.records import goals, predictions, puzzles, questions
from mini_rpc.classroom.workshop.lessons import Lesson, committed_lessons

LESSONS = [one for name, one in committed_lessons().items() if name[:2].isdigit()]
CALLED = re.compile(r"`(\w+)\(")
OF_EACH_LESSON = {"check", "give_up", "glossary", "hint", "solution", "start_over", "starter"}


def names_of(lesson: Lesson, cells: int) -> set[str]:
    """Return what the first cells of code import."""
    nodes = (node for cell in lesson.code[:cells] for node in ast.walk(ast.parse(cell.source)))
    imports = (node for node in nodes if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in imports for alias in node.names}


def spoken_in(lesson: Lesson) -> set[str]:
    """Return the course's helpers that the prose speaks of."""
    spoken = {name for cell in lesson.prose for name in CALLED.findall(cell.source)}
    return spoken & set(classroom.__all__)


@pytest.mark.parametrize("lesson", LESSONS[1:], ids=lambda lesson: lesson.path.stem)
def test_every_helper_that_the_page_speaks_of_comes_with_its_first_cell(lesson: Lesson) -> None:
    assert (spoken_in(lesson) | OF_EACH_LESSON) - names_of(lesson, 1) == set()


def test_the_start_page_brings_each_helper_that_it_speaks_of() -> None:
    assert spoken_in(LESSONS[0]) - names_of(LESSONS[0], 99) == {"check"}


@pytest.mark.parametrize(
    ("function", "known"),
    [("quiz", questions), ("predict", predictions), ("puzzle", puzzles), ("provoke", goals)],
)
def test_what_the_map_counts_for_a_lesson_stands_on_its_page(function: str, known: Any) -> None:
    """The talks of the last lesson are for the final, and not counted."""
    for number, lesson in enumerate(LESSONS):
        ids = {
            getattr(one, "called", "") or id for id, one in known().items() if one.lesson == number
        }
        if function == "puzzle" and lesson is LESSONS[-1]:
            ids = set()
        source = "\n".join(cell.source for cell in lesson.code)
        assert set(re.findall(rf'\b{function}\("([^"{{]+)"\)', source)) == ids
