"""The exercises of lesson 2: error codes, the stamps on returned mail."""

from __future__ import annotations

import json
from typing import Any

from ...codes import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    Code,
    find_code,
)
from ...messages import error_response
from ..judging.comparing import same, show
from ..judging.judging import Behaves, Obeys, Problem, Shows
from ..judging.misconceptions import MAILROOM, VERDICT_FAULTS, verdict_code
from ..judging.outcome import Case
from .record import Exercise, Wrong

__all__ = ["EXERCISES"]

_NOTEBOOK = "02_error_codes.ipynb"


# --- read_the_stamps ---------------------------------------------------------------------------

_STAMPS: dict[str, Code] = {
    "the text is not JSON": PARSE_ERROR,
    "it is JSON, but no call": INVALID_REQUEST,
    "there is no such method": METHOD_NOT_FOUND,
    "a param is missing": INVALID_PARAMS,
    "the method crashed": INTERNAL_ERROR,
    "the protocol version is not supported": UNSUPPORTED_PROTOCOL_VERSION,
}


def _judge_stamps(name: str, value: Any) -> Problem | None:
    if not isinstance(value, dict):
        return Problem(f"{name} must be a dict, with a code for each situation.")
    for situation, code in _STAMPS.items():
        if situation not in value:
            return Problem(f'"{situation}" is missing.')
        if not same(value[situation], code.number):
            return _wrong_stamp(situation, value[situation], code)
    return None


def _wrong_stamp(situation: str, given: Any, code: Code) -> Problem:
    case = Case(situation, show(given), "another code")
    if type(given) is not int:
        return Problem(f'"{situation}": a code is an integer, and {show(given)} is none.', case)
    if given == -code.number:
        return Problem(f'"{situation}": the minus sign is missing.', case, "the sign is missing")
    other = find_code(given)
    if other is None:
        return Problem(f'"{situation}": {show(given)} is no code that has a meaning here.', case)
    sentence = f'"{situation}": {given} is {other.name}, and says: {other.meaning}'
    return Problem(sentence, case, "two stamps swapped")


_READ_THE_STAMPS = Exercise(
    id="read_the_stamps",
    lesson=2,
    title="Read the stamps",
    prompt="Six letters came back. Put the code next to each, as an integer.",
    stub="".join(
        ["read_the_stamps = {\n", *(f'    "{situation}": ...,\n' for situation in _STAMPS), "}\n"]
    ),
    hints=(
        "The codes follow the order of the dispatcher's work, but for the first: -32700 stands "
        "apart, and then they count on from -32600.",
        "Nobody could read the text: -32700. The version is MCP's own affair, so its code lies "
        "between -32020 and -32099.",
    ),
    solution="".join(
        [
            "read_the_stamps = {\n",
            *(f'    "{situation}": {code.number},\n' for situation, code in _STAMPS.items()),
            "}\n",
        ]
    ),
    right=(
        "from mini_rpc import codes\n"
        "read_the_stamps = dict(zip(\n"
        f"    {list(_STAMPS)},\n"
        "    (codes.PARSE_ERROR.number, -32600, -32600 - 1, -32602, -32603, -32022),\n"
        "))\n",
    ),
    wrong=(
        Wrong(
            "read_the_stamps = {\n"
            '    "the text is not JSON": -32600,\n'
            '    "it is JSON, but no call": -32700,\n'
            "}\n",
            "wrong",
            '"the text is not JSON": -32600 is Invalid Request, and says: It is JSON, but no call.',
            "two stamps swapped",
        ),
        Wrong(
            'read_the_stamps = {"the text is not JSON": 32700}\n',
            "wrong",
            '"the text is not JSON": the minus sign is missing.',
            "the sign is missing",
        ),
        Wrong(
            'read_the_stamps = {"the text is not JSON": "-32700"}\n',
            "wrong",
            "\"the text is not JSON\": a code is an integer, and '-32700' is none.",
        ),
        Wrong(
            'read_the_stamps = {"the text is not JSON": -32700.0}\n',
            "wrong",
            '"the text is not JSON": a code is an integer, and -32700.0 is none.',
        ),
        Wrong(
            'read_the_stamps = {"the text is not JSON": -32777}\n',
            "wrong",
            '"the text is not JSON": -32777 is no code that has a meaning here.',
        ),
        Wrong(
            'read_the_stamps = {"the text is not JSON": -32700}\n',
            "wrong",
            '"it is JSON, but no call" is missing.',
        ),
        Wrong(
            'read_the_stamps = {"the text is not JSON": -32700, "the method crashed": ...}\n',
            "not attempted",
            'Still open: "the method crashed".',
        ),
        Wrong(
            "read_the_stamps = -32700\n",
            "wrong",
            "read_the_stamps must be a dict, with a code for each situation.",
        ),
    ),
    judge=Shows(_judge_stamps, "Every letter carries the right stamp."),
    where=f"{_NOTEBOOK}#All-the-codes,-and-who-owns-the-numbers",
)


# --- verdict_code ------------------------------------------------------------------------------


def _raw(method: str = '"letters/list"', id: str = "1", params: str = "", rest: str = "") -> str:
    members = ['"jsonrpc": "2.0"', f'"id": {id}' if id else "", f'"method": {method}']
    members += [f'"params": {params}' if params else "", rest]
    return f"{{{', '.join(filter(None, members))}}}"


_SEND = '"letters/send"'

# Left out is what the lessons so far do not decide: a notification that fails, unknown methods
# with bad params, and what Python reads although it is not JSON.
_VERDICT_CASES = (
    _raw(),
    _raw(_SEND, params='{"to": "Ada", "text": "hi"}'),
    _raw(id=""),
    *("", "{", '{"jsonrpc": ', "letters/list", "{'jsonrpc': '2.0'}", _raw() + "}"),
    *("[]", "[1]", f"[{_raw()}]", "null", "true", "7", '"jsonrpc"', '"letters/list"', "{}"),
    '{"id": 1, "method": "letters/list"}',
    '{"method": "letters/list"}',
    '{"jsonrpc": 2.0, "id": 1, "method": "letters/list"}',
    '{"jsonrpc": "1.0", "id": 1, "method": "letters/list"}',
    '{"jsonrpc": "2.0", "id": 1}',
    '{"jsonrpc": "2.0", "id": 1, "result": {}}',
    *(_raw(method) for method in ("7", "null", "true", "[]", '["letters/list"]', "{}")),
    *(_raw(id=id) for id in ("0", "-1", '""', '"7"', "1" + "0" * 26)),
    *(_raw(id=id) for id in ("null", "true", "false", "1.0", "1.5", "[]", "[1]", "{}")),
    *(_raw('"letters/burn"', id=id) for id in ("1", '"a"')),
    *(_raw(name) for name in ('""', '"list"', '"letters"', '"keys"', '"Letters/list"')),
    _raw('"letters/burn"', params='{"to": "Ada"}'),
    *(_raw(params=params) for params in ("null", "[]", '""', "7", "0", "true", "false", "[1]")),
    *(_raw(params=params) for params in ("{}", '{"page": 2}', '{"": null}')),
    *(_raw(_SEND, params=params) for params in ("null", '"to text"', '["to", "text"]', "7")),
    *(_raw(_SEND, params=params) for params in ("", "{}", '{"to": "Ada"}', '{"text": "hi"}')),
    *(_raw(_SEND, params=f'{{"to": {to}, "text": ""}}') for to in ("null", '""', "0", "false")),
    _raw(_SEND, params='{"to": {"text": "hi"}}'),
    _raw(_SEND, params='{"To": "Ada", "Text": "hi"}'),
    _raw(_SEND, params='{"to": "Ada", "text": "hi", "page": 2}'),
    _raw('"letters/get"', params='{"number": 0}'),
    _raw('"letters/get"', params='"number"'),
    _raw('"letters/get"', params='["number"]'),
    _raw(rest='"result": 7, "note": "hot"'),
)

_CHECK = (
    "import json\n"
    "def verdict_code(raw, methods):\n"
    "    try:\n"
    "        msg = json.loads(raw)\n"
    "    except ValueError:\n"
    "        return -32700\n"
    "    if not isinstance(msg, dict) or msg.get('jsonrpc') != '2.0' or {method}:\n"
    "        return -32600\n"
    "    if {id}:\n"
    "        return -32600\n"
    "    if {params}:\n"
    "        return -32602\n"
    "    if msg['method'] not in methods:\n"
    "        return -32601\n"
    "    for needed in methods[msg['method']]:\n"
    "        if {needed}:\n"
    "            return -32602\n"
    "    return 0\n"
)
_PARTS = {
    "method": "not isinstance(msg.get('method'), str)",
    "id": "type(msg.get('id', 0)) not in (str, int)",
    "params": "not isinstance(msg.get('params', {}), dict)",
    "needed": "needed not in msg.get('params', {})",
}


def _check(**parts: str) -> str:
    """Return the source of a check; each part that is not given is as it should be."""
    source = _CHECK
    for name, part in {**_PARTS, **parts}.items():
        source = source.replace(f"{{{name}}}", part)
    return source


def _behaves(does: str) -> str:
    return f"verdict_code behaves exactly like one that {does}."


_VERDICT_CODE = Exercise(
    id="verdict_code",
    lesson=2,
    title="Stamp the mail",
    prompt=(
        "Write `verdict_code(raw, methods)`: it returns the code for one raw message, and 0 where "
        "nothing is wrong. `methods` is a dict from each method's name to the list of the params "
        "that it needs, such as `{'letters/send': ['to', 'text']}`.\n\n"
        "- -32700: the text is not JSON.\n"
        '- -32600: it is no object, `jsonrpc` is not `"2.0"`, `method` is no string, or there is '
        "an `id` that is neither a string nor an integer.\n"
        "- -32601: the method is unknown.\n"
        "- -32602: `params` are there and no object, or a param that is needed is missing.\n\n"
        "`careless` above is a good start. It never looks at the id, and it looks for names in "
        "whatever `params` are."
    ),
    stub=(
        "def verdict_code(raw, methods):\n"
        '    """Return 0 if the message is fine, otherwise the code that says what is wrong."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "Take the questions in the order of the list: each may rely on what the ones before it "
        "have made sure of.",
        "`'to' in params` is also true for the text `'to Ada'` and for the list `['to']`. Ask what "
        "kind of thing `params` are before you look for a name in it.",
        "`message.get('params', {})` gives `{}` only if the member is missing. For `null` it gives "
        "`None`, and that is no object.",
        "For the id: missing is fine, a string is fine, an integer is fine. `True` counts as an "
        "int in Python, so ask for its type and not for `isinstance` alone.",
    ),
    solution=(
        "import json\n"
        "\n"
        "\n"
        "def verdict_code(raw, methods):\n"
        '    """Return 0 if the message is fine, otherwise the code that says what is wrong."""\n'
        "    try:\n"
        "        message = json.loads(raw)\n"
        "    except ValueError:\n"
        "        return -32700\n"
        '    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":\n'
        "        return -32600\n"
        '    if not isinstance(message.get("method"), str):\n'
        "        return -32600\n"
        '    if "id" in message and type(message["id"]) not in (str, int):\n'
        "        return -32600\n"
        '    params = message.get("params", {})\n'
        "    if not isinstance(params, dict):\n"
        "        return -32602\n"
        '    if message["method"] not in methods:\n'
        "        return -32601\n"
        '    if any(name not in params for name in methods[message["method"]]):\n'
        "        return -32602\n"
        "    return 0\n"
    ),
    right=(
        _check(),
        # By the core's own dispatcher.
        "from mini_rpc import RpcError, handle\n"
        "def verdict_code(raw, methods):\n"
        "    def method(needed):\n"
        "        def call(params):\n"
        "            if not set(needed) <= set(params):\n"
        "                raise RpcError(-32602, 'no')\n"
        "        return call\n"
        "    reply = handle(raw, {name: method(methods[name]) for name in methods})\n"
        "    return reply['error']['code'] if reply and 'error' in reply else 0\n",
        # The method first, and a subclass of dict.
        "import json\n"
        "class Message(dict):\n"
        "    pass\n"
        "def verdict_code(raw, methods):\n"
        "    try:\n"
        "        m = json.loads(raw, object_hook=Message)\n"
        "    except json.JSONDecodeError:\n"
        "        return -32700\n"
        "    match m:\n"
        "        case {'jsonrpc': '2.0', 'method': str(), 'id': bool()}:\n"
        "            return -32600\n"
        "        case {'jsonrpc': '2.0', 'method': str(name), 'id': str() | int()}:\n"
        "            pass\n"
        "        case {'id': _}:\n"
        "            return -32600\n"
        "        case {'jsonrpc': '2.0', 'method': str(name)}:\n"
        "            pass\n"
        "        case _:\n"
        "            return -32600\n"
        "    if name not in methods:\n"
        "        return -32601\n"
        "    params = m.get('params', {})\n"
        "    fits = isinstance(params, dict) and params.keys() >= set(methods[name])\n"
        "    return 0 if fits else -32602\n",
    ),
    wrong=(
        Wrong(
            _check(id="False", params="False", method="'method' not in msg"),
            "wrong",
            _behaves("looks for names inside whatever params are, and never at the id"),
            "the check of the lesson",
        ),
        Wrong(
            _check(id="False"),
            "wrong",
            _behaves("never looks at the id"),
            "ids unread",
        ),
        Wrong(
            _check(id="not isinstance(msg.get('id', 0), (str, int))"),
            "wrong",
            _behaves("lets `true` through as an id"),
            "true as an id",
        ),
        Wrong(
            _check(id="type(msg.get('id')) not in (str, int, type(None))"),
            "wrong",
            _behaves("lets `null` through as an id"),
            "null as an id",
        ),
        Wrong(
            _check(params="not isinstance(msg.get('params') or {}, dict)").replace(
                "msg.get('params', {})", "(msg.get('params') or {})"
            ),
            "wrong",
            _behaves('takes `null`, [] and "" for missing params'),
            "falsy params",
        ),
        Wrong(
            _check(needed="not msg.get('params', {}).get(needed)"),
            "wrong",
            _behaves('takes a param that is 0, "" or null for a missing one'),
            "falsy values",
        ),
        Wrong(
            _check().replace("methods[msg['method']]:", "methods[msg['method']][:1]:"),
            "wrong",
            _behaves("looks for the first of the needed params only"),
            "only the first name",
        ),
        Wrong(
            _check(params="not isinstance(msg['params'], dict)"),
            "crashed",
            f"verdict_code('{_raw()}', methods) crashed in line 11: KeyError: 'params'.",
        ),
        Wrong(
            _check().replace("-32601", "-1").replace("-32602", "-32601").replace("-1", "-32602"),
            "wrong",
            _behaves("mixes up -32601 and -32602"),
            "two stamps swapped",
        ),
        Wrong(
            _check().replace("-", ""),
            "wrong",
            _behaves("leaves out the minus sign of a code"),
            "the sign is missing",
        ),
        Wrong(
            _check().replace("    return 0\n", ""),
            "wrong",
            _behaves("gives None where it should give 0"),
            "None for fine",
        ),
        Wrong(
            _check().replace("    return 0\n", "    return 0, 'ok'\n"),
            "wrong",
            f"verdict_code('{_raw()}', methods) gives (0, 'ok'), and should give 0.",
        ),
        Wrong(
            "def verdict_code(raw, methods):\n    return 0\n",
            "wrong",
            _behaves("always gives 0"),
            "always the same",
        ),
        Wrong(
            "def verdict_code(raw):\n    return 0\n",
            "wrong",
            "verdict_code must be callable as verdict_code(raw, methods); yours takes other "
            "arguments.",
        ),
    ),
    judge=Behaves(
        ("raw", "methods"),
        tuple((raw, MAILROOM) for raw in _VERDICT_CASES),
        f"All {len(_VERDICT_CASES)} letters get the right stamp.",
        raw=lambda raw, methods: raw,
        shown=1,
        reference=verdict_code,
        faults=VERDICT_FAULTS,
    ),
    where=f"{_NOTEBOOK}#Which-stamp",
)


# --- version_error -----------------------------------------------------------------------------

_VERSION_CASES = (
    (7, "1999-12-31", ["2026-07-28"]),
    ("a", "2024-11-05", ["2026-07-28", "2025-11-25"]),
    (0, "", ["2026-07-28"]),
)


def _right_version_error(id: Any, requested: str, supported: list[str]) -> dict[str, Any]:
    code = UNSUPPORTED_PROTOCOL_VERSION
    data = {"supported": supported, "requested": requested}
    return error_response(id, code.number, code.name, data)


def _judge_version_error(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    should = _right_version_error(*args)
    if isinstance(value, str):
        return Problem(f"{name} returns text. Return the response as a dict.")
    if not isinstance(value, dict):
        return Problem(f"{name} returns {show(value)}, and the response is a dict.")
    error = value.get("error")
    if not isinstance(error, dict):
        return Problem('The response has no "error", or it is no object.')
    return (
        _member(value, should, "jsonrpc", "id")
        or _member(error, should["error"], "code")
        or _judge_data(value, error, should["error"]["data"])
        or _judge_rest(value, error)
    )


def _judge_data(
    value: dict[str, Any], error: dict[str, Any], should: dict[str, Any]
) -> Problem | None:
    data = error.get("data")
    if not isinstance(data, dict):
        if "data" in value or {"supported", "requested"} & {*value, *error}:
            sentence = '"supported" and "requested" belong into "data", and "data" into the error.'
            return Problem(sentence, None, "data in the wrong place")
        sentence = 'The error has no "data" with what a machine can read.'
        return Problem(sentence, None, "data is dropped")
    data = {key: list(one) if isinstance(one, tuple) else one for key, one in data.items()}
    return _member(data, should, "supported", "requested")


def _judge_rest(value: dict[str, Any], error: dict[str, Any]) -> Problem | None:
    if not isinstance(error.get("message"), str):
        return Problem('An error has a "message" of text for people.')
    if "result" in value:
        return Problem('A response has "result" or "error", never both.')
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return Problem("The response holds something that JSON cannot carry.")
    return None


def _member(value: dict[str, Any], should: dict[str, Any], *names: str) -> Problem | None:
    for name in names:
        if name not in value:
            return Problem(f'"{name}" is missing.')
        if not same(value[name], should[name]):
            return Problem(f'"{name}" is {show(value[name])}, and should be {show(should[name])}.')
    return None


_VERSION_BODY = (
    "def version_error(id, requested, supported):\n"
    "    error = {'code': -32022, 'message': 'no'%s}\n"
    "    return {'jsonrpc': '2.0', 'id': id, 'error': error%s}\n"
)
_DATA = "'data': {'supported': supported, 'requested': requested}"

_VERSION_ERROR = Exercise(
    id="version_error",
    lesson=2,
    title="Say what you do support",
    prompt=(
        "A client asks for a protocol version that you do not have. Write "
        "`version_error(id, requested, supported)`: it returns the error response as a dict. The "
        "code is UnsupportedProtocolVersion, the message is yours, and `data` tells the machine "
        "what is `supported` (the list) and what was `requested`."
    ),
    stub=(
        "def version_error(id, requested, supported):\n"
        '    """Return the error response for a version that is not supported."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "It is an error response as in lesson 1, and its error has one member more: `data`.",
        "The code stands in the table: MCP's own codes begin at -32020.",
        "`data` lies inside `error`, beside `code` and `message`, and is an object with the two "
        "names from the text.",
    ),
    solution=(
        "def version_error(id, requested, supported):\n"
        '    """Return the error response for a version that is not supported."""\n'
        "    return {\n"
        '        "jsonrpc": "2.0",\n'
        '        "id": id,\n'
        '        "error": {\n'
        '            "code": -32022,\n'
        '            "message": f"Unsupported protocol version: {requested}",\n'
        '            "data": {"supported": supported, "requested": requested},\n'
        "        },\n"
        "    }\n"
    ),
    right=(
        "from mini_rpc import error_response\n"
        "from mini_rpc.codes import UNSUPPORTED_PROTOCOL_VERSION as code\n"
        "def version_error(id, requested, supported):\n"
        "    data = dict(supported=tuple(supported), requested=requested, since='today')\n"
        "    return error_response(id, code.number, '', data)\n",
        _VERSION_BODY % (", " + _DATA, ""),
        "version_error = lambda id, requested, supported, *rest: {'error': {\n"
        "    'data': {'requested': requested, 'supported': supported},\n"
        "    'message': code, 'code': -32022}, 'id': id, 'jsonrpc': '2.0'}\n"
        "code = 'nein'\n",
    ),
    wrong=(
        Wrong(
            _VERSION_BODY % ("", ""),
            "wrong",
            'The error has no "data" with what a machine can read.',
            "data is dropped",
        ),
        Wrong(
            _VERSION_BODY % ("", ", " + _DATA),
            "wrong",
            '"supported" and "requested" belong into "data", and "data" into the error.',
            "data in the wrong place",
        ),
        Wrong(
            _VERSION_BODY % (", 'supported': supported", ""),
            "wrong",
            '"supported" and "requested" belong into "data", and "data" into the error.',
            "data in the wrong place",
        ),
        Wrong(
            _VERSION_BODY.replace("-32022", "-32602") % (", " + _DATA, ""),
            "wrong",
            '"code" is -32602, and should be -32022.',
        ),
        Wrong(
            _VERSION_BODY.replace("'id': id", "'id': str(id)") % (", " + _DATA, ""),
            "wrong",
            "\"id\" is '7', and should be 7.",
        ),
        Wrong(
            _VERSION_BODY.replace("'id': id", "'id': None") % (", " + _DATA, ""),
            "wrong",
            '"id" is None, and should be 7.',
        ),
        Wrong(
            _VERSION_BODY % (", 'data': {'supported': ', '.join(supported)}", ""),
            "wrong",
            "\"supported\" is '2026-07-28', and should be ['2026-07-28'].",
        ),
        Wrong(
            _VERSION_BODY % (", 'data': {'supported': supported}", ""),
            "wrong",
            '"requested" is missing.',
        ),
        Wrong(
            _VERSION_BODY.replace("'no'", "-32022") % (", " + _DATA, ""),
            "wrong",
            'An error has a "message" of text for people.',
        ),
        Wrong(
            _VERSION_BODY % (", " + _DATA, ", 'result': None"),
            "wrong",
            'A response has "result" or "error", never both.',
        ),
        Wrong(
            _VERSION_BODY % (", " + _DATA, ", 'more': {1, 2}"),
            "wrong",
            "The response holds something that JSON cannot carry.",
        ),
        Wrong(
            "import json\n"
            + _VERSION_BODY.replace("return {", "return json.dumps({")
            .replace("%s}\n", "%s})\n")
            .replace("'no'%s})", "'no'%s}")
            % (", " + _DATA, ""),
            "wrong",
            "version_error returns text. Return the response as a dict.",
        ),
        Wrong(
            "def version_error(id, requested, supported):\n    raise LookupError(requested)\n",
            "crashed",
            "version_error(7, '1999-12-31', ['2026-07-28']) crashed in line 2: LookupError: "
            "1999-12-31.",
        ),
        Wrong(
            "def version_error(id, requested, supported):\n    print(id)\n",
            "wrong",
            "version_error returns None, and the response is a dict.",
        ),
    ),
    judge=Obeys(
        ("id", "requested", "supported"),
        _VERSION_CASES,
        "People can read it, and a machine can act on it.",
        find=_judge_version_error,
        wanted=lambda *args: show(_right_version_error(*args)),
    ),
    where=f"{_NOTEBOOK}#Data-for-machines",
)

EXERCISES = (_READ_THE_STAMPS, _VERDICT_CODE, _VERSION_ERROR)
