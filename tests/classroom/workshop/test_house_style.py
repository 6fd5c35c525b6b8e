"""The lessons as committed follow the house style, and the rules see what breaks it.

Covers author, house_style, lessons, minutes.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from mini_rpc.classroom.workshop import NOTEBOOKS, ROOT, author
from mini_rpc.classroom.workshop.house_style import RULES, faults, prose_faults, unresolved_links
from mini_rpc.classroom.workshop.lessons import (
    METADATA,
    Lesson,
    committed,
    committed_lessons,
    is_lesson,
)

LESSONS = [*committed_lessons().values()]
README = ROOT / "README.md"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
def test_a_lesson_follows_the_rule(lesson: Lesson, rule: Callable[[Lesson], Iterator[str]]) -> None:
    assert list(rule(lesson)) == []


def test_the_readme_reads_well_and_links_to_every_lesson_and_to_nothing_that_is_missing() -> None:
    text = committed(README)
    assert [*prose_faults(text), *unresolved_links(text, README, text, ROOT)] == []
    names = [one.path.name for one in LESSONS if one.path.parent == NOTEBOOKS]
    assert [name for name in names if f"](notebooks/{name})" not in text] == []


OPENING = """# A good lesson

_It shows the rules a lesson that keeps them all._

**Minutes:** 5 · **Needs:** nothing

After this lesson you will be able to:

- read
- write
- count
"""


def _good() -> NotebookNode:
    """Build a lesson without a fault."""
    cells = [new_markdown_cell(OPENING, id="title")]
    for number in range(1, 14):
        cells.append(new_markdown_cell(f"Text number {number} says why.", id=f"why-{number}"))
        cells.append(new_code_cell("1 + 1", id=f"run-{number}", execution_count=number))
    cells += [
        new_markdown_cell("One more word on why.", id="why-14"),
        new_markdown_cell("## Three self-checks\n\n1. a\n2. b\n3. c", id="self-checks"),
        new_markdown_cell("## Recap\n\n| a | b |\n|---|---|\n| c | d |", id="recap"),
    ]
    return new_notebook(cells=cells, metadata=copy.deepcopy(METADATA))


def _judge(notebook: NotebookNode) -> list[str]:
    return faults(Lesson(NOTEBOOKS / "x_in_memory.ipynb", json.dumps(notebook)))


def _output(*outputs: NotebookNode) -> Callable[[NotebookNode], None]:
    return lambda notebook: notebook.cells[2].update(outputs=list(outputs))


def _source(cell: int, source: str) -> Callable[[NotebookNode], None]:
    return lambda notebook: notebook.cells[cell].update(source=source)


_live_widget = _output(
    new_output("display_data", {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}})
)


PLANTED: dict[str, tuple[Callable[[NotebookNode], None], str]] = {
    "a cell not run": (lambda n: n.cells[2].update(execution_count=None), "[None]"),
    "widget state": (lambda n: n.metadata.update(widgets={}), "widgets"),
    "timings": (lambda n: n.cells[2].metadata.update(execution={"x": "y"}), "['execution']"),
    "a live widget": (_live_widget, "live widget"),
    "a random id": (lambda n: n.cells[2].update(id="0d4e9a1c"), "no readable id"),
    "an id twice": (lambda n: n.cells[2].update(id="title"), "of 2 cells"),
    "a dead link": (_source(1, "[on](99_nowhere.ipynb)"), "leads to no file"),
    "a link out of the folder": (_source(1, "[read me](../README.md)"), "leads to no file"),
    "a dead anchor": (_source(1, "[on](#nowhere)"), "leads to no heading"),
    "a picture from elsewhere": (_source(1, '<img src="https://example.org/a.png">'), "fetched"),
    "a path": (_output(new_output("stream", text="/home/me/notebooks")), "/home/"),
    "an address": (_output(new_output("stream", text="<object at 0x7f6654b11940>")), "0x7f"),
    "a warning": (_output(new_output("stream", name="stderr", text="careful")), "stderr"),
    "an error": (_output(new_output("error", ename="KeyError")), "KeyError"),
    "an untagged exercise": (_source(2, 'a = ...\n\ncheck("a", a)'), "needs the tag"),
    "no reason": (lambda n: n.cells[2].metadata.update(tags=["nbval-ignore-output"]), "reason"),
    "a skipped cell": (lambda n: n.cells[2].metadata.update(tags=["nbval-skip"]), "never run"),
    "too short": (lambda n: n.cells.pop(1), "has 29 cells"),
    "no cells": (lambda n: n.cells.clear(), "has no cells"),
    "long code": (_source(2, "1\n" * 16), "16 lines"),
    "too long": (lambda n: n.cells.extend([n.cells[1]] * 31), "has 61 cells"),
    "long prose": (_source(1, "word " * 111), "111 words"),
    "three code cells": (lambda n: (n.cells.pop(3), n.cells.pop(4)), "without prose"),
    "no minutes": (_source(0, OPENING.replace("**Minutes:** 5", "")), "lacks its minutes"),
    "other minutes": (_source(0, OPENING.replace("5", "15")), "15 minutes, and 5 are counted"),
    "no promise": (_source(0, OPENING.replace("_It", "It. _")), "one sentence of promise"),
    "two abilities": (_source(0, OPENING.replace("- count", "")), "three abilities"),
    "no table": (_source(-1, "## Recap"), "with a table"),
    "two self-checks": (_source(-2, "## Three self-checks\n\n1. a\n2. b"), "has 2 self-checks"),
    "no self-checks": (_source(-2, "The end."), "## Three self-checks"),
    "recap first": (lambda n: n.cells.append(n.cells.pop(-2)), "before the recap"),
    "talking down": (_source(1, "You simply run it."), "'simply'"),
    "shouting": (_source(1, "It works!"), "'!'"),
    "British": (_source(1, "Its behaviour."), "'behaviour'"),
    "emoji": (_source(1, "Well done \U0001f389"), "\U0001f389"),
}


@pytest.mark.filterwarnings("ignore:Non-unique cell id")
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_seen(fault: str) -> None:
    notebook = _good()
    assert _judge(notebook) == []
    plant, said = PLANTED[fault]
    plant(notebook)
    assert said in "\n".join(_judge(notebook))


def test_a_lesson_that_does_not_lead_on_is_seen() -> None:
    lesson = LESSONS[1]
    cut = copy.deepcopy(lesson.notebook)
    del cut.cells[-1]
    assert "does not end in a link to" in "\n".join(faults(Lesson(lesson.path, json.dumps(cut))))


def test_a_learners_own_notebooks_are_left_alone() -> None:
    assert not any(map(is_lesson, map(Path, ("Untitled.ipynb", "01_four_shapes-Copy1.ipynb"))))


def test_cleaning_makes_a_notebook_clean_and_a_second_time_changes_nothing() -> None:
    notebook = _good()
    _live_widget(notebook)
    notebook.metadata.widgets = {}
    notebook.cells[2].metadata.update(execution={"x": "y"}, tags=["raises-exception"])
    author.clean(notebook)
    once = nbformat.writes(notebook)
    author.clean(notebook)
    assert nbformat.writes(notebook) == once
    assert _judge(notebook) == []
    assert notebook.cells[2].metadata.tags == ["raises-exception"]
