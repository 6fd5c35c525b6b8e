"""The exercises of lesson 7: with programs that nobody here wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from typing import Any

from ...dispatcher import RpcError, handle
from ...messages import error_response, notification, request, result_response
from ..judging.comparing import same, show
from ..judging.faults import Fault
from ..judging.judging import Behaves, Obeys, Problem
from ..judging.outcome import Case
from ..talks.peers import META
from .record import Exercise, Wrong

__all__ = ["EXERCISES"]

_NOTEBOOK = "07_real_peers.ipynb"


# --- call_tool(params) -------------------------------------------------------------------------


def _call(name: Any, **arguments: Any) -> tuple[dict[str, Any], bool]:
    """Return the params of a call, and whether the tool succeeds."""
    works = name == "place_order" and {"table", "dish"} <= arguments.keys()
    works = works and arguments["dish"] != "lobster"
    return {"name": name, "arguments": arguments, "_meta": META}, works


_CALLS = (
    _call("place_order", table=6, dish="steak"),
    _call("place_order", table=2, dish="salad"),
    _call("place_order", table=0, dish=""),
    _call("place_order", table=6, dish="lobster"),
    _call("place_order", table=6),
    _call("place_order", dish="steak"),
    _call("place_order"),
    _call("burn_kitchen", table=6, dish="steak"),
    _call(""),
)


def _try_tool(answer: Callable[[Any], Any], params: dict[str, Any], works: bool) -> Any:
    """Return what the function returns, or the code of the error that it raises on purpose."""
    try:
        return ["result", answer(deepcopy(params))]
    except RpcError as error:
        return ["error", error.code]


def _judge_tool(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    problem = _fault_of_tool(name, args, value)
    if problem is None or not isinstance(value, list):
        return problem
    kind, content = value
    came_back = show(content) if kind == "result" else f"RpcError with the code {show(content)}"
    sent = f"{name}({show(args[0])})"
    return problem._replace(case=Case(sent, came_back, _tool_wanted(*args), _tool_raw(*args)))


def _tool_raw(params: dict[str, Any], works: bool) -> str:
    return json.dumps(request(1, "tools/call", params))


def _tool_wanted(params: dict[str, Any], works: bool) -> str:
    says = "what was ordered" if works else "why it failed, with isError true"
    or_else = "" if params["name"] == "place_order" else ", or an RpcError"
    return f"a result that says {says}{or_else}"


def _fault_of_tool(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    params, works = args
    call = f"{name} with {json.dumps({'name': params['name'], 'arguments': params['arguments']})}"
    if not isinstance(value, list):
        return Problem(f"{call} gives what cannot be looked at.")
    kind, content = value
    if kind == "error":
        return _judge_raised(call, params, works, content)
    if problem := _judge_result(call, content):
        return problem
    failed = content.get("isError", False)
    if works and failed is not False:
        return Problem(f"{call} fails, and the dish was there.")
    if not works and failed is not True:
        return Problem(
            f"{call} should fail: isError is {show(content.get('isError', 'missing'))}.",
            None,
            "a failure looks like a success",
        )
    text = f"{params['arguments'].get('dish')} for table {params['arguments'].get('table')}"
    said = content["content"][0]["text"]
    return (
        Problem(f"{call} says {show(said)[:60]}, and should say {text!r}.")
        if (works and said != text)
        else None
    )


def _judge_raised(call: str, params: dict[str, Any], works: bool, code: Any) -> Problem | None:
    if params["name"] != "place_order":  # an unknown tool may be an error: both are in use
        return None
    if works:
        return Problem(
            f"{call} raises an error with the code {show(code)}, and the dish was there."
        )
    sentence = f"{call} raises RpcError. A tool that fails returns a result, with isError true."
    return Problem(sentence, None, "a failed tool is an error")


def _judge_result(call: str, result: Any) -> Problem | None:
    if not isinstance(result, dict):
        return Problem(f"{call} returns {show(result)[:60]}, and every result of MCP is an object.")
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


_CALL_TOOL = (
    "def call_tool(params):\n"
    '    """Answer tools/call: place the order, or say why not."""\n'
    '    order = params["arguments"]\n'
    '    if params["name"] != "place_order":\n'
    '        text, failed = "there is no such tool", True\n'
    '    elif "table" not in order or "dish" not in order:\n'
    '        text, failed = "an order needs table and dish", True\n'
    '    elif order["dish"] == "lobster":\n'
    '        text, failed = "we are out of lobster", True\n'
    "    else:\n"
    "        text, failed = f\"{order['dish']} for table {order['table']}\", False\n"
    '    content = [{"type": "text", "text": text}]\n'
    '    return {"resultType": "complete", "content": content, "isError": failed}\n'
)

_CALL_TOOL_EXERCISE = Exercise(
    id="call_tool",
    lesson=7,
    title="A tool that may fail",
    prompt=(
        "Write `call_tool(params)` for `tools/call` and the tool `place_order`. Where all is well "
        "the text is like `steak for table 6`. An order without `table` or `dish`, or for "
        "`lobster`, fails: a result with `isError` true, and a text that says why. A tool of any "
        "other name fails in the same way, or raises `RpcError` with -32602: both are in use."
    ),
    stub=(
        "def call_tool(params):\n"
        '    """Answer tools/call: place the order, or say why not."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        'The name of the tool is `params["name"]`, and the order is in `params["arguments"]`.',
        "A failure has the same members as a success, and one more: `isError`. Everything else is "
        "in your file already.",
        "Decide on the text and on whether it failed. Then build one result from both.",
    ),
    solution=_CALL_TOOL,
    right=(
        "from mini_rpc import RpcError\n"
        "def call_tool(params):\n"
        "    if params['name'] != 'place_order':\n"
        "        raise RpcError(-32602, 'Unknown tool')\n"
        "    try:\n"
        "        order = params['arguments']\n"
        "        text = f\"{order['dish']} for table {order['table']}\"\n"
        "        assert order['dish'] != 'lobster'\n"
        "        return {'resultType': 'complete', 'content': [{'type': 'text', 'text': text}]}\n"
        "    except Exception as error:\n"
        "        content = [{'type': 'text', 'text': repr(error)}]\n"
        "        return {'resultType': 'complete', 'content': content, 'isError': True}\n",
    ),
    wrong=(
        Wrong(
            "def call_tool(params):\n"
            "    order = params['arguments']\n"
            "    text = f\"{order['dish']} for table {order['table']}\"\n"
            "    return {'resultType': 'complete', 'content': [{'type': 'text', 'text': text}]}\n",
            "wrong",
            'call_tool with {"name": "place_order", "arguments": {"table": 6, "dish": "lobster"}} '
            "should fail: isError is 'missing'.",
            "a failure looks like a success",
        ),
        Wrong(
            "from mini_rpc import RpcError\n"
            "def call_tool(params):\n"
            "    order = params['arguments']\n"
            "    if order.get('dish') in (None, 'lobster') or 'table' not in order:\n"
            "        raise RpcError(-32602, 'Invalid params')\n"
            "    text = f\"{order['dish']} for table {order['table']}\"\n"
            "    return {'resultType': 'complete', 'content': [{'type': 'text', 'text': text}]}\n",
            "wrong",
            'call_tool with {"name": "place_order", "arguments": {"table": 6, "dish": "lobster"}} '
            "raises RpcError. A tool that fails returns a result, with isError true.",
            "a failed tool is an error",
        ),
        Wrong(
            _CALL_TOOL.replace('params["name"] != "place_order"', "False"),
            "wrong",
            'call_tool with {"name": "burn_kitchen", "arguments": {"table": 6, "dish": "steak"}} '
            "should fail: isError is False.",
            "a failure looks like a success",
        ),
        Wrong(
            _CALL_TOOL.replace('"resultType": "complete", ', ""),
            "wrong",
            'call_tool with {"name": "place_order", "arguments": {"table": 6, "dish": "steak"}} '
            'returns a result whose "resultType" is not "complete".',
            "no resultType",
        ),
        Wrong(
            _CALL_TOOL.replace('"table" not in order or ', ""),
            "crashed",
            "call_tool({'name': 'place_order', 'arguments': {'dish': 'steak'}, '_meta': "
            "{'io.modelcontextprotoco… crashed in line 11: KeyError: 'table'.",
        ),
        Wrong(
            _CALL_TOOL.replace('"isError": failed', '"isError": "failed" if failed else None'),
            "wrong",
            'call_tool with {"name": "place_order", "arguments": {"table": 6, "dish": "steak"}} '
            "fails, and the dish was there.",
        ),
        Wrong(
            "def call_tool(params):\n    return 'steak for table 6'\n",
            "wrong",
            'call_tool with {"name": "place_order", "arguments": {"table": 6, "dish": "steak"}} '
            "returns 'steak for table 6', and every result of MCP is an object.",
        ),
    ),
    judge=Obeys(
        ("params",),
        tuple(_CALLS),
        f"All {len(_CALLS)} calls get the answer that they should.",
        shown=1,
        raw=_tool_raw,
        via=_try_tool,
        find=_judge_tool,
        wanted=_tool_wanted,
    ),
    where=f"{_NOTEBOOK}#A-tool-that-fails",
)


# --- differences(talk, handle) -----------------------------------------------------------------

_METHODS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "ping": lambda params: {},
    "menu": lambda params: {"dishes": ["steak", "salad"], "open": None},
}


def _ping(id: Any) -> dict[str, Any]:
    return request(id, "ping")


def _talk(*messages: Any) -> list[tuple[str, str]]:
    """Return a log: the client sends what has a method, the server sends the rest."""
    return [
        (">" if "method" in message else "<", json.dumps(message))
        if isinstance(message, dict)
        else message
        for message in messages
    ]


_MENU = {"dishes": ["steak", "salad"], "open": None}
_TALKS: tuple[tuple[list[tuple[str, str]]], ...] = (
    (_talk(_ping(1), result_response(1, {})),),
    (_talk(_ping(1), result_response(1, {"pong": 1})),),
    ([],),
    (_talk(_ping(1), _ping(2), result_response(2, {}), result_response(1, {})),),
    (_talk(_ping(1), _ping(2), result_response(2, {"late": 1}), result_response(1, {})),),
    (_talk(request(3, "menu"), ("<", '{"id":3,"result":{"open":null,"dishes":["steak","salad"]},'
                                     '"jsonrpc":"2.0"}')),),
    (_talk(request(3, "menu"), result_response(3, {**_MENU, "dishes": ["salad", "steak"]})),),
    (_talk(_ping(1), _ping("1"), result_response("1", {"x": 1}), result_response(1, {})),),
    (_talk(_ping(1), request(2, "menu"), result_response(1, {}), result_response(2, _MENU)),),
    (_talk(_ping(1), _ping("1"), result_response("1", {}), result_response(1, {})),),
    (_talk(notification("ping"), _ping(0), result_response(0, {})),),
    (_talk(request("", "juggle"), error_response("", -32601, "Method not found: juggle")),),
    (_talk(request(5, "juggle"), result_response(5, {})),),
    (_talk(_ping(6)),),
    (_talk(_ping(1), result_response(1, {}), _ping(2), result_response(2, None)),),
)  # fmt: skip


def _course_handle(raw: str) -> dict[str, Any] | None:
    reply: dict[str, Any] | None = handle(raw, _METHODS)
    return reply


def _different(talk: list[tuple[str, str]]) -> list[Any]:
    messages = [json.loads(text) for _, text in talk]
    replies = {json.dumps(one["id"]): one for one in messages if "method" not in one}
    found = []
    for message in messages:
        if "method" in message and "id" in message:
            recorded = replies.get(json.dumps(message["id"]))
            if recorded is not None and recorded != _course_handle(json.dumps(message)):
                found.append(message["id"])
    return found


def _as_text(talk: list[tuple[str, str]]) -> list[Any]:
    replies = {json.loads(text)["id"]: text for sign, text in talk if sign == "<"}
    asked = [json.loads(text) for sign, text in talk if sign == ">"]
    return [
        one["id"]
        for one in asked
        if "id" in one
        and one["id"] in replies
        and json.dumps(_course_handle(json.dumps(one))) != replies[one["id"]]
    ]


def _neighbors(talk: list[tuple[str, str]]) -> list[Any]:
    found = []
    for (sign, text), (other, reply) in pairwise(talk):
        message = json.loads(text)
        if (sign, other) != (">", "<") or "id" not in message:
            continue
        if _course_handle(text) != json.loads(reply):
            found.append(message["id"])
    return found


def _by_text_id(talk: list[tuple[str, str]]) -> list[Any]:
    replies = {str(json.loads(text)["id"]): json.loads(text) for sign, text in talk if sign == "<"}
    asked = [json.loads(text) for sign, text in talk if sign == ">"]
    return [
        one["id"]
        for one in asked
        if "id" in one
        and str(one["id"]) in replies
        and _course_handle(json.dumps(one)) != replies[str(one["id"])]
    ]


def _unanswered(talk: list[tuple[str, str]]) -> list[Any]:
    replied = [json.loads(text)["id"] for sign, text in talk if sign == "<"]
    asked = [json.loads(text) for sign, text in talk if sign == ">"]
    open_ones = [one["id"] for one in asked if "id" in one and one["id"] not in replied]
    return [*_different(talk), *open_ones]


_DIFFERENCES_FAULTS = (
    Fault("replies as text", "compares replies as text", _as_text, _TALKS[5]),
    Fault(
        "the next line",
        "takes the next line of the log for the reply",
        _neighbors,
        _TALKS[8],
    ),
    Fault("text and number are one", 'takes "1" and 1 for the same id', _by_text_id, _TALKS[9]),
    Fault(
        "no reply is a difference",
        "reports requests that were never answered in the log",
        _unanswered,
        _TALKS[13],
    ),
)

_DIFFERENCES = (
    "import json\n"
    "\n"
    "\n"
    "def differences(talk, handle):\n"
    '    """Return the ids of the requests that are answered in another way."""\n'
    '    replies = [json.loads(text) for sign, text in talk if sign == "<"]\n'
    '    recorded = {reply["id"]: reply for reply in replies}\n'
    "    found = []\n"
    "    for sign, text in talk:\n"
    "        message = json.loads(text)\n"
    '        if sign == ">" and message.get("id") in recorded:\n'
    '            if handle(text) != recorded[message["id"]]:\n'
    '                found.append(message["id"])\n'
    "    return found\n"
)

_DIFFERENCES_EXERCISE = Exercise(
    id="differences",
    lesson=7,
    title="Replay a talk",
    prompt=(
        "Write `differences(talk, handle)`. `talk` is a list of pairs: `>` or `<`, and a message "
        "as text. `handle(text)` gives the reply as a dict, or `None`. Return a list with the id "
        "of each request that `handle` answers in another way than the log does. Replies may "
        "stand in any order. A request without a reply in the log does not count."
    ),
    stub=(
        "def differences(talk, handle):\n"
        '    """Return the ids of the requests that are answered in another way."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "The same reply can be written in many ways: spaces, and the order of members. Parse it, "
        "and compare what it means.",
        "Go through the log twice. First put the replies into a dict by their ids.",
        "Then give each request to `handle`. A notification has no id, so it is in no dict.",
    ),
    solution=_DIFFERENCES,
    right=(
        "import json\n"
        "def differences(talk, handle):\n"
        "    replies, asked = {}, []\n"
        "    for sign, text in talk:\n"
        "        message = json.loads(text)\n"
        "        if sign == '<':\n"
        "            replies[json.dumps(message['id'])] = message\n"
        "        elif 'id' in message:\n"
        "            asked.append((message['id'], handle(text)))\n"
        "    return [id for id, reply in asked\n"
        "            if json.dumps(id) in replies and replies[json.dumps(id)] != reply]\n",
    ),
    wrong=(
        Wrong(
            "import json\n"
            "def differences(talk, handle):\n"
            "    recorded = {json.loads(text)['id']: text for sign, text in talk if sign == '<'}\n"
            "    found = []\n"
            "    for sign, text in talk:\n"
            "        id = json.loads(text).get('id')\n"
            "        if sign == '>' and id in recorded and json.dumps(handle(text)) != "
            "recorded[id]:\n"
            "            found.append(id)\n"
            "    return found\n",
            "wrong",
            "differences behaves exactly like one that compares replies as text.",
            "replies as text",
        ),
        Wrong(
            "import json\n"
            "def differences(talk, handle):\n"
            "    found = []\n"
            "    for (sign, text), (other, reply) in zip(talk, talk[1:]):\n"
            "        message = json.loads(text)\n"
            "        if (sign, other) == ('>', '<') and 'id' in message:\n"
            "            if handle(text) != json.loads(reply):\n"
            "                found.append(message['id'])\n"
            "    return found\n",
            "wrong",
            "differences behaves exactly like one that takes the next line of the log for the "
            "reply.",
            "the next line",
        ),
        Wrong(
            _DIFFERENCES.replace('{reply["id"]:', '{str(reply["id"]):')
            .replace('message.get("id") in', 'str(message.get("id")) in')
            .replace('recorded[message["id"]]', 'recorded[str(message["id"])]'),
            "wrong",
            'differences behaves exactly like one that takes "1" and 1 for the same id.',
            "text and number are one",
        ),
        Wrong(
            _DIFFERENCES.replace('message.get("id") in recorded', '"id" in message').replace(
                'recorded[message["id"]]', 'recorded.get(message["id"])'
            ),
            "wrong",
            "differences behaves exactly like one that reports requests that were never answered "
            "in the log.",
            "no reply is a difference",
        ),
        Wrong(
            "def differences(talk, handle):\n    return []\n",
            "wrong",
            "differences behaves exactly like one that always gives [].",
            "always the same",
        ),
        Wrong(
            _DIFFERENCES.replace('found.append(message["id"])', "found.append(text)"),
            "wrong",
            'differences([(\'>\', \'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\'), (\'<\', '
            '\'{"jsonrpc": "2.0", "id"… gives [\'{"jsonrpc": "2.0", "id": 1, '
            '"method": "ping"}\'], and should give [1].',
        ),
        Wrong(
            _DIFFERENCES.replace('.get("id")', '["id"]'),
            "crashed",
            'differences([(\'>\', \'{"jsonrpc": "2.0", "method": "ping"}\'), (\'>\', '
            '\'{"jsonrpc": "2.0", "id": 0, "met… crashed in line 11: KeyError: \'id\'.',
        ),
    ),
    judge=Behaves(
        ("talk", "handle"),
        _TALKS,
        f"All {len(_TALKS)} talks are compared, whatever their replies look like.",
        via=lambda answer, talk: answer(list(talk), _course_handle),
        reference=_different,
        faults=_DIFFERENCES_FAULTS,
    ),
    where=f"{_NOTEBOOK}#Saved,-and-replayed",
)


# --- with_meta(params) -------------------------------------------------------------------------

_PARAMS: tuple[tuple[dict[str, Any]], ...] = (
    ({},),
    ({"name": "place_order", "arguments": {"table": 6, "dish": "steak"}},),
    ({"_meta": {"progressToken": 7}},),
    ({"cursor": "", "_meta": {"progressToken": "t1", "com.example/trace": {"id": 1}}},),
    ({"_meta": {}},),
)


def _meant(params: dict[str, Any]) -> dict[str, Any]:
    return {**params, "_meta": {**params.get("_meta", {}), **META}}


def _with_original(answer: Callable[[Any], Any], params: dict[str, Any]) -> Any:
    """Return what comes back, and what is left of the params that went in."""
    mine = deepcopy(params)
    return [answer(mine), mine]


def _judge_meta(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    problem = _fault_of_meta(name, args, value)
    if problem is None or not isinstance(value, list):
        return problem
    found, left = value
    came_back, should = show(found), show(_meant(args[0]))
    if not same(left, args[0]):
        came_back += f"\nand what went in is now {show(left)}"
        should += f"\nand what went in is still {show(args[0])}"
    return problem._replace(case=Case(f"{name}({show(args[0])})", came_back, should))


def _fault_of_meta(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    call = f"{name}({json.dumps(args[0])[:70]})"
    if not isinstance(value, list):
        return Problem(f"{call} gives what cannot be looked at.")
    found, left = value
    if not isinstance(found, dict) or not isinstance(found.get("_meta"), dict):
        return Problem(f'{call} gives {show(found)[:60]}, without an object "_meta" in it.')
    for key in META:
        if not same(found["_meta"].get(key), META[key]):
            given = show(found["_meta"].get(key, "missing"))[:40]
            return Problem(f'In "_meta" of {call} the member "{key}" is {given}.')
    if not same(found, _meant(args[0])):
        lost = [key for key in args[0].get("_meta", {}) if key not in found["_meta"]]
        if lost:
            return Problem(f'{call} loses "{lost[0]}".', None, "old members are lost")
        return Problem(f"{call} gives {show(found)[:90]}.")
    if not same(left, args[0]):
        sentence = f"{call} is right, and has changed the params that it was given."
        return Problem(sentence, None, "the original is changed")
    return None


_WITH_META = (
    "def with_meta(params):\n"
    '    """Return the params with what every request of this revision carries."""\n'
    "    meta = {\n"
    '        **params.get("_meta", {}),\n'
    '        "io.modelcontextprotocol/protocolVersion": "2026-07-28",\n'
    '        "io.modelcontextprotocol/clientCapabilities": {},\n'
    "    }\n"
    '    return {**params, "_meta": meta}\n'
)

_WITH_META_EXERCISE = Exercise(
    id="with_meta",
    lesson=7,
    title="What every request carries",
    prompt=(
        "Write `with_meta(params)`. It returns a new dict: the same params, and in `_meta` the two "
        "members that every request carries, `io.modelcontextprotocol/protocolVersion` with "
        "`2026-07-28` and `io.modelcontextprotocol/clientCapabilities` with `{}`. Other members of "
        "`_meta` stay, and what you were given does not change."
    ),
    stub=(
        "def with_meta(params):\n"
        '    """Return the params with what every request of this revision carries."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "There may be a `_meta` already, with a `progressToken` in it.",
        "`{**one, **other}` makes a new dict of two. Where both have a name, the second wins.",
        "First build the new `_meta`, then the new params around it.",
    ),
    solution=_WITH_META,
    right=(
        "from copy import deepcopy\n"
        "def with_meta(params):\n"
        "    new = deepcopy(params)\n"
        "    meta = new.setdefault('_meta', {})\n"
        "    meta['io.modelcontextprotocol/clientCapabilities'] = {}\n"
        "    meta['io.modelcontextprotocol/protocolVersion'] = '2026-07-28'\n"
        "    return new\n",
        "from mini_rpc.classroom import META\n"
        "with_meta = lambda params: params | {'_meta': params.get('_meta', {}) | META}\n",
    ),
    wrong=(
        Wrong(
            _WITH_META.replace('        **params.get("_meta", {}),\n', ""),
            "wrong",
            'with_meta({"_meta": {"progressToken": 7}}) loses "progressToken".',
            "old members are lost",
        ),
        Wrong(
            "from mini_rpc.classroom import META\n"
            "def with_meta(params):\n"
            "    params.setdefault('_meta', {}).update(META)\n"
            "    return params\n",
            "wrong",
            "with_meta({}) is right, and has changed the params that it was given.",
            "the original is changed",
        ),
        Wrong(
            _WITH_META.replace('        "io.modelcontextprotocol/clientCapabilities": {},\n', ""),
            "wrong",
            'In "_meta" of with_meta({}) the member "io.modelcontextprotocol/clientCapabilities" '
            "is 'missing'.",
        ),
        Wrong(
            _WITH_META.replace("2026-07-28", "2025-11-25"),
            "wrong",
            'In "_meta" of with_meta({}) the member "io.modelcontextprotocol/protocolVersion" is '
            "'2025-11-25'.",
        ),
        Wrong(
            "from mini_rpc.classroom import META\n"
            "def with_meta(params):\n    return {**params, **META}\n",
            "wrong",
            "with_meta({}) gives {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'i, "
            'without an object "_meta" in it.',
        ),
    ),
    judge=Obeys(
        ("params",),
        _PARAMS,
        f"All {len(_PARAMS)} params are ready to be sent.",
        via=_with_original,
        find=_judge_meta,
        wanted=lambda params: show(_meant(params)),
    ),
    where=f"{_NOTEBOOK}#The-other-way-round",
)

EXERCISES = (_CALL_TOOL_EXERCISE, _DIFFERENCES_EXERCISE, _WITH_META_EXERCISE)
