"""The bench driven from Python, and as the browser drives it, without a browser."""

import json

import pytest

from mini_rpc import JSON_RPC, MCP, Verdict, dispatch, handle
from mini_rpc.classroom import bench
from mini_rpc.classroom.bench.answers import Answer
from mini_rpc.classroom.kitchen import MESSAGES, METHODS
from mini_rpc.rules import Rules

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


def type_in(b, text, ticket="view-1", rules=MCP):
    """Ask as the browser does; return the answer that goes back to it."""
    asked = {"ticket": ticket, "text": json.dumps(text), "rules": rules.source}
    b.set_state({"_asked": asked})
    return b._answer


def test_a_new_bench_judges_the_first_prepared_message():
    b = bench()
    assert b.raw == MESSAGES["request"]
    assert b.verdict == dispatch(MESSAGES["request"], METHODS)
    assert bench(messages={}).raw == ""


@pytest.mark.parametrize("raw", MESSAGES.values(), ids=MESSAGES)
@pytest.mark.parametrize("rules", [MCP, JSON_RPC], ids=["mcp", "json-rpc"])
def test_the_verdict_is_the_course_dispatchers_own(raw, rules):
    b = bench("")
    b.raw = raw
    b.rules = rules
    assert b.verdict == dispatch(raw, METHODS, rules=rules)


def test_reset_brings_back_the_text_and_the_rules_of_the_start():
    b = bench(PING, rules=JSON_RPC)
    b.raw, b.rules = "[]", MCP
    b.reset()
    assert (b.raw, b.rules) == (PING, JSON_RPC)
    assert b.verdict.sent == '{"jsonrpc": "2.0", "id": 1, "result": {}}'


def test_the_answer_carries_the_ticket_of_its_question():
    b = bench(PING)
    assert type_in(b, "[", "view-7")["ticket"] == "view-7"
    assert b.raw == "["
    b.raw = PING
    assert b._answer["ticket"] == b._asked["ticket"] != "view-7"


def test_the_browser_can_switch_the_rules():
    b = bench(MESSAGES["a batch"])
    type_in(b, MESSAGES["a batch"], rules=JSON_RPC)
    assert b.rules == JSON_RPC
    assert isinstance(b.verdict, Verdict)
    assert len(b.verdict.parts) == 2


def test_whatever_goes_over_the_comm_can_be_encoded():
    b = bench("\ud800")
    type_in(b, '{"jsonrpc": "2.0", "id": "\udfff", "method": "\ud800", "params": {"\\u0000": 1}}')
    for state in (b._setup, b._asked, b._answer):
        json.dumps(state, ensure_ascii=False, allow_nan=False).encode("utf-8")
    assert r"\ud800" in b.verdict.sent


def test_a_failure_of_the_bench_itself_is_shown():
    b = bench(PING)
    b.set_state({"_asked": {"ticket": "view-1", "text": "no json", "rules": MCP.source}})
    assert b._answer["ticket"] == "view-1"
    assert "JSONDecodeError" in b._answer["broken"]


@pytest.mark.parametrize("raw", [None, b"{}", 7, {"id": 1}])
def test_only_text_is_taken(raw):
    b = bench(PING)
    with pytest.raises(TypeError, match="as text, not"):
        b.raw = raw
    assert b.raw == PING


def test_only_the_two_sets_of_rules_are_taken():
    with pytest.raises(ValueError, match="MCP and JSON_RPC"):
        bench(PING, rules=Rules("mine", True, True, True, True))


def test_two_dispatchers_judge_the_same_text_and_the_switch_is_for_the_courses():
    def deaf(raw, methods):
        return None

    b = bench(PING, handle=deaf, beside=handle)
    left, right = b.verdicts
    assert (type(left), left.sent, type(right)) == (Answer, None, Verdict)
    assert b.verdict == left
    for shown in (b, bench(PING)):
        assert [name for name, _ in shown._setup["rules"]] == [MCP.source, JSON_RPC.source]
    assert bench(PING, handle=deaf)._setup["rules"] == []
