"""Two replies compared type by type, in words and in places."""

import json

import pytest

from mini_rpc import error_response
from mini_rpc.classroom import bench
from mini_rpc.classroom.bench.answers import Answer
from mini_rpc.classroom.bench.difference import compare, marks

SILENT = Answer("it")
FAILED = Answer("it", failure="it crashed.")


def replying(value):
    return Answer("it", None, value, json.dumps(value))


@pytest.mark.parametrize(
    ("left", "right", "sentence"),
    [
        (1, True, "id: 1 (an integer) on the left, true (a boolean) on the right."),
        (1, 1.0, "id: 1 (an integer) on the left, 1.0 (a fraction) on the right."),
        (0, False, "id: 0 (an integer) on the left, false (a boolean) on the right."),
        (1, "1", 'id: 1 (an integer) on the left, "1" (a string) on the right.'),
        (7, None, "id: 7 (an integer) on the left, null on the right."),
        (7, 8, "id: 7 on the left, 8 on the right."),
    ],
)
def test_values_are_compared_type_by_type(left, right, sentence):
    assert compare(replying({"id": left}), replying({"id": right})) == ([sentence], [("id",)])


def test_the_order_of_members_is_no_difference_and_many_are_counted():
    same = compare(replying({"a": 1, "b": 2}), replying({"b": 2, "a": 1}))
    assert same == (["No difference: both send the same reply."], [])
    words, paths = compare(replying(list(range(100))), replying(list(range(1, 101))))
    assert (words[-1], len(paths)) == ("And 95 more.", 100)
    deep = Answer("it", None, [], "[" * 100_000 + "]" * 100_000)
    assert compare(deep, replying({}))[0] == ["Nested too deep to compare."]


def test_missing_members_and_deep_ones_are_named():
    left = replying({"error": {"code": -32600, "message": "x"}})
    right = replying({"error": {"code": -32601, "message": "x", "data": [1]}})
    words, paths = compare(left, right)
    assert words == [
        "error.code: -32600 on the left, -32601 on the right.",
        "error.data: missing on the left, [1] on the right.",
    ]
    assert paths == [("error", "code"), ("error", "data")]


@pytest.mark.parametrize(
    ("left", "right", "start"),
    [
        (SILENT, SILENT, "No difference: both stay silent."),
        (SILENT, replying({}), "The left one stays silent"),
        (replying({}), SILENT, "The left one replies"),
        (FAILED, replying({}), "The left one gives no answer"),
        (SILENT, FAILED, "The right one gives no answer"),
        (FAILED, FAILED, "Neither"),
    ],
)
def test_silence_and_failure_are_compared_too(left, right, start):
    (sentence,) = compare(left, right)[0]
    assert sentence.startswith(start)


@pytest.mark.parametrize(
    "value",
    [
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": 'quoted " and é', "data": {}}},
        [{"id": 1}, [], [[2, "x"]], {}],
    ],
)
def test_a_mark_is_exactly_where_the_member_is(value):
    sent = json.dumps(value)

    def check(part, path):
        if path:
            ((start, end),) = marks(sent, [path])
            name = f"{json.dumps(path[-1])}: " if isinstance(path[-1], str) else ""
            assert sent[start:end] == name + json.dumps(part)
        if isinstance(part, list):
            part = dict(enumerate(part))
        for key, member in part.items() if isinstance(part, dict) else ():
            check(member, (*path, key))

    check(value, ())


def test_the_whole_reply_can_be_marked():
    assert marks('{"a": 1}', [()]) == [[0, 8]]
    assert marks('{"a": 1}', []) == []


UNKNOWN = '{"jsonrpc": "2.0", "id": 1, "method": "nope"}'
WORDING = "Only the words of error.message differ, and each may choose its own."


def test_the_words_of_an_error_on_purpose_are_the_methods_own():
    raw = '{"jsonrpc": "2.0", "id": 1, "method": "orders/place", "params": {"table": 2}}'

    def other(raw, methods):
        return error_response(1, -32602, "no")

    (said,) = bench(raw, beside=other)._sheet.difference
    assert said.endswith('"Invalid params: dish is missing" on the left, "no" on the right.')


@pytest.mark.parametrize(
    ("code", "said", "marked"),
    [
        (-32601, [WORDING], 0),
        (
            -1,
            [
                "error.code: -32601 on the left, -1 on the right.",
                "error.message: the words differ, and each may choose its own.",
            ],
            1,
        ),
    ],
)
def test_other_words_of_an_error_are_told_as_wording_and_never_marked(code, said, marked):
    def other(raw, methods):
        return error_response(1, code, "No such method")

    sheet = bench(UNKNOWN, beside=other)._sheet
    assert [*sheet.difference] == said
    assert [len(panel.marks) for panel in sheet.panels] == [marked] * 2
