"""The minutes that the pages for instructors promise add up, and are those of the lessons."""

from __future__ import annotations

import re
from itertools import pairwise

from nbformat import NotebookNode

from mini_rpc.classroom.lessons import LAST
from mini_rpc.classroom.live.acts import read_acts
from mini_rpc.classroom.workshop import ROOT
from mini_rpc.classroom.workshop.lessons import committed_lessons
from mini_rpc.classroom.workshop.minutes import IN_CLASS, OFF, SECONDS, with_minutes
from mini_rpc.classroom.workshop.minutes import minutes as counted


def page(name: str) -> dict[str, str]:
    """Return the cells of a page for instructors by their ids."""
    return {cell.id: cell.source for cell in committed_lessons()[name].notebook.cells}


def table(markdown: str, head: str) -> list[list[str]]:
    """Return the rows of the table with this head."""
    below = markdown.split(f"{head}\n", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in below.splitlines()[1:]]


def acts() -> dict[str, int]:
    return {f"{number}": act.minutes for number, act in read_acts().items()}


def lessons() -> dict[str, list[NotebookNode]]:
    """Return the cells of each lesson by its number."""
    found = committed_lessons().items()
    return {name[1]: one.notebook.cells for name, one in found if name[0] == "0"}


def minutes_of_lessons() -> dict[str, int]:
    said = re.compile(r"Minutes:\*\* (\d+)")
    return {number: int(*said.findall(cells[0].source)) for number, cells in lessons().items()}


def test_the_map_says_the_minutes_of_the_lessons_and_how_they_are_counted() -> None:
    said = minutes_of_lessons()
    (map_,) = (cell.source for cell in lessons()["0"] if cell.id == "lesson-map")
    rows = table(map_, "| lesson | you learn | minutes |")
    assert {row[0][1]: row[-1] for row in rows} == {
        n: f"{said[n]}{', in two parts' * (n == '5')}" for n in said if n != "0"
    }
    each = [said[number] for number in said if number != "0"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"takes {min(each)} to {max(each)} minutes" in readme
    for what, words in (("quiz", "{} seconds for a question"), ("word", "{} words a minute")):
        seconds = SECONDS[what]
        assert words.format(round(60 / seconds) if what == "word" else seconds) in map_


def test_the_parts_of_lesson_5_say_the_minutes_that_are_counted() -> None:
    cells = lessons()["5"]
    (stop,) = (n for n, cell in enumerate(cells) if "Here part 1 ends" in cell.source)
    parts = [*map(int, re.findall(r"in two parts of (\d+) and (\d+)", cells[0].source)[0])]
    assert f"which takes {parts[1]} minutes" in cells[stop].source
    assert sum(parts) == minutes_of_lessons()["5"]
    assert abs(parts[0] - counted(cells[:stop])) <= OFF


def test_the_live_demo_takes_as_long_as_its_acts() -> None:
    title = page("live_demo")["title"]
    assert f"**Minutes:** {sum(acts().values())} in all" in title
    assert f"{min(acts().values())} to {max(acts().values())} an act" in title
    rows = table(page("live_demo")["the-acts"], "| act | minutes | leads to |")
    said = [(name, minutes) for name, minutes, _ in rows]
    assert said == [(f"{n}. {act.title}", f"{act.minutes}") for n, act in read_acts().items()]


def test_a_class_of_50_minutes_takes_50() -> None:
    notes = page("teaching_notes")
    for id in ("timings", "one-class-for-all"):
        rows = table(notes[id], "| minutes | what |")
        assert sum(int(minutes) for minutes, _ in rows) == 50, id
    assert any(row[0] == str(IN_CLASS) for row in table(notes["timings"], "| minutes | what |"))
    said = dict(re.findall(r"(\d) \((\d+)\)", notes["one-class-for-all"]))
    assert said == {number: str(acts()[number]) for number in said}
    assert f"| {sum(map(int, said.values()))} | acts" in notes["one-class-for-all"]


def test_what_a_class_does_of_a_lesson_and_what_is_left_make_the_lesson() -> None:
    rows = table(
        page("teaching_notes")["timings"], "| lesson | minutes | classes | left for home |"
    )
    assert len(rows) == LAST
    for lesson, minutes, classes, left in rows:
        assert int(minutes) == minutes_of_lessons()[lesson]
        assert int(classes) * IN_CLASS + int(re.match(r"\d+", left)[0]) == int(minutes)  # type: ignore[index]


def test_the_tables_of_the_lessons_are_told_other_minutes() -> None:
    said = dict.fromkeys(range(1, LAST + 1), 65)
    map_ = with_minutes("| [2. Error codes](02.ipynb) | 3 | 55, in parts |\n| 2 | 55 |\n", said)
    assert map_ == "| [2. Error codes](02.ipynb) | 3 | 65, in parts |\n| 2 | 55 |\n"
    assert with_minutes("| 4 | 75 | 2 | 15: the repair |", said) == "| 4 | 65 | 2 | 5: the repair |"


def test_half_a_day_adds_up_and_has_breaks() -> None:
    text = page("teaching_notes")["half-a-day"]
    rows = table(text, "| from | minutes | what |")
    plan = [(int(at[0]) * 60 + int(at[2:]), int(minutes), what) for at, minutes, what in rows]
    for (at, minutes, what), (following, _, _) in pairwise(plan):
        assert at + minutes == following, what
    end = plan[-1][0] + plan[-1][1]
    assert f"At {end // 60}:{end % 60:02} you are done." in text
    assert [what for *_, what in plan].count("break") == 2
    for _, minutes, what in plan:
        parts = list(map(int, re.findall(r"\((\d+)\)", what)))
        assert sum(parts) == minutes or not parts, what
        for act, said in re.findall(r"act (\d) \((\d+)\)", what):
            assert int(said) == acts()[act], what
