"""A new exercise or question begins sound; what cannot be is said in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.record import read_exercise
from mini_rpc.classroom.questions.records import TEMPLATE, read_file
from mini_rpc.classroom.workshop import new


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that takes what is written; the course as it is gives the rest."""
    for name in ("lesson_2.md", "template.md"):
        (tmp_path / name).write_bytes(TEMPLATE.with_name(name).read_bytes())
    monkeypatch.setattr(new, "exercises_file", str(tmp_path / "__init__.py"))
    monkeypatch.setattr(new, "TEMPLATE", tmp_path / "template.md")
    return tmp_path


def test_an_exercise_and_a_question_are_sound_as_they_begin(scratch: Path) -> None:
    begun = read_exercise(new._exercise("first_error", 2))
    last = max(one.place for one in EXERCISES.values() if one.lesson == 2)
    assert (begun.id, begun.lesson, begun.place) == ("first_error", 2, last + 1)
    assert begun.where.startswith("02_error_codes.ipynb#")
    assert "who may use it" in read_file(new._question("who may use it", 2)).questions


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["exercise", "shape_of"], "There is an exercise shape_of in lesson 1."),
        (["exercise", "two words"], "is no name for an exercise"),
        (["exercise", "class"], "is no name for an exercise"),
        (["question", " "], "is no name for a question"),
        (["question", "id in msg"], "There is a question 'id in msg' in lesson 1."),
    ],
)
def test_what_cannot_be_is_said(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new.main([*argv, "--lesson", "2"]) == 1
    assert said in capsys.readouterr().err
