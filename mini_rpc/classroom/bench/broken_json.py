"""What to change where a text stops being JSON, in one sentence."""

import re
from collections.abc import Iterator

from ...wire import Place
from ..text import is_visible, shorten, visible

__all__ = ["explain", "parse_error"]

_SPACE = " \t\n\r"
_FAR = 10_000
_CURLY = "“”„‟«»‘’‚‹›′″"
_WORDS = {
    "True": "true",
    "False": "false",
    **dict.fromkeys(("None", "none", "nil", "undefined"), "null"),
}
_WIDE = range(0xFF01, 0xFF5F)  # what a Chinese or Japanese keyboard writes for ! to ~
_WIDE_BY_NAME = {"、": ",", "。": "."}
_WORD = re.compile(r"-*([^\W\d]\w*)")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_GOES_ON = re.compile(r"\s*[,:{\[]\s*$")
_BARE = re.compile(r'(?:^|[:,{\[])\s*([^\s",:{}\[\]]+)$')
_OPEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[\[\]{}]')

_FEW = [
    (r"\.\.\.|…", "Three dots are not JSON: put what is still missing in their place."),
    (";", "JSON puts a comma there, and no semicolon."),
    (r"[()]", "JSON has no round brackets: an object stands in { and }, a list in [ and ]."),
]
"""What may stand at the place, and the sentence on it."""

_BACKSLASH = r'After a backslash JSON knows only " \ / b f n r t, and u with four digits.'
_LAST_COMMA = "The comma after the last member is one too many."
_MORE = [
    ("", r"//|/\*|#", "JSON has no comments. Take it out."),
    (
        "",
        f"[{_CURLY}]",
        '{first} is a curly quote, as word processors make them. JSON wants the straight ".',
    ),
    ("", "['`]", 'JSON puts names and strings between double quotes ", never between single ones.'),
    (
        r"[^:,{\[]$",
        r",\s*[}\]]",
        _LAST_COMMA,
    ),  # Python 3.13 points at the comma, the ones before behind
    (",$", r"[}\]]", _LAST_COMMA),
    ("", r"\\", _BACKSLASH),
    (r"\\$", "", _BACKSLASH),  # a \u without its digits
    (
        f"[{_CURLY}].{{0,79}}$",
        "",
        'A curly quote before this place does not end a string. JSON wants the straight ".',
    ),
    ("", "=", "Between a name and its value JSON puts a colon."),
    (r"(?:^|[\s\[{:,])-?0$", r"\d", "A number does not begin with a needless 0."),
    (r"\d$", r"\.", "A number has a digit on both sides of its point."),
    ("", r"[+.]", "A number begins with a digit, or with - and a digit."),
]
"""The same, with what may stand before the place."""


def explain(text: str, place: Place) -> str:
    """Return one sentence on what to change at this place, or "" where none is known.

    It looks at the text alone: each version of Python words its complaint, and sometimes
    chooses its place, in another way.
    """
    if text[place.offset : place.offset + 1] in ("\n", "\t", "\r"):
        return "Inside a string, JSON writes a line break as \\n and a tab as \\t."
    rest = text[place.offset :].lstrip(_SPACE)
    before = text[: place.offset].rstrip(_SPACE)
    adjacent = before == text[: place.offset] and rest == text[place.offset :]
    return next(filter(None, _found(rest, before, adjacent)), "")


def parse_error(text: str, place: Place | None) -> str:
    """Return where a text stops being JSON and what to change there, or "" where none is known."""
    if place is None or not (why := explain(text, place)):
        return ""
    return visible(f"Parse error at line {place.line}, column {place.column}. {why}")


def _found(rest: str, before: str, adjacent: bool) -> Iterator[str]:
    if not rest:
        yield _at_end(before)
        return
    yield _at_strange(rest[0])
    yield from (said for here, said in _FEW if re.match(here, rest))
    yield _at_quote(rest, before, adjacent)
    if adjacent and before[-1:].isdigit() and (rest[0].isalpha() or rest[0] == "_"):
        yield "A number is written in digits, with no letter but e."
    yield _at_word(rest, before)
    for behind, here, said in _MORE:
        if re.match(here, rest) and re.search(behind, before[-_FAR:], re.DOTALL):
            yield said.format(first=rest[0])
    yield _missing(rest, before)


def _at_end(before: str) -> str:
    if not before:
        return "There is nothing to read yet."
    still_open = _still_open(before)
    opened = f" A {still_open} is still open." if still_open else ""
    return f"The text ends here, and the JSON is not complete.{opened}"


def _at_strange(first: str) -> str:
    """Explain a character that only looks like one of JSON's, or like none at all."""
    if not is_visible(first):
        return f"An invisible character (U+{ord(first):04X}) stands here. Delete it."
    plain = chr(ord(first) - 0xFEE0) if ord(first) in _WIDE else _WIDE_BY_NAME.get(first)
    return f"{first} is a full-width character. JSON wants the plain {plain}" if plain else ""


def _at_quote(rest: str, before: str, adjacent: bool) -> str:
    """Explain a double quote that is missing, or one too many, before this place."""
    strings = [*_STRING.finditer(before[-_FAR:])]
    is_last = strings and strings[-1].end() == len(before[-_FAR:]) and not _curly_in(before)
    string = strings[-1].group() if is_last else ""
    if len(string) > 1 and _GOES_ON.search(string[:-1]):
        begun = _GOES_ON.sub("", string[:-1])
        return f"A double quote is missing: nothing closes the string {shorten(begun, 40)}"
    if not adjacent:
        return ""
    bare = _BARE.search(before)
    if bare and rest[0] == '"' and rest[1:].lstrip(_SPACE)[:1] in ("", *",:}]"):
        return f"A double quote is missing before {shorten(bare[1], 40)}"
    if string and rest[0] not in '"{}[],:=':
        return f'The string {shorten(string, 40)} ends here. A quote inside of it is written \\".'
    return ""


def _curly_in(text: str) -> str:
    return next((quote for quote in text[-80:] if quote in _CURLY), "")


def _still_open(text: str) -> str:
    """Return the innermost bracket that nothing closes, or ""."""
    stack = []
    for match in _OPEN.finditer(text[-_FAR:]):
        token = match.group()
        if token in "[{":
            stack.append(token)
        elif token in "]}" and stack:
            stack.pop()
    return stack[-1] if stack else ""


def _at_word(rest: str, before: str) -> str:
    match = _WORD.match(rest)
    word = match[1] if match else ""
    if word in _WORDS:
        return f"{word} is not a word of JSON, which writes {_WORDS[word]}."
    if not word or _curly_in(before) or before.endswith("\\"):
        return ""  # the word stands inside what should be a string
    if word in ("NaN", "Infinity"):
        return f"JSON has no {word}. Send null, or a string, in its place."
    if before.endswith(("{", ",")):
        return f'A name belongs between double quotes: "{word[:40]}".'
    if word.lower() in ("true", "false", "null"):
        return f"JSON writes {word.lower()} in lower case."
    return f'A string belongs between double quotes: "{word[:40]}".'


def _missing(rest: str, before: str) -> str:
    first, opened = rest[0], _still_open(before)
    if first == '"' and _STRING.match(rest, 0, _FAR) is None:
        curly = _curly_in(rest[:80])
        cannot = f" The curly {curly} cannot." if curly else ""
        return f"A string begins here, and no double quote ends it.{cannot}"
    if first not in '"{}[],:-' and not first.isalnum():
        return f"{first} means nothing in JSON outside of a string."
    if before.endswith((",", "{")) and opened == "{":
        return "A name belongs here, between double quotes."
    if before.endswith((",", ":", "[")):
        return f"A value is missing before this {first}" if first in ",:]}" else ""
    if first in "]}" and opened:
        return f"A {opened} is still open here, and {first} does not close it."
    if before and not opened and len(before) < _FAR:
        return "One message is complete before this place, and one message is all there may be."
    return f"A comma or a colon is missing before this {first}" if before else ""
