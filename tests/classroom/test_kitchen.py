"""The prepared messages are what their names say, and the methods ask for what they need."""

import tomllib
from pathlib import Path

import pytest

from mini_rpc import RpcError, dispatch
from mini_rpc.classroom.kitchen import MESSAGES, METHODS, needs

STOPS = (Path(__file__).parents[1] / "data" / "kitchen.toml").read_text("utf-8")


def test_each_prepared_message_is_what_its_name_says():
    found = []
    for name, raw in MESSAGES.items():
        verdict = dispatch(raw, METHODS)
        code = (verdict.reply or {}).get("error", {}).get("code", 0)
        found.append([name, verdict.step, verdict.shape, code])
    assert found == tomllib.loads(STOPS)["cases"]


def test_needs_returns_params_in_order_and_names_the_first_that_is_missing():
    assert needs({"b": 2, "a": None}, "a", "b") == [None, 2]
    with pytest.raises(RpcError, match="-32602 Invalid params: c is missing"):
        needs({"a": 1}, "a", "c", "d")
