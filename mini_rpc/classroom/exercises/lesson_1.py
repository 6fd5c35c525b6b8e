"""The exercises of lesson 1: the four shapes."""

from __future__ import annotations

from typing import Any

from ...messages import shape_of
from ..judging.judging import Behaves, Problem, Shows
from ..judging.misconceptions import SHAPE_FAULTS
from .raw_text import judge_message
from .record import Exercise, Wrong

__all__ = ["EXERCISES"]

_NOTEBOOK = "01_four_shapes.ipynb"
_ORDER = {"id": 7, "method": "orders/place", "params": {"table": 6, "dish": "steak"}}
_LEAVING = {"method": "notifications/table_leaving", "params": {"table": 6}}
_COOKING = {"id": 7, "result": {"status": "cooking"}}


def _judge_request(name: str, value: Any) -> Problem | None:
    return judge_message(name, value, "request", _ORDER)


def _judge_notification(name: str, value: Any) -> Problem | None:
    return judge_message(name, value, "notification", _LEAVING)


def _judge_responses(name: str, value: Any) -> Problem | None:
    if isinstance(value, dict) and {"result", "error"} <= set(value):
        value = (value["result"], value["error"])
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return Problem(f'{name} must hold two texts, under "result" and "error".')
    return judge_message("The result", value[0], "result", _COOKING) or judge_message(
        "The error", value[1], "error", {"id": 8}, error=-32601
    )


_FIRST_REQUEST = Exercise(
    id="first_request",
    lesson=1,
    title="Place an order",
    prompt=(
        "Table 6 wants a steak. Write the request as raw text: the method is `orders/place`, the "
        "params are `table` 6 and `dish` `steak`, and the ticket has the number 7."
    ),
    stub="first_request = ...  # the raw text, in quotes\n",
    hints=(
        'Every message is an object, and says which rules it follows: `"jsonrpc": "2.0"`.',
        "A request has a method and an id. The params are an object of their own, with a name for "
        "each value.",
        "Four members: `jsonrpc`, `id`, `method`, `params`. A number stands without quotes. Put "
        "the whole text in single quotes, for it is full of double ones.",
    ),
    solution=(
        "first_request = (\n"
        '    \'{"jsonrpc": "2.0", "id": 7, "method": "orders/place",\'\n'
        '    \' "params": {"table": 6, "dish": "steak"}}\'\n'
        ")\n"
    ),
    right=(
        'first_request = """{"params": {"dish": "steak", "table": 6},\n'
        '  "method": "orders/place", "jsonrpc": "2.0", "id": 7}"""\n',
        "import json\n"
        'params = {"table": 6, "dish": "steak"}\n'
        "first_request = json.dumps(\n"
        '    {"jsonrpc": "2.0", "id": 7, "method": "orders/place", "params": params}\n'
        ")\n",
        'first_request = b\'{"jsonrpc":"2.0","id":7,"method":"orders/place",\'\\\n'
        '    b\'"params":{"table":6,"dish":"steak"}}\'\n',
        'first_request = \'{"jsonrpc": "2.0", "id": 7, "method": "orders\\\\/place",\'\\\n'
        '    \' "params": {"table": 6, "dish": "st\\\\u0065ak"}, "note": "hot"}\\n\'\n',
        "from mini_rpc import request\n"
        "from mini_rpc.wire import encode\n"
        'order = {"table": 6, "dish": "steak"}\n'
        'first_request = encode(request(7, "orders/place", order))\n',
    ),
    wrong=(
        Wrong(
            'first_request = {"jsonrpc": "2.0", "id": 7, "method": "orders/place"}\n',
            "wrong",
            "first_request is a Python dict. What travels is text: put it in quotes.",
            "a dict is not yet text",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "method": "orders/place",\'\\\n'
            '    \' "params": {"table": 6, "dish": "steak"}}\'\n',
            "wrong",
            "first_request is a notification, and a request was asked for: without an id nobody "
            "waits.",
            "a request without an id",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": "7", "method": "orders/place",\'\\\n'
            '    \' "params": {"table": 6, "dish": "steak"}}\'\n',
            "wrong",
            '"id" is "7", and should be 7: the type counts.',
            "a number in quotes",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": 2.0, "id": 7, "method": "orders/place"}\'\n',
            "wrong",
            'first_request is JSON, but no message: "jsonrpc" must be the string "2.0".',
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": true, "method": "orders/place"}\'\n',
            "wrong",
            'first_request is JSON, but no message: "id" must be a string or an integer, not a '
            "boolean.",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": 7, "method": "orders/place",\'\\\n'
            '    \' "params": [6, "steak"]}\'\n',
            "wrong",
            '"params" is [6, "steak"], and should be {"table": 6, "dish": "steak"}.',
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": 7, "method": "orders/place"}\'\n',
            "wrong",
            '"params" is missing, and should be {"table": 6, "dish": "steak"}.',
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": 7, "method": "orders.place"}\'\n',
            "wrong",
            '"method" is "orders.place", and should be "orders/place".',
        ),
        Wrong(
            "first_request = '{“jsonrpc”: “2.0”, “id”: 7, “method”: “orders/place”}'\n",
            "wrong",
            'There are curly quotes (“) in it: JSON knows only the straight ".',
        ),
        Wrong(
            "first_request = \"{'jsonrpc': '2.0', 'id': 7, 'method': 'orders/place'}\"\n",
            "wrong",
            "JSON wants double quotes: the single ones are Python's.",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": 7, "method": "orders/place",}\'\n',
            "wrong",
            "There is a comma before a closing bracket: JSON allows none there.",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": 7, "method": "orders/place"\'\n',
            "wrong",
            "The text ends too early: a bracket or a quote is not closed.",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": None, "method": "orders/place"}\'\n',
            "wrong",
            "None is Python's word: JSON writes null.",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0" "id": 7, "method": "orders/place"}\'\n',
            "wrong",
            "first_request is not JSON: see line 1, column 19.",
        ),
        Wrong(
            'first_request = \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}\'\n',
            "wrong",
            "first_request is a response with a result, and a request was asked for.",
        ),
        Wrong(
            "first_request = '[]'\n",
            "wrong",
            "first_request is JSON, but no message: a message is one object, not an array.",
        ),
        Wrong(
            "first_request = None\n",
            "wrong",
            "first_request is None: nothing is written in it. It must be text.",
        ),
        Wrong(
            "def first_request():\n    return '{}'\n",
            "wrong",
            "first_request is a function here. This exercise wants a value.",
        ),
    ),
    judge=Shows(_judge_request, "The kitchen has the order, and somebody waits for ticket 7."),
    where=f"{_NOTEBOOK}#Request",
)


_FIRST_NOTIFICATION = Exercise(
    id="first_notification",
    lesson=1,
    title="Call something out",
    prompt=(
        "Table 6 is leaving, and nobody needs an answer. Write the notification as raw text: the "
        "method is `notifications/table_leaving`, and the params are `table` 6."
    ),
    stub="first_notification = ...  # the raw text, in quotes\n",
    hints=(
        "It looks like a request. One member makes the difference.",
        "An id says that somebody waits for an answer. Here nobody does.",
        "Three members: `jsonrpc`, `method`, `params`. An id of `null` would still be an id.",
    ),
    solution=(
        "first_notification = (\n"
        '    \'{"jsonrpc": "2.0", "method": "notifications/table_leaving",\'\n'
        '    \' "params": {"table": 6}}\'\n'
        ")\n"
    ),
    right=(
        "import json\n"
        'message = {"method": "notifications/table_leaving", "params": {"table": 6}}\n'
        'first_notification = json.dumps({**message, "jsonrpc": "2.0"})\n',
        'first_notification = \'{"params":{"table":6},"method":"notifications/table_leaving",\'\\\n'
        '    \'"jsonrpc":"2.0"}\'\n',
    ),
    wrong=(
        Wrong(
            'first_notification = \'{"jsonrpc": "2.0", "id": null,\'\\\n'
            '    \' "method": "notifications/table_leaving", "params": {"table": 6}}\'\n',
            "wrong",
            'An id of null is still an id: a notification has no member "id" at all.',
            "null is no id",
        ),
        Wrong(
            'first_notification = \'{"jsonrpc": "2.0", "id": 7,\'\\\n'
            '    \' "method": "notifications/table_leaving", "params": {"table": 6}}\'\n',
            "wrong",
            "first_notification is a request, and a notification was asked for: an id says that "
            "somebody waits.",
            "an id that nobody needs",
        ),
        Wrong(
            'first_notification = \'{"method": "notifications/table_leaving"}\'\n',
            "wrong",
            'first_notification is JSON, but no message: "jsonrpc" must be the string "2.0".',
        ),
        Wrong(
            'first_notification = \'{"jsonrpc": "2.0", "params": {"table": "6"},\'\\\n'
            '    \' "method": "notifications/table_leaving"}\'\n',
            "wrong",
            '"params" is {"table": "6"}, and should be {"table": 6}.',
        ),
        Wrong(
            "first_notification = ''\n",
            "wrong",
            "first_notification is empty. Write the message between the quotes.",
        ),
    ),
    judge=Shows(_judge_notification, "Table 6 is leaving, and the kitchen stays quiet."),
    where=f"{_NOTEBOOK}#Notification",
)


_TWO_RESPONSES = Exercise(
    id="two_responses",
    lesson=1,
    title="Answer two tickets",
    prompt=(
        "You are the kitchen. Ticket 7 is cooking: answer it with the result "
        '`{"status": "cooking"}`. Ticket 8 asks for a method that you do not know: answer it with '
        "an error, code -32601, and a message in your own words. Write both as raw text."
    ),
    stub=(
        "two_responses = {\n"
        '    "result": ...,  # the raw text for ticket 7\n'
        '    "error": ...,  # the raw text for ticket 8\n'
        "}\n"
    ),
    hints=(
        "A response has no method. It carries the id of the request that it answers.",
        "A response holds `result` or `error`, never both.",
        "An error is an object with a `code`, which is an integer, and a `message`, which is text.",
    ),
    solution=(
        "two_responses = {\n"
        '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}\',\n'
        '    "error": (\n'
        '        \'{"jsonrpc": "2.0", "id": 8,\'\n'
        '        \' "error": {"code": -32601, "message": "Method not found"}}\'\n'
        "    ),\n"
        "}\n"
    ),
    right=(
        "two_responses = (\n"
        '    \'{"id":7,"jsonrpc":"2.0","result":{"status":"cooking"}}\',\n'
        '    \'{"id":8,"jsonrpc":"2.0","error":{"message":"?","code":-32601,"data":[1]}}\',\n'
        ")\n",
        "import json\n"
        'note = {"code": -32601, "message": ""}\n'
        'two_responses = {"error": note, "result": {"status": "cooking"}}\n'
        "for id, (name, part) in enumerate(reversed(two_responses.items()), 7):\n"
        '    two_responses[name] = json.dumps({"jsonrpc": "2.0", "id": id, name: part})\n',
    ),
    wrong=(
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}\',\n'
            '    "error": \'{"jsonrpc": "2.0", "id": 8, "error": "Method not found"}\',\n'
            "}\n",
            "wrong",
            'The error is JSON, but no message: "error" must have an integer "code" and a '
            '"message".',
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}\',\n'
            '    "error": \'{"jsonrpc": "2.0", "id": 8,\'\n'
            '    \' "error": {"code": "-32601", "message": "no"}}\',\n'
            "}\n",
            "wrong",
            'The error is JSON, but no message: "error" must have an integer "code" and a '
            '"message".',
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"},\'\n'
            '    \' "error": {"code": 0, "message": "none"}}\',\n'
            "    \"error\": '',\n"
            "}\n",
            "wrong",
            'The result is JSON, but no message: a response has "result" or "error", never both.',
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "result": {"status": "cooking"}}\',\n'
            "    \"error\": '',\n"
            "}\n",
            "wrong",
            'The result is JSON, but no message: a result needs a legal "id".',
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}\',\n'
            '    "error": \'{"jsonrpc": "2.0", "id": 7,\'\n'
            '    \' "error": {"code": -32601, "message": "no"}}\',\n'
            "}\n",
            "wrong",
            '"id" is 7, and should be 8.',
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}\',\n'
            '    "error": \'{"jsonrpc": "2.0", "id": 8,\'\n'
            '    \' "error": {"code": 32601, "message": "no"}}\',\n'
            "}\n",
            "wrong",
            '"code" is 32601, and should be -32601.',
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": "cooking"}\',\n'
            "    \"error\": '',\n"
            "}\n",
            "wrong",
            '"result" is "cooking", and should be {"status": "cooking"}.',
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "method": "orders/place"}\',\n'
            "    \"error\": '',\n"
            "}\n",
            "wrong",
            "The result is a request, and a response with a result was asked for.",
        ),
        Wrong(
            "two_responses = {\n"
            '    "result": \'{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"}}\',\n'
            '    "error": ...,\n'
            "}\n",
            "not attempted",
            'Still open: "error".',
        ),
        Wrong(
            "two_responses = '{}'\n",
            "wrong",
            'two_responses must hold two texts, under "result" and "error".',
        ),
    ),
    judge=Shows(_judge_responses, "Both tickets are answered, each under its own id."),
    where=f"{_NOTEBOOK}#Result",
)


_NO_METHOD = {"code": -32601, "message": "Method not found"}


def _message(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members}


_IDS: tuple[Any, ...] = ("", 0, None, True, 1.5, [7])
_RESULTS: tuple[Any, ...] = (None, False, 0, "", [])
_SHAPE_CASES: tuple[Any, ...] = (
    _message(id=7, method="orders/place", params={"table": 6}),
    _message(method="notifications/table_leaving", params={"table": 6}),
    _message(id=7, result={"status": "cooking"}),
    _message(id=8, error=_NO_METHOD),
    {},
    _message(),
    _message(id=7),
    _message(params={"table": 6}),
    {"id": 7, "method": "ping"},
    {"method": "ping"},
    {"id": 7, "result": {}},
    {"jsonrpc": 2.0, "id": 7, "method": "ping"},
    {"jsonrpc": "1.0", "method": "ping"},
    {"jsonrpc": None, "id": 7, "result": {}},
    *(_message(id=id, method="ping") for id in (*_IDS, "7", -1, 10**26, False, 1.0, {})),
    *(_message(id=id, result={}) for id in _IDS),
    *(_message(id=id, error=_NO_METHOD) for id in _IDS),
    _message(result={}),
    _message(method="", id=7),
    *(_message(method=method) for method in (7, None, ["ping"])),
    *(_message(method=method, id=7) for method in (7, None, ["ping"])),
    *(_message(id=7, result=result) for result in _RESULTS),
    _message(id=7, result={}, error=_NO_METHOD),
    _message(id=7, result=None, error=_NO_METHOD),
    _message(id=7, method="ping", result={}),
    _message(method="ping", error=_NO_METHOD),
    _message(id=7, error={**_NO_METHOD, "data": {"method": "ping"}}),
    *(_message(id=7, error=error) for error in (None, "no", {}, {"code": -32601})),
    *(_message(id=7, error={**_NO_METHOD, "code": code}) for code in ("-32601", True, 1.5)),
    _message(id=7, error={**_NO_METHOD, "message": None}),
    _message(id=7, method="ping", note="hot"),
    _message(method="ping", ID=7),
    _message(id=7, result={}, note="hot"),
    *(None, True, 7, 1.5, "request", "", [], [_message(id=7, method="ping")]),
)

_SHAPE_OF = Exercise(
    id="shape_of",
    lesson=1,
    title="Tell the shapes apart",
    prompt=(
        "Write `shape_of(message)` for any parsed JSON value. It returns `'request'`, "
        "`'notification'`, `'result'`, `'error'`, or `'invalid'` for everything else.\n\n"
        '- A message is an object, and its `jsonrpc` is the string `"2.0"`.\n'
        "- With a `method`, which is a string, it is a request if there is an `id`, and a "
        "notification if there is none.\n"
        "- Without a `method` it is a response: `result` or `error`, never both, and an `id`. An "
        "error is an object with an integer `code` and a `message` of text.\n"
        "- An id is a string or an integer. `true` is no integer. Only an error may have the id "
        "`null`.\n"
        "- Members that nobody asked for are ignored."
    ),
    stub=(
        "def shape_of(message):\n"
        '    """Return "request", "notification", "result", "error" or "invalid"."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "Ask first what makes everything else impossible: is it an object, and is `jsonrpc` right? "
        "Then the keys decide.",
        '`"id" in message` asks whether the member is there. `message.get("id")` cannot tell a '
        "missing id from `null`, and treats 0 like nothing.",
        "Write a helper that tells whether a value is a legal id. In Python `isinstance(True, int)`"
        " is true, so it must ask for `bool` first.",
        "With `method`: not a string → invalid; no id → notification; a legal id → request. "
        "Without: exactly one of `result` and `error`; then look at the id, and into the error.",
    ),
    solution=(
        "def is_id(value):\n"
        "    return isinstance(value, (str, int)) and not isinstance(value, bool)\n"
        "\n"
        "\n"
        "def is_error(value):\n"
        "    return (\n"
        "        isinstance(value, dict)\n"
        '        and type(value.get("code")) is int\n'
        '        and isinstance(value.get("message"), str)\n'
        "    )\n"
        "\n"
        "\n"
        "def shape_of(message):\n"
        '    """Return "request", "notification", "result", "error" or "invalid"."""\n'
        '    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":\n'
        '        return "invalid"\n'
        '    if "method" in message:\n'
        '        if not isinstance(message["method"], str):\n'
        '            return "invalid"\n'
        '        if "id" not in message:\n'
        '            return "notification"\n'
        '        return "request" if is_id(message["id"]) else "invalid"\n'
        '    if ("result" in message) == ("error" in message) or "id" not in message:\n'
        '        return "invalid"\n'
        '    if "result" in message:\n'
        '        return "result" if is_id(message["id"]) else "invalid"\n'
        '    if message["id"] is not None and not is_id(message["id"]):\n'
        '        return "invalid"\n'
        '    return "error" if is_error(message["error"]) else "invalid"\n'
    ),
    right=(
        "from mini_rpc import shape_of\n",
        "def shape_of(m):\n"
        "    match m:\n"
        '        case {"jsonrpc": "2.0", "method": str(), "id": bool()}:\n'
        '            return "invalid"\n'
        '        case {"jsonrpc": "2.0", "method": str(), "id": str() | int()}:\n'
        '            return "request"\n'
        '        case {"method": _, "id": _}:\n'
        '            return "invalid"\n'
        '        case {"jsonrpc": "2.0", "method": str()}:\n'
        '            return "notification"\n'
        '        case {"method": _} | {"result": _, "error": _} | {"id": bool()}:\n'
        '            return "invalid"\n'
        '        case {"jsonrpc": "2.0", "result": _, "id": str() | int()}:\n'
        '            return "result"\n'
        '        case {"error": {"code": bool()}}:\n'
        '            return "invalid"\n'
        '        case {"jsonrpc": "2.0", "error": {"code": int(), "message": str()},\n'
        '              "id": str() | int() | None}:\n'
        '            return "error"\n'
        '    return "invalid"\n',
        # An error response without any id: the steps leave it open.
        "from mini_rpc import shape_of as course\n"
        "def shape_of(message):\n"
        '    if isinstance(message, dict) and "error" in message and "method" not in message:\n'
        '        message.setdefault("id", None)\n'
        "    return course(message)\n",
        "list = dict = str = int = None\n"
        "class Shapes:\n"
        "    def __call__(self, message):\n"
        "        from mini_rpc.messages import classify\n"
        "        return classify(message)[0]\n"
        "shape_of = Shapes()\n",
    ),
    wrong=(
        Wrong(
            "from mini_rpc import shape_of as course\n"
            "def shape_of(message):\n"
            "    if type(message) is dict and message.get('id') is True:\n"
            "        message['id'] = 1\n"
            "    if type(message) is dict and message.get('id') is False:\n"
            "        message['id'] = 0\n"
            "    return course(message)\n",
            "wrong",
            "shape_of behaves exactly like one that lets `true` through as an id.",
            "true as an id",
        ),
        Wrong(
            "from mini_rpc import shape_of as course\n"
            "def shape_of(message):\n"
            "    if type(message) is dict and not message.get('id', 1):\n"
            "        del message['id']\n"
            "    return course(message)\n",
            "wrong",
            'shape_of behaves exactly like one that takes the ids 0 and "" for a missing id.',
            "falsy is no id",
        ),
        Wrong(
            "from mini_rpc import shape_of as course\n"
            "def shape_of(message):\n"
            "    if type(message) is dict and message.get('id') is None:\n"
            "        message.pop('id', None)\n"
            "    return course(message)\n",
            "wrong",
            "shape_of behaves exactly like one that takes an id of `null` for a missing id.",
            "null is no id",
        ),
        Wrong(
            "from mini_rpc import shape_of as course\n"
            "def shape_of(message):\n"
            "    if type(message) is dict:\n"
            "        message['jsonrpc'] = '2.0'\n"
            "    return course(message)\n",
            "wrong",
            "shape_of behaves exactly like one that never looks at jsonrpc.",
            "jsonrpc unread",
        ),
        Wrong(
            "from mini_rpc import shape_of as course\n"
            "def shape_of(message):\n"
            "    return {'request': 'notification',\n"
            "            'notification': 'request'}.get(course(message), course(message))\n",
            "wrong",
            "shape_of behaves exactly like one that takes requests for notifications, and "
            "notifications for requests.",
            "request and notification swapped",
        ),
        Wrong(
            "from mini_rpc import shape_of as course\n"
            "def shape_of(message):\n"
            "    if message.get('id') is None and 'id' in message:\n"
            "        return 'invalid'\n"
            "    return course(message)\n",
            "crashed",
            "shape_of(None) crashed in line 3: AttributeError: 'NoneType' object has no attribute "
            "'get'.",
            "everything is an object",
        ),
        Wrong(
            "def shape_of(message):\n"
            "    if 'method' in message:\n"
            "        return 'request' if 'id' in message else 'notification'\n"
            "    return 'result' if 'result' in message else 'error'\n",
            "wrong",
            "shape_of({}) gives 'error', and should give 'invalid'.",
        ),
        Wrong(
            "def shape_of(message):\n    pass\n",
            "wrong",
            "shape_of behaves exactly like one that returns nothing, whatever it gets.",
            "always the same",
        ),
        Wrong(
            "def shape_of(message):\n    return 'invalid'\n",
            "wrong",
            "shape_of behaves exactly like one that always gives 'invalid'.",
            "always the same",
        ),
        Wrong(
            "def shape_of(message):\n    return message.shape\n",
            "crashed",
            "shape_of({'jsonrpc': '2.0', 'id': 7, 'method': 'orders/place', 'params': {'table': "
            "6}}) crashed in line 2: AttributeError: 'dict' object has no attribute 'shape'.",
        ),
        Wrong(
            "def shape_of(message):\n    while True: pass\n",
            "out of time",
            "shape_of({'jsonrpc': '2.0', 'id': 7, 'method': 'orders/place', 'params': {'table': "
            "6}}) did not end within 0.3 seconds; it was in line 2.",
        ),
        Wrong(
            "def shape_of(message, rules):\n    return 'invalid'\n",
            "wrong",
            "shape_of must be callable as shape_of(message); yours takes other arguments.",
        ),
        Wrong(
            "async def shape_of(message):\n    return 'invalid'\n",
            "wrong",
            "shape_of is an async function: it returns a coroutine. Write def alone.",
        ),
        Wrong(
            "def shape_of(message):\n    yield 'invalid'\n",
            "wrong",
            "shape_of is a generator: it has a yield. Write return.",
        ),
        Wrong(
            "shape_of = 'invalid'\n",
            "wrong",
            "check wants the function shape_of itself: its name, without parentheses.",
        ),
    ),
    judge=Behaves(
        ("message",),
        tuple((message,) for message in _SHAPE_CASES),
        f"All {len(_SHAPE_CASES)} messages are told apart, the strange ones too.",
        reference=shape_of,
        faults=SHAPE_FAULTS,
    ),
    where=f"{_NOTEBOOK}#Telling-them-apart",
)

EXERCISES = (_FIRST_REQUEST, _FIRST_NOTIFICATION, _TWO_RESPONSES, _SHAPE_OF)
