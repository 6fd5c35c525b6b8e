"""The map of the course: the way from lesson to lesson, what is done, and where it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import traitlets

from .exercises import EXERCISES
from .judging.break_clerks import CLERKS
from .lessons import LAST, LESSONS
from .progress import Answer, answers, unsaved
from .questions.practice import FINAL, WARM_UP
from .questions.records import goals, predictions, puzzles, questions
from .teacher import teacher
from .widget import SCRIPT, STYLE, Widget, joined, module

__all__ = ["CourseMap", "progress"]

_HERE = Path(__file__).parent
_CLERKS_LESSON = 5  # the lesson in which they are found out
_UNSAVED = "The progress file cannot be written at present: some of this is in memory only."
_MARKS = {"correct": "✓", "not attempted": "·", "gave up": "×"}  # the other states are "~"
_WIDTH = 12  # of a bar, in characters

_Standing = Mapping[str, Answer]


def progress() -> CourseMap:
    """Return the map of what is done in the course, from the progress file."""
    return CourseMap()


class Stop(NamedTuple):
    """One thing to do: its key in the progress file, its name, the place of it, how it stands."""

    key: str
    title: str
    link: str
    answer: Answer

    @property
    def state(self) -> str:
        return "gave up" if self.answer.gave_up and not self.answer.passed else self.answer.state

    @property
    def details(self) -> str:
        counts = [_count(self.answer.tries, "try", "tries")]
        counts += [_count(self.answer.hints, "hint", "hints")]
        return ", ".join(filter(None, [*counts, "solution seen" if self.answer.gave_up else ""]))


class Count(NamedTuple):
    """How many of something are done, such as 2 of 4 "questions right"."""

    done: int
    total: int
    what: str


class Stretch(NamedTuple):
    """One lesson on the way: its exercises, and how much of everything is done."""

    number: int
    exercises: tuple[Stop, ...]
    counts: tuple[Count, ...]

    @property
    def done(self) -> int:
        return sum(count.done for count in self.counts)

    @property
    def total(self) -> int:
        return sum(count.total for count in self.counts)

    @property
    def words(self) -> str:
        return ", ".join(f"{one.done} of {one.total} {one.what}" for one in self.counts)


class CourseMap(Widget):
    """The map as text, as HTML, and live: it reads the progress file again when it comes into
    sight, every few seconds while it is in sight, and when its button is pressed.

    There is no thread behind it: the browser asks, and Python answers.
    """

    _esm = module(SCRIPT, _HERE / "course_map.js")
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
        lines = [self._headline, self._next["text"]]
        for stretch in self._way:
            bar = _bar(stretch)
            lines += ["", f"Lesson {stretch.number}  {bar}  {LESSONS[stretch.number].title}"]
            lines += [
                f"  {stop.state:<14} {stop.key:<20} {stop.details}".rstrip()
                for stop in stretch.exercises
            ]
            lines.append(f"  {stretch.words}")
        return "\n".join(lines)

    def _as_html(self) -> str:
        """Return the map as one HTML table without style, script or link."""
        rows = []
        for stretch in self._way:
            lesson = f"{stretch.number}. {LESSONS[stretch.number].title}"
            marks = " ".join(_MARKS.get(stop.state, "~") for stop in stretch.exercises)
            cells = (lesson, _bar(stretch), marks, stretch.words)
            rows.append("".join(f'<td align="left">{escape(cell)}</td>' for cell in cells))
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        head = f"<p>{escape(self._headline)}<br>{escape(self._next['text'])}</p>"
        return f"{head}\n<table>\n<tbody>\n{body}\n</tbody>\n</table>"

    def _refresh(self, ticket: str) -> None:
        standing = answers()
        self._way = _way(standing)
        self._headline, self._next = _headline(standing), _next(self._way)
        self._answer = {
            "ticket": ticket,
            "headline": self._headline,
            "next": self._next,
            "lessons": [_drawn(stretch) for stretch in self._way],
        }

    def _on_asked(self, change: Any) -> None:
        self._refresh(change["new"])


def _way(standing: _Standing) -> list[Stretch]:
    """Return each lesson that has something to do."""
    found = []
    for number in [number for number in LESSONS if not number or number in teacher().lessons]:
        stops = tuple(
            Stop(id, exercise.title, _link(number, id), standing.get(id, Answer()))
            for id, exercise in EXERCISES.items()
            if exercise.lesson == number
        )
        solved = Count(sum(stop.answer.passed for stop in stops), len(stops), "exercises")
        counts = [solved, *_counts(number, standing)]
        if any(count.total for count in counts):
            found.append(Stretch(number, stops, tuple(one for one in counts if one.total)))
    return found


def _counts(number: int, standing: _Standing) -> Iterable[Count]:
    """Yield what there is in a lesson beside its exercises. A prediction counts when it is made."""
    kinds: Mapping[str, tuple[str, Mapping[str, Any]]] = {
        "quiz": ("questions right", questions()),
        "predict": ("predictions made", predictions()),
        "puzzle": ("talks read", puzzles()),
        "goals": ("sets of goals reached", goals()),
    }
    for kind, (what, records) in kinds.items():
        keys = [f"{kind}:{id}" for id, one in records.items() if one.lesson == number]
        if kind == "puzzle" and number == LAST:
            continue  # these are for the final
        made = sum(key in standing for key in keys)
        yield Count(made if kind == "predict" else _passed(keys, standing), len(keys), what)
    if number:
        yield _drawn_count(f"warm-up {number} ", WARM_UP, "of the warm-up", standing)
    if number == LAST:
        yield _drawn_count("final ", sum(FINAL.values()), "of the final", standing)


def _drawn_count(start: str, total: int, what: str, standing: _Standing) -> Count:
    keys = [key for key in standing if key.startswith(start)]
    return Count(min(_passed(keys, standing), total), total, what)


def _link(number: int, id: str) -> str:
    """Return the place of an exercise: its cell, which JupyterLab finds by this name."""
    return f"{LESSONS[number].page}#cell-id={id.replace('_', '-')}"


def _next(way: list[Stretch]) -> dict[str, str]:
    """Say where to go on: in the lesson that was worked on last, or else in the first open one."""
    begun = [stretch for stretch in way if stretch.done]
    word = "Continue" if begun else "Begin"
    rest = way[way.index(begun[-1]) :] if begun else way
    for stretch in [*rest, *way]:
        if stretch.done < stretch.total:
            page, title = LESSONS[stretch.number]
            left = [stop for stop in stretch.exercises if not stop.answer.passed]
            first, link = (left[0].title, left[0].link) if left else ("questions", page)
            return {
                "text": f"{word} here: lesson {stretch.number}, {title}: {first}",
                "link": link,
            }
    return {"text": "You have been everywhere.", "link": ""}


def _headline(standing: _Standing) -> str:
    shown = teacher().lessons
    exercises = [id for id, one in EXERCISES.items() if one.lesson in shown]
    asked = [f"quiz:{id}" for id, one in questions().items() if one.lesson in shown]
    clerks = [f"clerk:{name}" for name in CLERKS if _CLERKS_LESSON in shown]
    kinds = {"exercises solved": exercises, "questions right": asked, "clerks found out": clerks}
    counts = [
        f"{_passed(ids, standing)} of {len(ids)} {what}" for what, ids in kinds.items() if ids
    ]
    line = f"{', '.join(counts)}."
    return f"{line} {_UNSAVED}" if unsaved() else line


def _passed(keys: Iterable[str], standing: _Standing) -> int:
    return sum(standing.get(key, Answer()).passed for key in keys)


def _bar(stretch: Stretch) -> str:
    full = stretch.done * _WIDTH // stretch.total
    return "█" * full + "░" * (_WIDTH - full) + (" ✓" if stretch.done == stretch.total else "")


def _drawn(stretch: Stretch) -> dict[str, Any]:
    """Return what the browser draws of a lesson."""
    page, title = LESSONS[stretch.number]
    return {
        "number": stretch.number,
        "title": title,
        "link": page,
        "done": stretch.done,
        "total": stretch.total,
        "words": stretch.words,
        "stops": [
            {
                "title": stop.title,
                "link": stop.link,
                "mark": _MARKS.get(stop.state, "~"),
                "words": ", ".join(filter(None, [stop.state, stop.details])),
            }
            for stop in stretch.exercises
        ],
    }


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""
