"""The official `mcp` package talks to us, both ways, and what it does with odd messages."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from mini_rpc import RpcError, notification, request
from mini_rpc.classroom.talks.peers import META, start
from mini_rpc.classroom.talks.programs import Speaker
from mini_rpc.codes import REVISION

pytestmark = pytest.mark.skipif(
    not find_spec("mcp"), reason="the official package is not installed: pip install mcp"
)

DATA = Path(__file__).parent / "data"
OURS = str(DATA / "mcp_kitchen.py")
OFFICIAL = str(DATA / "official_kitchen.py")
STEAK = {"name": "place_order", "arguments": {"table": 6, "dish": "steak"}, "_meta": META}
ROAST = {"name": "roast", "arguments": {}, "_meta": META}


# The official client, our server.


async def test_the_official_client_lists_our_tools_calls_one_and_gets_progress_and_errors():
    import mcp  # here, and not in every process that collects tests

    heard = []

    async def hear(progress, total, message):
        heard.append((progress, total))

    ours = mcp.StdioServerParameters(command=sys.executable, args=[OURS])
    async with mcp.Client(ours) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["place_order"]
        result = await client.call_tool("place_order", STEAK["arguments"], progress_callback=hear)
        with pytest.raises(mcp.MCPError) as unknown:
            await client.list_resources()
        with pytest.raises(mcp.MCPError) as crash:
            await client.call_tool("place_order", {})
    assert [content.text for content in result.content] == ["steak for table 6"]
    assert not result.is_error
    assert heard == [(1, 2), (2, 2)]
    assert (unknown.value.code, crash.value.code) == (-32601, -32603)


TEXT_IDS = f"""
import json, runpy, sys
ours = runpy.run_path({OURS!r})
from mini_rpc import handle
for line in sys.stdin.buffer:
    reply = handle(line, {{**ours["METHODS"], "tools/call": lambda params: {{
        "resultType": "complete", "content": [{{"type": "text", "text": "hot"}}]}}}})
    print(json.dumps({{**reply, "id": str(reply["id"])}}), flush=True)
"""


async def test_the_official_client_takes_a_text_and_a_number_for_one_id():
    import mcp

    program = mcp.StdioServerParameters(command=sys.executable, args=["-c", TEXT_IDS])
    async with mcp.Client(program) as client:
        result = await client.call_tool("place_order", STEAK["arguments"])
    assert result.content[0].text == "hot"


# Our client, a server made with the official package.


async def test_our_client_calls_an_official_tool_and_what_it_cancels_is_never_answered():
    heard = []
    old = {**META, "io.modelcontextprotocol/protocolVersion": "1999-01-01"}
    async with start(sys.executable, OFFICIAL) as server:
        found = await server.request("server/discover", {"_meta": META})
        tools = await server.request("tools/list", {"_meta": META})
        with pytest.raises(RpcError) as error:
            await server.request("tools/list", {"_meta": old})
        with pytest.raises(TimeoutError):
            await server.request("tools/call", ROAST, timeout=0.2)
        result = await server.request("tools/call", STEAK, on_progress=heard.append)
    assert found["resultType"] == tools["resultType"] == result["resultType"] == "complete"
    assert REVISION in found["supportedVersions"]
    assert [tool["name"] for tool in tools["tools"]] == ["place_order", "roast"]
    assert result["content"] == [{"type": "text", "text": "steak for table 6"}]
    assert result["isError"] is False
    assert [params["progress"] for params in heard] == [1, 2]
    assert error.value.code == -32022
    assert error.value.data == {"supported": [REVISION], "requested": "1999-01-01"}


# What the official package does with messages that we answer: nothing. A fact, not a wish.

ODD = {
    "a parse error": "{nope",
    "a batch": [request(1, "server/discover", {"_meta": META})],
    "id is true": request(True, "tools/call", STEAK),
    "id is null": request(None, "tools/call", STEAK),
    "id is 1.0": request(1.0, "tools/call", STEAK),
    "no jsonrpc": {"id": 1, "method": "server/discover", "params": {"_meta": META}},
    "params in a list": request(1, "tools/call", [6, "steak"]),
    "a stray response": {"jsonrpc": "2.0", "id": 99, "result": {}},
}


def test_the_official_server_is_silent_where_we_answer_and_lets_two_requests_share_an_id():
    lines = [
        request("first", "server/discover", {"_meta": META}),
        *ODD.values(),
        notification("nobody/knows", {"_meta": META}),
        request("both", "tools/call", ROAST),
        request("both", "tools/list", {"_meta": META}),
    ]
    replies = _replies(OFFICIAL, lines, until="both")
    assert [reply["id"] for reply in replies] == ["first", "both"]
    assert "tools" in replies[1]["result"], "the second is answered under the id of the first"


def test_we_answer_where_the_official_server_is_silent():
    replies = _replies(OURS, [*ODD.values(), request("last", "tools/list")], until="last")
    codes = [reply["error"]["code"] for reply in replies if "error" in reply]
    assert codes == [-32700, -32600, -32600, -32600, -32600, -32600, -32602]


def _replies(program, lines, until):
    """Return what a program replies, up to the reply with the id `until`."""
    speaker = Speaker([sys.executable, program])
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    speaker.send("".join(f"{text}\n" for text in texts).encode())
    replies = []
    while not replies or replies[-1]["id"] != until:
        replies.append(json.loads(speaker.receive(30)))
    speaker.end(0)
    return replies
