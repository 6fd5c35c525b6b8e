"""The exercises of lesson 7: with programs that nobody here wrote."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import pairwise
from typing import Any

from ...dispatcher import RpcError, handle
from ...messages import request
from ..eras import META
from ..judging.answers import Behaves, Judge, Obeys, Problem
from ..judging.behaviors import Clause, holding
from ..judging.differences import Difference
from ..judging.values import same, show
from ..text import shorten
from . import lesson_7_eras

__all__ = ["JUDGES"]


def _given(members: dict[str, Any], name: str) -> str:
    return show(members[name], 40) if name in members else "missing"


# --- call_tool(params) -------------------------------------------------------------------------


def _call(params: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the params of a call, and whether the tool succeeds."""
    works = _can_be_read(params) and params["arguments"]["dish"] != "lobster"
    return {**params, "_meta": META}, works


def _try_tool(answer: Callable[[Any], Any], params: dict[str, Any], works: bool) -> Any:
    """Return what the function returns, or the code of the error that it raises on purpose."""
    try:
        return ["result", answer(deepcopy(params))]
    except RpcError as error:
        return ["error", error.code]


def _tool_gave(value: Any) -> str:
    if not isinstance(value, list):
        return show(value)
    kind, content = value
    return show(content) if kind == "result" else f"RpcError with the code {show(content)}"


def _tool_raw(params: dict[str, Any], works: bool) -> str:
    return json.dumps(request(1, "tools/call", params))


def _tool_wanted(params: dict[str, Any], works: bool) -> str:
    text = _text_of(params["arguments"]) if works else "Sorry: we have no …"
    result = {"resultType": "complete", "content": [{"type": "text", "text": text}]}
    if works:
        return show(result)
    or_else = "" if _can_be_read(params) else ", or an RpcError with -32602"
    return f"a result that says why, such as {show({**result, 'isError': True})}{or_else}"


def _text_of(order: dict[str, Any]) -> str:
    return f"{order['dish']} for table {order['table']}"


def _can_be_read(params: dict[str, Any]) -> bool:
    order = params.get("arguments", {})
    return bool(params["name"] == "place_order") and {"table", "dish"} <= order.keys()


def _judge_tool(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    params, works = args
    call = f"{name} with {json.dumps({key: params[key] for key in params if key != '_meta'})}"
    if not isinstance(value, list):
        return Problem(f"{call} gives a value that the check cannot read.")
    kind, content = value
    if kind == "error":
        return _judge_raised(call, params, works, content)
    if problem := _judge_result(call, content):
        return problem
    failed = content.get("isError", False)
    if works and failed is not False:
        return Problem(f"{call} fails, although table and dish are there.")
    if not works and failed is not True:
        return Problem(
            f"{call} should fail: isError is {_given(content, 'isError')}.",
            None,
            "a failure looks like a success",
        )
    said = content["content"][0]["text"]
    if not works:
        return None if said.strip() else Problem(f"{call} fails, and its text does not say why.")
    text = _text_of(params["arguments"])
    if said == text:
        return None
    return Problem(f"{call} says {show(said, 60)}, and should say {text!r}.")


def _judge_raised(call: str, params: dict[str, Any], works: bool, code: Any) -> Problem | None:
    raises = f"{call} raises an RpcError with the code {show(code)}"
    if works:
        return Problem(f"{raises}, although table and dish are there.")
    if not _can_be_read(params):  # it may be an error: both are in use
        return None if same(code, -32602) else Problem(f"{raises}, and the code should be -32602.")
    sentence = f"{call} raises RpcError. A tool that fails returns a result, with isError true."
    return Problem(sentence, None, "a failed tool is an error")


def _judge_result(call: str, result: Any) -> Problem | None:
    if not isinstance(result, dict):
        return Problem(f"{call} returns {show(result, 60)}, and should return an object.")
    if lesson_7_eras.is_whole(result):
        return Problem(f"{call} {lesson_7_eras.WHOLE}")
    if result.get("resultType") != "complete":
        sentence = f'{call} returns a result whose "resultType" is not "complete".'
        return Problem(sentence, None, "no resultType")
    content = result.get("content")
    if not isinstance(content, list) or not content:
        return Problem(f'"content" must be a list with something in it: {call}.')
    if not all(isinstance(part, dict) and part.get("type") == "text" for part in content):
        return Problem(f'"content" must be a list of objects with the type "text": {call}.')
    if not all(isinstance(part.get("text"), str) for part in content):
        return Problem(f'Each part of "content" needs a "text": {call}.')
    return None


# --- differences(talk, handle) -----------------------------------------------------------------

_METHODS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "ping": lambda params: {},
    "menu": lambda params: {"dishes": ["steak", "salad"], "open": None},
    "oven": lambda params: {"on": True, "dishes": [1]},
}


def _talk(line: list[Any]) -> tuple[list[tuple[str, str]]]:
    """Return a log: the client sends what has a method, the server sends the rest."""
    signs = (">" if isinstance(one, dict) and "method" in one else "<" for one in line)
    texts = (one if isinstance(one, str) else json.dumps(one) for one in line)
    return ([*zip(signs, texts, strict=True)],)


def _course_handle(raw: str) -> dict[str, Any] | None:
    reply: dict[str, Any] | None = handle(raw, _METHODS)
    return reply


def _different(talk: list[tuple[str, str]]) -> list[Any]:
    messages = [json.loads(text) for _, text in talk]
    replies = {
        json.dumps(one["id"]): one for one in messages if "id" in one and "method" not in one
    }
    found = []
    for message in messages:
        if "method" in message and "id" in message:
            recorded = replies.get(json.dumps(message["id"]))
            if recorded and not same(recorded, _course_handle(json.dumps(message))):
                found.append(message["id"])
    return found


def _with_replies(name: str, talk: list[tuple[str, str]]) -> str:
    """Return the call, and what `handle` answers in it."""
    replies = [_course_handle(text) for sign, text in talk if sign == ">"]
    shown = ", ".join(show(reply) for reply in replies if reply) or "nothing"
    return f"{name}({show(talk)}, handle)\nand handle answers {shown}"


def _differs_in_report(value: Any, should: list[Any]) -> Difference:
    if not isinstance(value, list) or not all(type(one) in (int, str) for one in value):
        return Difference("kind", "it returns no list of ids")
    if len(value) > len(should):
        return Difference("too many", "it reports a reply that has not changed")
    if len(value) < len(should):
        return Difference("missed", "it misses a reply that has changed")
    return Difference("other", "it reports another id")


def _of_talk(talk: list[tuple[str, str]]) -> Iterator[Clause]:
    """Say what is special about a talk: its replies, their order and their text."""
    messages = [json.loads(text) for _, text in talk]
    replies = [one for one in messages if "method" not in one]
    asked = [json.dumps(one["id"]) for one in messages if "method" in one and "id" in one]
    replied = [json.dumps(one["id"]) for one in replies if "id" in one]
    handled = [_course_handle(text) for sign, text in talk if sign == ">"]
    plain = [one.strip('"') for one in asked]
    mixed = replied != asked[: len(replied)]
    rewritten = any(text != json.dumps(json.loads(text)) for _, text in talk)
    unanswered = any(one[0] == other[0] == ">" for one, other in pairwise(talk))
    by_type = any(one == due and not same(one, due) for one in replies for due in handled)
    yield from holding(
        (rewritten, "a reply {}", "is written in another order or with other blanks"),
        (mixed, "the replies {}", "come in another order than the requests"),
        (unanswered, "a request {}", "is not followed by its reply"),
        (set(asked) - set(replied), "a request {}", "has no reply"),
        (len({*plain}) < len(plain), "two ids {}", "differ in their type alone"),
        (len(asked) + len(replies) < len(messages), "the talk {}", "has a notification"),
        ({"0", ""} & {*plain}, "an id is {}", "false for Python"),
        (any("error" in one for one in replies), "a reply {}", "is an error"),
        (len(replied) < len(replies), "an error {}", "has no id"),
        ("null" in replied, "an error {}", "has the id null"),
        (by_type, "a reply {}", "has changed in a type alone"),
        (True, "a reply {}" if _different(talk) else "no reply {}", "has changed"),
    )


# --- with_meta(params) -------------------------------------------------------------------------


def _meant(params: dict[str, Any]) -> dict[str, Any]:
    return {**params, "_meta": {**params.get("_meta", {}), **META}}


def _with_original(answer: Callable[[Any], Any], params: dict[str, Any]) -> Any:
    """Return what comes back, and what is left of the params that went in, where they changed."""
    mine = deepcopy(params)
    found = answer(mine)
    return [found] if same(mine, params) else [found, mine]


def _meta_gave(value: Any) -> str:
    if not isinstance(value, list):
        return show(value)
    return "\nand what went in is now ".join(map(show, value))


def _judge_meta(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    call = f"{name}({shorten(json.dumps(args[0]), 70)})"
    if not isinstance(value, list):
        return Problem(f"{call} gives a value that the check cannot read.")
    found, *changed = value
    if not isinstance(found, dict) or not isinstance(found.get("_meta"), dict):
        return Problem(f'{call} gives {show(found, 60)}, without an object "_meta" in it.')
    for key in META:
        if not same(found["_meta"].get(key), META[key]):
            sentence = f'In "_meta" of {call} the member "{key}" is {_given(found["_meta"], key)}.'
            old = args[0].get("_meta", {})
            is_old = key in old and same(found["_meta"].get(key), old[key])
            return Problem(sentence, None, "an old version wins" if is_old else None)
    if not same(found, _meant(args[0])):
        lost = [key for key in args[0].get("_meta", {}) if key not in found["_meta"]]
        if lost:
            return Problem(f'{call} loses "{lost[0]}".', None, "old members are lost")
        return Problem(f"{call} gives {show(found, 90)}.")
    if changed:
        sentence = f"{call} gives the right params, but changes those that it was given."
        return Problem(sentence, None, "the original is changed")
    return None


JUDGES: dict[str, Judge] = {
    **lesson_7_eras.JUDGES,
    "call_tool": Obeys(
        ("params",),
        "All {count} requests get the right answer.",
        read=_call,
        shown=1,
        raw=_tool_raw,
        via=_try_tool,
        find=_judge_tool,
        words=_tool_gave,
        wanted=_tool_wanted,
    ),
    "differences": Behaves(
        ("talk", "handle"),
        "All {count} talks are compared, whatever their replies look like.",
        read=_talk,
        sent=_with_replies,
        via=lambda answer, talk: answer(list(talk), _course_handle),
        reference=_different,
        describe=_of_talk,
        differs=_differs_in_report,
    ),
    "with_meta": Obeys(
        ("params",),
        "All {count} params are ready to be sent.",
        via=_with_original,
        find=_judge_meta,
        words=_meta_gave,
        wanted=lambda params: show(_meant(params)),
    ),
}
