"""Any dispatcher may be asked: it can loop, crash, print or lie, and an Answer comes out."""

import json
import os
from contextlib import suppress
from functools import reduce
from types import MethodType

import pytest
from evil import Evil

from mini_rpc import JSON_RPC, MCP, dispatch
from mini_rpc.classroom.bench import answers
from mini_rpc.classroom.bench.answers import Answer, ask, is_quick
from mini_rpc.classroom.bench.widget import bench
from mini_rpc.classroom.kitchen import METHODS

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
REPLY = {"jsonrpc": "2.0", "id": 1, "result": {}}


def ask_other(handle):
    return ask(handle, PING, METHODS, MCP)


def test_a_reply_is_shown_as_it_would_be_sent_and_none_is_silence():
    answer = ask_other(lambda raw, methods: REPLY)
    assert answer == Answer("<lambda>", None, REPLY, json.dumps(REPLY), "<lambda> returned it.")
    silent = ask_other(lambda raw, methods: None)
    assert (silent.sent, silent.failure) == (None, "")
    given = ask_other(lambda raw, methods: {"raw": raw, "names": sorted(methods)})
    assert given.reply == {"raw": PING, "names": sorted(METHODS)}


def test_a_crash_names_the_learners_own_line_and_prints_are_kept():
    def careless(raw, methods):
        print("called with", len(raw))
        return json.loads(raw)["params"]

    answer = ask_other(careless)
    assert answer.failure == "careless crashed. KeyError: 'params'"
    assert answer.line.endswith('return json.loads(raw)["params"]')
    assert answer.printed == f"called with {len(PING)}\n"


def endless(*_):
    while True:
        with suppress(BaseException):
            len(_)


def test_a_loop_and_a_process_that_ends_itself_are_named(monkeypatch):
    monkeypatch.setattr(answers, "SECONDS", 0.2)

    def leaving(raw, methods):
        os._exit(3)

    said = "did not finish within 0.2 seconds and was stopped."
    assert ask_other(endless).failure == f"endless {said}"
    assert ask_other(leaving).failure.startswith("leaving ended its own process")
    answer = ask(None, PING, {"ping": endless}, MCP)
    assert (answer.verdict, answer.failure) == (None, f"A method {said}")


CIRCLE = []
CIRCLE.append(CIRCLE)
DEEP = reduce(lambda inside, _: [inside], range(1_500), 0)
ODD = {
    "a set": {1, 2},
    "nan": {"a": [float("nan")]},
    "the class object": {"a": object},
    "bytes": b"x",
    "circular": CIRCLE,
    "too deep": DEEP,
    "a number with very many digits": {"a": [10**5000]},
    "a key that is a tuple": {(6, 2): "steak"},
}


@pytest.mark.parametrize("named", ODD)
def test_what_json_cannot_carry_is_named(named):
    failure = ask_other(lambda raw, methods: ODD[named]).failure
    assert failure.startswith("<lambda> returned what JSON cannot carry: ")
    assert named in failure


def test_a_text_instead_of_a_dict_is_said():
    answer = ask_other(lambda raw, methods: json.dumps(REPLY))
    assert "returned a string: a reply is a dict" in answer.reason


def test_own_methods_run_in_the_sandbox_under_the_course_dispatcher():
    def shout(params):
        print("loud")
        return "HEY"

    answer = ask(None, PING, {"ping": shout}, MCP)
    assert answer.verdict == dispatch(PING, {"ping": lambda params: "HEY"})
    assert answer.printed == "loud\n"
    answer = ask(None, PING, {"ping": lambda params: [0] * 2_000_000}, MCP)
    assert answer.failure == "The reply is too large to show."


def test_the_parts_of_a_batch_come_out_of_the_sandbox_too():
    raw, methods = f"[{PING}, 1]", {"ping": lambda params: "HEY"}
    assert ask(None, raw, methods, JSON_RPC).verdict == dispatch(raw, methods, rules=JSON_RPC)


def test_only_the_kitchen_as_it_was_shipped_runs_without_a_sandbox(
    monkeypatch,
):
    assert is_quick(None, METHODS)
    assert is_quick(None, dict(METHODS))
    assert not is_quick(lambda raw, methods: None, METHODS)
    monkeypatch.setitem(METHODS, "ping", lambda params: {})
    assert not is_quick(None, METHODS)


class _Evil(Evil):
    def __call__(self, *args):
        return None


def test_dispatchers_and_methods_that_fight_back_never_do_so_in_the_kernel():
    assert ask_other(_Evil()).name == "_Evil"
    assert ask_other(MethodType(_Evil(), 1)).name == "_Evil"
    assert not is_quick(None, {**METHODS, "ping": _Evil()})
    assert is_quick(None, dict(METHODS))
    assert ask(None, PING, {**METHODS, "ping": _Evil()}, MCP).verdict is not None


def test_a_dict_instead_of_text_gets_a_sentence_and_no_traceback():
    with pytest.raises(TypeError, match="as text, not dict: put it in quotes") as raised:
        bench({"jsonrpc": "2.0"})
    assert raised.value._render_traceback_() == [str(raised.value)]
