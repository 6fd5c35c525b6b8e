"""How a class stands: the progress files of a folder, as a table and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal

from ..exercises import EXERCISES
from ..progress import Answer, read_answers
from ..text import visible

__all__ = ["Group", "State", "group"]

State = Literal["solved", "stuck", "gave up", "not begun"]
STATES: tuple[State, ...] = ("solved", "stuck", "gave up", "not begun")
_MARKS: dict[State, str] = {"solved": "█", "stuck": "▒", "gave up": "×", "not begun": "·"}
_WIDEST = 40
_LEFT = 'align="left" style="text-align:left"'  # GitHub takes the one, JupyterLab the other


def group(folder: str | Path) -> Group:
    """Read every progress file in a folder and the folders in it; return how the class stands.

    Files may have any name that ends in .json, such as ada.json or ada/progress.json. One that is
    damaged, or no progress file, is named and skipped.

    Raises `NotADirectoryError` with a sentence if there is no such folder.
    """
    top = Path(folder)
    if not top.is_dir():
        raise NotADirectoryError(f"there is no folder {top.name}: collect the progress files in it")
    learners: dict[str, dict[str, Answer]] = {}
    skipped: dict[str, str] = {}
    for path in sorted(top.rglob("*.json")):
        inside = path.relative_to(top)
        if any(part.startswith(".") for part in inside.parts):
            continue
        try:
            found = read_answers(path)
        except OSError as error:
            skipped[inside.as_posix()] = error.strerror or "it cannot be read"
            continue
        if found is None:
            skipped[inside.as_posix()] = "it is damaged, or no progress file"
        else:
            learners[_name(inside)] = found
    return Group(learners, skipped)


def _name(path: Path) -> str:
    """Name a learner after the file, or after its folder where every file has the same name."""
    alone = path.parent if path.name == "progress.json" and path.parent.parts else path
    return alone.with_suffix("").as_posix() if alone is path else alone.as_posix()


@dataclass(frozen=True, repr=False)
class Group:
    """A class: what each learner has answered, by the name of the file, and why files are skipped.

    It shows itself as text and as HTML.
    """

    learners: Mapping[str, Mapping[str, Answer]]
    skipped: Mapping[str, str]

    def counts(self, id: str) -> dict[State, int]:
        """Return how many learners stand where with an exercise."""
        states = [self.state(name, id) for name in self.learners]
        return {state: states.count(state) for state in STATES}

    def state(self, name: str, id: str) -> State:
        """Return how a learner stands with an exercise.

        Whoever has tried it, or read a hint, and has not solved it is stuck.
        """
        answer = self.learners[name].get(id, Answer())
        if answer.passed:
            return "solved"
        if answer.gave_up:
            return "gave up"
        return "stuck" if answer.tries or answer.hints else "not begun"

    @property
    def hardest(self) -> tuple[str, ...]:
        """The exercises that most are stuck on or gave up; none where nobody is."""
        without = {id: self._without_success(id) for id in EXERCISES}
        most = max(without.values())
        return tuple(id for id in EXERCISES if most and without[id] == most)

    def __repr__(self) -> str:
        lines = self._headlines()
        if not self.learners:
            return "\n".join(lines)
        for lesson, ids in _lessons():
            lines += ["", f"Lesson {lesson}"]
            lines += [f"  {id:<20} {self._bar(id)}  {self._words(id)}" for id in ids]
        lines += ["", "One mark a learner: █ solved, ▒ stuck, × gave up, · not begun.", ""]
        width = max(map(len, self.learners))
        lines += [f"  {name:<{width}}  {words}" for name, words in self._rows()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<p>{escape(line)}</p>" for line in self._headlines())
        if not self.learners:
            return head
        rows = []
        for lesson, ids in _lessons():
            rows.append(f'<tr><th colspan="3" {_LEFT}>Lesson {lesson}</th></tr>')
            for id in ids:
                cells = (f"<code>{escape(id)}</code>", f"<code>{self._bar(id)}</code>")
                rows.append(_row(*cells, self._words(id)))
        note = "<p>One mark a learner: █ solved, ▒ stuck, × gave up, · not begun.</p>"
        people = [_row(escape(name), escape(words)) for name, words in self._rows()]
        return f"{head}{_table(rows)}{note}{_table(people)}"

    def _headlines(self) -> list[str]:
        number = len(self.learners)
        if number:
            lines = [f"{number} {'learner' if number == 1 else 'learners'}.", self._hardest()]
        else:
            lines = ["There is no progress file in this folder."]
        return lines + [f"Skipped {visible(name)}: {why}." for name, why in self.skipped.items()]

    def _hardest(self) -> str:
        """Say on which exercises most are stuck, and how many that is for each of them."""
        if not self.hardest:
            return "Nobody is stuck."
        count = self._without_success(self.hardest[0])
        gave_up = any(self.counts(id)["gave up"] for id in self.hardest)
        state = f"{'is' if count == 1 else 'are'} stuck{' or gave up' if gave_up else ''}"
        each = "each of " if len(self.hardest) > 1 else ""
        return f"{count} of {len(self.learners)} {state} on {each}{', '.join(self.hardest)}."

    def _without_success(self, id: str) -> int:
        counts = self.counts(id)
        return counts["stuck"] + counts["gave up"]

    def _words(self, id: str) -> str:
        found = [f"{number} {state}" for state, number in self.counts(id).items() if number]
        return ", ".join(found)

    def _bar(self, id: str) -> str:
        """Draw one mark for each learner, or fewer where the class is very large."""
        scale = min(1.0, _WIDEST / max(len(self.learners), 1))
        return "".join(_MARKS[state] * round(n * scale) for state, n in self.counts(id).items())

    def _rows(self) -> Iterator[tuple[str, str]]:
        """Yield each learner, and what to talk about with them."""
        for name in self.learners:
            states = {id: self.state(name, id) for id in EXERCISES}
            solved = list(states.values()).count("solved")
            words = [f"{solved} of {len(EXERCISES)} solved"]
            for state in ("stuck", "gave up"):
                if ids := [id for id in states if states[id] == state]:
                    words.append(f"{'stuck on' if state == 'stuck' else state} {', '.join(ids)}")
            yield visible(name), "; ".join(words)


def _lessons() -> Iterator[tuple[int, list[str]]]:
    for lesson in sorted({exercise.lesson for exercise in EXERCISES.values()}):
        yield lesson, [id for id, exercise in EXERCISES.items() if exercise.lesson == lesson]


def _row(*cells: str) -> str:
    return "<tr>" + "".join(f"<td {_LEFT}>{cell}</td>" for cell in cells) + "</tr>"


def _table(rows: list[str]) -> str:
    return f"<table><tbody>{''.join(rows)}</tbody></table>"
