"""The fifteen examples of the JSON-RPC 2.0 specification, section 7."""

import json
from pathlib import Path
from typing import Any

import pytest

from mini_rpc import JSON_RPC, MCP, handle

FILE = Path(__file__).parent / "data" / "spec-examples.json"
EXAMPLES = json.loads(FILE.read_text("utf-8"))["examples"]


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


@pytest.mark.parametrize("example", EXAMPLES, ids=range(1, 16))
def test_each_comes_out_as_printed_and_under_mcp_as_it_narrows_them(example: Any) -> None:
    raw, printed, under_mcp = example.values()
    reply = handle(raw, METHODS, rules=JSON_RPC)
    assert json.dumps(reply, sort_keys=True) == json.dumps(printed, sort_keys=True)
    narrow = handle(raw, METHODS, rules=MCP)
    if isinstance(under_mcp, list):
        assert [narrow["id"], narrow["error"]["code"]] == under_mcp
    else:
        assert narrow == (under_mcp and {**printed, "result": under_mcp})
