"""An exercise on a page: what its two cells hold, and the file that a new exercise begins with."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

from .record import Exercise

__all__ = ["code_cell", "new_file", "prompt_cell"]


_NEW = Path(__file__).with_name("new_exercise.md")


def prompt_cell(exercise: Exercise, before: str = "") -> str:
    """Return the Markdown of the cell above an exercise: a heading, and the prompt.

    The heading is the one that the cell had `before`, if it had any: it belongs to the page.
    """
    first = before.lstrip().partition("\n")[0]
    title = exercise.title[:1].lower() + exercise.title[1:]
    heading = first if first.startswith("#") else f"## Your turn: {title}"
    return f"{heading}\n\n{exercise.prompt}"


def code_cell(exercise: Exercise) -> str:
    """Return the code of an exercise's cell: the stub, and the check as its last line."""
    stub = exercise.stub.strip()
    gap = "\n\n\n" if re.search(r"^(async )?def ", stub, re.MULTILINE) else "\n\n"
    return f'{stub}{gap}check("{exercise.id}", {exercise.id})'


def new_file(id: str, *, title: str, place: int, where: str) -> str:
    """Return the text of the file of a new exercise, sound and ready to be filled in.

    It asks for a message as raw text, for which a judge is there. `where` links to a heading of the
    lesson's notebook, `place` is its number among the lesson's exercises.
    """
    return Template(_NEW.read_text("utf-8")).substitute(
        id=id, title=title, place=place, where=where
    )
