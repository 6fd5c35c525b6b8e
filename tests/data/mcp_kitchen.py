"""A server written by hand: three functions and a line loop are enough for the official client."""

from mini_rpc import serve
from mini_rpc.connection import progress

DISH = {"table": {"type": "integer"}, "dish": {"type": "string"}}
PLACE_ORDER = {
    "name": "place_order",
    "description": "Place an order",
    "inputSchema": {"type": "object", "properties": DISH, "required": ["table", "dish"]},
}
KEPT = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def discover(params):
    about = {"io.modelcontextprotocol/serverInfo": {"name": "kitchen", "version": "1.0"}}
    return {
        **KEPT,
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "_meta": about,
    }


def list_tools(params):
    return {**KEPT, "tools": [PLACE_ORDER]}


async def call_tool(params):
    print("a method may print")
    await progress(1, 2)
    await progress(2, 2)
    order = params["arguments"]
    text = f"{order['dish']} for table {order['table']}"
    return {"resultType": "complete", "content": [{"type": "text", "text": text}]}


METHODS = {"server/discover": discover, "tools/list": list_tools, "tools/call": call_tool}

if __name__ == "__main__":
    serve(METHODS)
