"""What a lesson shows of an exercise is what the exercise's record says."""

from __future__ import annotations

import pytest

from mini_rpc.classroom.exercises import EXERCISES, Exercise
from mini_rpc.classroom.exercises.cells import code_cell, prompt_cell
from mini_rpc.classroom.exercises.checking import READ
from mini_rpc.classroom.workshop import NOTEBOOKS
from mini_rpc.classroom.workshop.house_style import prose_faults, unresolved_links
from mini_rpc.classroom.workshop.lessons import Lesson, committed_lessons

LESSONS = [*committed_lessons().values()]
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
each_exercise = pytest.mark.parametrize(
    "exercise", EXERCISES.values(), ids=lambda exercise: exercise.id
)


def test_every_exercise_stands_once_in_the_lessons() -> None:
    assert sorted(id for lesson in LESSONS for id in lesson.exercises) == sorted(EXERCISES)


@each_lesson
def test_the_cells_of_an_exercise_are_what_its_file_says(lesson: Lesson) -> None:
    cells = lesson.notebook.cells
    for id, cell in lesson.exercises.items():
        before = cells[cells.index(cell) - 1]
        assert before.source == prompt_cell(EXERCISES[id], before.source), (
            f"{before.id} differs from the prompt in {id}.md"
        )
        assert cell.source.removesuffix(".bench()") == code_cell(EXERCISES[id]), (
            f"{cell.id} differs from the stub in {id}.md"
        )


def test_what_is_repaired_is_the_dispatcher_that_the_lesson_began_with() -> None:
    (hasty,) = (cell.source for lesson in LESSONS for cell in lesson.code if cell.id == "hasty")
    assert EXERCISES["repaired"].stub.strip() == hasty.replace("def hasty", "def repaired")


@each_exercise
def test_an_exercise_reads_well_and_links_to_the_place_that_teaches_it(exercise: Exercise) -> None:
    assert broken(exercise.where) == []
    assert not [*prose_faults("\n".join([exercise.title, exercise.prompt, *exercise.hints]))]


def broken(link: str) -> list[str]:
    return [*unresolved_links(f"[where]({link})", NOTEBOOKS / "any", "", NOTEBOOKS)]


def test_a_shape_and_a_step_link_to_the_heading_that_teaches_them() -> None:
    assert [topic for topic in READ if broken(READ[topic])] == []
