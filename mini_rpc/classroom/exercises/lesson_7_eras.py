"""Judges for both openings of a talk in MCP: `initialize`, and what each modern request carries."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from ...dispatcher import RpcError
from ...messages import request
from ...wire import encode
from .. import eras
from ..eras import CAPABILITIES, META, VERSION
from ..judging.answers import Judge, Obeys, Problem
from ..judging.values import same, show

__all__ = ["JUDGES"]

_Params = dict[str, Any]
_Find = Callable[[str, tuple[Any, ...], Any], Problem | None]
_ANSWERED = "returned"  # and not raised on purpose


# A case is the params and what they are, in words that follow the function's name.


def _finds(fault: Callable[[_Params, list[Any]], str | None]) -> _Find:
    """Return what finds the problem; `fault` says what is wrong, in words that follow these."""

    def find(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
        found: str | None = "gives what cannot be looked at."
        if isinstance(value, list):
            found = fault(args[0], value)
        return Problem(f"{name} {args[1]} {found}") if found else None

    return find


def _try(answer: Callable[[Any], Any], params: _Params, _: str = "") -> Any:
    """Return what came: a value or an error, and what is left of the params."""
    mine = deepcopy(params)
    try:
        return [_ANSWERED, answer(mine), mine]
    except RpcError as error:
        return ["raised", [error.code, error.message, error.data], mine]


def _came(value: Any) -> str:
    if not isinstance(value, list) or value[0] == _ANSWERED:
        return show(value[1] if isinstance(value, list) else value)
    code, message, data = value[1]
    more = "" if data is None else f", and the data {show(data)}"
    return f"RpcError with the code {show(code)}, the message {show(message)}{more}"


def _sent(method: str) -> Callable[..., str]:
    """Return what makes the message for the bench of a case."""
    return lambda params, what: json.dumps(request(1, method, params))


def _is_json(value: Any) -> bool:
    try:
        encode(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


WHOLE = "returns a whole reply. It should return its result alone: the dispatcher adds the rest."


def is_whole(result: dict[str, Any]) -> bool:
    """Tell whether this is a whole reply, in the place of its result."""
    return {"jsonrpc", "id"} <= result.keys()


def _fault_of_error(error: list[Any], codes: tuple[int, ...]) -> str | None:
    """Say what is wrong with an error raised on purpose; `codes` are those that will do."""
    code, message, data = error
    if not any(same(code, one) for one in codes):
        due = f"should raise {codes[0]}" if codes else "should not: the request is in order"
        return f"raises {show(code, 30)}, and {due}."
    if not isinstance(message, str):
        return f"raises an error whose message is {show(message, 30)}, and should be text."
    if not _is_json(data):
        return f"raises an error whose data cannot be JSON: {show(data, 60)}."
    return None


# --- initialize(params) ------------------------------------------------------------------------

_CLIENT = {"capabilities": {}, "clientInfo": {"name": "an official client", "version": "1.0"}}


def _opening(line: Any) -> tuple[_Params, str]:
    what, params = line if isinstance(line, list) else (None, {"protocolVersion": line})
    return {**params, **(_CLIENT if params else {})}, what or f'for the version "{line}"'


def _fault_of_opening(params: _Params, came: list[Any]) -> str | None:
    kind, content, _ = came
    outcome, right, _ = _try(eras.initialize, params)
    if kind != _ANSWERED:
        if outcome == _ANSWERED:
            return f"raises an error. It should agree on {right['protocolVersion']!r}."
        return _fault_of_error(content, (right[0],))
    if outcome != _ANSWERED:
        return f"returns {show(content, 60)}, and should raise {right[0]}."
    return _fault_of_result(content, right["protocolVersion"])


def _fault_of_result(result: Any, right: str) -> str | None:
    if not isinstance(result, dict):
        return f"returns {show(result, 60)}, and should return an object."
    if is_whole(result):
        return WHOLE
    if "protocolVersion" not in result:
        return f'returns no "protocolVersion", and should agree on {right!r}.'
    agreed = result["protocolVersion"]
    if not same(agreed, right):
        return f"agrees on {show(agreed, 40)}, and should agree on {right!r}."
    capabilities, info = result.get("capabilities"), result.get("serverInfo")
    if not isinstance(capabilities, dict) or "tools" not in capabilities:
        return 'does not say in "capabilities" that there are "tools".'
    if not isinstance(capabilities["tools"], dict):
        shown = show(capabilities["tools"], 30)
        return f'says "tools": {shown}, and should say an object, such as {{}}.'
    texts = [info.get(key) if isinstance(info, dict) else None for key in ("name", "version")]
    if not all(isinstance(text, str) for text in texts):
        return 'gives no "serverInfo" with a name and a version, both of them text.'
    return None if _is_json(result) else "returns a result that cannot be JSON."


def _agreed(value: Any) -> Any:
    """Return the version that was agreed on, or that there is none."""
    content = value[1] if isinstance(value, list) else None
    return content.get("protocolVersion") if isinstance(content, dict) else "none"


def _opening_wanted(params: _Params, _: str = "") -> str:
    outcome, right, _ = _try(eras.initialize, params)
    return show(right) if outcome == _ANSWERED else f"RpcError with the code {right[0]}"


# --- check_meta(params) ------------------------------------------------------------------------


def _request(line: list[Any]) -> tuple[_Params, str]:
    """Return the params of a line of the file, which has short names in `_meta`."""
    names = {"version": VERSION, "capabilities": CAPABILITIES}
    what, *metas = line
    for meta in metas:
        if isinstance(meta, dict):
            meta = {names.get(name, name): value for name, value in meta.items()}
        return {"cursor": "x", "_meta": meta}, what
    return {}, what


def _due(params: _Params) -> tuple[int, ...]:
    """Return the codes that will do; none of them where the request may pass."""
    outcome, content, _ = _try(eras.check_meta, params)
    if outcome == _ANSWERED:
        return ()
    meta = params.get("_meta")
    asked = meta.get(VERSION) if isinstance(meta, dict) else None
    if asked == "":  # as good as missing
        return -32022, -32602
    if content[0] == -32602 and isinstance(asked, str) and asked not in eras.MODERN:
        return -32602, -32022
    return (content[0],)


def _fault_of_check(params: _Params, came: list[Any]) -> str | None:
    codes = _due(params)
    kind, content, left = came
    if kind != _ANSWERED:
        fault = _fault_of_error(content, codes)
        if fault is None and content[0] == -32022:
            fault = _fault_of_data(content[2], params["_meta"][VERSION])
        if fault:
            return fault
    elif codes:
        lets = "lets the request pass"
        if content is not None:
            lets = f"returns {show(content, 60)}, which {lets}"
        return f"{lets}, and should raise {codes[0]}."
    elif content is not None:
        return f"returns {show(content, 60)}, and should return None."
    return None if same(left, params) else "changes the params that it looks at."


def _has_data(data: Any) -> bool:
    return isinstance(data, dict) and {"supported", "requested"} <= data.keys()


def _fault_of_data(data: Any, asked: str) -> str | None:
    if not _has_data(data):
        return 'raises -32022 without "supported" and "requested" in its data.'
    supported, requested = data["supported"], data["requested"]
    if not same(requested, asked):
        return f"says that {show(requested, 40)} was requested."
    shown = show(supported, 60)
    if not isinstance(supported, (list, tuple)) or META[VERSION] not in supported:
        return f'says "supported": {shown}, and should say a list with 2026-07-28 in it.'
    if asked in supported:
        return f'says "supported": {shown}, and refuses a version of this list.'
    return None


def _decided(value: Any) -> Any:
    """Return the code that was raised, whether it came with data, or what came back."""
    if not isinstance(value, list) or value[0] == _ANSWERED:
        return value[1] if isinstance(value, list) else "nothing"
    code, _, data = value[1]
    return [code, same(code, -32022) and _has_data(data)]


def _check_wanted(params: _Params, _: str = "") -> str:
    codes = _due(params)
    if not codes:
        return "None"
    more = ""
    if codes == (-32022,):
        data = {"supported": ["2026-07-28"], "requested": params["_meta"][VERSION]}
        more = f", and the data {show(data)}"
    return f"RpcError with the code {' or '.join(map(str, codes))}{more}"


JUDGES: dict[str, Judge] = {
    "initialize": Obeys(
        ("params",),
        "All {count} clients hear what they should.",
        read=_opening,
        shown=1,
        raw=_sent("initialize"),
        via=_try,
        find=_finds(_fault_of_opening),
        wanted=_opening_wanted,
        words=_came,
        decision=_agreed,
    ),
    "check_meta": Obeys(
        ("params",),
        "All {count} requests are let through or refused as they should be.",
        read=_request,
        shown=1,
        raw=_sent("tools/list"),
        via=_try,
        find=_finds(_fault_of_check),
        wanted=_check_wanted,
        words=_came,
        decision=_decided,
    ),
}
