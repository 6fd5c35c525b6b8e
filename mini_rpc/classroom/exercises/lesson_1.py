"""The exercises of lesson 1: the four shapes."""

from __future__ import annotations

import json
from typing import Any

from ...messages import shape_of
from ..judging.answers import Behaves, Judge, Problem, Shows
from ..judging.clauses import of_parsed
from .raw_text import judge_message

__all__ = ["JUDGES"]

_COOKING = {"id": 7, "result": {"status": "cooking"}}


def _judge_responses(name: str, value: Any) -> Problem | None:
    if isinstance(value, dict) and {"result", "error"} <= set(value):
        value = (value["result"], value["error"])
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return Problem(f'{name} must hold two texts, under "result" and "error".')
    return judge_message("The result", value[0], "result", _COOKING) or judge_message(
        "The error", value[1], "error", {"id": 8}, error=-32601
    )


_NO_METHOD = {"code": -32601, "message": "Method not found"}


def _message(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members}


_IDS: tuple[Any, ...] = ("", 0, None, True, 1.5, [7])
_RESULTS: tuple[Any, ...] = (None, False, 0, "", [])
_VALID_CASES: tuple[Any, ...] = (
    _message(id=7, method="orders/place", params={"table": 6}),
    _message(method="notifications/table_leaving", params={"table": 6}),
    _message(id=7, result={"status": "cooking"}),
    _message(id=8, error=_NO_METHOD),
    _message(id="a", method="ping"),
    _message(method="notifications/closing"),
    *(_message(id=id, method="ping") for id in (0, "", -1)),
    *(_message(id=id, result={}) for id in (0, "")),
    *(_message(id=7, result=result) for result in _RESULTS),
    *(_message(id=id, error=_NO_METHOD) for id in (0, "", None)),
    _message(id=7, error={**_NO_METHOD, "data": {"method": "ping", "result": 1}}),
    _message(id=7, method="ping", note="hot"),
    _message(id=7, result={"method": "ping", "error": None}),
    _message(method="notifications/progress", params={"id": 7, "result": 1}),
)

# From everyday to rare: the first that fails is the one that is shown.
_SHAPE_CASES: tuple[Any, ...] = (
    _message(id=7, method="orders/place", params={"table": 6}),
    _message(method="notifications/table_leaving", params={"table": 6}),
    _message(id=7, result={"status": "cooking"}),
    _message(id=8, error=_NO_METHOD),
    _message(id="7", method="ping"),
    _message(id=7, method="ping", note="hot"),
    {},
    _message(),
    _message(id=7),
    _message(params={"table": 6}),
    *({"id": 7, "method": "ping"}, {"method": "ping"}, {"id": 7, "result": {}}),
    *(None, True, 7, 1.5, "request", "", [], [_message(id=7, method="ping")]),
    _message(result={}),
    _message(id=7, result={}, error=_NO_METHOD),
    *({"jsonrpc": version, "id": 7, "method": "ping"} for version in (2.0, "1.0", None)),
    *(_message(id=id, method="ping") for id in (*_IDS, -1, 10**26, False, 1.0, {})),
    *(_message(id=7, result=result) for result in _RESULTS),
    *(_message(id=id, result={}) for id in _IDS),
    *(_message(id=7, error=error) for error in (None, "no", {}, {"code": -32601})),
    *(_message(id=7, error={**_NO_METHOD, "code": code}) for code in ("-32601", True, 1.5)),
    _message(id=7, error={**_NO_METHOD, "message": None}),
    _message(id=7, error={**_NO_METHOD, "data": {"method": "ping"}}),
    *(_message(id=id, error=_NO_METHOD) for id in _IDS),
    _message(method="", id=7),
    *(_message(method=method) for method in (7, None, ["ping"])),
    *(_message(method=method, id=7) for method in (7, None, ["ping"])),
    *({"jsonrpc": version, "method": "ping"} for version in ("1.0", None)),
    _message(id=7, method="ping", result={}),
    _message(id=7, result=None, error=_NO_METHOD),
    _message(method="ping", error=_NO_METHOD),
    _message(id=7, result={}, note="hot"),
    _message(method="ping", ID=7),
    _message(id=None, method="orders/get", params={"ticket": 103}),
    *(_message(id=id, method=method, result={}) for id in (7, "a") for method in (7, None)),
    _message(id=8, method="notifications/progress", params={}),
    _message(id="p", method="notifications/table_leaving"),
)


JUDGES: dict[str, Judge] = {
    "two_responses": Shows(_judge_responses, "Both tickets are answered, each under its own id."),
    "shape_of_valid": Behaves(
        ("message",),
        tuple((message,) for message in _VALID_CASES),
        f"All {len(_VALID_CASES)} messages have their names.",
        raw=json.dumps,
        reference=shape_of,
    ),
    "shape_of": Behaves(
        ("message",),
        tuple((message,) for message in _SHAPE_CASES),
        f"All {len(_SHAPE_CASES)} messages are told apart, the strange ones too.",
        reference=shape_of,
        describe=of_parsed,
    ),
}
