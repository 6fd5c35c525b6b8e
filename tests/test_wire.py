"""Between the wire and Python: strict JSON in, strict JSON out."""

import json
import re
import sys
from typing import Any

import pytest

from mini_rpc import wire
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS
from mini_rpc.wire import NotJSON, Place, decode, encode


def fault(raw: Any) -> NotJSON:
    with pytest.raises(NotJSON) as caught:
        decode(raw)
    return caught.value


@pytest.mark.parametrize(
    "raw",
    [
        *(
            '{"a": [1, 1.5, "x", true, false, null]}',
            ' \t\r\n{"a": 1}\n\n',
            "[]",
            "7",
            '"text"',
            "null",
        ),
        "[1, 1.0, true, -0.0, -0]",
        "[9007199254740993, 100000000000000000000000000]",  # no limit of 53 bits
        '{"id": 1, "id": 2}',  # the last one wins
    ],
)
def test_json_is_read_as_python_reads_it(raw: str) -> None:
    texts = (raw, raw.encode(), bytearray(raw.encode()))
    assert {repr(decode(text)) for text in texts} == {repr(json.loads(raw))}


def test_a_long_number_that_python_can_read_is_read() -> None:
    digits = "9" * sys.get_int_max_str_digits()
    assert encode(decode(digits)) == digits


BYTE = "a byte that is not UTF-8"
FAULTS: list[tuple[str | bytes, str, Place | None]] = [  # Python's own words are left out
    ("", "", Place(1, 1, 0)),
    ('{"a": }', "", Place(1, 7, 6)),
    ('{\n "a": 1,\n "b": tru\n}', "", Place(3, 7, 17)),
    ("{} {}", "", Place(1, 4, 3)),
    ('{"a": 1}x', "", Place(1, 9, 8)),
    ('{"a": "\n"}', "", Place(1, 8, 7)),
    ("\ufeff{}", "", Place(1, 1, 0)),
    ("\xa0{}", "", Place(1, 1, 0)),
    ("{}\x0c", "", Place(1, 3, 2)),
    ("[" * 100_000, "nested too deep to read", None),
    ('{"a":' * 100_000, "nested too deep to read", None),
    ("[" * 100_000 + "]" * 100_000, "nested too deep to read", None),
    (b"\xff", BYTE, Place(1, 1, 0)),
    (b'{"a":\n "\xe9"}', BYTE, Place(2, 3, 8)),
    ('{"é": "'.encode() + b'\x80"}', BYTE, Place(1, 8, 7)),
    (b'"\xc0\x80"', BYTE, Place(1, 2, 1)),
    (b'"\xed\xa0\x80"', BYTE, Place(1, 2, 1)),
    (b'"\xe2\x82', BYTE, Place(1, 2, 1)),
    *(
        (f'{{"s": "NaN \\" -Infinity",\n "n": [1, {word}]}}', f"{word} is no", Place(2, 11, 36))
        for word in ("NaN", "Infinity", "-Infinity")
    ),
]


@pytest.mark.parametrize(("raw", "why", "place"), FAULTS, ids=range(len(FAULTS)))
def test_a_parse_error_says_why_and_where_counted_in_characters(
    raw: str | bytes, why: str, place: Place | None
) -> None:
    error = fault(raw)
    assert error.why.startswith(why)
    assert error.place == place


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("tail", ["}", ".", "e", "E", "e+", ".x", ". 5", "x", '"', '\\"'])
def test_an_integer_too_long_for_python_to_read_is_not_json(sign: str, tail: str) -> None:
    digits = "9" * (sys.get_int_max_str_digits() + 1)
    before = f'{{"s": "{digits}", "f": [{digits}.5, -0.{digits}, 1e-{digits}], "n": '
    error = fault(f"{before}{sign}{digits}{tail}")
    assert error.why == "a number too long to read"
    assert error.place == Place(1, len(before) + 1, len(before))


@pytest.mark.parametrize("begin", ['"', 'x"', '"\\\n"', '"' + "9" * 5000])
@pytest.mark.parametrize("piece", ['\\"', "\\", '"', "\\\n", "-", "9", "-Infinit", '"\\""'])
@pytest.mark.parametrize("wanted", [wire._CONSTANT, wire._LONG % 4301])
def test_a_search_outside_the_strings_reads_every_character_once(
    begin: str, piece: str, wanted: str
) -> None:
    text = begin + piece * 2000 + "@"
    matches = list(re.finditer(f"{wire._STRING}|({wanted})", text))
    # What is matched never overlaps, and whoever starts at a quote ends: it never fails.
    ends = [match.end() for match in matches]
    assert all(match.end() > match.start() for match in matches)
    outside = "".join(text[a : b.start()] for a, b in zip([0, *ends], matches, strict=False))
    assert '"' not in outside + text[ends[-1] if ends else 0 :]


def test_what_is_sent_is_one_line_of_ascii() -> None:
    text = encode({"dish": "crème\nbrûlée", "odd": "\ud800", "line": "\u2028"})
    assert text == r'{"dish": "cr\u00e8me\nbr\u00fbl\u00e9e", "odd": "\ud800", "line": "\u2028"}'
    assert decode(text)["odd"] == "\ud800"


UNSENDABLE = {name for name in HOSTILE_METHODS if name.startswith("unsendable/")}


@pytest.mark.parametrize("name", sorted(UNSENDABLE - {"unsendable/trap"}))
def test_what_json_cannot_carry_is_refused(name: str) -> None:
    value = HOSTILE_METHODS[name]({})
    with pytest.raises((TypeError, ValueError, RecursionError)):
        encode(value)


@pytest.mark.parametrize(
    "value", [{"true": 1, True: 2}, [[{"a": {0: 1, "0": 2}}]], {None: 1, "null": 2}]
)
def test_a_member_that_would_be_there_twice_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="twice"):
        encode(value)


@pytest.mark.parametrize(
    "value", [{1: 2, "one": 3}, {"1": {1: 2}}, [{1: 1}, {"1": 1}], {"a": '{"1": 1, "1": 2}'}]
)
def test_keys_that_are_no_text_become_text(value: Any) -> None:
    assert encode(value) == json.dumps(value)
