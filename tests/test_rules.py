"""Plain JSON-RPC 2.0 and MCP: what may be an id, what may be params."""

from typing import Any

import pytest

from mini_rpc import JSON_RPC, MCP

PLAIN_IDS: list[Any] = [0, 1, -1, 10**26, "", "7", "null", "\ud800"]
LOOSE_IDS: list[Any] = [None, 1.0, 1.5, -0.0]
NO_IDS: list[Any] = [True, False, [], [1], {}, {"id": 1}, float("nan"), float("inf")]


@pytest.mark.parametrize("value", PLAIN_IDS)
def test_a_string_or_an_integer_is_an_id_everywhere(value: Any) -> None:
    assert MCP.legal_id(value)
    assert JSON_RPC.legal_id(value)


@pytest.mark.parametrize("value", LOOSE_IDS)
def test_null_and_fractions_are_ids_in_plain_json_rpc_only(value: Any) -> None:
    assert not MCP.legal_id(value)
    assert JSON_RPC.legal_id(value)


@pytest.mark.parametrize("value", NO_IDS)
def test_a_boolean_an_array_an_object_or_infinity_is_never_an_id(value: Any) -> None:
    assert not MCP.legal_id(value)
    assert not JSON_RPC.legal_id(value)


@pytest.mark.parametrize("value", [{}, {"table": 6}])
def test_an_object_is_params_everywhere(value: Any) -> None:
    assert type(value) in MCP.params
    assert type(value) in JSON_RPC.params


@pytest.mark.parametrize("value", [[], [6, "steak"]])
def test_an_array_is_params_in_plain_json_rpc_only(value: Any) -> None:
    assert type(value) not in MCP.params
    assert type(value) in JSON_RPC.params


@pytest.mark.parametrize("value", [None, True, 0, 1.5, "", "table"])
def test_anything_else_is_never_params(value: Any) -> None:
    assert type(value) not in MCP.params
    assert type(value) not in JSON_RPC.params


def test_only_plain_json_rpc_allows_batches() -> None:
    assert JSON_RPC.batches
    assert not MCP.batches


def test_the_rules_say_where_they_come_from() -> None:
    assert (MCP.source, JSON_RPC.source) == ("MCP 2026-07-28", "JSON-RPC 2.0")


def test_the_rules_say_in_words_what_they_allow() -> None:
    assert (MCP.ids, MCP.named) == ("a string or an integer", "an object")
    assert JSON_RPC.ids == "a string, a number or null"
    assert JSON_RPC.named == "an object or an array"
