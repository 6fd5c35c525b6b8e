"""Begin an exercise or a question from a template, sound and ready to be filled in.

    python -m mini_rpc.classroom new exercise first_error --lesson 2
    python -m mini_rpc.classroom new question "who may use -32000" --lesson 2

Fill in the file that it names. Then `author` puts the cells where they belong.
"""

from __future__ import annotations

import sys
from keyword import iskeyword
from pathlib import Path

from ..content import BadContent
from ..exercises import EXERCISES
from ..exercises import __file__ as exercises_file
from ..exercises.cells import new_file
from ..lessons import LESSONS
from ..questions.records import TEMPLATE, questions
from . import NOTEBOOKS, ROOT, parser_of
from .lessons import SELF_CHECKS, Lesson

__all__ = ["main"]


def main(argv: list[str]) -> int:
    """Write the template; return 1 with a sentence where that cannot be."""
    parser = parser_of("new", __doc__)
    parser.add_argument("what", choices=("exercise", "question"))
    parser.add_argument("id", help="for an exercise, the name that learners write")
    parser.add_argument("--lesson", type=int, required=True, choices=LESSONS, help="its number")
    options = parser.parse_args(argv)
    try:
        begin = _exercise if options.what == "exercise" else _question
        path = begin(options.id, options.lesson)
    except (BadContent, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    page = (NOTEBOOKS / LESSONS[options.lesson].page).relative_to(ROOT)
    print(f"{path.relative_to(ROOT)} is there: fill it in.")
    print(f"Then run: python -m mini_rpc.classroom author {page.as_posix()}")
    return 0


def _exercise(id: str, number: int) -> Path:
    """Write the file of a new exercise, last in its lesson."""
    if not id.isidentifier() or id != id.lower() or iskeyword(id):
        raise ValueError(f"{id!r} is no name for an exercise: it is a variable, as in first_error.")
    if id in EXERCISES:
        raise ValueError(f"There is an exercise {id} in lesson {EXERCISES[id].lesson}.")
    places = [one.place for one in EXERCISES.values() if one.lesson == number]
    text = new_file(
        id,
        title=id.replace("_", " ").capitalize(),
        place=max(places, default=0) + 1,
        where=f"{LESSONS[number].page}#{_last_heading(number)}",
    )
    path = Path(exercises_file).parent / f"lesson_{number}" / f"{id}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def _last_heading(number: int) -> str:
    """Return the last heading of a lesson that teaches something, the way a link names it."""
    names = [*Lesson.read(NOTEBOOKS / LESSONS[number].page).headings]
    before = names[: names.index(SELF_CHECKS)] if SELF_CHECKS in names else names
    return next(name for name in reversed(before) if "our-turn" not in name)


def _question(id: str, number: int) -> Path:
    """Write a new question at the end of its lesson's file."""
    if not id.strip() or not id.isprintable():
        raise ValueError(f"{id!r} is no name for a question: it is a few words in one line.")
    if id in questions():
        raise ValueError(f"There is a question {id!r} in lesson {questions()[id].lesson}.")
    path = TEMPLATE.with_name(f"lesson_{number}.md")
    text = path.read_text(encoding="utf-8").rstrip("\n")
    question = TEMPLATE.read_text(encoding="utf-8").replace("ID", id, 1)
    path.write_text(f"{text}\n\n{question}", encoding="utf-8", newline="\n")
    return path
