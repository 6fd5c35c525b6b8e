"""Judges for both openings of a talk in MCP: `initialize`, and what each modern request carries."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ...dispatcher import RpcError
from ...messages import request
from ...wire import encode
from .. import eras
from ..eras import CAPABILITIES, LEGACY, META, VERSION
from ..judging.answers import Judge, Obeys, Problem
from ..judging.values import same, show
from ..sandbox import Run

__all__ = ["JUDGES"]

_Params = dict[str, Any]
_ANSWERED = "returned"  # and not raised on purpose


@dataclass(frozen=True)
class _Refuses(Obeys):
    """Judges a function of params that returns something, or raises an `RpcError` on purpose.

    A case is the params and what they are, in words that follow the function's name. `sentence`
    says what is wrong, in words that follow these. `mistake` takes what came, by the words of each
    case, and those of the first wrong one; it returns the mistake that explains it.
    """

    sentence: Callable[[_Params, list[Any]], str | None] = lambda params, came: None
    mistake: Callable[[dict[str, Any], str], str | None] = lambda came, what: None

    def problem_of(self, name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
        found: str | None = "gives what cannot be looked at."
        if isinstance(value, list):
            found = self.sentence(args[0], value)
        return Problem(f"{name} {args[1]} {found}") if found else None

    def came_back(self, value: Any) -> str:
        if not isinstance(value, list) or value[0] == _ANSWERED:
            return show(value[1] if isinstance(value, list) else value)
        code, message, data = value[1]
        more = "" if data is None else f", and the data {show(data)}"
        return f"RpcError with the code {show(code)}, the message {show(message)}{more}"

    def known_mistake(self, runs: list[Run], wrong: list[int]) -> str | None:
        words = [args[1] for args in self.cases]
        came = {what: one.value for what, one in zip(words, runs, strict=True)}
        return self.mistake(came, words[wrong[0]])


def _of_version(version: str) -> str:
    return f'for the version "{version}"'


def _try(answer: Callable[[Any], Any], params: _Params, _: str = "") -> Any:
    """Return what came: a value or an error, and what is left of the params."""
    mine = deepcopy(params)
    try:
        return [_ANSWERED, answer(mine), mine]
    except RpcError as error:
        return ["raised", [error.code, error.message, error.data], mine]


def _sent(method: str) -> Callable[..., str]:
    """Return what makes the message for the bench of a case."""
    return lambda params, what: json.dumps(request(1, method, params))


def _is_json(value: Any) -> bool:
    try:
        encode(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


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

_VERSIONS = (
    *reversed(LEGACY),
    *("1999-01-01", "2024-11-05", "2025-03-26", "2025-11-26", "2026-07-28", "2999-01-01"),
)
_CLIENT = {"capabilities": {}, "clientInfo": {"name": "an official client", "version": "1.0"}}
_OPENINGS: tuple[tuple[_Params, str], ...] = (
    *(({"protocolVersion": version, **_CLIENT}, _of_version(version)) for version in _VERSIONS),
    ({}, "without a version"),
    ({"protocolVersion": None, **_CLIENT}, "for the version null"),
    ({"protocolVersion": ["2025-11-25"], **_CLIENT}, "for a list of versions"),
)


def _sentence_on_opening(params: _Params, came: list[Any]) -> str | None:
    kind, content, _ = came
    outcome, right, _ = _try(eras.initialize, params)
    if kind != _ANSWERED:
        if outcome == _ANSWERED:
            return f"raises an error. It should agree on {right['protocolVersion']!r}."
        return _fault_of_error(content, (right[0],))
    if outcome != _ANSWERED:
        return f"returns {show(content, 60)}, and should raise {right[0]}."
    return _sentence_on_result(content, right["protocolVersion"])


def _sentence_on_result(result: Any, right: str) -> str | None:
    if not isinstance(result, dict):
        return f"returns {show(result, 60)}, and should return an object."
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
    if not isinstance(info, dict) or not all(
        isinstance(info.get(key), str) for key in ("name", "version")
    ):
        return 'gives no "serverInfo" with a name and a version, both of them text.'
    return None if _is_json(result) else "returns a result that cannot be JSON."


def _mistake_in_opening(came: dict[str, Any], what: str) -> str | None:
    results = [came[_of_version(version)] for version in _VERSIONS]
    if not all(isinstance(one, list) and isinstance(one[1], dict) for one in results):
        return None
    agreed = [one[1].get("protocolVersion") for one in results]
    known = (*LEGACY, "2026-07-28")
    mistakes = {
        "agrees to everything": list(_VERSIONS),
        "always the newest": [LEGACY[-1]] * len(agreed),
        "a handshake for a revision that has none": [
            version if version in known else LEGACY[-1] for version in _VERSIONS
        ],
    }
    return next((name for name, versions in mistakes.items() if same(agreed, versions)), None)


def _opening_wanted(params: _Params, _: str = "") -> str:
    outcome, right, _ = _try(eras.initialize, params)
    return show(right) if outcome == _ANSWERED else f"RpcError with the code {right[0]}"


# --- check_meta(params) ------------------------------------------------------------------------

_LATER = ("2026-07-29", "2026-07-28 ", "2999-01-01")
_UNKNOWN = ("1999-01-01", "2025-11-25", *_LATER)
_METAS: tuple[tuple[Any, str], ...] = (
    (META, "with all that is needed"),
    ({**META, "io.modelcontextprotocol/clientInfo": {"name": "x"}}, "with more than is needed"),
    ({**META, CAPABILITIES: {"elicitation": {}}, "progressToken": 7}, "with a capability"),
    (None, "with null as _meta"),
    ({}, "with an empty _meta"),
    ({VERSION: "2026-07-28"}, "without capabilities"),
    ({CAPABILITIES: {}}, "without a version"),
    *(({**META, VERSION: version}, _of_version(version)) for version in (*_UNKNOWN, "")),
    ({**META, VERSION: 20260728}, "with a number as the version"),
    ({**META, CAPABILITIES: []}, "with a list as the capabilities"),
    ({**META, CAPABILITIES: None}, "with null as the capabilities"),
    ("2026-07-28", "with text as _meta"),
    ([VERSION, CAPABILITIES], "with a list as _meta"),
    ({VERSION: "1999-01-01"}, 'for the version "1999-01-01" without capabilities'),
    ({VERSION: "1999-01-01", CAPABILITIES: 1}, 'for the version "1999-01-01" with capabilities 1'),
)
_PARAMS: tuple[tuple[_Params, str], ...] = (
    ({}, "without _meta"),
    *(({"cursor": "x", "_meta": meta}, what) for meta, what in _METAS),
)


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


def _sentence_on_check(params: _Params, came: list[Any]) -> str | None:
    codes = _due(params)
    kind, content, left = came
    if kind != _ANSWERED:
        fault = _fault_of_error(content, codes)
        if fault is None and content[0] == -32022:
            fault = _fault_of_data(content[2], params["_meta"][VERSION])
        if fault:
            return fault
    elif codes:
        return f"lets the request pass, and should raise {codes[0]}."
    elif content is not None:
        return f"returns {show(content, 60)}, and should return None."
    return None if same(left, params) else "changes the params that it looks at."


def _fault_of_data(data: Any, asked: str) -> str | None:
    if not isinstance(data, dict) or not {"supported", "requested"} <= data.keys():
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


_LACKING = ("without _meta", "with an empty _meta", "without a version", "without capabilities")
_LOOSE = (
    "without capabilities",
    "with a list as the capabilities",
    "with null as the capabilities",
)
_MISTAKES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("nothing needs to be there", _LACKING, "passes"),
    ("nobody asks for the capabilities", _LOOSE, "passes"),
    ("every version is fine", tuple(map(_of_version, _UNKNOWN)), "passes"),
    ("every later version is fine", tuple(map(_of_version, _LATER)), "passes"),
    ("an unknown version is a bad param", tuple(map(_of_version, _UNKNOWN)), "-32602"),
    ("no data for the machine", tuple(map(_of_version, _UNKNOWN)), "-32022 without data"),
)
"""Each mistake, the cases that show it together, and what comes of all of them."""


def _mistake_in_check(came: dict[str, Any], what: str) -> str | None:
    decided = {words: _decision(value) for words, value in came.items()}
    for name, cases, decision in _MISTAKES:
        if what in cases and all(decided[one] == decision for one in cases):
            return name
    return None


def _decision(value: Any) -> str:
    if not isinstance(value, list):  # it crashed, or gave what is too large to look at
        return "falls over"
    if value[0] == _ANSWERED:
        return "passes" if same(value[1], None) else "falls over"
    code, _, data = value[1]
    bare = not isinstance(data, dict) or not {"supported", "requested"} <= data.keys()
    return f"{code} without data" if code == -32022 and bare else show(code)


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
    "initialize": _Refuses(
        ("params",),
        _OPENINGS,
        f"All {len(_OPENINGS)} clients hear what they should.",
        shown=1,
        raw=_sent("initialize"),
        via=_try,
        sentence=_sentence_on_opening,
        wanted=_opening_wanted,
        mistake=_mistake_in_opening,
    ),
    "check_meta": _Refuses(
        ("params",),
        _PARAMS,
        f"All {len(_PARAMS)} requests are let through or refused as they should be.",
        shown=1,
        raw=_sent("tools/list"),
        via=_try,
        sentence=_sentence_on_check,
        wanted=_check_wanted,
        mistake=_mistake_in_check,
    ),
}
