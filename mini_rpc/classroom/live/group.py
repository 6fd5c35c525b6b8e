"""How a class stands: the progress files of a folder, as a table, a picture, and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..exercises import EXERCISES
from ..progress import Answer
from ..questions.records import predictions, questions
from ..text import many, shorten, visible
from .handed_in import STANDINGS, State, read_folder, standing
from .mistakes import Mistake, mistakes_of

__all__ = ["COLUMNS", "Group", "State", "group"]

COLUMNS = (
    *("learner", "kind", "lesson", "id", "standing"),
    *("state", "tries", "hints", "gave_up", "choices", "mistakes"),
)
"""The columns of `Group.to_csv`; the teaching notes explain them."""

_MARKS: dict[State, str] = {"solved": "█", "stuck": "▒", "gave up": "×", "not begun": "·"}
_SQUARES: dict[State, tuple[str, str]] = {
    "solved": ("✓", "background:#2e7d32;color:#fff"),
    "stuck": ("?", "background:#f9a825;color:#000"),
    "gave up": ("×", "background:#c62828;color:#fff"),
    "not begun": ("·", ""),
}
_LEGEND = "█ solved, ▒ stuck, × gave up, · not begun."
_WIDEST = 40
_LONGEST_NAME = 24
_KINDS = {"quiz": "question", "predict": "prediction"}
_LEFT = 'align="left" style="text-align:left"'  # GitHub takes the one, JupyterLab the other


def group(folder: str | Path) -> Group:
    """Read every progress file in a folder and the folders in it; return how the class stands.

    Files may have any name that ends in .json, such as ada.json or ada/progress.json. One that is
    damaged, or no progress file, is named and skipped.

    Raises `NotADirectoryError` with a sentence if there is no such folder.
    """
    found = read_folder(folder)
    return Group(found.learners, found.skipped, found.odd)


@dataclass(frozen=True, repr=False)
class Group:
    """A class: what each learner has answered, by the name of the file, and why files are skipped.

    It shows itself as text and as HTML: a heat map of learners and exercises, and what to talk
    about. `to_csv` and `to_gradebook` give it to other programs.
    """

    learners: Mapping[str, Mapping[str, Answer]]
    skipped: Mapping[str, str]
    odd: Mapping[str, str]

    def counts(self, id: str) -> dict[State, int]:
        """Return how many learners stand where with an exercise."""
        states = [self.state(name, id) for name in self.learners]
        return {state: states.count(state) for state in STANDINGS}

    def state(self, name: str, id: str) -> State:
        """Return how a learner stands with an exercise.

        Whoever has tried it, or read a hint, and has not solved it is stuck.
        """
        return standing(self.learners[name].get(id, Answer()))

    @property
    def hardest(self) -> tuple[str, ...]:
        """The exercises that most are stuck on or gave up; none where nobody is."""
        without = {id: _without_success(self, id) for id in EXERCISES}
        most = max(without.values())
        return tuple(id for id in EXERCISES if most and without[id] == most)

    def mistakes(self, most: int = 5) -> list[Mistake]:
        """Return the mistakes that most learners made, and where each is answered."""
        return mistakes_of(self.learners, most)

    def to_csv(self) -> str:
        """Return one row for each learner and each exercise, and for each question they answered.

        The columns are `COLUMNS`.
        """
        return _csv(COLUMNS, self._entries())

    def to_gradebook(self) -> str:
        """Return one row for each learner: exercises solved in each lesson, and all together.

        A learning management system takes it in under the names of the files; the first row says
        how many exercises there are.
        """
        lessons = list(_lessons())
        head = ("Student", *(f"Lesson {lesson}" for lesson, _ in lessons), "Total")
        sizes = [len(ids) for _, ids in lessons]
        rows: list[tuple[object, ...]] = [("Points possible", *sizes, sum(sizes))]
        for name in self.learners:
            points = [sum(self.state(name, id) == "solved" for id in ids) for _, ids in lessons]
            rows.append((name, *points, sum(points)))
        return _csv(head, rows)

    def _entries(self) -> Iterator[tuple[object, ...]]:
        for name, answers in self.learners.items():
            for id in [*EXERCISES, *(id for id in answers if id not in EXERCISES)]:
                entry = answers.get(id, Answer())
                choices, mistakes = "; ".join(entry.choices), "; ".join(entry.mistakes)
                yield (
                    *(name, *_kind_lesson_name(id), standing(entry)),
                    *(entry.state, entry.tries, entry.hints, entry.gave_up, choices, mistakes),
                )

    def __repr__(self) -> str:
        return _as_text(self)

    def _repr_html_(self) -> str:
        shown = _heat_map(self) if self.learners else ""
        return f'{shown}<pre style="white-space:pre-wrap">{escape(repr(self))}</pre>'


def _as_text(group: Group) -> str:
    lines = _headlines(group)
    if not group.learners:
        return "\n".join(lines)
    for lesson, ids in _lessons():
        lines += ["", f"Lesson {lesson}"]
        lines += [f"  {id:<20} {_bar(group, id)}  {_words(group, id)}" for id in ids]
    lines += ["", f"One mark a learner: {_LEGEND}", *_mistakes(group)]
    rows = [*_rows(group)]
    width = max(len(name) for name, _, _ in rows)
    lines += ["", "One mark an exercise, a block a lesson:"]
    return "\n".join([*lines, *(f"  {marks}  {name:<{width}}  {w}" for name, marks, w in rows)])


def _heat_map(group: Group) -> str:
    """Draw a square for each learner and exercise: thirty learners fit one screen."""
    heads = "".join(f"<th colspan={len(ids)}>{lesson}</th>" for lesson, ids in _lessons())
    rows = [f"<tr><th {_LEFT}>lesson</th>{heads}</tr>"]
    for name in group.learners:
        states = ((id, group.state(name, id)) for id in EXERCISES)
        squares = "".join(
            f'<td title="{escape(id)}: {state}" style="{color};padding:1px 5px">{sign}</td>'
            for id, state in states
            for sign, color in [_SQUARES[state]]
        )
        shown = escape(shorten(visible(name), _LONGEST_NAME))
        rows.append(f'<tr style="line-height:1"><td {_LEFT}>{shown}</td>{squares}</tr>')
    legend = "One square an exercise: ✓ solved, ? stuck, × gave up, · not begun."
    return f"<table><tbody>{''.join(rows)}</tbody></table><p>{legend}</p>"


def _headlines(group: Group) -> list[str]:
    lines = ["There is no progress file in this folder."]
    if group.learners:
        lines = [f"{many(len(group.learners), 'learner')}.", _hardest(group)]
    lines += [f"Skipped {_file(name)}: {why}." for name, why in group.skipped.items()]
    return lines + [f"{_file(name)}: {why}." for name, why in group.odd.items()]


def _hardest(group: Group) -> str:
    """Say on which exercises most are stuck, and how many that is for each of them."""
    if not group.hardest:
        return "Nobody is stuck."
    hardest = group.hardest
    count = _without_success(group, hardest[0])
    gave_up = " or gave up" if any(group.counts(id)["gave up"] for id in hardest) else ""
    state = f"{'is' if count == 1 else 'are'} stuck{gave_up}"
    each = "each of " if len(hardest) > 1 else ""
    return f"{count} of {len(group.learners)} {state} on {each}{', '.join(hardest)}."


def _mistakes(group: Group) -> list[str]:
    found = group.mistakes()
    title = f"The {len(found)} most common mistakes of this class:"
    return ["", title, *map(str, found)] if found else []


def _without_success(group: Group, id: str) -> int:
    counts = group.counts(id)
    return counts["stuck"] + counts["gave up"]


def _words(group: Group, id: str) -> str:
    return ", ".join(f"{number} {state}" for state, number in group.counts(id).items() if number)


def _bar(group: Group, id: str) -> str:
    scale = min(1.0, _WIDEST / max(len(group.learners), 1))
    return "".join(_MARKS[state] * round(n * scale) for state, n in group.counts(id).items())


def _rows(group: Group) -> Iterator[tuple[str, str, str]]:
    for name in group.learners:
        states = {id: group.state(name, id) for id in EXERCISES}
        solved = list(states.values()).count("solved")
        words = [f"{solved} of {len(EXERCISES)} solved"]
        for state in ("stuck", "gave up"):
            if ids := [id for id in states if states[id] == state]:
                words.append(f"{'stuck on' if state == 'stuck' else state} {', '.join(ids)}")
        marks = " ".join("".join(_MARKS[states[id]] for id in ids) for _, ids in _lessons())
        yield shorten(visible(name), _LONGEST_NAME), marks, "; ".join(words)


def _lessons() -> Iterator[tuple[int, list[str]]]:
    for lesson in sorted({exercise.lesson for exercise in EXERCISES.values()}):
        yield lesson, [id for id, exercise in EXERCISES.items() if exercise.lesson == lesson]


def _file(name: str) -> str:
    return shorten(visible(name), 2 * _LONGEST_NAME)


def _kind_lesson_name(id: str) -> tuple[str, int | str, str]:
    """Take an id such as "valid_id", "quiz:id in msg" or "warm-up 3 quiz:id in msg" apart."""
    words, _, name = id.rpartition(":")
    if not words:
        return "exercise", EXERCISES[id].lesson if id in EXERCISES else "", id
    *when, kind = words.split(" ")
    asked = questions().get(name) or predictions().get(name)
    practice = when[:1]  # a warm-up, or the final
    return " ".join([*practice, _KINDS.get(kind, kind)]), asked.lesson if asked else "", name


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow(map(_tame, row))
    return text.getvalue()


def _tame(cell: object) -> str:
    """Return what a learner chose as text that no spreadsheet runs, and no terminal obeys."""
    text = visible(f"{cell}")
    return f"'{text}" if re.match("[=+@\t\r-]", text) else text
