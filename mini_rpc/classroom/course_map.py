"""The map of the course: which exercises are done and how the questions went."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import traitlets

from .exercises import EXERCISES
from .progress import Answer, answers, unsaved
from .questions.records import predictions, questions
from .widget import STYLE, Widget, joined

__all__ = ["CourseMap", "progress"]

_HERE = Path(__file__).parent
_UNSAVED = "The progress file cannot be written at present: some of this is in memory only."


def progress() -> CourseMap:
    """Return the map of what is done in the course, from the progress file."""
    return CourseMap()


class CourseMap(Widget):
    """The map as text, as HTML, and live: it reads the progress file again when it comes into
    sight, every few seconds while it is in sight, and when its button is pressed.

    There is no thread behind it: the browser asks, and Python answers.
    """

    _esm = _HERE / "course_map.js"
    _css = joined(STYLE, _HERE / "course_map.css")
    _asked = traitlets.Unicode().tag(sync=True, echo_update=False)
    _answer = traitlets.Dict().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.observe(self._on_asked, "_asked")
        self.refresh()

    def refresh(self) -> None:
        """Read the progress file again."""
        self._refresh("")

    def transcript(self) -> str:
        """Return the map as plain text."""
        return _as_text(self._standing)

    def _as_html(self) -> str:
        return f"<p>{escape(_headline(self._standing))}</p>\n{_as_table(self._standing)}"

    def _refresh(self, ticket: str) -> None:
        self._standing = answers()
        headline, table = _headline(self._standing), _as_table(self._standing)
        self._answer = {"ticket": ticket, "headline": headline, "table": table}

    def _on_asked(self, change: Any) -> None:
        self._refresh(change["new"])


_Standing = dict[str, Answer]


def _as_text(standing: _Standing) -> str:
    lines = [_headline(standing)]
    for lesson, ids in _lessons():
        lines += ["", f"Lesson {lesson}"]
        for id in ids:
            answer = standing.get(id, Answer())
            lines.append(f"  {_state(answer):<14} {id:<20} {_details(answer)}".rstrip())
        lines.append(f"  {_questions(lesson, standing)}")
    return "\n".join(lines)


def _as_table(standing: _Standing) -> str:
    """Return the map as one HTML table without style, script or link."""
    rows = []
    for lesson, ids in _lessons():
        rows.append(f'<tr><th colspan="3" align="left">Lesson {lesson}</th></tr>')
        for id in ids:
            answer = standing.get(id, Answer())
            title = f"{escape(EXERCISES[id].title)}<br><code>{escape(id)}</code>"
            rows.append(
                f'<tr><td align="left">{title}</td><td align="left">{escape(_state(answer))}</td>'
                f'<td align="left">{escape(_details(answer))}</td></tr>'
            )
        rows.append(
            f'<tr><td colspan="3" align="left">{escape(_questions(lesson, standing))}</td></tr>'
        )
    head = "".join(f'<th align="left">{name}</th>' for name in ("exercise", "state", "so far"))
    body = "\n".join(rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _lessons() -> Iterator[tuple[int, list[str]]]:
    """Yield each lesson that has something to do, with the ids of its exercises."""
    found: dict[int, list[str]] = {}
    for id, exercise in EXERCISES.items():
        found.setdefault(exercise.lesson, []).append(id)
    for question in questions().values():
        found.setdefault(question.lesson, [])
    yield from sorted(found.items())


def _headline(standing: _Standing) -> str:
    solved = sum(standing.get(id, Answer()).passed for id in EXERCISES)
    right = sum(standing.get(f"quiz:{id}", Answer()).passed for id in questions())
    line = (
        f"{solved} of {len(EXERCISES)} exercises solved, "
        f"{right} of {len(questions())} questions right."
    )
    return f"{line} {_UNSAVED}" if unsaved() else line


def _state(answer: Answer) -> str:
    return "gave up" if answer.gave_up and not answer.passed else answer.state


def _details(answer: Answer) -> str:
    counts = [_count(answer.tries, "try", "tries"), _count(answer.hints, "hint", "hints")]
    return ", ".join(filter(None, [*counts, "solution seen" if answer.gave_up else ""]))


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""


def _questions(lesson: int, standing: _Standing) -> str:
    """Say how the questions of a lesson went. A prediction counts when it is made, as a guess."""
    asked = [f"quiz:{id}" for id, question in questions().items() if question.lesson == lesson]
    made = [f"predict:{id}" for id, guess in predictions().items() if guess.lesson == lesson]
    right = sum(standing.get(id, Answer()).passed for id in asked)
    guessed = sum(id in standing for id in made)
    parts = [f"{right} of {len(asked)} questions right"] if asked else []
    parts += [f"{guessed} of {len(made)} predictions made"] if made else []
    return ", ".join(parts)
