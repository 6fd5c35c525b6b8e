"""Judges for both openings of a talk in MCP: `initialize`, and what each modern request carries."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from ...dispatcher import RpcError
from ...messages import request
from .. import eras
from ..eras import CAPABILITIES, LEGACY, META, VERSION
from ..judging.answers import Judge, Obeys, Problem
from ..judging.outcome import Case
from ..judging.values import same, show

__all__ = ["JUDGES"]


_Found = tuple[str, str | None] | None
"""What is wrong in a sentence, and the name of the mistake, if it has one."""


# --- initialize(params) ------------------------------------------------------------------------


def _opening(version: str) -> tuple[dict[str, Any]]:
    client = {"name": "an official client", "version": "1.0"}
    return ({"protocolVersion": version, "capabilities": {}, "clientInfo": client},)


_OPENINGS = tuple(
    _opening(version)
    for version in (*reversed(LEGACY), "1999-01-01", "2030-01-01", "2026-07-28", "")
)


def _fault_of_opening(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    asked = args[0]["protocolVersion"]
    found = _sentence_on_opening(f'{name} for the version "{asked}"', asked, value)
    if found is None:
        return None
    sentence, mistake = found
    case = Case(f"{name}({show(args[0])})", show(value), _opening_wanted(*args), _opened(*args))
    return Problem(sentence, case, mistake)


def _sentence_on_opening(call: str, asked: str, value: Any) -> _Found:
    if not isinstance(value, dict):
        return f"{call} returns {show(value)[:60]}, and a result of MCP is an object.", None
    right = asked if asked in LEGACY else LEGACY[-1]
    agreed = value.get("protocolVersion", "missing")
    if not same(agreed, right):
        return f"{call} agrees on {show(agreed)[:40]}, and should on {right!r}.", _mix_up(
            asked, agreed
        )
    if not isinstance(value.get("capabilities"), dict) or "tools" not in value["capabilities"]:
        return f'{call} does not say in "capabilities" that there are "tools".', None
    info = value.get("serverInfo")
    if not isinstance(info, dict) or not all(
        isinstance(info.get(key), str) for key in ("name", "version")
    ):
        return f'{call} gives no "serverInfo" with a name and a version.', None
    return None


def _mix_up(asked: str, agreed: Any) -> str | None:
    if asked == "2026-07-28" and agreed == asked:
        return "a handshake for a revision that has none"
    if agreed == asked:
        return "agrees to everything"
    return "always the newest" if asked in LEGACY and agreed == LEGACY[-1] else None


def _opening_wanted(params: dict[str, Any]) -> str:
    return show(eras.initialize(params))


def _opened(params: dict[str, Any]) -> str:
    return json.dumps(request(1, "initialize", params))


# --- check_meta(params) ------------------------------------------------------------------------

_METAS: tuple[Any, ...] = (
    META,
    {**META, "io.modelcontextprotocol/clientInfo": {"name": "an official client"}},
    {**META, CAPABILITIES: {"elicitation": {}}, "progressToken": 7},
    None,
    {},
    {VERSION: "2026-07-28"},
    {CAPABILITIES: {}},
    {**META, VERSION: "1999-01-01"},
    {**META, VERSION: "2025-11-25"},
    {**META, VERSION: 20260728},
    {**META, CAPABILITIES: []},
    {**META, CAPABILITIES: None},
    "2026-07-28",
    [VERSION, CAPABILITIES],
    {VERSION: "1999-01-01"},
)
_PARAMS: tuple[tuple[dict[str, Any]], ...] = (
    ({},),
    *(({"cursor": "x", "_meta": meta},) for meta in _METAS),
)


def _try_meta(answer: Callable[[Any], Any], params: dict[str, Any]) -> Any:
    """Return what the function returns, or code and data of the error that it raises on purpose."""
    try:
        return ["returned", answer(deepcopy(params))]
    except RpcError as error:
        return ["raised", error.code, error.data]


def _due(params: dict[str, Any]) -> tuple[int, ...]:
    """Return the codes that will do; none of them where the request may pass."""
    outcome = _try_meta(eras.check_meta, params)
    if outcome[0] == "returned":
        return ()
    meta: Any = params.get("_meta")
    lacking = isinstance(meta, dict) and VERSION in meta and CAPABILITIES not in meta
    twice = lacking and meta[VERSION] not in eras.MODERN
    return (-32602, -32022) if twice else (outcome[1],)


def _fault_of_check(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    found = _sentence_on_check(f"{name}({json.dumps(args[0])[:120]})", args[0], value)
    if found is None:
        return None
    sentence, mistake = found
    case = Case(f"{name}({show(args[0])})", _came(value), _check_wanted(*args), _listed(*args))
    return Problem(sentence, case, mistake)


def _sentence_on_check(call: str, params: dict[str, Any], value: Any) -> _Found:
    codes = _due(params)
    if not isinstance(value, list):
        return f"{call} gives what cannot be looked at.", None
    kind, *content = value
    if kind == "returned":
        if codes:
            return f"{call} lets the request pass, and should raise {codes[0]}.", _let_pass(params)
        if content[0] is not None:
            return f"{call} returns {show(content[0])[:60]}, and should return None.", None
        return None
    code, data = content
    if code not in codes:
        due = f"should raise {codes[0]}" if codes else "the request is in order"
        mistake = "an unknown version is a bad param" if codes == (-32022,) else None
        return f"{call} raises {show(code)[:20]}, and {due}.", mistake
    return _sentence_on_data(call, params, data) if code == -32022 else None


def _sentence_on_data(call: str, params: dict[str, Any], data: Any) -> _Found:
    asked = params["_meta"][VERSION]
    if not isinstance(data, dict) or not {"supported", "requested"} <= data.keys():
        sentence = f'{call} raises -32022 without "supported" and "requested" in its data.'
        return sentence, "no data for the machine"
    if not same(data["requested"], asked):
        return f"{call} says that {show(data['requested'])[:40]} was requested.", None
    if not isinstance(data["supported"], list) or META[VERSION] not in data["supported"]:
        return f'{call}: "supported" is {show(data["supported"])[:60]}, without 2026-07-28.', None
    return None


def _let_pass(params: dict[str, Any]) -> str | None:
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        return "nothing needs to be there"
    if isinstance(meta.get(VERSION), str) and isinstance(meta.get(CAPABILITIES), dict):
        return "every version is fine"
    return "nobody asks for the capabilities" if isinstance(meta.get(VERSION), str) else None


def _came(value: Any) -> str:
    if not isinstance(value, list) or value[0] == "returned":
        return show(value[1] if isinstance(value, list) else value)
    data = "" if value[2] is None else f" and the data {show(value[2])}"
    return f"RpcError with the code {show(value[1])}{data}"


def _check_wanted(params: dict[str, Any]) -> str:
    codes = _due(params)
    if not codes:
        return "None"
    more = ""
    if codes == (-32022,):
        data = {"supported": ["2026-07-28"], "requested": params["_meta"][VERSION]}
        more = f" and the data {show(data)}"
    return f"RpcError with the code {' or '.join(map(str, codes))}{more}"


def _listed(params: dict[str, Any]) -> str:
    return json.dumps(request(1, "tools/list", params))


JUDGES: dict[str, Judge] = {
    "initialize": Obeys(
        ("params",),
        _OPENINGS,
        f"All {len(_OPENINGS)} clients hear the version that they should.",
        raw=_opened,
        find=_fault_of_opening,
        wanted=_opening_wanted,
    ),
    "check_meta": Obeys(
        ("params",),
        _PARAMS,
        f"All {len(_PARAMS)} requests are let through or refused as they should be.",
        raw=_listed,
        via=_try_meta,
        find=_fault_of_check,
        wanted=_check_wanted,
    ),
}
