"""Plain JSON-RPC 2.0 and MCP: what may be an id, what may be params."""

from typing import Any

import pytest

from mini_rpc import JSON_RPC, MCP

EVERYWHERE, PLAIN, NOWHERE = (True, True), (False, True), (False, False)
IDS: list[tuple[tuple[bool, bool], list[Any]]] = [
    (EVERYWHERE, [0, 1, -1, 10**26, "", "7", "null", "\ud800"]),
    (PLAIN, [None, 1.0, 1.5, -0.0]),
    (NOWHERE, [True, False, [], [1], {}, {"id": 1}, float("nan"), float("inf")]),
]
PARAMS: list[tuple[tuple[bool, bool], list[Any]]] = [
    (EVERYWHERE, [{}, {"table": 6}]),
    (PLAIN, [[], [6, "steak"]]),
    (NOWHERE, [None, True, 0, 1.5, "", "table"]),
]


@pytest.mark.parametrize(("where", "values"), IDS)
def test_what_may_be_an_id(where: tuple[bool, bool], values: list[Any]) -> None:
    for value in values:
        assert (MCP.legal_id(value), JSON_RPC.legal_id(value)) == where, value


@pytest.mark.parametrize(("where", "values"), PARAMS)
def test_what_may_be_params(where: tuple[bool, bool], values: list[Any]) -> None:
    for value in values:
        assert (type(value) in MCP.params, type(value) in JSON_RPC.params) == where, value


def test_only_plain_json_rpc_allows_batches() -> None:
    assert JSON_RPC.batches
    assert not MCP.batches


def test_the_rules_say_where_they_come_from() -> None:
    assert (MCP.source, JSON_RPC.source) == ("MCP 2026-07-28", "JSON-RPC 2.0")


def test_the_rules_say_in_words_what_they_allow() -> None:
    assert (MCP.ids, MCP.named) == ("a string or an integer", "an object")
    assert JSON_RPC.ids == "a string, a number or null"
    assert JSON_RPC.named == "an object or an array"
