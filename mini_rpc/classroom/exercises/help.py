"""Help with an exercise: hints, one rung at a time, and the solution."""

from __future__ import annotations

import re
from html import escape

from ..progress import gave_up, next_rung, passed
from ..progress import give_up as note_giving_up
from . import EXERCISES
from .checking import is_known, unknown

__all__ = ["Help", "give_up", "hint", "solution"]


class Help:
    """A piece of help: a sentence, and a source where there is one. It shows itself as text and
    as HTML."""

    def __init__(self, text: str, source: str = "") -> None:
        self.text = text
        self.source = source

    def __repr__(self) -> str:
        return f"{self.text}\n\n{self.source}".rstrip()

    def _repr_html_(self) -> str:
        source = f"<pre><code>{escape(self.source)}</code></pre>" if self.source else ""
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(self.text))
        return f"<p>{text}</p>{source}"


def hint(id: str) -> Help:
    """Return the next hint for the exercise `id`; after the last one, the last one again.

    With the last one comes the way on.
    """
    if not is_known(id):
        return Help(unknown(id, "hint"))
    hints = EXERCISES[id].hints
    rung = next_rung(id, len(hints))
    text = f"Hint {rung} of {len(hints)}: {hints[rung - 1]}"
    return Help(text if rung < len(hints) else f"{text} {_way_on(id)}")


def _way_on(id: str) -> str:
    if passed(id) or gave_up(id):
        return f'This is the last hint. `solution("{id}")` shows one way to write it.'
    return (
        f'This is the last hint. `solution("{id}")` opens after a pass, '
        f'or run `give_up("{id}")` to see it now.'
    )


def solution(id: str) -> Help:
    """Return the solution of the exercise `id`, if it has been solved or given up."""
    if not is_known(id):
        return Help(unknown(id, "solution"))
    if not passed(id) and not gave_up(id):
        return Help(
            f'The solution of {id} is still closed. It opens once `check("{id}", {id})` is '
            f'correct, or run `give_up("{id}")` to see it now.'
        )
    return Help("One way to write it:", EXERCISES[id].solution)


def give_up(id: str) -> Help:
    """Open the solution of the exercise `id` without a pass, and return it."""
    if not is_known(id):
        return Help(unknown(id, "give_up"))
    note_giving_up(id)
    return solution(id)
