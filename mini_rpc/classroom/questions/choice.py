"""One question with options: the widget that `quiz`, `predict` and `puzzle` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from random import Random
from typing import Any

import traitlets

from ..progress import answers, record, seed
from ..text import visible
from ..widget import SCRIPT, STYLE, Widget, joined, module

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


class Choice(Widget):
    """A question with options, one of which is to be chosen: with the mouse, the keyboard, or
    `choose`.

    `ask` is the question, `message` a text that it is about ("" for none), `judge` turns the
    number of an option, counted from 1, into its `Feedback`. With `id` the answer is kept in the
    progress file under this name, and is there again after a restart. With `once` the options are
    locked after an answer until the learner starts over; with `shuffled` each learner sees them in
    an order of their own; with `hides` what follows on the page is hidden until there is an answer.
    As text and as static HTML it is always the unanswered question, in the order that was given.

    An answer travels as `_asked`, with a ticket, and its feedback comes back as `_answer`. The
    number 0 starts over, in all views.
    """

    _esm = module(SCRIPT, _HERE / "choice.js")
    _css = joined(STYLE, _HERE / "choice.css")
    _setup = traitlets.Dict().tag(sync=True)
    _asked = traitlets.Dict().tag(sync=True, echo_update=False)
    _answer = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        kind: str,
        ask: str,
        options: Sequence[str],
        judge: Callable[[int], Feedback],
        *,
        id: str = "",
        message: str = "",
        once: bool = False,
        shuffled: bool = False,
        hides: bool = False,
    ) -> None:
        self.kind = kind
        self.ask = ask
        self.options = tuple(options)
        self.message = message
        self.feedback: Feedback | None = None
        self._id = id
        self._judge = judge
        order = list(range(1, len(self.options) + 1))
        if shuffled:
            Random(f"{seed()} {id}").shuffle(order)
        shown = {"kind": kind, "ask": ask, "message": visible(message), "options": self.options}
        how = {"once": once, "hides": hides, "order": order, "lines": ()}
        super().__init__(_setup={**shown, **how})
        self._recall()
        self.observe(self._on_asked, "_asked")

    def choose(self, number: int) -> Feedback:
        """Choose an option by its number, counted from 1; return its feedback.

        Raises `ValueError` if there is no such option.
        """
        return self._choose(number, "python")

    def transcript(self) -> str:
        """Return the unanswered question as plain text."""
        lines = [f"{self.kind}: {self.ask}"]
        if self.message:
            lines += [
                "",
                *(f"    {line}".rstrip() for line in visible(self.message).split("\n")),
                "",
            ]
        lines += [f"  {number}. {option}" for number, option in enumerate(self.options, 1)]
        return "\n".join([*lines, _INVITATION])

    def _as_html(self) -> str:
        message = f"<pre>{escape(visible(self.message))}</pre>\n" if self.message else ""
        options = "\n".join(f"<li>{escape(option)}</li>" for option in self.options)
        return (
            f"<p><strong>{escape(self.kind)}:</strong> {escape(self.ask)}</p>\n"
            f"{message}<ol>\n{options}\n</ol>\n<p>{_INVITATION}</p>"
        )

    def _recall(self) -> None:
        """Show the answer of before, as it is kept."""
        known = answers().get(self._id) if self._id else None
        if known and known.choices and known.choices[-1] in self.options:
            self._show(self.options.index(known.choices[-1]) + 1, "before")

    def _choose(self, number: int, ticket: str) -> Feedback:
        if isinstance(number, bool) or number not in range(1, len(self.options) + 1):
            raise ValueError(f"choose one of the options 1 to {len(self.options)}")
        feedback = self._show(number, ticket)
        if self._id:
            state = "correct" if feedback.right else "wrong"
            choice = self.options[number - 1]
            record(self._id, state, choice=choice, mistake=feedback.misconception)
        return feedback

    def _show(self, number: int, ticket: str) -> Feedback:
        self.feedback = feedback = self._judge(number)
        self._answer = {"ticket": ticket, "number": number, **asdict(feedback)}
        return feedback

    def _on_asked(self, change: Any) -> None:
        """Take an answer from the browser. An exception here would vanish unseen."""
        asked = change["new"]
        try:
            if asked["number"] == 0:
                self.feedback = None
                self._answer = {"ticket": asked["ticket"]}
            else:
                self._choose(asked["number"], asked["ticket"])
        except Exception as error:
            broken = f"The question itself failed. {type(error).__name__}: {error}"
            self._answer = {"ticket": asked["ticket"], "broken": broken}
