"""Text that is safe to show, and names that are safe to ask for, whatever a learner's code is."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, TypeVar

__all__ = [
    "LONGEST",
    "NoSuchName",
    "NotText",
    "Plain",
    "a_or_an",
    "clip",
    "count",
    "function_name",
    "is_visible",
    "known",
    "many",
    "near",
    "shorten",
    "type_name",
    "visible",
]


T = TypeVar("T")
LONGEST = 2_000
"""How many characters of one text are shown."""


_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0]|[^\x00-\U000e00ff]"
)
"""What Python calls printable although nobody can see it: fillers, and what varies a glyph."""


_SPOKEN_WITH_A_VOWEL = re.compile("[aeioAEIO]|[FHLMNRSX][A-Z]|Rpc")
"""How a name begins that has "an" before it: with a vowel, or with letters that are spelled out."""


class Plain(Exception):
    """An error whose sentence is all that a notebook shows of it."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for this
        return [f"{self}"]


class NoSuchName(Plain, ValueError):
    """A name that is not known."""


class NotText(Plain, TypeError):
    """Something else where text is wanted."""


def near(name: str, names: Iterable[str]) -> str:
    """Return which of the names may be meant, as 'Is it "Ada"?'; all of them if none is near."""
    by_small = {known.lower(): known for known in names}
    small = name.lower()[:40]
    inside = [known for known in by_small if len(small) > 2 and small in known]
    close = [by_small[found] for found in get_close_matches(small, by_small, n=2) or inside[:2]]
    if close:
        quoted = " or ".join(f'"{known}"' for known in close)
        return f"Is it {quoted}?"
    return f"There are {', '.join(by_small.values())}."


def known(id: Any, records: Mapping[str, T], what: str) -> T:
    """Return the record of this id. Raises `NoSuchName` with the ids that are near."""
    if type(id) is not str:
        raise NoSuchName(f'Give the name of a {what} in quotes, such as "{next(iter(records))}".')
    if id not in records:
        raise NoSuchName(f'There is no {what} "{visible(id[:40])}". {near(id, records)}')
    return records[id]


def visible(text: str) -> str:
    """Return the text with each invisible character spelled out, as ⟨U+00A0⟩.

    Line breaks, tabs and plain spaces stay. What comes out can always be encoded as UTF-8.
    """
    if text.isascii() and text.isprintable():
        return text
    if text.isprintable() and not _BLANK.search(text):
        return text
    return "".join(c if is_visible(c) or c in "\n\t" else f"⟨U+{ord(c):04X}⟩" for c in text)


def is_visible(character: str) -> bool:
    """Tell whether a character can be seen, or is a plain space."""
    return character.isprintable() and not _BLANK.match(character)


def shorten(text: str, most: int) -> str:
    """Return the text, cut to this many characters where it is longer: the last one is then …."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def clip(text: str, limit: int = LONGEST) -> tuple[str, str]:
    """Return the start of the text, and a sentence about what is left out, or ""."""
    if len(text) <= limit:
        return text, ""
    return text[:limit], f"The first {limit:,} of {len(text):,} characters are shown."


def many(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun: 1 try, 2 tries."""
    return f"1 {one}" if number == 1 else f"{number:,} {more or one + 's'}"


def count(text: str) -> str:
    """Say in words how long a text is."""
    return many(len(text), "character")


def a_or_an(name: str) -> str:
    """Return the name of a type behind its article: an int, a UUID, an RpcError."""
    return f"{'an' if _SPOKEN_WITH_A_VOWEL.match(name) else 'a'} {name}"


def type_name(value: Any) -> str:
    """Return the name of a value's type. A metaclass that fights back is not asked."""
    return visible(str(type.__dict__["__name__"].__get__(type(value))))


def function_name(function: Any) -> str:
    """Return the name of a function, or else of its type, without running code of its own."""
    if type(function) is MethodType:
        function = function.__func__
    if type(function) is type:
        return visible(str(type.__dict__["__name__"].__get__(function)))
    kind = type(function)
    if kind is not FunctionType and kind is not BuiltinFunctionType:
        return type_name(function)
    name = function.__name__
    return visible(name) if type(name) is str else type_name(function)
