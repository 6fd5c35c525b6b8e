"""Where two replies differ, in words and in places. `1`, `True` and `1.0` are three things."""

import json
from collections.abc import Iterator
from typing import Any

from ...codes import INTERNAL_ERROR
from ...dispatcher import STEPS
from ...messages import kind_of
from ...wire import encode
from ..text import clip
from .answers import Answer

__all__ = ["compare", "marks"]

_MISSING = object()
_MOST = 5
_SHORT = 60
_WORDS = "error.message: the words differ, and each may choose its own."

Path = tuple[Any, ...]


def compare(left: Answer, right: Answer) -> tuple[list[str], list[Path]]:
    """Return in words what differs between two answers, and the paths into the replies.

    Nothing differs: one sentence that says so, and no path.
    """
    if left.failure and right.failure:
        return ["Neither of the two gives an answer."], [()]
    if left.failure or right.failure:
        side = "left" if left.failure else "right"
        return [f"The {side} one gives no answer at all."], [()]
    if left.sent is None and right.sent is None:
        return ["No difference: both stay silent."], []
    if left.sent is None:
        return ["The left one stays silent, the right one replies."], [()]
    if right.sent is None:
        return ["The left one replies, the right one stays silent."], [()]
    try:
        found = list(_differences(json.loads(left.sent), json.loads(right.sent), ()))
    except RecursionError:
        return ["Nested too deep to compare."], [()]
    if not found:
        return ["No difference: both send the same reply."], []
    free = [item for item in found if _is_wording(*item)] if not _on_purpose(left, right) else []
    if len(free) == len(found):
        return ["Only the words of error.message differ, and each may choose its own."], []
    words = [_WORDS if item in free else _sentence(*item) for item in found[:_MOST]]
    if len(found) > _MOST:
        words.append(f"And {len(found) - _MOST:,} more.")
    return words, [item[0] for item in found if item not in free]


def marks(sent: str, paths: list[Path]) -> list[list[int]]:
    """Return where in the reply's text these paths are, as [start, end] pairs in order."""
    if not paths or paths == [()]:
        return [[0, len(sent)] for _ in paths]
    found: list[list[int]] = []
    _walk(json.loads(sent), (), 0, set(paths), found)
    return sorted(found)


def _differences(left: Any, right: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    if type(left) is type(right) is dict:
        for key in [*left, *(key for key in right if key not in left)]:
            yield from _differences(left.get(key, _MISSING), right.get(key, _MISSING), (*path, key))
    elif type(left) is type(right) is list and len(left) == len(right):
        for index, pair in enumerate(zip(left, right, strict=True)):
            yield from _differences(*pair, (*path, index))
    elif type(left) is not type(right) or left != right:
        yield path, left, right


def _on_purpose(*answers: Answer) -> bool:
    """Tell whether a method raised the error: then its words are the method's, and go back."""
    verdicts = [one.verdict for one in answers if one.verdict and one.verdict.step == len(STEPS)]
    errors = [
        one.reply["error"]
        for one in verdicts
        if isinstance(one.reply, dict) and "error" in one.reply
    ]
    return any(error["code"] != INTERNAL_ERROR.number for error in errors)


def _is_wording(path: Path, left: Any, right: Any) -> bool:
    """Tell whether only the words of an error differ (JSON-RPC 2.0 section 5.1: a short text)."""
    return path[-2:] == ("error", "message") and type(left) is type(right) is str


def _sentence(path: Path, left: Any, right: Any) -> str:
    where = ".".join(str(step) for step in path) or "the whole reply"
    kinds = type(left) is not type(right) and _MISSING not in (left, right)
    return f"{where}: {_named(left, kinds)} on the left, {_named(right, kinds)} on the right."


def _named(value: Any, with_kind: bool) -> str:
    if value is _MISSING:
        return "missing"
    text, cut = clip(encode(value), _SHORT)
    kind = f" ({kind_of(value)})" if with_kind and value is not None else ""
    return f"{text}{'…' if cut else ''}{kind}"


def _walk(value: Any, path: Path, at: int, wanted: set[Path], found: list[list[int]]) -> int:
    """Step through the value as `encode` writes it; return where its text ends."""
    start = at
    if isinstance(value, (dict, list)) and value:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            at += 2 if at > start else 1  # ", " or the opening bracket
            member = at
            if isinstance(value, dict):
                at += len(encode(key)) + 2
            at = _walk(value[key], (*path, key), at, wanted, found)
            if (*path, key) in wanted:
                found.append([member, at])
        at += 1
    else:
        at += len(encode(value))
    return at
