"""Predict, then see: a verdict stays hidden until the learner has committed to an answer."""

from collections.abc import Sequence
from functools import partial

from ...dispatcher import Methods, Verdict, dispatch
from ...rules import MCP, Rules
from ..bench.broken_json import parse_error
from ..kitchen import METHODS
from ..text import NoSuchName, NotText, near, visible
from .choice import Choice, Feedback
from .claims import ERROR, NOTHING, RESULT, Claim, mistake
from .records import Prediction, predictions

__all__ = ["predict"]

_WORDS = ("null", "true", "false")  # JSON, and so raw messages


def predict(
    message: str,
    claims: Sequence[Claim] = (RESULT, ERROR, NOTHING),
    *,
    methods: Methods = METHODS,
    rules: Rules = MCP,
) -> Choice:
    """Return the question what comes back for a message, to be answered by hand or `choose`.

    `message` is the name of one of the lessons' predictions, which brings its own claims and
    counts in the progress file under "predict:" and the name; or it is any raw text. The verdict
    is the core's, and it is shown with the answer.

    Raises `ValueError` for a word that is no name of a prediction, and unless exactly one of the
    claims holds and "Nothing is sent" is among them.
    """
    prepared = _prepared(message)
    raw, claims = (prepared.raw, prepared.claims) if prepared else (message, claims)
    verdict = dispatch(raw, methods, rules=rules)  # here, where a cell can be interrupted
    if [claim.holds(verdict) for claim in claims].count(True) != 1 or NOTHING not in claims:
        raise ValueError("exactly one claim must hold, and one must be that nothing is sent")
    ask = f"What comes back under {rules.source}?" if rules is not MCP else "What comes back?"
    texts = [claim.text for claim in claims]
    id = f"predict:{message}" if prepared else ""
    judge = partial(_feedback, raw, claims, verdict)
    return Choice("Predict", ask, texts, judge, id=id, message=raw, once=True, hides="below")


def _prepared(message: str) -> Prediction | None:
    if type(message) is not str:
        raise NotText("predict wants a raw message as text, or the name of a prediction.")
    known = predictions()
    if message not in known and message.replace(" ", "").isalpha() and message not in _WORDS:
        raise NoSuchName(f'There is no prediction "{message[:40]}". {near(message, known)}')
    return known.get(message)


def _feedback(raw: str, claims: Sequence[Claim], verdict: Verdict, number: int) -> Feedback:
    claim = claims[number - 1]
    reveal = (("Your prediction", claim.text), *_rows(raw, verdict))
    if claim.holds(verdict):
        return Feedback(True, "As you predicted.", "", None, reveal)
    misconception, why = mistake(claim, verdict)
    return Feedback(False, "Not as you predicted.", why, misconception, reveal)


def _rows(raw: str, verdict: Verdict) -> tuple[tuple[str, str], ...]:
    sent = ("Reply, as sent", verdict.sent or "")
    if verdict.sent is None:
        sent = ("Reply", "SILENCE: nothing is sent")
    reason = parse_error(raw, verdict.place) or visible(verdict.reason)
    log = [("Private log, never sent", visible(line)) for line in verdict.log]
    return (("Shape", verdict.shape), sent, ("Why", f"{reason} ({verdict.rule})"), *log)
