"""What a learner can predict about a message, and why a wrong prediction is wrong.

Whether a claim holds is always computed from a `Verdict` of the core.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...codes import find_code
from ...dispatcher import STEPS, Verdict

__all__ = ["ERROR", "NOTHING", "RESULT", "Claim", "code", "find_claim", "mistake"]


@dataclass(frozen=True)
class Claim:
    """One claim about what comes back: its text, and whether it `holds` for a verdict.

    `misconception` and `why` say what is wrong with it wherever it does not hold; without them
    `mistake` finds out from the verdict.
    """

    text: str
    holds: Callable[[Verdict], bool]
    misconception: str | None = None
    why: str = ""
    code: int | None = None


def code(number: int) -> Claim:
    """Return the claim that an error with this code comes back."""
    known = find_code(number)
    name = f", {known.name}" if known else ""
    return Claim(
        f"An error with the code {number}{name}",
        lambda verdict: _code(verdict) == number,
        code=number,
    )


def _code(verdict: Verdict) -> int | None:
    error = verdict.reply.get("error") if isinstance(verdict.reply, dict) else None
    return error["code"] if error else None


RESULT = Claim(
    "A result", lambda verdict: isinstance(verdict.reply, dict) and "result" in verdict.reply
)
ERROR = Claim("An error", lambda verdict: _code(verdict) is not None)
NOTHING = Claim("Nothing is sent", lambda verdict: verdict.reply is None)

_GENERIC = {"code": -32603, "message": "Internal error"}
_PLAIN = [
    RESULT,
    ERROR,
    NOTHING,
    Claim("An array with one result", lambda verdict: isinstance(verdict.reply, list)),
    Claim(
        "An error with the text of the exception",
        lambda verdict: _code(verdict) == -32603 and not _is_generic(verdict),
    ),
    Claim("An error with the code -32603 and nothing of the exception", lambda v: _is_generic(v)),
]
_NUMBERED = re.compile(r"An error with the (code|id) (-?\d+|null)$")


def find_claim(text: str) -> Claim | None:
    """Return the claim that a file of questions means by this text, or None if there is none."""
    if found := _NUMBERED.match(text):
        number = None if found[2] == "null" else int(found[2])
        if found[1] == "id":
            return Claim(text, lambda verdict: ERROR.holds(verdict) and _id(verdict) == number)
        return code(number) if number is not None else None
    return next((claim for claim in _PLAIN if claim.text == text), None)


def _is_generic(verdict: Verdict) -> bool:
    return isinstance(verdict.reply, dict) and verdict.reply.get("error") == _GENERIC


def _id(verdict: Verdict) -> object:
    return verdict.reply["id"] if isinstance(verdict.reply, dict) else None


def mistake(claim: Claim, verdict: Verdict) -> tuple[str, str]:
    """Return the misconception behind a claim that does not hold, and a sentence against it."""
    if claim.misconception is not None:
        return claim.misconception, claim.why
    if claim is NOTHING:
        return _wrong_silence(verdict)
    if verdict.reply is None:
        return _wrong_reply(claim)
    if isinstance(verdict.reply, list):
        return (
            "one answer for a whole batch",
            "Each message in a batch is judged by itself, and the answers go back in one array.",
        )
    if _code(verdict) is None:
        return "a sound message is refused", "Every one of the six steps lets this message pass."
    return _wrong_step(claim, verdict)


def _wrong_silence(verdict: Verdict) -> tuple[str, str]:
    if verdict.step <= 2 and verdict.shape != "batch":
        return (
            "what is broken gets no answer",
            "Only a notification gets no answer. This is none, so its sender hears what is wrong.",
        )
    return (
        "silence although somebody waits",
        "There is an id, so somebody is waiting. Without an answer they wait forever.",
    )


def _wrong_reply(claim: Claim) -> tuple[str, str]:
    if claim is RESULT:
        return (
            "a notification gets an answer",
            "A result goes back with the id of its request. There is no id here, so nobody could "
            "connect it with anything.",
        )
    return (
        "a notification gets errors",
        "An error is an answer, too. Whatever goes wrong with a notification, nobody waits for "
        "an answer.",
    )


_BEFORE_A_RESULT = {
    1: ("unreadable text is carried out", "No method can be run before the text is read."),
    2: ("all JSON is a request", "It is JSON, but no request, so no method is run."),
    4: ("any params will do", "The params do not fit, so the method is never run."),
    5: ("any name is a method", "No method here has that name, so there is nothing to run."),
    6: ("a method always succeeds", "The method was run, and it failed."),
}
_STEPS = {-32700: 1, -32600: 2, -32602: 4, -32601: 5, -32603: 6}


def _wrong_step(claim: Claim, verdict: Verdict) -> tuple[str, str]:
    """Say why there is an error, or another error than was claimed."""
    claimed = _STEPS.get(claim.code or 0, 6)
    stopped = STEPS[verdict.step - 1]
    if claim.code is None:
        return _BEFORE_A_RESULT[verdict.step]
    if claimed < stopped.number:
        return (
            f"step {claimed} stops too much",
            f"Step {claimed} lets the message pass. It stops at step {stopped.number}, "
            f"{stopped.name}.",
        )
    if claimed > stopped.number:
        return (
            "the steps come in another order",
            f"The message never gets to step {claimed}. It stops at step {stopped.number}, "
            f"{stopped.name}.",
        )
    return (
        "one code for all failures of a method",
        "An error that a method raises on purpose keeps its own code, and a crash becomes -32603.",
    )
