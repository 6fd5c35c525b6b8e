"""How a class stands: nothing in a folder stops the count, and what is skipped is named.

Covers handed_in, mistakes.
"""

import csv
import io
import json

import pytest

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.live.group import COLUMNS, group
from mini_rpc.classroom.live.hand_in import hand_in as hand_over
from mini_rpc.classroom.progress import record
from mini_rpc.classroom.workshop.class_ import main


def hand_in(path, **answers):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"course": "mini_rpc", "format": 1, "answers": answers}))


@pytest.fixture
def folder(tmp_path):
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


def test_the_picture_and_the_words_say_how_many_stand_where(folder):
    found = group(folder)
    for said in (
        "  first_request        ██·  2 solved, 1 not begun",
        "  shape_of             ▒×·  1 stuck, 1 gave up, 1 not begun",
        "  bo    1 of ",
        "stuck on shape_of, valid_id",
        "gave up shape_of",
        "2 of 3 are stuck or gave up on shape_of.",
    ):
        assert said in repr(found)
        assert said in found._repr_html_()
    assert found.hardest == ("shape_of",)


def test_where_two_are_equally_hard_it_counts_each(tmp_path):
    wrong = {"state": "wrong", "tries": 1}
    right = {"state": "correct", "tries": 1}
    hand_in(tmp_path / "07.json", first_notification=right, shape_of=right)
    hand_in(tmp_path / "12.json", first_notification=right, shape_of=wrong)
    hand_in(tmp_path / "19.json", first_notification=wrong)
    assert "1 of 3 is stuck on each of first_notification, shape_of." in repr(group(tmp_path))


def test_damaged_and_foreign_files_are_named_and_skipped(folder):
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


def test_other_files_and_hidden_ones_are_left_alone(folder):
    (folder / "notes.txt").write_text("hello")
    hand_in(folder / ".ipynb_checkpoints" / "ada.json")
    assert len(group(folder).learners) == 3
    assert group(folder).skipped == {}


def test_what_the_course_itself_writes_is_read(tmp_path):
    record("first_request", "wrong")
    record("first_request", "correct")
    record("quiz:id in msg", "wrong")
    found = group(tmp_path)
    assert found.counts("first_request")["solved"] == 1
    assert [*found.learners] == ["progress"]


def test_a_very_large_class_fits_the_line_and_where_nobody_is_stuck_it_says_so(tmp_path):
    done = {"state": "correct", "tries": 1}
    for name in (*range(129), "a&lt;b"):
        hand_in(tmp_path / f"{name}.json", first_request=done, juggling=done)
    found = group(tmp_path)
    line = next(line for line in repr(found).splitlines() if "first_request" in line)
    assert line.count("█") == 40
    assert found.hardest == ()
    assert "Nobody is stuck." in repr(found)
    assert "juggling" not in repr(found), "an exercise that the course does not have"
    assert "a&amp;lt;b" in found._repr_html_(), "a name is text, never markup"


def test_an_empty_folder_and_a_missing_one_are_said_in_one_sentence(tmp_path):
    assert repr(group(tmp_path)) == "There is no progress file in this folder."
    assert "<table" not in group(tmp_path)._repr_html_()
    with pytest.raises(NotADirectoryError, match="there is no folder handed_in: collect"):
        group(tmp_path / "handed_in")


def test_odd_files_cost_one_line_each_and_never_the_picture(folder):
    done = {"state": "correct", "tries": 1}
    hand_in(folder / "a folder" / "in a folder" / "progress (1).json", first_request=done)
    hand_in(folder / ("n" * 180 + ".json"), first_request=done)
    hand_in(folder / "new.json", first_request={"state": "half right", "tries": 1}, shape_of=done)
    hand_in(folder / "mixed.json", first_request=done, shape_of={"state": 7})
    with (folder / "huge.json").open("wb") as file:
        file.truncate(60_000_000)
    (folder / "loop").symlink_to(folder)
    found = group(folder)
    assert "a folder/in a folder (1)" in found.learners
    assert found.state("new", "shape_of") == "solved"
    assert found.state("mixed", "first_request") == "solved"
    lines = repr(found).splitlines()
    assert [line for line in lines if line.startswith(("Skipped", "new", "mixed"))][:3] == [
        "Skipped huge.json: 60 MB are too many for a progress file.",
        "mixed.json: 1 damaged entry is left out.",
        "new.json: 1 entry is of a kind that only a later version knows.",
    ]
    assert max(map(len, lines)) < 200


def test_two_files_of_one_name_are_two_learners_everywhere(tmp_path, monkeypatch):
    done, wrong = {"state": "correct", "tries": 1}, {"state": "wrong", "tries": 2}
    shared = tmp_path / "handed_in"
    hand_in(shared / "ada" / "progress.json", shape_of=done)
    hand_in(tmp_path / "progress.json", shape_of=wrong)
    monkeypatch.setenv("MINI_RPC_HAND_IN", str(shared))
    assert hand_over("ada").file == shared / "ada.json"
    found = group(shared)
    assert [*found.learners] == ["ada", "ada.json"]
    assert [found.state(name, "shape_of") for name in found.learners] == ["solved", "stuck"]
    assert "ada.json: there is another ada." in repr(found)
    assert found._repr_html_().count('title="shape_of:') == 2
    table, book = tmp_path / "table", tmp_path / "book"
    assert main([f"{shared}", "--csv", f"{table}", "--gradebook", f"{book}"]) == 0
    names = {line.partition(",")[0] for line in table.read_text().splitlines()[1:]}
    assert names == {"ada", "ada.json"}
    assert [line[:8] for line in book.read_text().splitlines()[2:]] == ["ada,1,0,", "ada.json"]


def test_thirty_learners_are_a_square_each_and_one_screen_high(tmp_path):
    for number in range(30):
        hand_in(tmp_path / f"{number:02}.json", shape_of={"state": "wrong", "tries": number % 3})
    html = group(tmp_path)._repr_html_()
    assert html.count('title="shape_of: stuck"') == 20
    assert html.count("<td title=") == 30 * len(EXERCISES)
    rows = repr(group(tmp_path)).splitlines()[-30:]
    assert [len(row.split("  ")[1].replace(" ", "")) for row in rows] == [len(EXERCISES)] * 30


def test_the_mistakes_of_a_class_come_by_learners_with_what_answers_them(tmp_path):
    def made(*names):
        return {"state": "wrong", "tries": 1, "mistakes": list(names)}

    hand_in(tmp_path / "1.json", valid_id=made("true as an id"), shape_of=made("true as an id"))
    hand_in(tmp_path / "2.json", valid_id=made("true as an id", "<b>odd</b>"))
    hand_in(tmp_path / "3.json", valid_id=made("\x9b31m" + "x" * 10_000))
    found = group(tmp_path)
    assert [(one.name, one.learners) for one in found.mistakes()] == [
        ("true as an id", 2), ("<b>odd</b>", 1), ("\x9b31m" + "x" * 10_000, 1)
    ]  # fmt: skip
    assert found.mistakes()[0].answers
    assert "1 learner: ⟨U+009B⟩31mxx" in repr(found)
    assert max(map(len, repr(found).splitlines())) < 200
    assert "2 learners: true as an id." in repr(found)
    assert "<b>odd" not in found._repr_html_()


def test_csv_has_a_row_for_each_exercise_and_each_answered_question(folder):
    hand_in(
        folder / "=evil.json",
        **{"quiz:id in msg": {"state": "wrong", "tries": 1, "choices": ["True"]}},
        **{"warm-up 3 quiz:id in msg": {"state": "correct", "tries": 1}},
    )
    rows = list(csv.DictReader(io.StringIO(group(folder).to_csv())))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 4 * len(EXERCISES) + 2
    assert [row["lesson"] for row in rows if row["kind"] == "warm-up question"] == ["1"]
    (question,) = [row for row in rows if row["kind"] == "question"]
    said = [question[name] for name in ("learner", "id", "choices")]
    assert said == ["'=evil", "id in msg", "True"]
    shape = next(row for row in rows if row["learner"] == "bo" and row["id"] == "shape_of")
    assert (shape["standing"], shape["tries"], shape["hints"]) == ("stuck", "4", "3")


def test_a_gradebook_has_a_row_for_each_learner_and_the_points_of_each_lesson(
    folder,
):
    first, *rows = list(csv.DictReader(io.StringIO(group(folder).to_gradebook())))
    assert first["Total"] == str(len(EXERCISES))
    assert [(row["Student"], row["Lesson 1"], row["Total"]) for row in rows] == [
        ("ada", "1", "1"), ("bo", "1", "1"), ("cleo", "0", "0")
    ]  # fmt: skip
