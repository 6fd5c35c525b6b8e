"""The prepared messages are what their names say, and the methods ask for what they need."""

import pytest

from mini_rpc import RpcError, dispatch
from mini_rpc.classroom.kitchen import MESSAGES, METHODS, needs

STOPS = {
    "request": (6, "request", None),
    "notification": (3, "notification", None),
    "result": (2, "result", -32600),
    "error": (2, "error", -32600),
    "not JSON": (1, "not JSON", -32700),
    "no jsonrpc": (2, "invalid", -32600),
    "id is true": (2, "invalid", -32600),
    "unknown method": (5, "request", -32601),
    "params in a list": (4, "request", -32602),
    "a param is missing": (6, "request", -32602),
    "out of lobster": (6, "request", 86),
    "a crash": (6, "request", -32603),
    "a batch": (2, "invalid", -32600),
}


def test_each_prepared_message_is_what_its_name_says():
    found = {}
    for name, raw in MESSAGES.items():
        verdict = dispatch(raw, METHODS)
        code = verdict.reply["error"]["code"] if "error" in (verdict.reply or {}) else None
        found[name] = (verdict.step, verdict.shape, code)
    assert found == STOPS


def test_needs_returns_params_in_order_and_names_the_first_that_is_missing():
    assert needs({"b": 2, "a": None}, "a", "b") == [None, 2]
    with pytest.raises(RpcError, match="-32602 Invalid params: c is missing"):
        needs({"a": 1}, "a", "c", "d")
