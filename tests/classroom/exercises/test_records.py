"""The author's gate: every record is run against its own check, and must get what it promises.

Covers lesson_*, and raw_text.
"""

import re

import pytest
from corpus import bound

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.sandbox import fresh

SECONDS = 5.0
SHORT = 0.3  # for answers that must run out of time, and for no others


def checked(exercise, source, seconds=SECONDS):
    return check(exercise.id, bound(source, exercise.id), seconds=seconds)


def of_each(part):
    """Return the parameters for a test: each exercise with each of a part of its record."""
    return pytest.mark.parametrize(
        ("exercise", "case"),
        [
            pytest.param(exercise, case, id=f"{exercise.id}-{number}")
            for exercise in EXERCISES.values()
            for number, case in enumerate(part(exercise))
        ],
    )


each_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda one: one.id)


@each_exercise
def test_the_stub_is_not_attempted_binds_the_id_and_leaves_the_check_to_the_cell(
    exercise,
):
    outcome = checked(exercise, exercise.stub)
    assert outcome.state == "not attempted"
    assert outcome.message == "Nothing is written here yet."
    assert re.match(rf"((async )?def {exercise.id}\(|{exercise.id} = )", exercise.stub)
    assert "check(" not in exercise.stub


@pytest.mark.sample(6)
@of_each(lambda exercise: (exercise.solution, *exercise.right))
def test_a_right_answer_is_correct(exercise, case):
    outcome = checked(exercise, case)
    assert outcome.passed, outcome


@pytest.mark.sample(6)
@each_exercise
def test_its_cases_can_be_carried_to_a_fresh_interpreter(exercise):
    pytest.importorskip("cloudpickle")
    judge = exercise.judge
    assert fresh._pack((getattr(judge, "via", None), list(getattr(judge, "cases", []))))


@pytest.mark.sample(6)
@of_each(lambda exercise: exercise.wrong)
def test_a_wrong_answer_gets_its_own_state_and_sentence(exercise, case):
    seconds = SHORT if case.state == "out of time" else SECONDS
    outcome = checked(exercise, case.source, seconds)
    if outcome.passed:
        exercise.refuse_right_answer(case)
    assert (outcome.state, outcome.message) == (case.state, case.message)
    assert outcome.misconception == case.misconception
    if case.state in ("crashed", "out of time") and "ended the process" not in case.message:
        number, _, text = outcome.line.removeprefix("line ").partition(": ")
        assert case.source.splitlines()[int(number) - 1].strip() == text


@each_exercise
def test_hints_do_not_contain_the_solution_and_prose_is_plain(exercise):
    assert 2 <= len(exercise.hints) <= 5
    said = " ".join(exercise.hints).replace(" ", "")
    for line in exercise.solution.splitlines():
        if line not in exercise.stub.splitlines() and len(line.strip()) > 12:
            assert line.replace(" ", "").strip("',") not in said
    for text in (exercise.prompt, *exercise.hints, *(one.message for one in exercise.wrong)):
        assert not re.search(r"\b(simply|just|obviously|easy)\b|!", text), text


def test_ids_are_unique_and_lessons_in_order(record_property):
    lessons = [exercise.lesson for exercise in EXERCISES.values()]
    assert lessons == sorted(lessons)
    assert all(id == exercise.id for id, exercise in EXERCISES.items())
    assert all(lessons.count(lesson) <= 5 for lesson in lessons)
    wrong = [one for exercise in EXERCISES.values() for one in exercise.wrong]
    right = sum(len(exercise.right) + 1 for exercise in EXERCISES.values())
    sentences = len({one.message for one in wrong})
    counted = f"{right} right answers, {len(wrong)} wrong ones, {sentences} sentences"
    record_property("figures", f"{len(EXERCISES)} exercises, {counted}")
