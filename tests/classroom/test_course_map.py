"""The map of the course: what is done, read from the progress file, in words."""

import re
from types import SimpleNamespace

import pytest

from mini_rpc.classroom import course_map, progress
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.progress import Answer, give_up, next_rung, record
from mini_rpc.classroom.questions.prediction import predict
from mini_rpc.classroom.questions.quiz import quiz
from mini_rpc.classroom.questions.records import predictions, questions


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "progress.json"))
    return tmp_path / "progress.json"


@pytest.fixture
def small(monkeypatch):
    """Put a small course into the place of the real one."""
    names = [("first_request", 1, "A request"), ("valid_id", 3, "Legal <ids>")]
    exercises = {id: SimpleNamespace(lesson=lesson, title=title) for id, lesson, title in names}
    monkeypatch.setattr(course_map, "EXERCISES", exercises)
    for name, records in (("questions", questions()), ("predictions", predictions())):
        two_lessons = {id: record for id, record in records.items() if record.lesson in (1, 3)}
        monkeypatch.setattr(course_map, name, lambda two_lessons=two_lessons: two_lessons)


def test_a_new_course_is_all_not_attempted_and_the_same_each_time(file):
    text = progress().transcript()
    assert text == progress().transcript()
    assert f"0 of {len(EXERCISES)} exercises solved, 0 of {len(questions())} questions" in text
    assert text.count("not attempted") == len(EXERCISES)
    assert not file.exists(), "looking leaves nothing behind"


def test_the_map_says_in_words_how_everything_stands(small):
    assert progress().transcript() == (
        "0 of 2 exercises solved, 0 of 7 questions right.\n"
        "\n"
        "Lesson 1\n"
        "  not attempted  first_request\n"
        "  0 of 4 questions right, 0 of 3 predictions made\n"
        "\n"
        "Lesson 3\n"
        "  not attempted  valid_id\n"
        "  0 of 3 questions right, 0 of 3 predictions made"
    )
    record("first_request", "out of time")
    record("first_request", "correct")
    next_rung("first_request", 3)
    record("valid_id", "wrong")
    give_up("valid_id")
    quiz("id in msg").choose(2)
    quiz("lesson 1 self-check 1").choose(1)
    predict("a request").choose(2)
    assert progress().transcript() == (
        "1 of 2 exercises solved, 1 of 7 questions right.\n"
        "\n"
        "Lesson 1\n"
        "  correct        first_request        2 tries, 1 hint\n"
        "  1 of 4 questions right, 1 of 3 predictions made\n"
        "\n"
        "Lesson 3\n"
        "  gave up        valid_id             1 try, solution seen\n"
        "  0 of 3 questions right, 0 of 3 predictions made"
    )


def test_html_says_what_the_text_says_and_is_free_of_style_and_script(small):
    record("valid_id", "crashed")
    html = progress()._repr_mimebundle_()[0]["text/html"]
    assert '<td align="left">Legal &lt;ids&gt;<br><code>valid_id</code></td>' in html
    assert '<td align="left">crashed</td><td align="left">1 try</td>' in html
    assert html.startswith("<p>0 of 2 exercises solved")
    assert not re.search("style|script|href|class", html)


def test_a_map_that_stands_there_follows_what_another_notebook_writes():
    shown = progress()
    record("first_request", "correct")
    assert "1 of" not in shown.transcript()
    shown._asked = "a ticket from the browser"
    assert shown._answer["ticket"] == "a ticket from the browser"
    assert shown._answer["headline"].startswith("1 of")
    assert "correct" in shown._answer["table"]
    record("first_notification", "correct")
    shown.refresh()
    assert shown.transcript().startswith("2 of")


def test_the_map_says_that_nothing_can_be_written(file, monkeypatch):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(file.parent / "nowhere" / "progress.json"))
    record("first_request", "correct")
    line = progress().transcript().split("\n")[0]
    assert line.startswith("1 of")
    assert line.endswith("cannot be written at present: some of this is in memory only.")


def test_what_the_course_does_not_know_is_no_trouble(file):
    file.write_text('{"answers": {"<b>": {"state": "polished"}}}', "utf-8")
    assert "<b>" not in progress()._repr_mimebundle_()[0]["text/html"]


def test_what_the_file_says_is_never_markup(file, monkeypatch):
    img = "<img src=x onerror=alert(1)>"
    entry = f'{{"answers": {{"first_request": {{"state": "{img}"}}}}}}'
    file.write_text(entry, "utf-8")
    assert "<img" not in progress()._answer["table"]
    monkeypatch.setattr(course_map, "answers", lambda: {"first_request": Answer(img)})
    assert "&lt;img" in progress()._answer["table"], "and were it not checked, it is escaped"
    assert "<img" not in progress()._answer["table"]
