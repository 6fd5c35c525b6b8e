"""The map of the course: what is done, read from the progress file, in words.

Covers lessons.
"""

import re
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from mini_rpc.classroom import course_map, progress
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.judging.break_clerks import CLERKS
from mini_rpc.classroom.lessons import LESSONS
from mini_rpc.classroom.progress import Answer, give_up, next_rung, record
from mini_rpc.classroom.questions.prediction import predict
from mini_rpc.classroom.questions.quiz import quiz
from mini_rpc.classroom.questions.records import goals, predictions, puzzles, questions
from mini_rpc.classroom.workshop import NOTEBOOKS
from mini_rpc.classroom.workshop.house_style import unresolved_links

MAPS = Path(__file__).parents[1] / "data" / "maps"
_MANY = {questions: (4, 5), predictions: (3, 3), puzzles: (1, 2), goals: (0, 1)}
"""How many of each a small course has in its two lessons."""


@pytest.fixture
def small(monkeypatch):
    """Put a small course into the place of the real one."""
    names = [("first_request", 1, "A request"), ("valid_id", 3, "Legal <ids>")]
    exercises = {id: SimpleNamespace(lesson=lesson, title=title) for id, lesson, title in names}
    monkeypatch.setattr(course_map, "EXERCISES", exercises)
    monkeypatch.setattr(course_map, "LESSONS", {number: LESSONS[number] for number in (1, 3)})
    for records, many in _MANY.items():
        own = {}
        for lesson, number in zip((1, 3), many, strict=True):
            of_it = (item for item in records().items() if item[1].lesson == lesson)
            own |= dict(islice(of_it, number))
        monkeypatch.setattr(course_map, records.__name__, lambda own=own: own)
    monkeypatch.setattr(course_map, "CLERKS", dict(islice(CLERKS.items(), 22)))


def test_a_new_course_is_all_not_attempted_and_the_same_each_time(file):
    text = progress().transcript()
    assert text == progress().transcript()
    assert f"0 of {len(EXERCISES)} exercises solved, 0 of {len(questions())} questions" in text
    assert text.count("not attempted") == len(EXERCISES)
    assert not file.exists(), "looking leaves nothing behind"


def test_the_map_says_in_words_how_everything_stands(small):
    assert progress().transcript() == (MAPS / "new.txt").read_text("utf-8").removesuffix("\n")
    record("first_request", "out of time")
    record("first_request", "correct")
    next_rung("first_request", 3)
    record("valid_id", "wrong")
    give_up("valid_id")
    quiz("id in msg").choose(2)
    quiz("lesson 1 self-check 1").choose(1)
    predict("a request").choose(2)
    record("clerk:Ada", "correct")
    record("puzzle:one answer too many", "correct")
    record("warm-up 1 quiz:start self-check 1", "correct")
    record("warm-up 1 quiz:start self-check 2", "wrong")
    assert progress().transcript() == (MAPS / "begun.txt").read_text("utf-8").removesuffix("\n")


def test_html_says_what_the_text_says_and_is_free_of_style_and_script(small):
    record("valid_id", "crashed")
    html = progress()._repr_mimebundle_()[0]["text/html"]
    assert '<td align="left">3. MCP&#x27;s rules</td>' in html
    assert '<td align="left">~</td><td align="left">0 of 1 exercises, ' in html
    assert html.startswith("<p>0 of 2 exercises solved")
    assert not re.search("style|script|href|class", html)


def test_a_map_that_stands_there_follows_what_another_notebook_writes():
    shown = progress()
    record("first_request", "correct")
    assert "1 of" not in shown.transcript()
    shown._asked = {"ticket": "a ticket from the browser"}
    assert shown._answer["ticket"] == "a ticket from the browser"
    assert shown._answer["headline"].startswith("1 of")
    stop = shown._answer["lessons"][1]["stops"][0]
    assert (stop["state"], stop["details"]) == ("correct", "1 try")
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
    assert "<img" not in progress()._as_html()
    monkeypatch.setattr(course_map, "answers", lambda: {"first_request": Answer(img)})
    assert "<img" not in progress()._as_html(), "and were it not checked, it is never HTML"


def test_the_way_goes_on_where_the_learner_was_last(small):
    way = progress()
    assert way._next == {
        "text": "Begin here: lesson 1, The four shapes: A request",
        "link": "01_four_shapes.ipynb#cell-id=first-request",
    }
    record("quiz:lesson 3 self-check 1", "correct")
    way.refresh()
    assert way._next["text"] == "Continue here: lesson 3, MCP's rules: Legal <ids>"
    kinds = {"quiz": questions, "predict": predictions, "puzzle": puzzles, "goals": goals}
    ids = [f"{kind}:{id}" for kind, records in kinds.items() for id in records()]
    for id in ["valid_id", "first_request", *ids]:
        record(id, "correct")
    for lesson in (1, 3):
        for number in range(2):
            record(f"warm-up {lesson} quiz:{number}", "correct")
    way.refresh()
    assert way._next == {"text": "Everything on this map is done.", "link": ""}
    assert "Lesson 3  ████████████ ✓  MCP's rules" in way.transcript()


def test_every_link_leads_to_a_cell_of_the_course():
    stops = [stop for lesson in course_map._way({}) for stop in lesson["stops"]]
    links = [stop["link"] for stop in stops] + [lesson.page for lesson in LESSONS.values()]
    text = " ".join(f"[there]({link})" for link in links)
    assert [*unresolved_links(text, NOTEBOOKS / "any", "", NOTEBOOKS)] == []
