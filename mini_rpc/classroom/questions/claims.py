"""What a learner can predict about a message, and why a wrong prediction is wrong.

Whether a claim holds is always computed from a `Verdict` of the core.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...codes import find_code
from ...dispatcher import STEPS, Verdict
from ..content import read_page

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
_SILENT = {
    "Nothing is sent, and the method ran": "",
    "Nothing is sent, although nobody has the method": "Method not found",
    "Nothing is sent, although the params are no object": 'Invalid params: "params"',
    "Nothing is sent, although the method crashed": " crashed: ",
}
"""Claims about notifications, and what the private log says when they hold."""

_NUMBERED = re.compile(r'(An error|A result) with the (code|id) (-?\d+|null|"[^"]*")$')


def find_claim(text: str) -> Claim | None:
    """Return the claim that a file of questions means by this text, or None if there is none."""
    if text in _SILENT:
        return Claim(text, lambda verdict: _is_silent(verdict, _SILENT[text]))
    if not (found := _NUMBERED.match(text)):
        return next((claim for claim in _PLAIN if claim.text == text), None)
    value = json.loads(found[3])
    if found[2] == "code":
        return code(value) if found[1] == "An error" and type(value) is int else None
    outer = ERROR if found[1] == "An error" else RESULT
    return Claim(text, lambda verdict: outer.holds(verdict) and _same(verdict.reply["id"], value))


def _is_silent(verdict: Verdict, log: str) -> bool:
    if verdict.reply is not None or verdict.shape != "notification":
        return False
    return any(log in line for line in verdict.log) if log else not verdict.log


def _same(id: object, value: object) -> bool:
    return type(id) is type(value) and id == value


def _is_generic(verdict: Verdict) -> bool:
    return isinstance(verdict.reply, dict) and verdict.reply.get("error") == _GENERIC


def mistake(claim: Claim, verdict: Verdict) -> tuple[str, str]:
    """Return the misconception behind a claim that does not hold, and a sentence against it."""
    if claim.misconception is not None:
        return claim.misconception, claim.why
    stopped = STEPS[verdict.step - 1]
    facts = {"claimed": _step_of(claim), "stopped": stopped.number, "name": stopped.name}
    kind = _kind_of_mistake(claim, verdict)
    name, why = _mistakes()[kind]
    return name.format(**facts), why.format(**facts)


@cache
def _mistakes() -> dict[str, tuple[str, str]]:
    page = read_page(Path(__file__).with_name("mistakes.md"))
    return {
        section.title: (section.all_of("quote")[0].text, section.all_of("text")[0].text)
        for section in page.sections
    }


def _kind_of_mistake(claim: Claim, verdict: Verdict) -> str:
    if claim is NOTHING:
        broken = verdict.step <= 2 and verdict.shape != "batch"
        return "silence for what is broken" if broken else "silence for a request"
    if verdict.reply is None:
        return f"{'a result' if claim is RESULT else 'an error'} for a notification"
    if isinstance(verdict.reply, list):
        return "one answer for a batch"
    if _code(verdict) is None:
        return "an error for a correct message"
    if claim.code is None:
        return f"a result although step {verdict.step} stops it"
    if _step_of(claim) == verdict.step:
        return "another code of the same step"
    return "an earlier step" if _step_of(claim) < verdict.step else "a later step"


def _step_of(claim: Claim) -> int:
    return {-32700: 1, -32600: 2, -32602: 4, -32601: 5}.get(claim.code or 0, 6)
