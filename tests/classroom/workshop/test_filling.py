"""The author's tool fills a lesson's cells from files, and loses nothing that somebody wrote."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.workshop import NOTEBOOKS, filling
from mini_rpc.classroom.workshop.filling import fill
from mini_rpc.classroom.workshop.lessons import Lesson, committed
from mini_rpc.classroom.workshop.minutes import OFF, SAID, minutes

PATH = NOTEBOOKS / "01_four_shapes.ipynb"


@pytest.fixture
def lesson() -> Lesson:
    return Lesson(PATH, committed(PATH))


def cell(lesson: Lesson, id: str) -> int:
    return [cell.id for cell in lesson.notebook.cells].index(id)


@pytest.mark.parametrize("page", ["01_four_shapes.ipynb", "00_start_here.ipynb"])
def test_a_page_as_committed_stays_as_it_is(page: str) -> None:
    one = Lesson(NOTEBOOKS / page, committed(NOTEBOOKS / page))
    before = [cell.source for cell in one.notebook.cells]
    assert fill(one) == ([], [])
    assert [cell.source for cell in one.notebook.cells] == before


def test_prompt_and_stub_come_from_the_file(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, place = EXERCISES["shape_of"], cell(lesson, "shape-of")
    monkeypatch.setattr(filling, "_is_committed", lambda lesson, cell: True)
    prompt, code = lesson.notebook.cells[place - 1 : place + 1]
    prompt.source, code.source = "## Own heading\n\nOld.", 'old = 1\n\ncheck("shape_of", shape_of)'
    assert fill(lesson) == ([], [])
    assert prompt.source == f"## Own heading\n\n{one.prompt}"
    assert code.source == f'{one.stub.strip()}\n\n\ncheck("shape_of", shape_of)'


def test_an_answer_is_left_alone_and_what_stands_behind_a_check_stays(lesson: Lesson) -> None:
    answer = 'two_responses = "mine"\n\ncheck("two_responses", two_responses)'
    mine, other = (
        lesson.notebook.cells[cell(lesson, id)] for id in ("two-responses", "first-request")
    )
    mine.source = answer
    other.source += ".bench()"
    assert fill(lesson) == ([], ["two_responses: holds somebody's answer, and was left alone"])
    assert mine.source == answer
    assert other.source.endswith('check("first_request", first_request).bench()')


def test_what_is_missing_is_put_where_it_belongs(lesson: Lesson) -> None:
    cells = lesson.notebook.cells
    quiz = next(place for place, one in enumerate(cells) if one.source.startswith("quiz("))
    place = cell(lesson, "shape-of")
    lost = [cells[place - 1].source, cells[place].source, cells[quiz].source]
    cells[:] = [one for one in cells if one.source not in lost]
    added, kept = fill(lesson)
    assert len(added) == 2
    assert kept == []
    place = cells.index(lesson.exercises["shape_of"])
    assert cells[place].source == lost[1]
    assert cells[place].metadata.tags == ["nbval-ignore-output"]
    assert cells[place - 1].source.endswith(EXERCISES["shape_of"].prompt)
    checks = next(place for place, one in enumerate(cells) if "## Three self-checks" in one.source)
    assert cells[checks - 1].source == lost[2]
    assert fill(lesson) == ([], [])


@pytest.mark.parametrize(
    ("where", "after"), [("01_four_shapes.ipynb#Request", "## "), ("x.ipynb#Any", "## Three self")]
)
def test_a_new_cell_goes_to_the_end_of_the_section_that_teaches_it(
    lesson: Lesson, where: str, after: str
) -> None:
    place = filling._end_of_section(lesson, where)
    assert lesson.notebook.cells[place].source.startswith(after)
    assert place > cell(lesson, "title")


def test_a_link_to_no_heading_is_refused_with_its_place(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = replace(EXERCISES["shape_of"], where="01_four_shapes.ipynb#Nowhere")
    monkeypatch.setitem(EXERCISES._read, "shape_of", lost)
    with pytest.raises(BadContent, match=r"shape_of.md, line 4: .*#Nowhere leads to no heading"):
        fill(lesson)


def test_a_lesson_that_takes_other_minutes_says_so(lesson: Lesson) -> None:
    head = lesson.notebook.cells[0]
    before = head.source
    head.source = SAID.sub(r"\g<1>5", before)
    added, _ = fill(lesson)
    assert "says other minutes now" in added[0]
    assert abs(int(SAID.search(head.source)[2]) - minutes(lesson.notebook.cells)) <= OFF  # type: ignore[index]
    assert SAID.sub("", head.source) == SAID.sub("", before)
