"""Every lesson runs with its exercises left alone, and with all of them solved."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import author
import nbformat
import pytest
from house_style import prose_faults, unresolved_links
from lessons import NOTEBOOKS, ROOT, Lesson, committed, lesson_paths
from nbformat import NotebookNode

from mini_rpc.classroom.exercises import EXERCISES, Exercise

LESSONS = [Lesson(path, committed(path)) for path in lesson_paths()]
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)

ASK_FOR_STATES = """
import json
from mini_rpc.classroom.outcome import Outcome
print(json.dumps({out.id: out.state for out in Out.values() if isinstance(out, Outcome)}))
"""


def _answer_of(cell: NotebookNode) -> str:
    """Return what stands above the line that calls check."""
    return str(cell.source).strip().rpartition("\n")[0].strip()


def _filled(lesson: Lesson, answer: Callable[[Any], str]) -> NotebookNode:
    """Return a copy of the lesson with another answer in each exercise."""
    copy = nbformat.reads(lesson.text, as_version=4)
    for id, cell in Lesson(lesson.path, nbformat.writes(copy)).exercises.items():
        line = cell.source.strip().splitlines()[-1]
        source = f"{answer(EXERCISES[id]).strip()}\n\n\n{line}"
        next(mine for mine in copy.cells if mine.id == cell.id).source = source
    return copy


def _run(notebook: NotebookNode, folder: Path) -> dict[str, str]:
    """Run all cells in this folder; return how each exercise ended. A cell that raises fails."""
    notebook.cells.append(nbformat.v4.new_code_cell(ASK_FOR_STATES, id="states"))
    author.execute(notebook, folder, folder / "progress.json")
    return dict(json.loads(notebook.cells.pop().outputs[0].text))


def test_every_exercise_stands_once_in_the_lessons() -> None:
    assert sorted(id for lesson in LESSONS for id in lesson.exercises) == sorted(EXERCISES)


@each_lesson
def test_an_exercise_begins_as_its_record_says(lesson: Lesson) -> None:
    for id, cell in lesson.exercises.items():
        assert _answer_of(cell) == EXERCISES[id].stub.strip(), id


@each_lesson
def test_the_cell_before_an_exercise_holds_the_prompt_of_its_record(lesson: Lesson) -> None:
    cells = lesson.notebook.cells
    ids = [cell.id for cell in cells]
    for id, cell in lesson.exercises.items():
        before = cells[ids.index(cell.id) - 1].source
        assert " ".join(EXERCISES[id].prompt.split()) in " ".join(before.split())


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda exercise: exercise.id)
def test_an_exercise_links_to_the_place_that_teaches_it(exercise: Exercise) -> None:
    assert not [*unresolved_links(f"[where]({exercise.where})", NOTEBOOKS / "any", "", NOTEBOOKS)]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda exercise: exercise.id)
def test_an_exercise_reads_well(exercise: Exercise) -> None:
    assert not [*prose_faults("\n".join([exercise.title, exercise.prompt, *exercise.hints]))]


@each_lesson
def test_left_alone_every_check_says_not_attempted(lesson: Lesson, tmp_path: Path) -> None:
    before = {cell.id: cell.outputs for cell in lesson.exercises.values()}
    notebook = _filled(lesson, lambda exercise: exercise.stub)
    assert _run(notebook, tmp_path) == dict.fromkeys(lesson.exercises, "not attempted")
    author.clean(notebook)
    after = {cell.id: cell.outputs for cell in notebook.cells if cell.id in before}
    assert after == before


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a learner who solves one lesson after the other."""
    return tmp_path_factory.mktemp("desk")


@each_lesson
def test_solved_every_check_says_correct(lesson: Lesson, desk: Path) -> None:
    notebook = _filled(lesson, lambda exercise: exercise.solution)
    assert _run(notebook, desk) == dict.fromkeys(lesson.exercises, "correct")
    nbformat.write(notebook, desk / lesson.path.name)


def test_solved_lessons_pass_nbval_with_the_settings_of_the_project(desk: Path) -> None:
    command = [sys.executable, "-m", "pytest", f"--config-file={ROOT / 'pyproject.toml'}", "-q"]
    ran = subprocess.run([*command, str(desk)], cwd=desk, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
