"""A file of an exercise that is wrong is refused with its name, the line and one sentence.

Covers content, cells.
"""

import shutil
from pathlib import Path

import pytest

from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.exercises import EXERCISES, Exercises
from mini_rpc.classroom.exercises.cells import code_cell, new_file, prompt_cell

SOUND = new_file("call", title="Place an order", place=1, where="01_four_shapes.ipynb#Request")


def read(folder, text, lesson="lesson_1"):
    """Read a course that has this one exercise, its judge and the rest of it."""
    (folder / lesson).mkdir()
    (folder / lesson / "call.md").write_text(text, "utf-8")
    exercise = Exercises(folder)["call"]
    assert exercise.judge
    assert list(Exercises(folder)) == ["call"]


def test_what_a_new_exercise_begins_with_is_sound(tmp_path):
    read(tmp_path, SOUND)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("---\ntitle", "title", "line 1: There is text before the first section."),
        ("\n---\n\n## Prompt", "\n\n## Prompt", "line 7: A fact is a line like"),
        ("title: Place", "Place", "line 2: A fact is a line like"),
        ("title: Place an order\n", "", 'line 1: The fact "title" is missing.'),
        ("title:", "name: x\ntitle:", 'line 2: There is no fact called "name".'),
        ("place: 1", "place: one", "line 3: The place is a number"),
        ("ipynb#", "html#", "line 4: It links to a heading of a notebook"),
        ("judge: message", "judge: massage", "line 5: lesson_1.py has no judge"),
        ("judge: message\n", "", 'lesson_1.py has no judge "call". There are'),
        ("## Hints", "## Help", 'line 25: There is no section called "Help". There are Prompt,'),
        ("## Stub\n", "## Stub\n\n## Stub\n", 'line 21: There is a second section "Stub".'),
        ("## Solution\n", "", 'line 1: The section "Solution" is missing.'),
        ('"method": "ping"}\n```', '"method": "ping"}', "line 15: This code is never closed"),
        (
            '{"jsonrpc": "2.0", "id": 7, "method": "ping"}\n```\n\n## S',
            "{}\n```\n\n## S",
            "line 15",
        ),
        ("call = ...", "call = (", "line 22: This is not Python"),
        ("call = ...", "reply = ...", "line 21: Nothing in this code is called call."),
        ("1. A nudge: where to look.\n", "", "line 25: The hints are one list of two or more."),
        ("### wrong: a number", "### bad: a number", "A wrong answer is one of not attempted"),
        ('> "id" is', '"id" is', "A wrong answer has one sentence, as a quote, and one block"),
        ("-call = ", "-reply = ", "These lines stand not in the solution"),
        (
            '+call = \'{"jsonrpc": "2.0", "id": "7"',
            '+call = \'{"jsonrpc": "2.0", "id": 7',
            "is the",
        ),
        ("\n-call", "\n*call", 'A changed line begins with "-"'),
    ],
)
def test_a_file_that_is_wrong_is_refused(old, new, sentence, tmp_path):
    assert old in SOUND
    with pytest.raises(BadContent) as refused:
        read(tmp_path, SOUND.replace(old, new, 1))
    assert str(refused.value).startswith("call.md, line ")
    assert sentence in str(refused.value)
    assert str(refused.value).endswith((".", '"?'))


def test_a_wrong_answer_that_is_right_is_refused(tmp_path):
    read(
        tmp_path,
        SOUND.replace(
            '+call = \'{"jsonrpc": "2.0", "id": "7"', '+call = \' {"jsonrpc": "2.0", "id": 7'
        ),
    )
    exercise = Exercises(tmp_path)["call"]
    wrong = exercise.wrong[0]
    names = {}
    exec(wrong.source, names)
    assert exercise.judge("call", names["call"], 1.0).passed
    with pytest.raises(BadContent, match=rf"call.md, line {wrong.line}: This wrong answer passes"):
        exercise.refuse_right_answer(wrong)


def test_an_unknown_lesson_is_refused(tmp_path):
    with pytest.raises(BadContent, match=r"call.md, line 1: .*lesson_99: lessons.py lists"):
        read(tmp_path, SOUND, "lesson_99")


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "lesson_1").mkdir()
    (tmp_path / "lesson_1" / "call.md").write_bytes(b"\xff")
    with pytest.raises(BadContent, match="line 1: The file is not UTF-8"):
        Exercises(tmp_path)["call"]


def test_only_the_file_that_is_asked_for_is_read(tmp_path):
    folder = Path(EXERCISES["valid_id"].page.path).parents[1]
    course = shutil.copytree(folder, tmp_path / "exercises")
    (course / "lesson_1" / "first_request.md").write_text("broken")
    assert Exercises(course)["valid_id"].title
    assert "first_request" in Exercises(course)


def test_the_cells_of_an_exercise_come_from_its_file():
    exercise = EXERCISES["valid_id"]
    assert prompt_cell(exercise).startswith("## Your turn: what may stand on a ticket\n\nWrite")
    assert prompt_cell(exercise, "## Ids\n\nOld.") == f"## Ids\n\n{exercise.prompt}"
    assert code_cell(exercise).endswith('    raise NotAttempted\n\n\ncheck("valid_id", valid_id)')
    assert '...}\n"""\n\ncheck(' in code_cell(EXERCISES["first_request"])
