"""Goals for the bench: they tick themselves when a message brings them about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import traitlets

from ...dispatcher import Verdict
from ..bench.widget import Bench, bench
from ..progress import Answer, answers, record
from ..text import known
from ..widget import SCRIPT, STYLE, Widget, joined, module, show
from .records import Goals, goals

__all__ = ["GoalList", "provoke"]

_HERE = Path(__file__).parent


def provoke(id: str, key: str = "") -> GoalList:
    """Show a bench, and return what to bring about on it: each goal ticks itself.

    What is reached counts in the progress file under "goals:" and the id, or under the key. Raises
    `ValueError` for an unknown id.
    """
    found = GoalList(known(id, goals(), "set of goals"), key or f"goals:{id}", bench())
    show(found.bench)
    return found


class GoalList(Widget):
    """Goals beside a `bench`, ticked as soon as its verdict is what they ask for."""

    _esm = module(SCRIPT, _HERE / "provoke.js")
    _css = joined(STYLE, _HERE / "provoke.css")
    _setup = traitlets.Dict().tag(sync=True)
    _reached: Any = traitlets.List().tag(sync=True)

    def __init__(self, goals: Goals, key: str, bench: Bench) -> None:
        self._goals, self._key, self.bench = goals, key, bench
        texts = [claim.text for claim in self._goals.claims]
        before = [text for text in answers().get(key, Answer()).choices if text in texts]
        super().__init__(_setup={"ask": self._goals.ask, "goals": texts}, _reached=before)
        bench.observe(self._on_verdict, "_answer")

    @property
    def reached(self) -> tuple[str, ...]:
        """The goals that were reached, in the order in which they were."""
        return tuple(self._reached)

    def transcript(self) -> str:
        """Return the goals as plain text, as they are before any is reached."""
        lines = [f"  [ ] {text}" for text in self._setup["goals"]]
        return "\n".join([f"Provoke: {self._goals.ask}", *lines])

    def _on_verdict(self, change: Any) -> None:
        verdict = self.bench.verdict
        if "sheet" not in change["new"] or not isinstance(verdict, Verdict):
            return
        for claim in self._goals.claims:
            if claim.text not in self._reached and claim.holds(verdict):
                self._reached = [*self._reached, claim.text]
                all_reached = len(self._reached) == len(self._goals.claims)
                record(self._key, "correct" if all_reached else "wrong", choice=claim.text)
