"""How a class stands: nothing in a folder stops the count, and what is skipped is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.live.group import group
from mini_rpc.classroom.progress import record


def hand_in(path: Path, **answers: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"course": "mini_rpc", "format": 1, "answers": answers}))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three learners, one of whom handed in a folder."""
    hand_in(tmp_path / "ada.json", first_request={"state": "correct", "tries": 2})
    hand_in(
        tmp_path / "bo" / "progress.json",
        first_request={"state": "correct", "tries": 1},
        shape_of={"state": "wrong", "tries": 4, "hints": 3},
        valid_id={"state": "not attempted", "hints": 1},
    )
    hand_in(tmp_path / "cleo.json", shape_of={"state": "crashed", "tries": 9, "gave_up": True})
    return tmp_path


def test_the_picture_and_the_words_say_how_many_stand_where(folder: Path) -> None:
    text = repr(group(folder))
    assert "  first_request        ██·  2 solved, 1 not begun" in text
    assert "  shape_of             ▒×·  1 stuck, 1 gave up, 1 not begun" in text
    assert "  bo    1 of " in text
    assert "stuck on shape_of, valid_id" in text
    assert "gave up shape_of" in text


def test_it_names_the_exercise_that_most_are_stuck_on(folder: Path) -> None:
    assert group(folder).hardest == ("shape_of",)
    expected = "2 of 3 are stuck or gave up on shape_of."
    assert expected in repr(group(folder))
    assert expected in group(folder)._repr_html_()


def test_where_two_are_equally_hard_it_counts_each(tmp_path: Path) -> None:
    wrong = {"state": "wrong", "tries": 1}
    right = {"state": "correct", "tries": 1}
    hand_in(tmp_path / "07.json", first_notification=right, shape_of=right)
    hand_in(tmp_path / "12.json", first_notification=right, shape_of=wrong)
    hand_in(tmp_path / "19.json", first_notification=wrong)
    assert "1 of 3 is stuck on each of first_notification, shape_of." in repr(group(tmp_path))


def test_where_nobody_is_stuck_it_says_so(tmp_path: Path) -> None:
    hand_in(tmp_path / "ada.json", first_request={"state": "correct", "tries": 1})
    assert group(tmp_path).hardest == ()
    assert "Nobody is stuck." in repr(group(tmp_path))


def test_damaged_and_foreign_files_are_named_and_skipped(folder: Path) -> None:
    (folder / "dov.json").write_text('{"course": "mini_rpc", "answ')
    (folder / "edda.json").write_bytes(b"\xff\xfe")
    (folder / "finn.json").write_text('{"course": "another", "answers": {}}')
    (folder / "gwen.json").write_text("[" * 100_000)
    (folder / "hugo.json").write_text("")
    (folder / "iris.json").mkdir()
    hand_in(folder / "jon.json", first_request={"state": 7})
    found = group(folder)
    assert len(found.learners) == 3
    names = ("dov", "edda", "finn", "gwen", "hugo", "iris", "jon")
    assert [*found.skipped] == [f"{name}.json" for name in names]
    assert "Skipped dov.json: it is damaged, or no progress file." in repr(found)


def test_other_files_and_hidden_ones_are_left_alone(folder: Path) -> None:
    (folder / "notes.txt").write_text("hello")
    hand_in(folder / ".ipynb_checkpoints" / "ada.json")
    assert len(group(folder).learners) == 3
    assert group(folder).skipped == {}


def test_what_the_course_itself_writes_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "progress.json"))
    record("first_request", "wrong")
    record("first_request", "correct")
    record("quiz:id in msg", "wrong")
    found = group(tmp_path)
    assert found.counts("first_request")["solved"] == 1
    assert [*found.learners] == ["progress"]


def test_exercises_that_the_course_does_not_have_do_no_harm(tmp_path: Path) -> None:
    hand_in(tmp_path / "ada.json", juggling={"state": "correct", "tries": 1})
    assert "juggling" not in repr(group(tmp_path))


def test_a_name_is_shown_as_text_never_as_markup(tmp_path: Path) -> None:
    hand_in(tmp_path / "a&lt;b.json")
    assert "a&amp;lt;b" in group(tmp_path)._repr_html_()


def test_a_very_large_class_fits_the_line(tmp_path: Path) -> None:
    for number in range(130):
        hand_in(tmp_path / f"{number}.json", first_request={"state": "correct", "tries": 1})
    line = next(line for line in repr(group(tmp_path)).splitlines() if "first_request" in line)
    assert line.count("█") == 40


def test_an_empty_folder_is_said_in_one_sentence(tmp_path: Path) -> None:
    assert repr(group(tmp_path)) == "There is no progress file in this folder."
    assert group(tmp_path)._repr_html_() == "<p>There is no progress file in this folder.</p>"


def test_a_missing_folder_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="there is no folder handed_in: collect"):
        group(tmp_path / "handed_in")


def test_every_exercise_is_in_the_table(folder: Path) -> None:
    assert all(f"<code>{id}</code>" in group(folder)._repr_html_() for id in EXERCISES)
