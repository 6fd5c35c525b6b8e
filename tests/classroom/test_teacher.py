"""A teacher's file decides what is shown and adds content; what is wrong is one sentence."""

import shutil
import tomllib
from pathlib import Path

import pytest

from mini_rpc.classroom import bench, check, home, progress
from mini_rpc.classroom.exercises import EXERCISES, Exercises
from mini_rpc.classroom.exercises import help as help_
from mini_rpc.classroom.exercises.buttons import Buttons
from mini_rpc.classroom.lessons import LESSONS
from mini_rpc.classroom.progress import gave_up, give_up
from mini_rpc.classroom.questions import practice, records
from mini_rpc.classroom.teacher import EXAMPLE, Teacher, teacher
from mini_rpc.classroom.workshop.site import teachers_files

OURS = Path(__file__).parents[1] / "data" / "teacher"
"""A question and an exercise of a teacher's own."""
WRONG = (OURS.parent / "teacher_wrong.toml").read_text("utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MINI_RPC_TEACHER", str(tmp_path / "teacher.md"))
    shutil.copytree(OURS, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture(autouse=True)
def _read_again():
    teacher.cache_clear()
    records._lessons.cache_clear()
    yield
    teacher.cache_clear()
    records._lessons.cache_clear()


def say(folder, text):
    (folder / "teacher.md").write_text(text)
    teacher.cache_clear()
    return teacher()


def test_without_a_file_all_is_as_the_course_has_it_and_the_example_is_read(folder):
    assert teacher() == Teacher()
    assert teacher().lessons == tuple(LESSONS)
    (folder / "our_acts").mkdir()
    found = say(folder, EXAMPLE.read_text())
    assert (found.lessons, found.solutions) == ((1, 2, 3), "after a pass")
    assert found.questions == folder / "ours.md"
    assert [*found.messages] == ["how to use this file", "the lost order"]


def test_messages_questions_and_exercises_of_ones_own_stand_beside_the_courses(
    folder,
):
    facts = "---\nlessons: 1, 3\nquestions: ours.md\nexercises: ours\n---\n\n"
    say(folder, f"{facts}## message: hello\n\n```json\n[]\n```\n")
    assert teacher().lessons == (1, 3)
    assert ["hello", '"[]"'] in bench()._setup["messages"]
    assert records.questions()["ours"].ask == "Who asks?"
    assert "the server asks" in records.puzzles()
    assert "five codes" in records.goals()
    exercises = Exercises(Path(help_.__file__).parent, with_the_teachers=True)
    assert exercises["say_hello"].title == "Say hello"
    assert "valid_id" in exercises


CLOSED = {"never": "keeps the solutions closed", "after a pass": "opens a solution after a pass"}


@pytest.mark.parametrize("word", CLOSED)
def test_a_solution_that_stays_closed_is_closed_everywhere(folder, word):
    give_up("valid_id")  # before the teacher decided
    say(folder, f"---\nsolutions: {word}\n---\n")
    for _ in EXERCISES["first_request"].hints:
        last = help_.hint("first_request")
    for help in (last, help_.solution("valid_id"), help_.give_up("first_request")):
        assert CLOSED[word] in repr(help)
        assert "give_up" not in repr(help)
    assert help_.give_up("first_request").sources == help_.solution("valid_id").sources == ()
    assert not gave_up("first_request")
    buttons = Buttons(check("first_request", "[]"))
    assert {"solution", "give_up"}.isdisjoint(one["name"] for one in buttons._choices())
    assert "give_up" not in buttons.transcript()


@pytest.mark.parametrize("word", CLOSED)
def test_after_a_pass_a_solution_opens_as_the_teacher_says(folder, word):
    opens = word != "never"
    say(folder, f"---\nsolutions: {word}\n---\n")
    right = check("valid_id", lambda value: isinstance(value, str) or type(value) is int)
    assert right.passed
    assert bool(right.others) is bool(help_.solution("valid_id").sources) is opens
    assert ("solution" in repr(right) + Buttons(right).transcript()) is opens


def test_hidden_lessons_are_not_on_the_map_and_come_last_in_what_is_drawn(folder):
    say(folder, "---\nlessons: 2, 4\n---\n")
    shown = progress()
    exercises = [one for one in EXERCISES.values() if one.lesson in (2, 4)]
    assert f"0 of {len(exercises)} exercises solved" in shown.transcript()
    assert "clerks" not in shown.transcript()
    assert {drawn["number"] for drawn in shown._answer["lessons"]} <= {0, 2, 4}
    assert shown._next["link"].startswith("02_") or "00_" in shown._next["link"]
    draw = practice._drawer("final", {"quiz": records.questions()}, {"quiz": 12})
    lessons = [records.questions()[key.removeprefix("quiz:")].lesson for key in draw({})]
    number = sum(question.lesson in (2, 4) for question in records.questions().values())
    assert len(lessons) == 12
    assert {*lessons[:number]} == {2, 4}


def test_pages_for_instructors_have_the_file_of_the_lessons(folder, monkeypatch):
    monkeypatch.delenv("MINI_RPC_TEACHER")
    (folder / "instructor").mkdir()
    for place in (folder, folder / "instructor"):
        monkeypatch.setattr(home, "FOLDER", place)
        assert say(folder, "---\nsolutions: never\n---\n").solutions == "never"


def test_the_site_has_the_file_and_what_it_names(folder, tmp_path_factory):
    pages = tmp_path_factory.mktemp("pages")
    teachers_files(folder, pages)
    assert not [*pages.iterdir()]
    say(folder, "---\nsolutions: never\nquestions: ours.md\nexercises: ours\n---\n")
    for _ in range(2):  # it may be committed, too
        teachers_files(folder, pages)
    names = {path.relative_to(pages).as_posix() for path in pages.rglob("*.md")}
    assert names == {"teacher.md", "ours.md", "ours/lesson_1/say_hello.md"}
    say(folder, "---\nsolutions: perhaps\n---\n")
    with pytest.raises(SystemExit, match="Solutions open"):
        teachers_files(folder, pages)


def test_a_folder_out_of_reach_is_one_sentence_and_the_course_goes_on(folder, monkeypatch, capsys):
    monkeypatch.setattr(Path, "is_file", lambda _: folder.read_text())
    assert teacher.__wrapped__() == Teacher()
    assert capsys.readouterr().out.endswith("The course goes on.\n")


@pytest.mark.parametrize(("text", "sentence"), tomllib.loads(WRONG)["cases"])
def test_a_wrong_file_is_one_sentence_and_the_course_goes_on(folder, text, sentence, capsys):
    assert say(folder, text) == Teacher()
    said = capsys.readouterr().out
    assert sentence in said
    assert said.endswith("The course goes on without it.\n")


def test_a_wrong_question_or_exercise_is_left_out_and_said(folder, capsys):
    (folder / "ours.md").write_text("---\nlesson: 1\n---\n\n## question: ours\n\nWho?\n")
    (folder / "ours" / "lesson_1" / "say_hello.md").write_text("---\ntitle: a\n---\n")
    say(folder, "---\nquestions: ours.md\nexercises: ours\n---\n")
    assert "ours" not in records.questions()
    assert "id in msg" in records.questions()
    assert "say_hello" not in Exercises(Path(help_.__file__).parent, with_the_teachers=True)
    said = capsys.readouterr().out
    assert "ours.md, line 5: One option must be right, and here are none." in said
    assert 'say_hello.md, line 1: The fact "place" is missing.' in said
