"""The four shapes of a message: build them, tell them apart (JSON-RPC 2.0 sections 4 and 5)."""

from __future__ import annotations

from math import isinf
from typing import Any, Literal

from .rules import MCP, PLAIN_IDS, Rules

__all__ = [
    "Shape",
    "classify",
    "error_response",
    "is_response",
    "kind_of",
    "notification",
    "request",
    "result_response",
    "shape_of",
]

Shape = Literal["request", "notification", "result", "error", "invalid"]
"""The four shapes, by their names in this course, and "invalid" for everything else."""

_MISSING = object()


def request(id: str | int, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a request: `id` says that somebody waits for the answer. None leaves params out."""
    return {"jsonrpc": "2.0", "id": id, **_call(method, params)}


def notification(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a notification: no id, so nobody waits. None leaves params out."""
    return {"jsonrpc": "2.0", **_call(method, params)}


def result_response(id: Any, result: Any) -> dict[str, Any]:
    """Return the response that carries a result."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_response(id: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    """Return the response that carries an error; None leaves data out.

    Raises `TypeError` unless `code` is an integer (no bool) and `message` a string.
    """
    if not _whole(code) or not isinstance(message, str):
        raise TypeError("an error has an integer code and a message of text")
    error = {"code": code, "message": message}
    return {"jsonrpc": "2.0", "id": id, "error": error if data is None else {**error, "data": data}}


def is_response(message: Any) -> bool:
    """Tell whether a parsed JSON value is meant as a response, well formed or not."""
    if not isinstance(message, dict) or "method" in message:
        return False
    return "result" in message or "error" in message


def shape_of(message: Any, rules: Rules = MCP) -> Shape:
    """Tell which shape a parsed JSON value has: the keys that are present decide."""
    return classify(message, rules)[0]


def classify(message: Any, rules: Rules = MCP) -> tuple[Shape, str]:
    """Tell the shape of a parsed JSON value and, where it is "invalid", what is wrong in words."""
    if not isinstance(message, dict):
        return "invalid", f"a message is one object, not {kind_of(message)}"
    if message.get("jsonrpc") != "2.0":
        return "invalid", '"jsonrpc" must be the string "2.0"'
    if "method" not in message:
        return _classify_response(message, rules)
    if not isinstance(message["method"], str):
        return "invalid", f'"method" must be a string, not {kind_of(message["method"])}'
    if "id" not in message:
        return "notification", ""
    id = message["id"]
    if type(id) in PLAIN_IDS or rules.legal_id(id):  # most ids are plain, and a call costs
        return "request", ""
    kind = "infinity" if type(id) is float and isinf(id) else kind_of(id)
    return "invalid", f'"id" must be {rules.ids}, not {kind}'


def kind_of(value: Any) -> str:
    """Name a parsed JSON value's type as JSON does: "an array", "a string", "null", …"""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    kinds = {str: "a string", int: "an integer", float: "a fraction", list: "an array"}
    return kinds.get(type(value), "an object")


def _call(method: str, params: dict[str, Any] | None) -> dict[str, Any]:
    return {"method": method} if params is None else {"method": method, "params": params}


def _classify_response(message: dict[str, Any], rules: Rules) -> tuple[Shape, str]:
    if not is_response(message):
        return "invalid", 'there is no "method", and no "result" or "error" either'
    id = message.get("id", _MISSING)
    if "result" in message and "error" in message:
        return "invalid", 'a response has "result" or "error", never both'
    if "result" in message:
        return ("result", "") if rules.legal_id(id) else ("invalid", 'a result needs a legal "id"')
    if id is not None and not rules.legal_id(id):
        return "invalid", 'an error response needs a legal "id", or null'
    if not _is_error(message["error"]):
        return "invalid", '"error" must have an integer "code" and a "message"'
    return "error", ""


def _is_error(error: Any) -> bool:
    return (
        isinstance(error, dict)
        and _whole(error.get("code"))
        and isinstance(error.get("message"), str)
    )


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
