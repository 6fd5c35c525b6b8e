"""Each common mistake gets its own sentence, the same one under every version of Python."""

from __future__ import annotations

import pytest

from mini_rpc import dispatch
from mini_rpc.classroom.bench.broken_json import explain

CASES = {
    "": "nothing to read",
    '{"id": 7, "method": ': "The text ends here, and the JSON is not complete. A { is still open.",
    '{"a": [1, 2': "A [ is still open",
    "{“id”: 7}": "“ is a curly quote",
    '{"id": ‘a’}': "‘ is a curly quote",
    '{"id”: 7}': "The curly ” cannot.",
    '{"id”: "a"}': "A curly quote before this place",
    "{'id': 7}": "never between single ones",
    '{"id": 7,}': "one too many",
    "[1, 2,\n]": "one too many",
    '{"id": True}': "writes true",
    '{"id": None}': "writes null",
    '{"id": undefined}': "writes null",
    '{"id": NULL}': "null in lower case",
    '{"id": NaN}': "no NaN",
    '{"id": -Infinity}': "no Infinity",
    "{id: 7}": 'A name stands between double quotes: "id".',
    '{"method": ping}': 'A string stands between double quotes: "ping".',
    '{"id": 7} // seven': "no comments",
    '{"id": 7, # seven\n"a": 1}': "no comments",
    '{"id" = 7}': "a colon",
    '{"id": 007}': "needless 0",
    '{"id": +7}': "begins with a digit",
    '{"id": .7}': "begins with a digit",
    '{"id": 7 "method": "ping"}': 'A comma or a colon is missing before this "',
    '["a" "b"]': "A comma or a colon is missing",
    "{7: 1}": "A name stands here",
    '{"a": {}, {': "A name stands here",
    '{"id": }': "A value is missing before this }",
    "[1,,2]": "A value is missing before this ,",
    '{"a": [1, 2}': "A [ is still open here, and } does not close it.",
    '{"id" 7}': "A comma or a colon is missing before this 7",
    '{"id": 7}\n{"id": 8}': "one message is all there may be",
    '{"id": "a\nb"}': "a line break as \\n",
    '{"id": "\\q"}': "After a backslash",
    '{"id": "a': "no double quote ends it",
    '{"id":\u00a07}': "An invisible character (U+00A0)",
    '\ufeff{"id": 7}': "An invisible character (U+FEFF)",
    '{"id":\u3164 7}': "An invisible character (U+3164)",
    '{\u2800"id": 7}': "An invisible character (U+2800)",
    '{"id"： 7}': "： is a full-width character. JSON wants the plain :",
    '{"id": 7，"a": 1}': "JSON wants the plain ,",
    "｛}": "JSON wants the plain {",
    '{"id": ７}': "JSON wants the plain 7",
    '{"jsonrpc": "2.0, "id": 7}': 'nothing closes the string "2.0',
    '{"jsonrpc: "2.0", "id": 7}': 'nothing closes the string "jsonrpc',
    '{"id": "7, "method": "ping"}': 'nothing closes the string "7',
    '{"jsonrpc": 2.0", "id": 7}': "A double quote is missing before 2.0",
    '{"id": 1"b": 2}': "A comma or a colon is missing",
    '{"a": "say "hi" now"}': 'The string "say " ends here. A quote inside of it is written \\".',
    '<b>{"id": 7}</b>': "< means nothing in JSON outside of a string.",
    '{"id": <b>7</b>}': "< means nothing in JSON",
    '{"id": 7; "a": 1}': "no semicolon",
    '("id": 7)': "no round brackets",
    '{"id": 7)': "no round brackets",
    '{"jsonrpc": "2.0", ...}': "Three dots are not JSON",
    '{"id": none}': "writes null",
    '{"id": 1. }': "both sides of the point",
    '{"a": "True", "b": True}': "writes true",
    '{"a": {"b": 1}': "The text ends here, and the JSON is not complete. A { is still open.",
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_the_hint_names_the_mistake(text: str, expected: str) -> None:
    place = dispatch(text, {}).place
    assert place is not None
    assert expected in explain(text, place)


def test_each_word_of_the_complaint_comes_once() -> None:
    assert " at at " not in dispatch('{"id": "a', {}).reason
