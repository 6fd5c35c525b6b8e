"""Puts into a lesson's notebook what has its home in files: exercises, and questions by their ids.

A cell that is missing is put where it belongs; what a learner wrote into one is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from ..exercises import EXERCISES, Exercise
from ..exercises.cells import code_cell, prompt_cell
from ..lessons import LESSONS
from ..questions.records import questions
from . import NOTEBOOKS
from .house_style import unresolved_links
from .lessons import SELF_CHECKS, Lesson, last_commit
from .minutes import OFF, SAID, minutes, with_minutes

__all__ = ["fill"]

IGNORED = {
    "tags": ["nbval-ignore-output"],
    "reason": "The output changes as soon as a learner works on the exercise.",
}
QUIZ = re.compile(r'^quiz\("([^"]+)"\)$', re.MULTILINE)


def fill(lesson: Lesson) -> tuple[list[str], list[str]]:
    """Write prompts and stubs into a lesson's cells, in place, and put in those that are missing.

    Where the lesson takes other minutes than it says, it says so now. Returns a sentence for each
    of these, and one for each cell that was left alone because somebody's answer is in it. Raises
    `BadContent` if a file of an exercise or question is wrong.
    """
    numbers = {NOTEBOOKS / one.page: number for number, one in LESSONS.items()}
    number = numbers.get(lesson.path)
    if not number:  # it tells of other lessons
        said = dict(_said_minutes())
        for cell in lesson.prose:
            cell.source = with_minutes(cell.source, said)
    if number is None:
        return [], []
    own = [exercise for exercise in EXERCISES.values() if exercise.lesson == number]
    for exercise in own:
        for broken in unresolved_links(f"[where]({exercise.where})", lesson.path, "", NOTEBOOKS):
            exercise.page.refuse(exercise.page.lines["where"], f"{broken}.")
    added = [_add_exercise(lesson, one) for one in own if one.id not in lesson.exercises]
    kept = [one.id for one in own if not _fill_exercise(lesson, one)]
    added += [*_add_questions(lesson, number), *_tell_minutes(lesson)]
    return added, [f"{id}: holds somebody's answer, and was left alone" for id in kept]


def _add_exercise(lesson: Lesson, exercise: Exercise) -> str:
    slug = exercise.id.replace("_", "-")
    place = _end_of_section(lesson, exercise.where)
    lesson.notebook.cells[place:place] = [
        new_markdown_cell(prompt_cell(exercise), id=f"your-turn-{slug}"),
        new_code_cell(code_cell(exercise), id=slug, metadata=IGNORED),
    ]
    return f"{slug}: is new, and stands after {lesson.notebook.cells[place - 1].id}"


def _fill_exercise(lesson: Lesson, exercise: Exercise) -> bool:
    """Write prompt and stub into their cells; return False where somebody's answer is in one."""
    cell = lesson.exercises[exercise.id]
    place = lesson.notebook.cells.index(cell)
    above = lesson.notebook.cells[place - 1]
    if above.cell_type != "markdown":
        above = new_markdown_cell("", id=f"your-turn-{cell.id}")
        lesson.notebook.cells.insert(place, above)
    above.source = prompt_cell(exercise, above.source)
    answer, _, check = cell.source.rstrip().rpartition("\n")
    stub, _, own_check = code_cell(exercise).rpartition("\n")
    if answer.split() != stub.split() and not _is_committed(lesson, cell):
        return False
    cell.source = f"{stub}\n{check if check.startswith(own_check) else own_check}"
    return True


def _is_committed(lesson: Lesson, cell: NotebookNode) -> bool:
    """Tell whether the cell is as it was committed last: then its text is the author's."""
    text = last_commit(lesson.path)
    cells = Lesson(lesson.path, text).notebook.cells if text else []
    return any(other.id == cell.id and other.source == cell.source for other in cells)


def _add_questions(lesson: Lesson, number: int) -> Iterator[str]:
    """Ask each question of the lesson that its page does not ask, before the self-checks."""
    asked = {id for cell in lesson.code for id in QUIZ.findall(cell.source)}
    for id, question in questions().items():
        if question.lesson == number and id not in asked:
            slug = re.sub(r"[^a-z0-9]+", "-", id.lower()).strip("-")
            place = _end_of_section(lesson, "")
            lesson.notebook.cells[place:place] = [
                new_markdown_cell("Decide before you read on.", id=f"before-{slug}"),
                new_code_cell(f'quiz("{id}")', id=slug),
            ]
            yield f"{slug}: is new, and stands before the self-checks"


def _tell_minutes(lesson: Lesson) -> Iterator[str]:
    head, counted = lesson.notebook.cells[0], minutes(lesson.notebook.cells)
    said = SAID.search(head.source)
    if said and abs(int(said[2]) - counted) > OFF:
        head.source = SAID.sub(rf"\g<1>{5 * round(counted / 5)}", head.source, count=1)
        yield f"{head.id}: says other minutes now, as {counted:.0f} are counted"


def _said_minutes() -> Iterator[tuple[int, int]]:
    """Yield the minutes that each lesson says of itself."""
    for number, lesson in LESSONS.items():
        if said := SAID.search(Lesson.read(NOTEBOOKS / lesson.page).notebook.cells[0].source):
            yield number, int(said[2])


def _end_of_section(lesson: Lesson, where: str) -> int:
    """Return the place after the section that a link names; before the self-checks if none does."""
    page, _, anchor = where.partition("#")
    heads = lesson.headings
    if page == lesson.path.name and anchor in heads:
        after = [place for place in heads.values() if place > heads[anchor]]
        if after:
            return after[0]
    return heads.get(SELF_CHECKS, heads.get("Recap", len(lesson.notebook.cells)))
