"""Every lesson runs with its exercises left alone, and with all of them solved.

Left alone, each cell is run a second time, from the last to the first.

The copies run two at a time, ahead of the tests that look at them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import nbformat
import pytest
from nbformat import NotebookNode

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.workshop import NOTEBOOKS, ROOT, author
from mini_rpc.classroom.workshop.lessons import Lesson, committed, lesson_paths

PATHS = [path for path in lesson_paths() if path.parent == NOTEBOOKS]
ALL = {path.name: Lesson(path, committed(path)) for path in PATHS}
LESSONS = {name: lesson for name, lesson in ALL.items() if lesson.exercises}
each_lesson = pytest.mark.parametrize("name", LESSONS)

ASK_FOR_STATES = """
import json
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.judging.outcome import Outcome
outcomes = [out for out in Out.values() if isinstance(out, Outcome) and out.id in EXERCISES]
print(json.dumps({out.id: out.state for out in outcomes}))
"""


class Ran(NamedTuple):
    """A copy that has run, how each exercise ended, and what each cell showed when run again."""

    notebook: NotebookNode
    states: dict[str, str]
    again: dict[str, list[NotebookNode]]


def _filled(lesson, answer):
    """Return a copy of the lesson with another answer in each exercise."""
    copy = nbformat.reads(lesson.text, as_version=4)
    ids = {cell.id: id for id, cell in lesson.exercises.items()}
    for cell in copy.cells:
        if cell.id in ids:
            check = cell.source.strip().splitlines()[-1]
            cell.source = f"{answer(EXERCISES[ids[cell.id]]).strip()}\n\n\n{check}"
    return copy


def _run(notebook, folder, name, *, again=False):
    """Run all cells in this folder and save the copy there. A cell that raises fails the test."""
    count = len(notebook.cells)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    notebook.cells.append(nbformat.v4.new_code_cell(ASK_FOR_STATES, id="states"))
    if again:
        notebook.cells += [
            nbformat.v4.new_code_cell(cell.source, id=f"{cell.id}-again", metadata=cell.metadata)
            for cell in code[::-1]
        ]
    author.execute(notebook, folder, folder / "progress.json")
    states = json.loads(notebook.cells[count].outputs[0].text)
    author.clean(notebook)
    second = {cell.id.removesuffix("-again"): cell.outputs for cell in notebook.cells[count + 1 :]}
    del notebook.cells[count:]
    nbformat.write(notebook, folder / name)
    return Ran(notebook, states, second)


@pytest.fixture(scope="module")
def two_at_a_time():
    with ThreadPoolExecutor(2) as pool:
        yield pool
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def left_alone(two_at_a_time, tmp_path_factory):
    """A copy of each lesson with the exercises as they are, run twice, by the lesson's name."""
    return {
        name: two_at_a_time.submit(
            _run,
            _filled(lesson, lambda exercise: exercise.stub),
            tmp_path_factory.mktemp("x"),
            name,
            again=True,
        )
        for name, lesson in ALL.items()
    }


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """The folder of a learner who solves every lesson."""
    return tmp_path_factory.mktemp("desk")


@pytest.fixture(scope="module")
def solved(two_at_a_time, desk):
    """A copy of each lesson with all exercises solved, by the lesson's name."""
    return {
        name: two_at_a_time.submit(
            _run, _filled(lesson, lambda exercise: exercise.solution), desk, name
        )
        for name, lesson in LESSONS.items()
    }


@pytest.mark.rest
@each_lesson
def test_left_alone_every_check_says_not_attempted(name, left_alone, solved):
    exercises = LESSONS[name].exercises
    notebook, states, _ = left_alone[name].result()
    assert {id: states.get(id) for id in exercises} == dict.fromkeys(exercises, "not attempted")
    outputs = _outputs(notebook)
    for cell in exercises.values():
        assert outputs[cell.id] == cell.outputs


@pytest.mark.rest
@pytest.mark.parametrize("name", ALL)
def test_after_run_all_each_cell_shows_the_same_when_it_is_run_again(name, left_alone):
    ran = left_alone[name].result()
    outputs = _outputs(ran.notebook)
    assert ran.again.keys() == outputs.keys()
    assert [id for id in outputs if _shown(outputs[id]) != _shown(ran.again[id])] == []


def _outputs(notebook):
    return {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


def _shown(outputs):
    return [
        {key: value for key, value in output.items() if key != "execution_count"}
        for output in outputs
    ]


@each_lesson
def test_solved_every_check_says_correct_and_no_cell_that_nbval_compares_anything_else(
    name, solved
):
    ran = solved[name].result()
    assert [id for id in LESSONS[name].exercises if ran.states.get(id) != "correct"] == []
    outputs = _outputs(ran.notebook)
    for cell in LESSONS[name].code:
        is_compared = "nbval-ignore-output" not in cell.metadata.get("tags", [])
        assert not is_compared or outputs[cell.id] == cell.outputs, cell.id


@pytest.mark.rest
def test_a_solved_lesson_passes_nbval_with_the_settings_of_the_project(desk, solved):
    name = "04_dispatcher.ipynb"  # whose answer other cells use
    solved[name].result()
    command = [sys.executable, "-m", "pytest", f"--config-file={ROOT / 'pyproject.toml'}", "-q"]
    ran = subprocess.run([*command, name], cwd=desk, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
