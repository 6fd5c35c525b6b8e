"""A question that a whole class answers at once: one of the lessons', or the teacher's own."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from ...dispatcher import dispatch
from ..kitchen import METHODS
from ..questions.claims import mistake
from ..questions.records import Option, predictions, questions

__all__ = ["MOST_OPTIONS", "Poll", "find_poll"]

MOST_OPTIONS = 8
_RIGHT = "This is what the course's dispatcher does."


@dataclass(frozen=True)
class Poll:
    """A question of the class. Where `is_known`, the options say which one is right, and why."""

    ask: str
    options: tuple[Option, ...]
    message: str = ""
    is_known: bool = True

    @property
    def number(self) -> int:
        """A number of 7 bits that tells this question from others."""
        texts = [self.ask, self.message, *(option.text for option in self.options)]
        return zlib.crc32("\n".join(texts).encode("utf-8", "surrogatepass")) % 128


def find_poll(question: str, options: Sequence[str] = ()) -> Poll:
    """Return the lessons' question or prediction of this name, or a new one with these options.

    Raises `ValueError` for a name that the lessons do not have, or more options than a code holds.
    """
    if options:
        if len(options) > MOST_OPTIONS:
            raise ValueError(f"a class votes on at most {MOST_OPTIONS} options")
        return Poll(question, tuple(Option(text, "") for text in options), is_known=False)
    if question in questions():
        asked = questions()[question]
        return Poll(asked.ask, tuple(asked.options), asked.message)
    if question in predictions():
        return _prediction(question)
    names = ", ".join([*questions(), *predictions()])
    raise ValueError(f"give options to a question of your own; the lessons have {names}")


def _prediction(name: str) -> Poll:
    prediction = predictions()[name]
    verdict = dispatch(prediction.raw, METHODS)
    options = []
    for claim in prediction.claims:
        if claim.holds(verdict):
            options.append(Option(claim.text, _RIGHT))
        else:
            misconception, why = mistake(claim, verdict)
            options.append(Option(claim.text, why, misconception))
    return Poll("What comes back?", tuple(options), prediction.raw)
