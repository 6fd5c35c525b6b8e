"""The core never falls over: whatever comes in, exactly one verdict comes out.

Hypothesis makes the messages up. `pytest tests/test_proof.py --long` makes up many more.
"""

import json
from typing import Any

import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")

from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from mini_rpc import JSON_RPC, MCP, RpcError, Verdict, dispatch, handle
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS, SECRET
from mini_rpc.in_flight import InFlight, Stray
from mini_rpc.rules import Rules
from mini_rpc.wire import NotJSON, decode

RULES = st.sampled_from([MCP, JSON_RPC])

# Any text that Python can hold, lone surrogates included.
TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=4)
KNOWN = st.sampled_from(sorted(HOSTILE_METHODS))
NAMES = KNOWN | TEXT
PLAIN_IDS = st.integers() | TEXT

# Objects that look like messages: any member may be missing, or hold anything.
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | VALUES,
        "id": PLAIN_IDS | VALUES,
        "method": NAMES | VALUES,
        "params": OBJECTS | VALUES,
        "result": VALUES,
        "error": VALUES,
    },
)
CALL = {"jsonrpc": st.just("2.0"), "method": NAMES}
MORE = {"params": OBJECTS | VALUES, "result": VALUES}
CALLS = st.fixed_dictionaries(CALL, optional={"id": PLAIN_IDS | VALUES, **MORE})
NOTIFICATIONS = st.fixed_dictionaries(CALL, optional=MORE)
RAW_MESSAGES = st.builds(json.dumps, MESSAGES | CALLS, ensure_ascii=st.booleans())


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A message with a piece cut out, or with something put in its place."""
    raw = draw(RAW_MESSAGES)
    start = draw(st.integers(0, len(raw)))
    end = draw(st.integers(start, min(start + 5, len(raw))))
    words = st.sampled_from(["NaN", "-Infinity", "1e999", "null", "{", "]", '"', "\\", ",", "\x00"])
    return raw[:start] + draw(st.just("") | words | TEXT) + raw[end:]


RAW = (
    TEXT
    | st.binary(max_size=40)
    | st.builds(json.dumps, VALUES)
    | RAW_MESSAGES
    | damaged()
    | st.builds(json.dumps, st.lists(CALLS | MESSAGES | VALUES, max_size=4))
    | damaged().map(lambda raw: raw.encode("utf-8", "surrogatepass"))
)


def strict(text: str) -> Any:
    """Parse JSON, and nothing that is not JSON: Python's NaN raises a `KeyError`."""
    return json.loads(text, parse_constant={}.__getitem__)


def exact(value: Any) -> str:
    """Return a form in which 1, 1.0, True and "1" differ."""
    return json.dumps(value, sort_keys=True)


def check_verdict(verdict: Verdict, rules: Rules) -> None:
    assert 1 <= verdict.step <= 6
    assert len(verdict.lights) == 6
    if verdict.reply is None:
        assert verdict.sent is None
        return
    assert verdict.sent is not None
    assert verdict.sent.isascii()
    assert "\n" not in verdict.sent
    assert SECRET not in verdict.sent
    assert exact(strict(verdict.sent)) == exact(verdict.reply)
    replies = verdict.reply if isinstance(verdict.reply, list) else [verdict.reply]
    assert replies
    assert rules.batches or isinstance(verdict.reply, dict)
    for reply in replies:
        member = "error" if "error" in reply else "result"
        assert reply.keys() == {"jsonrpc", "id", member}
        assert reply["jsonrpc"] == "2.0"
        if member == "error":
            assert type(reply["error"]["code"]) is int
            assert type(reply["error"]["message"]) is str


@given(RAW, RULES)
@example("[" * 100_000, JSON_RPC)
@example("[" * 100_000 + "]" * 100_000, JSON_RPC)
@example('{"a":' * 100_000, MCP)
@example("9" * 5000, MCP)
def test_whatever_comes_in_one_strict_verdict_comes_out(raw: str | bytes, rules: Rules) -> None:
    verdict = dispatch(raw, HOSTILE_METHODS, rules=rules)
    check_verdict(verdict, rules)
    assert exact(handle(raw, HOSTILE_METHODS, rules=rules)) == exact(verdict.reply)
    assert dispatch(raw, HOSTILE_METHODS, rules=rules).log == verdict.log


@given(RAW)
def test_exactly_what_is_json_gets_past_step_1(raw: str | bytes) -> None:
    try:
        text = raw if isinstance(raw, str) else raw.decode("utf-8")
        value = strict(text)
    except (ValueError, KeyError, RecursionError):
        with pytest.raises(NotJSON):
            decode(raw)
    else:
        assert exact(decode(raw)) == exact(value)


@given(st.lists(NOTIFICATIONS, min_size=1, max_size=4), RULES)
def test_every_notification_gets_silence_alone_and_in_a_batch(
    batch: list[Any], rules: Rules
) -> None:
    for message in batch:
        verdict = dispatch(json.dumps(message), HOSTILE_METHODS, rules=rules)
        assert (verdict.step, verdict.reply, verdict.sent) == (3, None, None)
    verdict = dispatch(json.dumps(batch), HOSTILE_METHODS, rules=JSON_RPC)
    assert (verdict.reply, verdict.sent) == (None, None)


@given(PLAIN_IDS, NAMES, OBJECTS | VALUES, RULES)
def test_every_request_gets_one_reply_with_exactly_its_id(
    id: Any, name: str, params: Any, rules: Rules
) -> None:
    message = {"jsonrpc": "2.0", "id": id, "method": name, "params": params}
    verdict = dispatch(json.dumps(message), HOSTILE_METHODS, rules=rules)
    assert exact(verdict.reply["id"]) == exact(strict(verdict.sent or "")["id"]) == exact(id)


def first_failure(message: Any) -> tuple[int, int | None]:
    """Return the first of steps 2 to 5 that fails, and its code; None where none does."""
    if not (isinstance(message, dict) and message.get("jsonrpc") == "2.0"):
        return 2, -32600
    if not (isinstance(message.get("method"), str) and type(message.get("id", 0)) in (int, str)):
        return 2, -32600
    if "id" not in message:
        return 3, None
    if not isinstance(message.get("params", {}), dict):
        return 4, -32602
    return (6, None) if message["method"] in HOSTILE_METHODS else (5, -32601)


@given(MESSAGES | CALLS | VALUES)
def test_the_first_step_that_fails_decides(message: Any) -> None:
    verdict = dispatch(json.dumps(message), HOSTILE_METHODS)
    step, code = first_failure(message)
    assert verdict.step == step
    assert code is None or verdict.reply["error"]["code"] == code


@given(VALUES)
def test_any_json_value_comes_back_as_the_result_that_it_was(value: Any) -> None:
    raw = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "dish", "params": {"value": value}})
    verdict = dispatch(raw, {"dish": lambda params: params["value"]})
    assert exact(verdict.reply["result"]) == exact(value)


@given(st.integers(), TEXT, VALUES)
def test_any_error_raised_on_purpose_keeps_code_message_and_data(
    code: int, text: str, data: Any
) -> None:
    def dish(params: Any) -> None:
        raise RpcError(code, text, data)

    error = handle('{"jsonrpc": "2.0", "id": 1, "method": "dish"}', {"dish": dish})["error"]
    expected = {"code": code, "message": text} | ({} if data is None else {"data": data})
    assert exact(error) == exact(expected)


class Kitchen(RuleBasedStateMachine):
    """Whatever happens in whatever order: what waits is what was opened and has not ended."""

    ids = st.sampled_from([1, "1", True, 1.0, 2, "2", 3, None])

    def __init__(self) -> None:
        super().__init__()
        self.tickets: InFlight[int] = InFlight()
        self.model: dict[Any, int] = {}  # by the id's type and value, as JSON sees it
        self.served = 0

    @rule(id=st.sampled_from([1, "1", 2, "2"]))
    def order(self, id: Any) -> None:
        self.served += 1
        if (type(id), id) in self.model:
            with pytest.raises(ValueError, match="in flight"):
                self.tickets.open(id, self.served)
        else:
            self.tickets.open(id, self.served)
            self.model[type(id), id] = self.served

    @rule()
    def order_with_a_new_id(self) -> None:
        id = self.tickets.new_id()
        assert (type(id), id) not in self.model
        self.order(id)

    @rule(id=ids)
    def reply(self, id: Any) -> None:
        if (type(id), id) in self.model:
            assert self.tickets.match(id) == self.model.pop((type(id), id))
        else:
            with pytest.raises(Stray):
                self.tickets.match(id)

    @rule(id=ids)
    def give_up(self, id: Any) -> None:
        assert self.tickets.give_up(id) == self.model.pop((type(id), id), None)

    @rule()
    def close(self) -> None:
        assert self.tickets.give_up_all() == list(self.model.values())
        self.model.clear()

    @invariant()
    def the_same_wait(self) -> None:
        assert [(type(id), id) for id in self.tickets] == list(self.model)


test_any_order_of_events_keeps_the_table_right = Kitchen.TestCase
