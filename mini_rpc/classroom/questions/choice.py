"""One question with options: the widget that `quiz`, `predict` and `puzzle` share."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from ..progress import answers, record, seed
from ..text import visible
from ..widget import SCRIPT, STYLE, Asked, joined, module

__all__ = ["Choice", "Feedback"]

_HERE = Path(__file__).parent
_INVITATION = "Run this cell to answer."


@dataclass(frozen=True, repr=False)
class Feedback:
    """What an answer gets: `heading` says whether it is `right`, `why` explains it. `right` is None
    where an answer is only taken down.

    `misconception` names the mistake behind a wrong option. `reveal` is what only an answer
    uncovers: labels, and what stands beside each.
    """

    right: bool | None
    heading: str
    why: str
    misconception: str | None = None
    reveal: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        rows = [f"{label}: {value}" for label, value in self.reveal]
        return "\n".join([f"{self.heading} {self.why}".rstrip(), *rows])


class Choice(Asked):
    """A question with options, one of which is to be chosen: with the mouse, the keyboard, or
    `choose`.

    `ask` is the question, `message` a text that it is about ("" for none), `judge` turns the
    number of an option, counted from 1, into its `Feedback`. With `id` the answer is kept in the
    progress file under this name, and is there again after a restart. With `once` the options are
    locked after an answer until the learner starts over; with `shuffled` each learner sees them in
    an order of their own. `hides` says what of the page is hidden until there is an answer: what
    is "below", the "recap", or nothing. As text and as static HTML it is always the unanswered
    question, in the order that was given. With `lines` one of these is to be chosen as well,
    `second` is then asked of the options, and `judge` gets both numbers.

    Where the browser asks for the number 0, all views start over.
    """

    _esm = module(SCRIPT, _HERE / "choice.js")
    _css = joined(STYLE, _HERE / "choice.css")
    _called = "question"

    def __init__(
        self,
        kind: str,
        ask: str,
        options: Sequence[str],
        judge: Callable[..., Feedback],
        *,
        id: str = "",
        message: str = "",
        once: bool = False,
        shuffled: bool = False,
        hides: str = "",
        lines: Sequence[str] = (),
        second: str = "",
    ) -> None:
        self.kind = kind
        self.ask = ask
        self.options = tuple(options)
        self.message = message
        self.lines, self.second = tuple(lines), second
        self.feedback: Feedback | None = None
        self._id, self._judge = id, judge
        order = list(range(1, len(self.options) + 1))
        if shuffled:
            Random(f"{seed()} {id}").shuffle(order)
        shown = {"kind": kind, "ask": ask, "message": visible(message), "options": self.options}
        how = {"once": once, "hides": hides, "order": order, "lines": lines, "second": second}
        super().__init__(**shown, **how)
        self._recall()

    def choose(self, number: int, line: int = 0, *, ticket: str = "python") -> Feedback:
        """Choose an option by its number, counted from 1, and a line where there are lines; return
        the feedback.

        Raises `ValueError` if there is no such option or line.
        """
        if isinstance(number, bool) or number not in range(1, len(self.options) + 1):
            raise ValueError(f"choose one of the options 1 to {len(self.options)}")
        if line not in (range(1, len(self.lines) + 1) if self.lines else (0,)):
            raise ValueError(f"choose one of the lines 1 to {len(self.lines)}")
        feedback = self._show(number, line, ticket)
        if self._id:
            state = "correct" if feedback.right else "wrong"
            choice, mistake = self._words(number, line), feedback.misconception
            record(self._id, state, choice=choice, mistake=mistake)
        return feedback

    def transcript(self) -> str:
        """Return the unanswered question as plain text."""
        lines = [f"{self.kind}: {self.ask}"]
        if self._about:
            lines += ["", *(f"    {line}".rstrip() for line in self._about.split("\n")), ""]
        if self.second:
            lines.append(self.second)
        lines += [f"  {number}. {option}" for number, option in enumerate(self.options, 1)]
        return "\n".join([*lines, _INVITATION])

    @property
    def _about(self) -> str:
        lines = (f"{number:>2}  {line}" for number, line in enumerate(self.lines, 1))
        return visible(self.message) or "\n".join(lines)

    def _as_html(self) -> str:
        message = f"<pre>{escape(self._about)}</pre>\n" if self._about else ""
        second = f"<p>{escape(self.second)}</p>\n" if self.second else ""
        options = "\n".join(f"<li>{escape(option)}</li>" for option in self.options)
        return (
            f"<p><strong>{escape(self.kind)}:</strong> {escape(self.ask)}</p>\n"
            f"{message}{second}<ol>\n{options}\n</ol>\n<p>{_INVITATION}</p>"
        )

    def _recall(self) -> None:
        known = answers().get(self._id) if self._id else None
        if not known or not known.choices:
            return
        for line in range(len(self.lines) + 1):
            for number in range(1, len(self.options) + 1):
                if self._words(number, line) == known.choices[-1]:
                    self._show(number, line, "before")

    def _words(self, number: int, line: int) -> str:
        option = self.options[number - 1]
        return f"line {line}: {option}" if line else option

    def _show(self, number: int, line: int, ticket: str) -> Feedback:
        self.feedback = feedback = self._judge(*[number, line][: 1 + bool(line)])
        chosen = {"number": number, "line": line} if line else {"number": number}
        self._answer = {"ticket": ticket, **chosen, **asdict(feedback)}
        return feedback

    def _reply(self, asked: dict[str, Any]) -> None:
        if asked["number"]:
            self.choose(asked["number"], asked.get("line", 0), ticket=asked["ticket"])
        else:
            self.feedback = None
            self._answer = {"ticket": asked["ticket"]}
