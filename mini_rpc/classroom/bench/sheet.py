"""Everything that the bench shows about one message, as plain data that can be shown anywhere.

The live bench and the transcripts draw the same sheet, so neither can say more than the other.
"""

from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from ...dispatcher import STEPS, Verdict, dispatch
from ...rules import JSON_RPC, MCP, Rules
from ...wire import NotJSON, decode
from ..kitchen import METHODS
from ..text import clip, count, visible
from .answers import Answer
from .broken_json import explain, parse_error
from .difference import compare, marks

__all__ = ["ENVELOPE", "RULES_IN_WORDS", "Mistake", "Panel", "Part", "Sheet", "make_sheet"]

ENVELOPE = MCP._replace(source=f"{MCP.source}, envelope")
"""MCP's rules for a message, and on top of them those for `_meta`, versions and methods."""
RULES_IN_WORDS = {
    MCP.source: "JSON-RPC as MCP narrows it",
    JSON_RPC.source: f"plain {JSON_RPC.source}",
    ENVELOPE.source: "with MCP's envelope (_meta, version, methods)",
}
_SHORT = 400
_MOST_PARTS = 20


@dataclass(frozen=True)
class Mistake:
    """Where the text stops being JSON. `offset` counts as JavaScript does, in UTF-16 units."""

    line: int
    column: int
    offset: int
    hint: str


@dataclass(frozen=True)
class Part:
    """One message of a batch: its number, shape, where it stopped, and what goes back for it."""

    number: int
    shape: str
    stopped: str
    reply: str
    reason: str


@dataclass(frozen=True)
class Panel:
    """One dispatcher's answer, ready to be shown.

    `kind` is "reply", "silence" or "failure". `lights` is empty where nothing is known of the
    steps. `marks` are the places in `reply` that differ from the other panel.
    """

    side: str
    name: str
    kind: str
    reply: str
    cut: str
    lights: tuple[str, ...]
    shape: str
    reason: str
    rule: str
    line: str
    log: tuple[str, ...]
    printed: str
    parts: tuple[Part, ...]
    more_parts: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Sheet:
    """What the bench shows: the rules, the exact text that was judged, and a panel or two.

    `method` says what the method of the message does, if it is not one of the kitchen's.
    """

    rules: str
    judged: str
    size: str
    cut: str
    mistake: Mistake | None
    panels: tuple[Panel, ...]
    difference: tuple[str, ...] = ()
    method: str = ""


def make_sheet(raw: str, rules: Rules, answers: list[Answer], methods: Any = None) -> Sheet:
    """Return the sheet for one message and the one or two answers to it."""
    judged, cut = clip(raw)
    mistake = _mistake(raw, answers[0].verdict)
    sheet = Sheet(
        RULES_IN_WORDS[rules.source] if any(answer.verdict for answer in answers) else "",
        visible(judged),
        count(raw),
        cut,
        mistake,
        tuple(_panel(answer, raw) for answer in answers),
        method=_what_it_does(raw, methods),
    )
    return _compared(sheet, *answers) if len(answers) == 2 else sheet


def _what_it_does(raw: str, methods: Any) -> str:
    try:
        name = decode(raw)["method"]
        function = methods[name]
    except (NotJSON, LookupError, TypeError):
        return ""
    doc = function.__doc__ if type(function) is FunctionType and name not in METHODS else None
    return _short(f"{name}: {doc.strip().partition(chr(10))[0]}") if type(doc) is str else ""


def _mistake(raw: str, verdict: Verdict | None) -> Mistake | None:
    place = (verdict or dispatch(raw, {})).place  # of a learner's dispatcher the place is unknown
    if place is None:
        return None
    before = raw[: place.offset].replace("\r\n", "\n")  # one character in a browser's text box
    offset = len(before.encode("utf-16-le", "surrogatepass")) // 2
    return Mistake(place.line, place.column, offset, visible(explain(raw, place)))


def _panel(answer: Answer, raw: str) -> Panel:
    verdict = answer.verdict
    reply, cut = clip(answer.sent or "")
    parts = verdict.parts if verdict else ()
    more = len(parts) - _MOST_PARTS
    return Panel(
        "",
        _short(answer.name),
        "failure" if answer.failure else "silence" if answer.sent is None else "reply",
        reply,
        cut,
        verdict.lights if verdict and not parts else (),
        verdict.shape if verdict else "",
        _short(answer.failure or parse_error(raw, verdict and verdict.place) or answer.reason),
        verdict.rule if verdict else "",
        _short(answer.line),
        tuple(_short(line) for line in verdict.log[:_MOST_PARTS]) if verdict else (),
        visible(clip(answer.printed)[0]),
        tuple(_part(*item) for item in enumerate(parts[:_MOST_PARTS], 1)),
        f"{more:,} more messages are judged and not shown." if more > 0 else "",
    )


def _part(number: int, verdict: Verdict) -> Part:
    step, stopped = STEPS[verdict.step - 1], "passed all six"
    if "stopped here" in verdict.lights:
        stopped = f"stopped at {step.number} {step.name}"
    reply = "SILENCE" if verdict.sent is None else _short(verdict.sent)
    return Part(number, verdict.shape, stopped, reply, _short(verdict.reason))


def _compared(sheet: Sheet, left: Answer, right: Answer) -> Sheet:
    words, paths = compare(left, right)
    panels = []
    for side, panel, answer in zip(("Left", "Right"), sheet.panels, (left, right), strict=True):
        found = marks(answer.sent, paths) if answer.sent is not None else []
        shown = tuple((start, end) for start, end in found if start < len(panel.reply))
        panels.append(replace(panel, side=side, marks=shown))
    return replace(sheet, panels=tuple(panels), difference=tuple(_short(line) for line in words))


def _short(text: str) -> str:
    shown, cut = clip(text, _SHORT)
    return visible(shown) + ("…" if cut else "")
