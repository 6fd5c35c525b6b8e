"""The four shapes: built, and told apart by the keys that are present."""

import json
from pathlib import Path
from typing import Any

import pytest

from mini_rpc import (
    JSON_RPC,
    MCP,
    error_response,
    notification,
    request,
    result_response,
    shape_of,
)
from mini_rpc.classroom.judging.hostile_messages import read_messages
from mini_rpc.messages import classify, kind_of

ERROR = {"code": 86, "message": "We are out of that dish"}


@pytest.mark.parametrize(
    ("built", "members", "shape"),
    [
        (request(7, "eat", {"table": 6}), {"id": 7, "method": "eat", "params": {"table": 6}}, 0),
        (request(1, "ping", {}), {"id": 1, "method": "ping", "params": {}}, 0),
        (request(1, "ping"), {"id": 1, "method": "ping"}, 0),
        (notification("eat", {"table": 6}), {"method": "eat", "params": {"table": 6}}, 1),
        (notification("ping"), {"method": "ping"}, 1),
        (result_response("a", None), {"id": "a", "result": None}, 2),
        (error_response(8, **ERROR), {"id": 8, "error": ERROR}, 3),
        (error_response(8, **ERROR, data=False), {"id": 8, "error": {**ERROR, "data": False}}, 3),
    ],
)
def test_a_message_has_the_members_of_its_shape_and_no_others(
    built: Any, members: Any, shape: int
) -> None:
    assert built == {"jsonrpc": "2.0", **members}
    assert shape_of(built) == ("request", "notification", "result", "error")[shape]


def test_an_error_has_an_integer_as_its_code_and_a_text_as_its_message() -> None:
    for code in (True, "86", 86.0, None):
        with pytest.raises(TypeError, match="integer code"):
            error_response(1, code, "text")
    for message in (None, 7, b"text", ["text"]):
        with pytest.raises(TypeError, match="message of text"):
            error_response(1, 86, message)


SHAPES = read_messages((Path(__file__).parent / "data" / "shapes.md").read_text("utf-8"))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_keys_that_are_present_decide_the_shape(shape: str) -> None:
    for raw in SHAPES[shape]:
        found, fault = classify(json.loads(raw))
        assert found == shape_of(json.loads(raw)) == shape, raw
        assert bool(fault) == (shape == "invalid"), "only an invalid one comes with words"


@pytest.mark.parametrize("id", [None, 1.5])
def test_under_plain_json_rpc_null_and_fractions_are_ids(id: Any) -> None:
    message = {"jsonrpc": "2.0", "id": id, "method": "ping"}
    assert (shape_of(message, JSON_RPC), shape_of(message, MCP)) == ("request", "invalid")
    assert classify({**message, "id": 1e999}, JSON_RPC)[1].endswith("or null, not infinity")


def test_no_missing_key_is_mistaken_for_null() -> None:
    assert shape_of({"jsonrpc": "2.0", "result": {}}, JSON_RPC) == "invalid"


def test_kind_of_speaks_of_types_as_json_does() -> None:
    kinds = ["null", "a boolean", "an integer", "a fraction", "a string", "an array", "an object"]
    assert [*map(kind_of, json.loads('[null, true, 0, 1.0, "", [], {}]'))] == kinds
