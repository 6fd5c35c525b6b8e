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


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ("", Place(1, 1, 0)),
        ('{"a": }', Place(1, 7, 6)),
        ('{\n "a": 1,\n "b": tru\n}', Place(3, 7, 17)),
        ("{} {}", Place(1, 4, 3)),
        ('{"a": 1}x', Place(1, 9, 8)),
        ('{"a": "\n"}', Place(1, 8, 7)),
        ("\ufeff{}", Place(1, 1, 0)),
        ("\xa0{}", Place(1, 1, 0)),
        ("{}\x0c", Place(1, 3, 2)),
    ],
)
def test_a_parse_error_has_a_line_a_column_and_an_offset(raw: str, place: Place) -> None:
    assert fault(raw).place == place


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_nan_and_infinity_are_not_json(word: str) -> None:
    error = fault(f'{{"s": "NaN \\" -Infinity",\n "n": [1, {word}]}}')
    assert error.why == f"{word} is no JSON value"
    assert error.place == Place(2, 11, 36)


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


@pytest.mark.parametrize(("left", "right"), [("[", ""), ('{"a":', ""), ("[", "]")])
def test_what_is_nested_too_deep_is_not_json(left: str, right: str) -> None:
    raw = left * 100_000 + right * 100_000
    assert fault(raw).why == "nested too deep to read"


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b"\xff", Place(1, 1, 0)),
        (b'{"a":\n "\xe9"}', Place(2, 3, 8)),
        ('{"é": "'.encode() + b'\x80"}', Place(1, 8, 7)),
        (b'"\xc0\x80"', Place(1, 2, 1)),
        (b'"\xed\xa0\x80"', Place(1, 2, 1)),
        (b'"\xe2\x82', Place(1, 2, 1)),
    ],
)
def test_a_bad_byte_is_not_json_and_its_place_counts_characters(raw: bytes, place: Place) -> None:
    error = fault(raw)
    assert (error.why, error.place) == ("a byte that is not UTF-8", place)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_or_utf_16_is_not_json(encoding: str) -> None:
    fault('{"a": 1}'.encode(encoding))


@pytest.mark.parametrize("raw", [None, 7, {"jsonrpc": "2.0"}, ["{}"], memoryview(b"{}")])
def test_anything_but_text_or_bytes_is_a_type_error(raw: Any) -> None:
    with pytest.raises(TypeError, match="text or bytes"):
        decode(raw)


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
