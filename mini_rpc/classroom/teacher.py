"""What a teacher decides: one file beside the notebooks, `teacher.md`, read once a kernel.

`teacher_example.md` beside this module says everything that such a file can say. What is wrong in
one is said in a sentence, with its place, and the course goes on without it. MINI_RPC_TEACHER names
another file.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from . import home
from .content import BadContent, Page, read_page
from .lessons import LAST, LESSONS

__all__ = ["EXAMPLE", "Teacher", "or_else", "read_teacher", "teacher"]

EXAMPLE = Path(__file__).with_name("teacher_example.md")
"""A file to begin with."""

_SOLUTIONS = ("after giving up", "after a pass", "never")
_FILES = ("questions", "exercises", "acts")
_INSTRUCTOR = "instructor"  # the folder, beside the lessons, of pages that have the same file
_T = TypeVar("_T")


@dataclass(frozen=True)
class Teacher:
    """What the file says; what it does not say is as the course has it."""

    lessons: tuple[int, ...] = tuple(LESSONS)
    solutions: str = _SOLUTIONS[0]
    questions: Path | None = None
    exercises: Path | None = None
    acts: Path | None = None
    messages: Mapping[str, str] = field(default_factory=dict)


@cache
def teacher() -> Teacher:
    """Return what the teacher of this course has decided."""
    beside = home.FOLDER.parent if home.FOLDER.name == _INSTRUCTOR else home.FOLDER
    path = beside / (os.environ.get("MINI_RPC_TEACHER") or "teacher.md")
    return or_else(lambda: read_teacher(path) if path.is_file() else Teacher(), Teacher())


def or_else(read: Callable[[], _T], otherwise: _T) -> _T:
    """Return what is read, or else say what is wrong with the file, and return the other thing."""
    try:
        return read()
    except BadContent as error:
        print(f"{error} The course goes on without it.")
    except OSError as error:
        print(f"A file of your teacher's cannot be read ({error.strerror}). The course goes on.")
    return otherwise


def read_teacher(path: Path) -> Teacher:
    """Return what a file says. Raises `BadContent` with its place for what is wrong."""
    page = read_page(path)
    page.expect(dict.fromkeys(("lessons", "solutions", *_FILES), False))
    solutions = page.facts.get("solutions", _SOLUTIONS[0])
    if solutions not in _SOLUTIONS:
        page.refuse(page.lines["solutions"], f"Solutions open {', '.join(_SOLUTIONS)}.")
    files = {name: _file(page, name) for name in _FILES if name in page.facts}
    return Teacher(_lessons(page), solutions, **files, messages=dict(_messages(page)))


def _lessons(page: Page) -> tuple[int, ...]:
    known = {str(number): number for number in LESSONS}
    numbers = [number.strip() for number in page.facts.get("lessons", ",".join(known)).split(",")]
    if not known.keys() >= set(numbers):
        wanted = f"Lessons are numbers from 0 to {LAST}, with commas between."
        page.refuse(page.lines["lessons"], wanted)
    return tuple(known[number] for number in numbers)


def _file(page: Page, name: str) -> Path:
    path = page.path.parent / page.facts[name]
    if not path.exists():
        page.refuse(page.lines[name], f"There is no {page.facts[name]} beside this file.")
    return path


def _messages(page: Page) -> Iterator[tuple[str, str]]:
    for section in page.sections:
        kind, _, name = section.title.partition(": ")
        code = section.all_of("code")
        if kind != "message" or not name or not code:
            page.refuse(section.line, 'A section is like "## message: ours", with fenced text.')
        yield name, code[0].text.removesuffix("\n")
