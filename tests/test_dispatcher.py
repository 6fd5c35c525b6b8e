"""The six steps, and what they leave open: every line of both tables has a test here."""

import asyncio
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mini_rpc import JSON_RPC, MCP, RpcError, Verdict, dispatch, handle
from mini_rpc.classroom.judging.differences import agrees
from mini_rpc.classroom.judging.hostile_messages import HOSTILE, LEFT_OPEN, read_messages
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS, SECRET, Fire
from mini_rpc.classroom.kitchen import METHODS
from mini_rpc.dispatcher import STEPS
from mini_rpc.rules import Rules

PLACE = {"jsonrpc": "2.0", "id": 7, "method": "orders/place"}
PING = {**PLACE, "method": "ping"}
LOG = "notifications/table_leaving"


def judge(message: Any, rules: Rules = MCP, **methods: Any) -> Verdict:
    """Send one message, text or not yet, to the kitchen with some methods more."""
    raw = message if isinstance(message, (str, bytes)) else json.dumps(message)
    return dispatch(raw, {**METHODS, **methods}, rules=rules)


def call(method: Callable[[Any], Any], **members: Any) -> Verdict:
    """Send a request for this one method."""
    return judge({"jsonrpc": "2.0", "id": 7, "method": "dish", **members}, dish=method)


def raiser(error: BaseException) -> Callable[[Any], Any]:
    def method(params: Any) -> Any:
        raise error

    return method


def code_of(verdict: Verdict) -> int:
    code = verdict.reply["error"]["code"]
    assert type(code) is int
    return code


# --- the six steps, in this order ------------------------------------------------------------


def test_there_are_six_steps_in_this_order() -> None:
    assert [step.number for step in STEPS] == [1, 2, 3, 4, 5, 6]
    names = ["parse", "shape", "notification", "params", "method", "call"]
    assert [step.name for step in STEPS] == names


DATA = Path(__file__).parent / "data"
DECIDED = read_messages((DATA / "six_steps.md").read_text("utf-8"))


@pytest.mark.parametrize("case", DECIDED)
def test_what_the_steps_decide(case: str) -> None:
    rules, *said = case.partition(": ")[0].split()
    for message in DECIDED[case]:
        verdict = judge(message, MCP if rules == "MCP" else JSON_RPC)
        reply = verdict.reply or {"id": None, "error": {"code": "silence"}}
        code = reply["error"]["code"] if "error" in reply else "result"
        assert [f"{verdict.step}", f"{code}", json.dumps(reply["id"])] == said, message
        assert len(verdict.log) == 1 or "silence" not in said


REPLIES = read_messages((DATA / "replies.md").read_text("utf-8"))


@pytest.mark.parametrize("case", REPLIES)
def test_a_message_gets_this_reply_to_the_letter_as_text_and_as_bytes(case: str) -> None:
    methods = {**HOSTILE_METHODS, "": lambda params: "nameless"}
    lines = [line.partition(" ")[2] for line in REPLIES[case]]
    for message, reply in zip(lines[::2], lines[1::2], strict=True):
        for raw in (message, message.encode()):
            verdict = dispatch(raw, methods, rules=MCP if case.startswith("MCP") else JSON_RPC)
            assert (verdict.sent or "silence") == reply


def test_step_3_a_notification_is_run_and_nothing_is_sent() -> None:
    seen: list[Any] = []
    message = {"jsonrpc": "2.0", "method": "log", "params": {"line": "started"}}
    verdict = judge(message, log=lambda params: seen.append(params["line"]))
    assert (verdict.step, verdict.reply, verdict.sent, verdict.log) == (3, None, None, ())
    assert seen == ["started"]


@pytest.mark.parametrize(
    ("message", "lights"),
    [
        ("{", "X....."),
        ("{}", "-X...."),
        ({"jsonrpc": "2.0", "method": LOG}, "--X..."),
        ({**PLACE, "params": []}, "---X.."),
        ({**PLACE, "method": "missing"}, "----X."),
        (PLACE, "-----X"),
        ({**PLACE, "method": "ping"}, "------"),
    ],
)
def test_the_lights_show_where_a_message_stopped(message: Any, lights: str) -> None:
    words = {"-": "passed", "X": "stopped here", ".": "not reached"}
    assert judge(message).lights == tuple(words[light] for light in lights)


# --- what the steps leave open: reading ------------------------------------------------------


def test_1e999_is_json_and_becomes_infinity_which_no_reply_may_carry() -> None:
    seen: list[Any] = []
    raw = '{"jsonrpc": "2.0", "id": 7, "method": "keep", "params": {"n": 1e999}}'
    assert judge(raw, keep=lambda params: seen.append(params["n"])).reply["result"] is None
    assert seen == [float("inf")]
    assert code_of(judge(raw.replace("keep", "echo"))) == -32603


@pytest.mark.parametrize("raw", [None, 7, {"jsonrpc": "2.0"}, ["{}"], memoryview(b"{}")])
def test_a_message_that_is_neither_text_nor_bytes_is_the_callers_mistake(raw: Any) -> None:
    with pytest.raises(TypeError, match="text or bytes"):
        handle(raw, METHODS)


# --- what the steps leave open: shape and ids ------------------------------------------------


@pytest.mark.parametrize("id", [0, "", -1, 10**26, 2**53 + 1, "0", "\ud800", " "])
@pytest.mark.parametrize("method", ["ping", "missing", "kitchen/burn"])
def test_a_legal_id_is_echoed_exactly_type_and_all(id: Any, method: str) -> None:
    reply = judge({"jsonrpc": "2.0", "id": id, "method": method}).reply
    assert (reply["id"], type(reply["id"])) == (id, type(id))


# --- what the steps leave open: calls --------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, asyncio.CancelledError])
@pytest.mark.parametrize("members", [{}, {"id": 7}])
def test_keyboard_interrupt_and_its_kind_pass_through(
    error: type[BaseException], members: Any
) -> None:
    with pytest.raises(error):
        judge({"jsonrpc": "2.0", "method": "stop", **members}, stop=raiser(error()))


def test_keyboard_interrupt_passes_through_while_the_reply_is_encoded() -> None:
    class Slow(dict[str, Any]):
        def items(self) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(lambda params: Slow(dish="steak"))
    with pytest.raises(KeyboardInterrupt):
        call(raiser(RpcError(86, "text", Slow(dish="steak"))))


# --- it never falls over ---------------------------------------------------------------------


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise Fire(SECRET)


class NamelessError(Exception, metaclass=Nameless):
    pass


class Trap(Exception):
    """An exception that crashes where one of its members is read."""

    def __init__(self, trap: str) -> None:
        Exception.__init__(self, SECRET)
        self.trap = trap

    def __getattribute__(self, name: str) -> Any:
        if name == object.__getattribute__(self, "trap"):
            raise Fire(SECRET)
        return 86 if name == "code" else "text" if name in ("message", "data") else None


class TrappedError(Trap, RpcError):
    pass


TRAPS, MEMBERS = ("__class__", "__traceback__"), ("code", "message", "data")
CRASHES: dict[str, Any] = {
    **{
        name: method
        for name, method in HOSTILE_METHODS.items()
        if name.startswith(("crash/", "unsendable/", "open/"))
    },
    **{f"a crash with a trap as its {name}": raiser(Trap(name)) for name in TRAPS},
    **{f"an error with a trap as its {name}": raiser(TrappedError(name)) for name in MEMBERS},
    **{f"an error whose message is {text}": raiser(RpcError(86, text)) for text in (None, b"")},
    "an exception whose class has no name": raiser(NamelessError(SECRET)),
    "no arguments taken": lambda: None,
    "two arguments wanted": lambda params, more: None,
    "not a function": 42,
    "not there": None,
}


@pytest.mark.parametrize("crash", CRASHES)
def test_whatever_a_method_does_the_reply_is_an_internal_error_or_silence(
    crash: Any,
) -> None:
    verdict = call(CRASHES[crash])
    assert verdict.reply["error"] == {"code": -32603, "message": "Internal error"}
    assert (verdict.step, len(verdict.log)) == (6, 1)
    notified = judge({"jsonrpc": "2.0", "method": "dish"}, dish=CRASHES[crash])
    assert (notified.reply, notified.sent) == (None, None)


class Trapped(dict[str, Any]):
    """A mapping of methods that crashes at one of its ends."""

    def __init__(self, trap: str) -> None:
        super().__init__(METHODS)
        self.trap = trap

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) if self.trap != "in" else bool(1 / 0)

    def __getitem__(self, name: str) -> Any:
        return super().__getitem__(name) if self.trap != "[]" else {}[SECRET]


@pytest.mark.parametrize("trap", ["in", "[]"])
def test_a_mapping_of_methods_that_raises_is_a_crash_like_any_other(trap: str) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
    verdict = dispatch(json.dumps(message), Trapped(trap))
    assert verdict.reply["error"] == {"code": -32603, "message": "Internal error"}
    del message["id"]
    assert dispatch(json.dumps(message), Trapped(trap)).sent is None


@pytest.mark.parametrize("keys", [(1, "1"), (None, "null"), (True, "true"), (1.5, "1.5")])
def test_a_result_that_would_have_a_member_twice_is_an_internal_error(keys: Any) -> None:
    plate = dict.fromkeys(keys, "steak")
    for result in (plate, [{"table": plate}], {"tall": "2", **plate}):
        assert code_of(call(lambda params, result=result: result)) == -32603
        assert code_of(call(raiser(RpcError(86, "text", result)))) == -32603
    assert call(lambda params: {keys[0]: 1}).reply["result"]


def test_no_traceback_is_written_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[BaseException] = []
    monkeypatch.setattr("mini_rpc.dispatcher.format_exception", written.append)
    quiet = logging.getLogger("mini_rpc")
    monkeypatch.setattr(quiet, "propagate", False)
    assert len(call(raiser(ValueError(SECRET))).log) == 1
    assert not written
    monkeypatch.setattr(quiet, "handlers", [*quiet.handlers, logging.StreamHandler()])
    call(raiser(ValueError(SECRET)))
    assert len(written) == 1


def test_a_broken_log_is_no_reason_to_fall_over() -> None:
    class Broken(logging.Handler):
        def handle(self, record: logging.LogRecord) -> bool:
            raise Fire(SECRET)

    broken = Broken()
    logging.getLogger("mini_rpc").addHandler(broken)
    try:
        assert code_of(judge("{")) == -32700
        assert code_of(call(raiser(ValueError(SECRET)))) == -32603
    finally:
        logging.getLogger("mini_rpc").removeHandler(broken)


@pytest.mark.parametrize("rules", [MCP, JSON_RPC])
def test_no_hostile_message_leaves_without_a_reason_or_with_a_secret(rules: Rules) -> None:
    for raw in HOSTILE + LEFT_OPEN:
        verdict = dispatch(raw, HOSTILE_METHODS, rules=rules)
        assert handle(raw, HOSTILE_METHODS, rules=rules) == verdict.reply
        assert (json.loads(verdict.sent) if verdict.sent else None) == verdict.reply
        assert agrees(raw, verdict.reply, verdict.reply)
        sent = verdict.sent or ""
        assert not any(leak in sent for leak in (SECRET, "Traceback", ".py", "/srv")), raw
        assert re.fullmatch(r"[A-Z].*\.", verdict.reason, re.DOTALL), raw
        assert verdict.rule.startswith(("JSON-RPC 2.0", "MCP 2026-07-28")), raw


# --- the verdict says why --------------------------------------------------------------------


def test_where_a_parse_error_is_belongs_to_the_verdict_and_to_the_log() -> None:
    verdict = judge('{"jsonrpc": "2.0",\n "id": }')
    assert verdict.place == (2, 8, 26)
    assert verdict.log == ("Parse error: Expecting value at line 2, column 8",)
    assert verdict.reason == "Parse error: Expecting value at line 2, column 8."


def test_the_private_log_has_what_the_reply_hides(caplog: pytest.LogCaptureFixture) -> None:
    verdict = judge({"jsonrpc": "2.0", "id": 7, "method": "kitchen/burn"})
    assert SECRET in verdict.log[0]
    assert [record.message.splitlines()[0] for record in caplog.records] == list(verdict.log)
    assert "Traceback" in caplog.text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ping\r\nALL IS WELL\x0b\x85\u2028", r"ping\r\nALL IS WELL\x0b\x85\u2028"),
        ("crème «brûlée» 寿司", "crème «brûlée» 寿司"),
    ],
)
def test_the_private_log_is_one_line_in_letters_of_all_languages(name: str, shown: str) -> None:
    assert judge({"jsonrpc": "2.0", "method": name}).log == (f"Method not found: {shown}",)


OBEYED = "\x1b[2J\x07\x9b\r\b\x00\u202e\u2066\ud800"
"""What a terminal obeys or cannot show: escape sequences, and what turns the direction around."""


def shouts(params: Any) -> None:
    raise ValueError(f"{OBEYED}\nmini_rpc: forged {params.get('long', '')}")


@pytest.mark.parametrize("method", [OBEYED, "shouts"])
@pytest.mark.parametrize("id", [{}, {"id": 1}])
def test_the_private_log_shows_control_characters_and_obeys_none(
    method: str, id: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    verdict = judge({"jsonrpc": "2.0", "method": method, **id}, shouts=shouts)
    lines = [*verdict.log, *(line for r in caplog.records for line in r.message.split("\n"))]
    assert all(line.isprintable() for line in lines)
    assert not any(line.startswith("mini_rpc") for line in lines)
    assert not lines or r"\x1b[2J\x07\x9b" in lines[0]


def test_the_private_log_stays_short_whatever_an_exception_says(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for filling in ("x", "\n"):
        params = {"long": filling * 1_000_000}
        message = {"jsonrpc": "2.0", "id": 1, "method": "shouts", "params": params}
        assert len(judge(message, shouts=shouts).log[0]) < 2100
    assert all(len(record.message) < 10_000 for record in caplog.records)


# --- plain JSON-RPC --------------------------------------------------------------------------


def test_a_batch_is_judged_message_by_message() -> None:
    verdict = judge([[], PING, {"jsonrpc": "2.0", "method": "x"}], JSON_RPC)
    assert (verdict.shape, len(verdict.log)) == ("batch", 1)
    assert [part.step for part in verdict.parts] == [2, 6, 3]
    assert verdict.parts[0].rule == "JSON-RPC 2.0"
