"""The hostile mail: always the same, judged by the core, and compared type by type.

Covers `hostile_messages`, `hostile_methods`, and `agrees` in `differences`.
"""

import re

import pytest

from mini_rpc import MCP, dispatch, handle
from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.judging.differences import agrees
from mini_rpc.classroom.judging.hostile_messages import (
    GROUPS,
    HOSTILE,
    LEFT_OPEN,
    read_message,
    read_messages,
)
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS, SECRET, read_methods

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
BURN = '{"jsonrpc": "2.0", "id": 1, "method": "kitchen/burn"}'
BAD_ID = '{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}'
NO_METHOD = '{"jsonrpc": "2.0", "id": 1}'


def ours(raw):
    return handle(raw, HOSTILE_METHODS)


def error(code, id=1, **more):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "No.", **more}}


def test_there_are_a_few_hundred_each_once_and_none_that_is_left_open():
    assert 300 < len(HOSTILE) == len(set(HOSTILE)) < 600
    assert set(HOSTILE) == {raw for messages in GROUPS.values() for raw in messages}
    assert not set(HOSTILE) & set(LEFT_OPEN)


def test_every_decision_of_the_dispatcher_is_asked_for():
    verdicts = [dispatch(raw, HOSTILE_METHODS, rules=MCP) for raw in HOSTILE]
    codes = {v.reply["error"]["code"] for v in verdicts if v.reply and "error" in v.reply}
    assert {verdict.step for verdict in verdicts} == {1, 2, 3, 4, 5, 6}
    assert {-32700, -32600, -32601, -32602, -32603, 86} <= codes


@pytest.mark.parametrize("group", GROUPS)
def test_the_core_agrees_with_itself(group):
    for raw in GROUPS[group]:
        reply = handle(raw, HOSTILE_METHODS)
        assert agrees(raw, reply, reply)
        assert reply is None or not agrees(raw, reply, None)
        assert reply is not None or not agrees(raw, None, error(-32600, None))


DATA = PING.replace("ping", "note/data")


@pytest.mark.parametrize(
    ("raw", "reply"),
    [
        (PING, {"result": {}, "id": 1, "jsonrpc": "2.0"}),  # in any order, and in any words
        (BURN, error(-32603)),
        (BURN, error(-32603, data=None)),
        *((raw, error(-32600, id)) for raw, id in ((BAD_ID, 1.5), (NO_METHOD, 1))),
        *((raw, error(-32600, None)) for raw in (BAD_ID, NO_METHOD)),
        (DATA, error(-32022, data={"supported": ["2026-07-28"]})),
    ],
)
def test_a_reply_that_decides_as_the_core_does_agrees(raw, reply):
    assert agrees(raw, ours(raw), reply)


@pytest.mark.parametrize(
    ("raw", "reply"),
    [
        *((PING, {"jsonrpc": "2.0", "id": id, "result": {}}) for id in (True, 1.0, "1", None)),
        (PING, {"jsonrpc": "2.0", "id": 1, "result": {}, "error": None}),
        (PING, {"id": 1, "result": {}}),
        (PING, {"jsonrpc": "2.0", "id": 1, "result": {1, 2}}),
        (PING, {"jsonrpc": "2.0", "id": 1, "result": float("nan")}),
        (PING, error(-32603)),
        (PING, [{"jsonrpc": "2.0", "id": 1, "result": {}}]),
        (PING, "pong"),
        (BURN, error(-32603, data=[f"it said {SECRET}"])),
        (BURN, error(-32603, None)),
        *((raw, error(-32600, 2)) for raw in (BAD_ID, NO_METHOD)),
        (DATA, error(-32022)),
    ],
)
def test_a_reply_that_decides_in_another_way_does_not(raw, reply):
    assert not agrees(raw, ours(raw), reply)


def test_the_replies_to_a_batch_may_come_in_any_order():
    replies = [{"jsonrpc": "2.0", "id": id, "result": {}} for id in (1, 2)]
    assert agrees("[]", replies, replies[::-1])
    assert not agrees("[]", replies, replies[:1])
    assert not agrees("[]", replies, [*replies, replies[0]])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1}', '{"id": 1}'),
        ("⟨⟩", ""),
        ("⟨U+0020⟩{}⟨U+000A⟩", " {}\n"),
        ("⟨3 × [⟩", "[[["),
        ('"⟨E9⟩"', b'"\xe9"'),
        ("⟨bytes⟩é", "é".encode()),
        ("⟨utf-16-le⟩⟨U+FEFF⟩[", "\ufeff[".encode("utf-16-le")),
    ],
)
def test_a_line_of_the_file_stands_for_one_message(line, message):
    assert read_message(line) == message
    assert read_messages(f"# x\n\n## a group\n\n```text\n{line}\n```\n") == {"a group": (message,)}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("> Returns", "Returns", "line 1: A kind of method has a quote, and a block of Python."),
        ("zero = 0", "zero: 0", "line 6: A method is a line like: zero = 0"),
        ("zero = 0", "zero = 0 0", "line 6: This is not Python"),
    ],
)
def test_a_file_of_methods_that_is_wrong_is_refused(old, new, sentence, tmp_path):
    path, text = tmp_path / "methods.md", "## fine\n\n> Returns\n\n```python\nzero = 0\n```\n"
    path.write_text(text, "utf-8")
    ((name, method),) = read_methods(path)
    assert (name, method({}), method.__doc__) == ("fine/zero", 0, "Returns: zero.")
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(BadContent, match=re.escape(f"methods.md, {sentence}")):
        dict(read_methods(path))


def test_every_method_that_a_hostile_name_promises_is_there():
    kinds = ("crash/", "unsendable/", "fine/", "note/", "open/")
    named = {
        name
        for raw in (*HOSTILE, *LEFT_OPEN)
        if isinstance(raw, str)
        for name in re.findall(r'"method": "(\w+/\w+)"', raw)
        if name.startswith(kinds)
    }
    promised = {name for name in HOSTILE_METHODS if name.startswith(kinds)}
    assert named <= promised
    assert len(promised - named) <= 1, promised - named
