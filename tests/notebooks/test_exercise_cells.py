"""What a lesson shows of an exercise is what the exercise's record says."""

from __future__ import annotations

import pytest

from mini_rpc.classroom.exercises import EXERCISES, Exercise
from mini_rpc.classroom.workshop import NOTEBOOKS
from mini_rpc.classroom.workshop.house_style import prose_faults, unresolved_links
from mini_rpc.classroom.workshop.lessons import Lesson, committed, lesson_paths

LESSONS = [Lesson(path, committed(path)) for path in lesson_paths()]
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
each_exercise = pytest.mark.parametrize(
    "exercise", EXERCISES.values(), ids=lambda exercise: exercise.id
)


def test_every_exercise_stands_once_in_the_lessons() -> None:
    assert sorted(id for lesson in LESSONS for id in lesson.exercises) == sorted(EXERCISES)


@each_lesson
def test_an_exercise_begins_as_its_record_says(lesson: Lesson) -> None:
    for id, cell in lesson.exercises.items():
        above_the_check = cell.source.strip().rpartition("\n")[0].strip()
        assert above_the_check == EXERCISES[id].stub.strip(), id


@each_lesson
def test_the_cell_before_an_exercise_holds_the_prompt_of_its_record(lesson: Lesson) -> None:
    cells = lesson.notebook.cells
    ids = [cell.id for cell in cells]
    for id, cell in lesson.exercises.items():
        before = cells[ids.index(cell.id) - 1].source
        assert " ".join(EXERCISES[id].prompt.split()) in " ".join(before.split())


@each_exercise
def test_an_exercise_links_to_the_place_that_teaches_it(exercise: Exercise) -> None:
    assert not [*unresolved_links(f"[where]({exercise.where})", NOTEBOOKS / "any", "", NOTEBOOKS)]


@each_exercise
def test_an_exercise_reads_well(exercise: Exercise) -> None:
    assert not [*prose_faults("\n".join([exercise.title, exercise.prompt, *exercise.hints]))]
