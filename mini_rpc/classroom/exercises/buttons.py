"""The buttons under a verdict: the next hint, the solution, the bench, the starter code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import traitlets

from ..judging.outcome import Outcome
from ..progress import Answer, answers
from ..widget import SCRIPT, STYLE, Widget, joined, module
from . import EXERCISES
from .help import Help, give_up, hint, is_open, may_give_up, solution, starter_code

__all__ = ["Buttons"]

_HERE = Path(__file__).parent
# Only a cell that runs can put code into a new one, so the button shows the code to be copied.
_HELP = {"hint": hint, "solution": solution, "give_up": give_up, "starter": starter_code}


class Buttons(Widget):
    """Help with the exercise of an outcome, one button for each kind.

    What was asked for stays: `pieces` holds it, in the order in which it was asked for. A press
    travels as `_asked`, with a ticket, and `_answer` comes back with the same one.
    """

    _esm = module(SCRIPT, _HERE / "buttons.js", render="renderButtons")
    _css = joined(STYLE, _HERE / "buttons.css")
    _buttons: Any = traitlets.List().tag(sync=True)
    _pieces: Any = traitlets.List().tag(sync=True)
    _bench_model = traitlets.Unicode().tag(sync=True)
    _asked = traitlets.Dict().tag(sync=True, echo_update=False)
    _answer = traitlets.Dict().tag(sync=True)

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.bench: Any = None
        super().__init__()
        self.observe(self._on_asked, "_asked")

    @property
    def pieces(self) -> tuple[dict[str, Any], ...]:
        """What is shown: for each kind of help its `name`, its `lines` as HTML, its `sources`."""
        return tuple(self._pieces)

    def press(self, name: str) -> None:
        """Do what a button does: "hint", "solution", "give_up", "starter" or "bench"."""
        if name == "bench":
            self.bench = self.bench or self.outcome.only_bench()
            self._bench_model = self.bench.model_id or ""
        else:
            self._show(name, _HELP[name](self.outcome.id))
        self._buttons = self._choices()

    def transcript(self) -> str:
        """Return what to write where no button can be pressed."""
        names = [one["name"] for one in self._choices() if one["name"] in _HELP]
        words = ", ".join(f'{name}("{self.outcome.id}")' for name in names)
        return f"{'others?' if self.outcome.passed else 'stuck?'}  {words}" if names else ""

    @traitlets.default("_buttons")
    def _choices(self) -> list[dict[str, str]]:
        id, outcome = self.outcome.id, self.outcome
        read, total = answers().get(id, Answer()).hints, len(EXERCISES[id].hints)
        found: list[dict[str, str]] = []
        if not outcome.passed:
            label = f"Hint {read + 1} of {total}" if read < total else "All hints"
            found.append({"name": "hint", "label": label})
        if is_open(id):
            found.append({"name": "solution", "label": "Solution"})
        elif read >= total and may_give_up():
            found.append({"name": "give_up", "label": "Give up, and show the solution"})
        if outcome.case is not None and outcome.case.raw is not None and self.bench is None:
            found.append({"name": "bench", "label": "This message on the bench"})
        if not outcome.passed:
            found.append({"name": "starter", "label": "Starter code"})
        shown = {piece["name"] for piece in self._pieces}
        shown -= {"hint"} if read < total else set()  # there are more
        return [one for one in found if one["name"] not in shown]

    def _show(self, name: str, help: Help) -> None:
        kind = "solution" if name == "give_up" else name
        piece = {"name": kind, "lines": help.lines_in_html(), "sources": list(help.sources)}
        others = [one for one in self._pieces if one["name"] != kind]
        at = next((i for i, one in enumerate(self._pieces) if one["name"] == kind), len(others))
        self._pieces = [*others[:at], piece, *others[at:]]

    def _on_asked(self, change: Any) -> None:
        """Take a press from the browser. An exception here would vanish unseen."""
        asked = change["new"]
        trouble = ""
        try:
            self.press(asked["name"])
        except Exception as error:
            trouble = f"The help itself failed: {type(error).__name__}."
        self._answer = {"ticket": asked["ticket"], "trouble": trouble}
