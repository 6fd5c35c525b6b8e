"""Between the wire and Python: strict JSON in, strict JSON out."""

from __future__ import annotations

import json
import re
import sys
from json import encoder
from typing import Any, NamedTuple, NoReturn

__all__ = ["NotJSON", "Place", "decode", "encode"]


class Place(NamedTuple):
    """Where in a text: `line` and `column` count from 1, `offset` from 0, all in characters."""

    line: int
    column: int
    offset: int


class NotJSON(ValueError):
    """The text is not JSON: `why` in words, and the `place` where that is known."""

    def __init__(self, why: str, place: Place | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.place = place


class _NotANumber(ValueError):
    """Python reads NaN and Infinity; JSON (RFC 8259 section 6) does not know them."""


def _refuse(constant: str) -> NoReturn:
    raise _NotANumber(constant)


# Built once, and called without the layers around them: json.loads and json.dumps with options
# build new ones at each call.
_decoder = json.JSONDecoder(parse_constant=_refuse)
_encoder = json.JSONEncoder(allow_nan=False, check_circular=False)
_scan: Any = _decoder.scan_once  # type: ignore[attr-defined]
_make: Any = encoder.c_make_encoder  # type: ignore[attr-defined]
_write = _make and _make(
    *(None, _encoder.default, encoder.encode_basestring_ascii, None, ": ", ", "),
    *(False, False, False),
)
_SPACE = " \t\n\r"

# Nothing here fails half way and tries again, or remembers where it could: the search is linear.
_STRING = r'(?s:"(?:[^"\\]++|\\.)*+"?)'
_CONSTANT = "-?(?:NaN|Infinity)"
_LONG = r"(?<![\w.+-])-?\d{%d,}(?!\d|\.\d|[eE][+-]?\d)"  # no part of a fraction or an exponent
_NO_STRING = re.compile(r'"[-0-9tfn][-+.0-9rualse]*": ').search
"""Finds a member whose name may have been a number, true, false or null in Python."""


def decode(raw: str | bytes) -> Any:
    """Parse one message: text, or bytes of strict UTF-8 without a byte-order mark.

    Raises `NotJSON` for everything that RFC 8259 does not allow, for what is nested too deep to
    read, and for an integer longer than Python reads. Raises `TypeError` for anything but text
    or bytes.
    """
    text = raw if isinstance(raw, str) else _text(raw)
    try:
        if text[:1] in _SPACE:  # or empty
            return _decoder.decode(text)
        value, end = _scan(text, 0)  # the same, sooner
        if end == len(text) or not text[end:].strip(_SPACE):
            return value
        return _decoder.decode(text)
    except StopIteration as stop:
        raise NotJSON("Expecting value", _place(text, stop.value)) from None
    except json.JSONDecodeError as error:
        why = error.msg.removesuffix(" at")  # some of them end so, and the place comes next
        raise NotJSON(why, Place(error.lineno, error.colno, error.pos)) from None
    except RecursionError:
        raise NotJSON("nested too deep to read") from None
    except _NotANumber as error:
        raise NotJSON(f"{error} is no JSON value", _find(_CONSTANT, text)) from None
    except ValueError:  # the one left: int() refuses very long digits
        too_long = _LONG % (sys.get_int_max_str_digits() + 1)
        raise NotJSON("a number too long to read", _find(too_long, text)) from None


def encode(value: Any) -> str:
    """Turn a value into one line of ASCII JSON.

    Raises `TypeError`, `ValueError` or `RecursionError` for what JSON cannot carry: sets, bytes,
    NaN and infinity, circular or too deep values, and a dict with 1 and "1" as keys, which would
    be one member twice.
    """
    text = "".join(_write(value, 0)) if _write else _encoder.encode(value)
    if _NO_STRING(text):
        json.loads(text, object_pairs_hook=_refuse_twice)
    return text


def _refuse_twice(members: list[tuple[str, Any]]) -> None:
    if len(dict(members)) < len(members):
        raise ValueError("a member would be there twice: its keys in Python are of two types")


def _text(raw: bytes) -> str:
    if not isinstance(raw, (bytes, bytearray)):
        raise TypeError(f"a message is text or bytes, not {type(raw).__name__}")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        raise NotJSON("a byte that is not UTF-8", _place(before, len(before))) from None


def _find(wanted: str, text: str) -> Place | None:
    """Find the first match outside the strings."""
    for match in re.finditer(f"{_STRING}|({wanted})", text):
        if match[1]:
            return _place(text, match.start())
    return None


def _place(text: str, offset: int) -> Place:
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset), offset)
