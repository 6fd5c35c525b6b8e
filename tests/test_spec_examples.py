"""The fifteen examples of the JSON-RPC 2.0 specification, section 7."""

import json
from pathlib import Path
from typing import Any

import pytest

from mini_rpc import JSON_RPC, MCP, handle

DATA = json.loads((Path(__file__).parent / "data" / "spec-examples.json").read_text("utf-8"))
EXAMPLES = DATA["examples"]


def _subtract(params: Any) -> int:
    if isinstance(params, dict):
        params = [params["minuend"], params["subtrahend"]]
    return int(params[0] - params[1])


METHODS = {
    "subtract": _subtract,
    "sum": sum,
    "get_data": lambda params: ["hello", 5],
    "update": lambda params: None,
    "notify_hello": lambda params: None,
    "notify_sum": lambda params: None,
}


def error(code: int, id: Any = None) -> tuple[Any, int]:
    return (id, code)


# Under MCP: a result, an (id, code), or None for silence.
UNDER_MCP: list[Any] = [
    *(error(-32602, 1), error(-32602, 2), 19, 19, None, None, error(-32601, "1")),
    *(error(-32700), error(-32600), error(-32700), error(-32600), error(-32600), error(-32600)),
    *(error(-32600), error(-32600)),
]


def test_there_are_fifteen() -> None:
    assert len(EXAMPLES) == len(UNDER_MCP) == 15


@pytest.mark.parametrize("example", EXAMPLES, ids=range(1, 16))
def test_under_json_rpc_each_comes_out_as_printed(example: Any) -> None:
    reply = handle(example["raw"], METHODS, rules=JSON_RPC)
    assert json.dumps(reply, sort_keys=True) == json.dumps(example["reply"], sort_keys=True)


@pytest.mark.parametrize(("example", "expected"), list(zip(EXAMPLES, UNDER_MCP, strict=True)))
def test_under_mcp_positional_params_and_batches_are_refused(example: Any, expected: Any) -> None:
    reply = handle(example["raw"], METHODS, rules=MCP)
    if expected is None:
        assert reply is None
    elif isinstance(expected, tuple):
        assert (reply["id"], reply["error"]["code"]) == expected
    else:
        assert reply == {**example["reply"], "result": expected}
