"""What the two lessons that this course grew out of print, the course's dispatcher prints too.

Their inputs, their replies and their codes; the code here is the course's own.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from mini_rpc import JSON_RPC, MCP, dispatch, handle, shape_of
from mini_rpc.classroom import needs

# --- JSON-RPC in five minutes: one dispatcher, five messages ---------------------------------


def _add(params: dict[str, Any]) -> Any:
    first, second = needs(params, "a", "b")
    return first + second


MATH = {"add": _add, "ping": lambda params: {}}

FIVE = [
    (
        '{"jsonrpc":"2.0","id":1,"method":"add","params":{"a":2,"b":3}}',
        {"jsonrpc": "2.0", "id": 1, "result": 5},
    ),
    ('{"jsonrpc":"2.0","method":"ping"}', None),
    (
        '{"jsonrpc":"2.0","id":2,"method":"mul","params":{}}',
        {"jsonrpc": "2.0", "id": 2, "error": {"code": -32601, "message": "Method not found"}},
    ),
    (
        '{"jsonrpc":"2.0","id":3,"method":"add","params":{"a":2}}',
        {"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "Invalid params"}},
    ),
    (
        "{not json",
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}},
    ),
]


@pytest.mark.parametrize(("raw", "reply"), FIVE)
def test_five_minutes_each_message_gets_the_printed_reply(raw: str, reply: Any) -> None:
    """Word for word, but for the param: the method says which one is missing."""
    if raw == FIVE[3][0]:
        reply = {**reply, "error": {"code": -32602, "message": "Invalid params: b is missing"}}
    assert handle(raw, MATH, rules=JSON_RPC) == reply


def test_five_minutes_under_mcp_a_detail_follows_the_printed_words() -> None:
    replies = [handle(raw, MATH, rules=MCP) for raw, _ in FIVE]
    words = [reply["error"]["message"] for reply in replies if reply and "error" in reply]
    assert words == ["Method not found: mul", "Invalid params: b is missing", "Parse error"]


def test_five_minutes_lesson_4_prints_what_the_source_prints() -> None:
    assert _printed("04_dispatcher.ipynb", "four-run") == [str(reply) for _, reply in FIVE]


def _printed(page: str, id: str) -> list[str]:
    """Return the lines that a cell of a lesson shows."""
    notebook = json.loads((Path(__file__).parents[1] / "notebooks" / page).read_text("utf-8"))
    (cell,) = (cell for cell in notebook["cells"] if cell["id"] == id)
    (output,) = cell["outputs"]
    return "".join(output.get("text") or output["data"]["text/plain"]).splitlines()


# --- JSON-RPC in depth: four shapes ----------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "shape"),
    [
        (
            {
                "id": 7,
                "method": "tools/call",
                "params": {"name": "get_campaign", "arguments": {"id": "cmp_103"}},
            },
            "request",
        ),
        (
            {
                "id": 7,
                "result": {
                    "resultType": "complete",
                    "content": [{"type": "text", "text": "..."}],
                },
            },
            "result",
        ),
        (
            {"id": 8, "error": {"code": -32601, "message": "Method not found: tools/delete"}},
            "error",
        ),
        (
            {
                "method": "notifications/progress",
                "params": {"progressToken": "t1", "progress": 40, "total": 100},
            },
            "notification",
        ),
    ],
)
def test_in_depth_the_keys_that_are_present_tell_the_shapes_apart(
    message: dict[str, Any], shape: str
) -> None:
    assert shape_of({"jsonrpc": "2.0", **message}) == shape


# --- JSON-RPC in depth: five messages and their codes ----------------------------------------

TOOLS = {
    "tools/list": lambda params: {"tools": []},
    "tools/call": lambda params: needs(params, "name"),
}


@pytest.mark.parametrize(
    ("raw", "code", "words"),
    [
        ('{"jsonrpc": ', -32700, "Parse error"),
        ('{"id": 1, "method": "tools/list"}', -32600, "Invalid Request"),
        ('{"jsonrpc": "2.0", "id": 2, "method": "tools/delete"}', -32601, "Method not found"),
        (
            '{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {}}',
            -32602,
            "Invalid params",
        ),
        ('{"jsonrpc": "2.0", "id": 4, "method": "tools/list"}', 0, "ok"),
    ],
)
def test_in_depth_each_message_gets_its_code(raw: str, code: int, words: str) -> None:
    error = handle(raw, TOOLS).get("error", {"code": 0, "message": "ok"})
    assert error["code"] == code
    assert error["message"].startswith(words)


def test_in_depth_lesson_2_prints_the_codes_with_their_words() -> None:
    assert _printed("02_error_codes.ipynb", "careless-hits") == [
        "(-32700, 'parse error')",
        "(-32600, 'invalid request')",
        "(-32601, 'method not found')",
        "(-32602, 'invalid params')",
        "(0, 'ok')",
    ]


def test_in_depth_lesson_1_tells_the_shapes_of_its_four_messages() -> None:
    shown = _printed("01_four_shapes.ipynb", "shape-of-run")
    assert shown == ["['request', 'result', 'error', 'notification']"]


# --- JSON-RPC in depth: a dispatcher, four messages ------------------------------------------


def test_in_depth_the_four_messages_get_their_replies_and_the_notification_is_run() -> None:
    seen: list[str] = []
    methods = {
        "echo": lambda params: {"you_said": params.get("text")},
        "notifications/log": lambda params: seen.append(params["line"]),
    }

    def error(id: Any, code: int, message: str) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}

    raws = [
        '{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"text": "hi"}}',
        '{"jsonrpc": "2.0", "method": "notifications/log", "params": {"line": "started"}}',
        '{"jsonrpc": "2.0", "id": 2, "method": "missing"}',
        '{"jsonrpc": "2.0", "id": 3, "method": ',
    ]
    assert [handle(raw, methods) for raw in raws] == [
        {"jsonrpc": "2.0", "id": 1, "result": {"you_said": "hi"}},
        None,
        error(2, -32601, "Method not found: missing"),
        error(None, -32700, "Parse error"),
    ]
    assert seen == ["started"]


def test_in_depth_a_message_without_an_id_is_a_notification() -> None:
    progress = '{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 5}}'
    verdict = dispatch(progress, TOOLS)
    assert (verdict.shape, verdict.reply) == ("notification", None)


def test_in_depth_lesson_5_prints_what_the_source_prints_and_then_lets_it_crash() -> None:
    assert _printed("05_edge_cases.ipynb", "naive-run") == [
        "{'jsonrpc': '2.0', 'id': 1, 'result': {'you_said': 'hi'}}",
        "None",
        "{'jsonrpc': '2.0', 'id': 2, "
        "'error': {'code': -32601, 'message': 'Method not found: missing'}}",
        "{'jsonrpc': '2.0', 'id': None, 'error': {'code': -32700, 'message': 'Parse error'}}",
        "logged: ['started']",
    ]
    assert _printed("05_edge_cases.ipynb", "naive-crash")[0] == "naive crashed: KeyError('line')"
