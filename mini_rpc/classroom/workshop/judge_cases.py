"""The messages that `judge` sends, read from `judge_cases.toml`, and what counts as right."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...messages import is_response
from ...wire import NotJSON, decode
from ..eras import LEGACY, META, VERSION
from ..text import shorten, visible

__all__ = ["Case", "State", "is_call", "is_json", "read_cases", "say", "verdict_on"]

State = Literal["right", "wrong", "no answer", "not spoken", "not asked"]

_FILE = Path(__file__).with_suffix(".toml")
_FILLED = {"$META": json.dumps(META), "$BIG": "x" * 1_000_000, "$DEEP": "[" * 100_000}
_OPENED = ("2024-10-07", "2024-11-05", "2025-03-26", *LEGACY)  # by initialize: there are no others
_KINDS: dict[str, Callable[[Any], bool]] = {
    "<any>": lambda value: True,
    "<text>": lambda value: isinstance(value, str),
    "<integer>": lambda value: type(value) is int,
    "<versions>": lambda value: _are_texts(value) and META[VERSION] in value,
    "<object>": lambda value: isinstance(value, dict),
    "<array>": lambda value: isinstance(value, list),
    "<number>": lambda value: type(value) in (int, float),
    "<legacy>": lambda value: value in _OPENED,
}


class Case(NamedTuple):
    """One thing that is sent: in these pieces, and what must come back.

    `right` are the alternatives for each answer that is due: one list of them, as a rule.
    """

    what: str
    pieces: tuple[bytes, ...]
    right: tuple[tuple[str, ...], ...]
    fresh: bool
    says: str
    source: str

    @property
    def sent(self) -> str:
        """Return what is sent, as text of bounded length that is safe to show."""
        start = b"".join(self.pieces)[:400].rstrip(b"\r\n").decode("utf-8", "backslashreplace")
        return shorten(visible(start).replace("\n", " ⏎ "), 300)


def read_cases(section: str, *, mcp: bool) -> list[Case]:
    """Return the cases of a section of the file: "mail", "modern" or "legacy"."""
    found = tomllib.loads(_FILE.read_text("utf-8"))[section]
    return [_case(one, mcp) for one in found]


def _case(one: dict[str, Any], mcp: bool) -> Case:
    numbers = range(1, one.get("times", 1) + 1)
    if "each" in one:
        right = [(text.replace("$N", f"{n}"),) for n in numbers for text in one["each"]]
    else:
        right = [tuple(one["mcp"] if mcp and "mcp" in one else one["right"])]
    pieces = tuple(_pieces(one, numbers))
    fresh = one.get("fresh", False)
    return Case(one["what"], pieces, tuple(right), fresh, one["says"], one["source"])


def _pieces(one: dict[str, Any], numbers: Iterable[int]) -> Iterable[bytes]:
    if "bytes" in one:
        yield bytes.fromhex(one["bytes"]) + b"\n"
    elif isinstance(one["send"], list):
        yield from (_filled(text).encode() for text in one["send"])
    else:
        lines = (_filled(one["send"]).replace("$N", f"{n}") for n in numbers)
        yield "".join(f"{line}\n" for line in lines).encode()


def _filled(text: str) -> str:
    for name, value in _FILLED.items():
        text = text.replace(name, value)
    return text


# --- what came, and whether it is right --------------------------------------------------------


def verdict_on(case: Case, came: Sequence[bytes]) -> State:
    """Say whether the lines that came back as answers are right for a case."""
    answers = [_parsed(line) for line in came]
    if not answers:
        silent = all("silence" in alternatives for alternatives in case.right)
        return "right" if silent else "no answer"
    due = list(case.right)
    for answer in answers:
        fits = [one for one in due if any(_matches(text, answer) for text in one)]
        if not fits:
            return "wrong"
        due.remove(fits[0])
    return "no answer" if due else "right"


def say(came: Sequence[bytes]) -> str:
    """Say in a few words what came back."""
    answers = [_parsed(line) for line in came]
    if len(answers) > 2:
        odd = [one for one in answers if not is_response(one)]
        one = f"one of them {_say_one(odd[0])}" if odd else f"the first {_say_one(answers[0])}"
        return f"{len(answers)} answers, {one}"
    return " and ".join(map(_say_one, answers)) or "nothing"


def _say_one(message: Any) -> str:
    if isinstance(message, list):
        return "a batch"
    if isinstance(message, bytes):
        text = message.rstrip(b"\r\n").decode("utf-8", "backslashreplace")
        return f"a line on stdout that is not JSON, {visible(shorten(text, 30))!r}"
    if isinstance(message, dict) and "method" in message:
        return "a request of the server's own"
    if not is_response(message):
        return "JSON that is no message"
    id = shorten(json.dumps(message["id"]), 30) if "id" in message else "missing"
    if len(_members(message)) > 1:
        return f"a result and an error in one, id {id}"
    if "result" in message:
        failed = isinstance(message["result"], dict) and message["result"].get("isError") is True
        return f"a result{' with isError' if failed else ''}, id {id}"
    error = message["error"]
    code = error.get("code") if isinstance(error, dict) else "no code"
    return f"{visible(shorten(str(code), 12))}, id {id}"


def _parsed(line: bytes) -> Any:
    """Return a line's JSON, and the line itself where it is none."""
    try:
        return decode(line)
    except NotJSON:
        return line


def is_call(line: bytes, *, also_requests: bool) -> bool:
    """Tell whether a line is a notification, or also a request, of the server: no answer."""
    message = _parsed(line)
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return False
    return also_requests or "id" not in message


def is_json(line: bytes) -> bool:
    """Tell whether a line is JSON at all, a message or not."""
    return _parsed(line) is not line


def _matches(wanted: str, answer: Any) -> bool:
    kind, _, rest = wanted.partition(" ")
    if kind == "batch":
        return isinstance(answer, list) and all(map(is_response, answer))
    if kind == "silence" or not is_response(answer) or len(_members(answer)) > 1:
        return False
    code = "*"
    if kind == "error":
        code, _, rest = rest.partition(" ")
    id, end = json.JSONDecoder().raw_decode(rest)
    inner = json.loads(rest[end:]) if rest[end:] else "<any>"
    if kind == "error":
        inner = {"data": inner} if rest[end:] else {}
        inner |= {"code": "<integer>" if code == "*" else int(code), "message": "<text>"}
    return _fits({"jsonrpc": "2.0", "id": id, kind: inner}, {"id": None, **answer})


def _members(answer: dict[str, Any]) -> list[str]:
    """Return which of the two is there: one, and not the other (JSON-RPC 2.0, section 5)."""
    return [name for name in ("result", "error") if name in answer]


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _fits(template: Any, value: Any) -> bool:
    """Tell whether a value is of the kind, or has the members, that a template names."""
    if isinstance(template, str) and template in _KINDS:
        return _KINDS[template](value)
    if isinstance(template, dict):
        return isinstance(value, dict) and all(
            name in value and _fits(part, value[name]) for name, part in template.items()
        )
    return type(value) is type(template) and value == template
