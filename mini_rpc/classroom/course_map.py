"""The map of the course: the way from lesson to lesson, what is done, and where it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from .exercises import EXERCISES
from .judging.break_clerks import CLERKS
from .lessons import LAST, LESSONS
from .progress import Answer, answers, unsaved
from .questions.practice import FINAL, WARM_UP
from .questions.records import goals, predictions, puzzles, questions
from .teacher import teacher
from .text import many
from .widget import SCRIPT, STYLE, Asked, joined, module

__all__ = ["CourseMap", "progress"]

_HERE = Path(__file__).parent
_CLERKS_LESSON = 5  # the lesson in which they are found out
_UNSAVED = "The progress file cannot be written at present: some of this is in memory only."
_MARKS = {"correct": "✓", "not attempted": "·", "gave up": "×"}  # the other states are "~"
_WIDTH = 12  # of a bar, in characters

_Standing = Mapping[str, Answer]
_Lesson = dict[str, Any]


def progress() -> CourseMap:
    """Return the map of what is done in the course, from the progress file."""
    return CourseMap()


class CourseMap(Asked):
    """The map as text, as HTML, and live: it reads the progress file again when it comes into
    sight, every few seconds while it is in sight, and when its button is pressed.

    There is no thread behind it: the browser asks, and Python answers.
    """

    _esm = module(SCRIPT, _HERE / "course_map.js")
    _css = joined(STYLE, _HERE / "course_map.css")
    _called = "map"

    def __init__(self) -> None:
        super().__init__()
        self.refresh()

    def refresh(self) -> None:
        """Read the progress file again."""
        self._reply({"ticket": ""})

    def transcript(self) -> str:
        """Return the map as plain text."""
        lines = [self._headline, self._next["text"]]
        for lesson in self._way:
            lines += ["", f"Lesson {lesson['number']}  {_bar(lesson)}  {lesson['title']}"]
            lines += [
                f"  {stop['state']:<14} {stop['id']:<20} {stop['details']}".rstrip()
                for stop in lesson["stops"]
            ]
            lines.append(f"  {lesson['words']}")
        return "\n".join(lines)

    def _as_html(self) -> str:
        rows = []
        for lesson in self._way:
            title = f"{lesson['number']}. {lesson['title']}"
            marks = " ".join(stop["mark"] for stop in lesson["stops"])
            cells = (title, _bar(lesson), marks, lesson["words"])
            rows.append("".join(f'<td align="left">{escape(cell)}</td>' for cell in cells))
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        head = f"<p>{escape(self._headline)}<br>{escape(self._next['text'])}</p>"
        return f"{head}\n<table>\n<tbody>\n{body}\n</tbody>\n</table>"

    def _reply(self, asked: dict[str, Any]) -> None:
        standing = answers()
        self._way = _way(standing)
        self._headline, self._next = _headline(standing), _next(self._way)
        shown = {"headline": self._headline, "next": self._next, "lessons": self._way}
        self._answer = {"ticket": asked["ticket"], **shown}


def _way(standing: _Standing) -> list[_Lesson]:
    numbers = [number for number in LESSONS if not number or number in teacher().lessons]
    return [lesson for number in numbers if (lesson := _lesson(number, standing))["total"]]


def _lesson(number: int, standing: _Standing) -> _Lesson:
    page, title = LESSONS[number]
    stops = [
        _stop(page, id, exercise.title, standing.get(id, Answer()))
        for id, exercise in EXERCISES.items()
        if exercise.lesson == number
    ]
    solved = sum(stop["mark"] == _MARKS["correct"] for stop in stops)
    counts = [(solved, len(stops), "exercises"), *_counts(number, standing)]
    return {
        "number": number,
        "title": title,
        "link": page,
        "done": sum(done for done, _, _ in counts),
        "total": sum(total for _, total, _ in counts),
        "words": ", ".join(  # with one of a kind, the noun in front is in the singular
            f"{done} of {total} {what if total > 1 else what.replace('s ', ' ', 1)}"
            for done, total, what in counts
            if total
        ),
        "stops": stops,
    }


def _stop(page: str, id: str, title: str, answer: Answer) -> dict[str, str]:
    """Return what is drawn of an exercise. JupyterLab finds its cell by the end of the link."""
    state = "gave up" if answer.gave_up and not answer.passed else answer.state
    counts = [
        many(answer.tries, "try", "tries") if answer.tries else "",
        many(answer.hints, "hint") if answer.hints else "",
        "solution seen" if answer.gave_up else "",
    ]
    return {
        "id": id,
        "title": title,
        "link": f"{page}#cell-id={id.replace('_', '-')}",
        "mark": _MARKS.get(state, "~"),
        "state": state,
        "details": ", ".join(filter(None, counts)),
    }


def _counts(number: int, standing: _Standing) -> Iterator[tuple[int, int, str]]:
    """Yield what there is in a lesson beside its exercises: how many are done, of how many.

    A prediction counts when it is made.
    """
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
        yield made if kind == "predict" else _passed(keys, standing), len(keys), what
    drawn = {f"warm-up {number} ": (WARM_UP, "of the warm-up")} if number else {}
    if number == LAST:
        drawn["final "] = (sum(FINAL.values()), "of the final")
    for start, (total, what) in drawn.items():
        keys = [key for key in standing if key.startswith(start)]
        yield min(_passed(keys, standing), total), total, what


def _next(way: list[_Lesson]) -> dict[str, str]:
    """Say where to go on: in the lesson that was worked on last, or else in the first open one."""
    begun = [lesson for lesson in way if lesson["done"]]
    word = "Continue" if begun else "Begin"
    rest = way[way.index(begun[-1]) :] if begun else way
    for lesson in [*rest, *way]:
        if lesson["done"] < lesson["total"]:
            questions = {"title": "questions", "link": lesson["link"]}
            left = [stop for stop in lesson["stops"] if stop["mark"] != _MARKS["correct"]]
            first = [*left, questions][0]
            where = f"lesson {lesson['number']}, {lesson['title']}"
            return {"text": f"{word} here: {where}: {first['title']}", "link": first["link"]}
    return {"text": "Everything on this map is done.", "link": ""}


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


def _bar(lesson: _Lesson) -> str:
    full: int = lesson["done"] * _WIDTH // lesson["total"]
    return "█" * full + "░" * (_WIDTH - full) + (" ✓" if full == _WIDTH else "")
