"""Values: compared type by type, and shown in a line or as strict JSON."""

from __future__ import annotations

import json
from typing import Any

from ...wire import NotJSON, decode
from ..sandbox import Opaque
from ..text import shorten

__all__ = ["as_json", "message_of", "same", "show"]

_LONGEST = 300


def as_json(value: Any) -> str | None:
    """Return a value as strict JSON in one fixed form, None if it has none.

    `1` and `1.0` differ.
    """
    try:
        return json.dumps(value, allow_nan=False, sort_keys=True)
    except Exception:
        return None


def message_of(raw: str | bytes) -> dict[str, Any] | None:
    """Return the object that a raw text holds, None where it holds none."""
    try:
        message = decode(raw)
    except NotJSON:
        return None
    return message if isinstance(message, dict) else None


def same(one: Any, other: Any) -> bool:
    """Tell whether two plain values are the same, all the way down.

    `1`, `True` and `1.0` differ, and so do `0.0` and `-0.0`. NaN is the same as NaN. The order of
    keys does not count. What never left the sandbox is the same as nothing.
    """
    try:
        return _same(one, other)
    except RecursionError:  # nested too deep to tell
        return False


def show(value: Any, most: int = _LONGEST) -> str:
    """Return the value as Python writes it, in one line of so many characters at most."""
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than Python writes
        text = "a number with very many digits"
    except RecursionError:
        text = "something nested very deep"
    return shorten(text, most)


def _same(one: Any, other: Any) -> bool:
    if type(one) is not type(other) or isinstance(one, Opaque):
        return False
    if isinstance(one, dict):
        return _same_keys(one, other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float):
        return repr(one) == repr(other)
    return bool(one == other)


def _same_keys(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    types = {key: type(key) for key in other}
    return len(one) == len(other) and all(types.get(key) is type(key) for key in one)
