"""Every question is asked in its lesson, once, and nothing near it gives its answer away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil
from xml.etree import ElementTree

import pytest
from nbformat import NotebookNode

from mini_rpc.classroom.questions.records import predictions, questions
from mini_rpc.classroom.workshop import NOTEBOOKS
from mini_rpc.classroom.workshop.lessons import Lesson, committed_lessons

ASKED = re.compile(r'^(quiz|predict)\("([^"]+)"\)$', re.MULTILINE)
OWN = re.compile(r"\b(check|predict|provoke|puzzle|quiz)\(")
WARM_UP = re.compile(r"^warm_up\((\d)\)", re.MULTILINE)
FINAL = re.compile(r"^final_round\(", re.MULTILINE)
PICTURE = re.compile(r"!\[([^\]]*)\]\((figures/\w+\.svg)\)")
OPTION = re.compile(r"^ +(\d\.|\[ \]) .*$", re.MULTILINE)

SCREEN = 768
PROSE, CODE, FORM, MARGIN = 21, 17, 32, 20
"""Pixels of a line in JupyterLab, and between two cells: rather too few than too many."""
LETTERS = 120
"""How many letters are in a line: rather too many."""


def test_each_is_asked_once_in_the_lesson_of_its_record() -> None:
    asked: Counter[tuple[str, str, str]] = Counter()
    for name, lesson in committed_lessons().items():
        for cell in lesson.code:
            asked.update((name[:2], *found) for found in ASKED.findall(cell.source))
    known = [("quiz", id, one) for id, one in questions().items()]
    known += [("predict", id, one) for id, one in predictions().items()]
    assert asked == Counter((f"{one.lesson:02}", kind, id) for kind, id, one in known)
    untold = [id for _, id, one in known if not one.tells]
    assert not untold, "their files do not say what would tell the answer"


# --- before somebody has answered, the answer is out of sight -------------------------------------


def pieces(cell: NotebookNode) -> list[tuple[str, int]]:
    """Return what is read in a cell, in pieces, each with the pixels that it takes.

    That is its prose, or what came out of its code. The options of a question are not read.
    """
    if cell.cell_type == "markdown":
        return [(text, height(text, PROSE) + 16) for text in re.split(r"\n\n+", cell.source)]
    found = [("", height(cell.source, CODE) + 20)]
    for out in cell.outputs:
        text = out.get("text") or out.get("data", {}).get("text/plain", "")
        pixels = height(text, FORM if "text/html" in out.get("data", {}) else CODE)
        found.append((OPTION.sub("", text), pixels))
    return found


def height(text: str, line: int) -> int:
    """Return how many pixels a text takes, or the picture that it shows."""
    if picture := PICTURE.match(text):
        return int(ElementTree.parse(NOTEBOOKS / picture[2]).getroot().get("height", "0"))
    return sum(ceil(len(row) / LETTERS) for row in text.splitlines()) * line


def hides(cells: list[NotebookNode], at: int) -> set[int]:
    """Return which cells a question hides, as `choice.js` does."""
    if FINAL.search(cells[at].source):
        return set()
    if "self-check" in cells[at].source:
        return {n for n, cell in enumerate(cells) if cell.source.startswith("## Recap")}
    found: set[int] = set()
    for n in range(at + 1, len(cells)):
        heading = cells[n].cell_type == "markdown" and re.search("^#", cells[n].source, re.M)
        if OWN.search(cells[n].source) or (found and heading):
            break
        found.add(n)
    return found


def near(cells: list[NotebookNode], at: int, hidden: set[int]) -> Iterator[tuple[str, str]]:
    """Yield what is read within a screen of a cell: in which cell, and the text."""
    for row in (range(at - 1, -1, -1), range(at + 1, len(cells))):
        pixels = 0
        for n in row:
            pixels += MARGIN
            for text, size in pieces(cells[n])[:: 1 if n > at else -1]:
                if pixels < SCREEN and n not in hidden:
                    yield cells[n].id, text
                pixels += size


def asked_in(cell: NotebookNode) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Return what a cell asks, or may ask: the name of it, and what would tell."""
    for kind, id in ASKED.findall(cell.source):
        yield id, tuple((questions() if kind == "quiz" else predictions())[id].tells)
    before = [int(found[1])] if (found := WARM_UP.search(cell.source)) else []
    for last in before + ([8] if FINAL.search(cell.source) else []):
        yield from ((one.id, tuple(one.tells)) for one in questions().values() if one.lesson < last)


def given_away(cells: list[NotebookNode]) -> Iterator[str]:
    asking = [n for n, cell in enumerate(cells) if any(True for _ in asked_in(cell))]
    hidden = set().union(*(hides(cells, at) for at in asking))
    for at in asking:
        seen = list(near(cells, at, hidden))
        for id, tells in asked_in(cells[at]):
            yield from (
                f"{id}: {where} says {tell}"
                for where, text in seen
                for tell in tells
                if re.search(rf"(?<!\w){re.escape(tell)}", text, re.IGNORECASE)
            )


@pytest.mark.parametrize("lesson", committed_lessons().values(), ids=lambda one: one.path.stem)
def test_nothing_within_a_screen_of_a_question_tells_its_answer(lesson: Lesson) -> None:
    assert list(given_away(lesson.notebook.cells)) == []
