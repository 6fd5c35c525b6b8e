"""The restaurant: the methods that the lessons call, and prepared messages to send to it."""

from typing import Any

from ..dispatcher import RpcError

__all__ = ["MESSAGES", "METHODS", "OUT_OF_DISH", "needs"]

OUT_OF_DISH = 86
"""The kitchen's own error code, outside JSON-RPC's reserved range."""

_ORDERS = {103: {"table": 6, "dish": "steak"}, 104: {"table": 2, "dish": "salad"}}


def needs(params: dict[str, Any], *names: str) -> list[Any]:
    """Return the params of these names, in this order.

    Raises `RpcError` -32602 for the first one that is missing: a method declares what it needs.
    """
    for name in names:
        if name not in params:
            raise RpcError(-32602, f"Invalid params: {name} is missing")
    return [params[name] for name in names]


def _place_order(params: dict[str, Any]) -> dict[str, Any]:
    table, dish = needs(params, "table", "dish")
    if dish == "lobster":
        raise RpcError(OUT_OF_DISH, "We are out of that dish", {"dish": dish})
    return {"table": table, "dish": dish, "status": "cooking"}


def _get_order(params: dict[str, Any]) -> dict[str, Any]:
    (ticket,) = needs(params, "ticket")
    return _ORDERS[ticket]  # an unknown ticket crashes here, on purpose: see lesson 4


def _add(params: dict[str, Any]) -> Any:
    first, second = needs(params, "a", "b")
    return first + second


def _burn(params: dict[str, Any]) -> None:
    raise RuntimeError("the oven at /srv/kitchen/oven.py is on fire, password 1234")


METHODS = {
    "orders/place": _place_order,
    "orders/get": _get_order,
    "kitchen/burn": _burn,
    "add": _add,
    "echo": lambda params: params,
    "ping": lambda params: {},
    "notifications/table_leaving": lambda params: None,
    "notifications/progress": lambda params: needs(params, "progressToken", "progress"),
}
"""The kitchen's methods: each takes one dict and returns a JSON value."""

MESSAGES = {
    "request": '{"jsonrpc": "2.0", "id": 7, "method": "orders/place",\n'
    ' "params": {"table": 6, "dish": "steak"}}',
    "notification": '{"jsonrpc": "2.0", "method": "notifications/table_leaving",\n'
    ' "params": {"table": 6}}',
    "result": '{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}',
    "error": '{"jsonrpc": "2.0", "id": 8,\n'
    ' "error": {"code": -32601, "message": "Method not found: orders/burn"}}',
    "not JSON": '{"jsonrpc": "2.0", "id": 9, "method": ',
    "no jsonrpc": '{"id": 10, "method": "ping"}',
    "id is true": '{"jsonrpc": "2.0", "id": true, "method": "ping"}',
    "unknown method": '{"jsonrpc": "2.0", "id": 11, "method": "orders/juggle"}',
    "params in a list": '{"jsonrpc": "2.0", "id": 12, "method": "echo", "params": [6, "steak"]}',
    "a param is missing": '{"jsonrpc": "2.0", "id": 13, "method": "orders/place",\n'
    ' "params": {"table": 6}}',
    "out of lobster": '{"jsonrpc": "2.0", "id": 14, "method": "orders/place",\n'
    ' "params": {"table": 6, "dish": "lobster"}}',
    "a crash": '{"jsonrpc": "2.0", "id": 15, "method": "kitchen/burn"}',
    "a batch": '[{"jsonrpc": "2.0", "id": 16, "method": "ping"},\n'
    ' {"jsonrpc": "2.0", "method": "notifications/table_leaving"}]',
}
"""Prepared raw messages by what is special about each."""
