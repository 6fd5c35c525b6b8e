"""The exercises of lesson 5: what the six steps leave to be known."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ...dispatcher import dispatch
from ...wire import NotJSON, decode, encode
from ..hostile import GROUPS
from ..judging.comparing import same, show
from ..judging.faults import Fault
from ..judging.judging import Behaves, Obeys, Problem
from .record import Exercise, Wrong

__all__ = ["EXERCISES"]

_NOTEBOOK = "05_edge_cases.ipynb"


# --- reply_id(message) -------------------------------------------------------------------------


def _reply_id(message: Any) -> Any:
    return dispatch(json.dumps(message), {}).reply["id"]


def _is_refused(raw: str | bytes) -> bool:
    verdict = dispatch(raw, {})
    return verdict.step == 2


_REFUSED = tuple(
    (json.loads(raw),)
    for group in ("no call", "batches", "ids")
    for raw in GROUPS[group]
    if _is_refused(raw)
)


def _member(message: Any) -> Any:
    return message.get("id") if isinstance(message, dict) else None


def _plain(message: Any) -> Any:
    return _reply_id({"id": _member(message), "method": 5})


_REPLY_ID_FAULTS = (
    Fault("ids unread", "answers under any id, legal or not", _member, ({"id": [1]},)),
    Fault(
        "true as an id",
        "lets `true` through as an id",
        lambda message: _member(message) if _member(message) is True or _member(message) is False
        else _reply_id(message),
        ({"id": True},),
    ),
    Fault(
        "answering an answer",
        "takes a response's id for one of its own requests",
        _plain,
        ({"jsonrpc": "2.0", "id": 7, "result": {}},),
    ),
    Fault(
        "falsy is no id",
        'takes the ids 0 and "" for a missing id',
        lambda message: _reply_id(message) or None,
        ({"jsonrpc": "2.0", "id": 0},),
    ),
)  # fmt: skip

_REPLY_ID_EXERCISE = Exercise(
    id="reply_id",
    lesson=5,
    title="The id of a refusal",
    prompt=(
        "Write `reply_id(message)`. It takes any JSON value that step 2 has refused, already "
        "parsed, and returns the id for the answer: the message's own if it is legal, and `None` "
        "otherwise. A stray response is refused with `None`, too."
    ),
    stub="def reply_id(message):\n    raise NotAttempted\n",
    hints=(
        "Only an object has an id. A list and a number have none.",
        "A response has `result` or `error`, and no `method`.",
        "Legal is a string or an integer, and `True` is neither. Zero and the empty string are "
        "legal: do not ask whether the id is true.",
    ),
    solution=(
        "def reply_id(message):\n"
        "    if not isinstance(message, dict):\n"
        "        return None\n"
        '    if "method" not in message and ("result" in message or "error" in message):\n'
        "        return None\n"
        '    id = message.get("id")\n'
        "    legal = isinstance(id, (str, int)) and not isinstance(id, bool)\n"
        "    return id if legal else None\n"
    ),
    right=(
        "def reply_id(message):\n"
        "    match message:\n"
        '        case {"method": _, "id": bool()}:\n'
        "            return None\n"
        '        case {"method": _, "id": str() | int() as id}:\n'
        "            return id\n"
        '        case {"result": _} | {"error": _} | {"id": bool()}:\n'
        "            return None\n"
        '        case {"id": str() | int() as id}:\n'
        "            return id\n",
        "def reply_id(message):\n"
        "    try:\n"
        '        stray = {"result", "error"} & set(message) and "method" not in message\n'
        '        return None if stray or type(message["id"]) not in (int, str) else message["id"]\n'
        "    except Exception:\n"
        "        return None\n",
        "import json\n"
        "from mini_rpc import handle\n"
        "reply_id = lambda message: handle(json.dumps(message), {})['id']\n",
    ),
    wrong=(
        Wrong(
            "def reply_id(message):\n"
            "    return message.get('id') if isinstance(message, dict) else None\n",
            "wrong",
            "reply_id behaves exactly like one that answers under any id, legal or not.",
            "ids unread",
        ),
        Wrong(
            "def reply_id(message):\n"
            "    if not isinstance(message, dict):\n"
            "        return None\n"
            "    id = message.get('id')\n"
            "    return id if type(id) in (int, str) else None\n",
            "wrong",
            "reply_id behaves exactly like one that takes a response's id for one of its own "
            "requests.",
            "answering an answer",
        ),
        Wrong(
            "from mini_rpc import handle\n"
            "import json\n"
            "def reply_id(message):\n"
            "    return handle(json.dumps(message), {})['id'] or None\n",
            "wrong",
            'reply_id behaves exactly like one that takes the ids 0 and "" for a missing id.',
            "falsy is no id",
        ),
        Wrong(
            "def reply_id(message):\n    return None\n",
            "wrong",
            "reply_id behaves exactly like one that returns nothing, whatever it gets.",
            "always the same",
        ),
        Wrong(
            "def reply_id(message):\n    return message.reply_id\n",
            "crashed",
            "reply_id(None) crashed in line 2: AttributeError: 'NoneType' object has no attribute "
            "'reply_id'.",
        ),
    ),
    judge=Behaves(
        ("message",),
        _REFUSED,
        f"All {len(_REFUSED)} refusals go to the right place.",
        raw=json.dumps,
        reference=_reply_id,
        faults=_REPLY_ID_FAULTS,
    ),
    where=f"{_NOTEBOOK}#Your-turn:-which-id?",
)


# --- strict_loads(raw) -------------------------------------------------------------------------

_NOT_READ = "a ValueError"


def _tried(answer: Callable[[Any], Any], raw: Any) -> Any:
    """Return what a reader returns, in a list, or that it raised ValueError."""
    try:
        return [answer(raw)]
    except ValueError:
        return _NOT_READ


_PYTHON_READS: tuple[tuple[str | bytes, str], ...] = (
    *((text, "Python's JSON") for text in ("NaN", "[NaN]", "Infinity", '{"n": -Infinity}')),
    *((b"\xef\xbb\xbf" + text, "a byte-order mark") for text in (b"{}", b'{"id": 1}')),
    ("\ufeff{}", "a byte-order mark"),
    *(("[6]".encode(name), "bytes of any kind") for name in ("utf-16", "utf-16-le", "utf-32")),
    *((text, "bytes of any kind") for text in (b'"\xed\xa0\x80"', b'["\xed\xbf\xbf"]')),
    *(
        (text, "bytes of any kind")
        for text in (b'"\xff"', b"\xc0\x80", '"crème"'.encode("latin-1"))
    ),
)
_STRICT_CASES: tuple[str | bytes, ...] = (
    *("{}", b"{}", "[1, 2.0, true, null]", '"crème"', '"crème"'.encode(), ' {"id": 1}\r\n'),
    *(r'"\ud800"', '"NaN"', '{"Infinity": 1}', b'{"a": [-0.0, 1e2]}', "9007199254740993"),
    *(raw for raw, _ in _PYTHON_READS),
    *("", "{", "{'a': 1}", "[1,]", "nul", "01", '"a\nb"', b"", b"{", "{} {}"),
    *("[" * 100_000, b'{"a":' * 50_000, "9" * 5000),
)


def _judge_strict(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    should = _tried(decode, args[0])
    if same(value, should):
        return None
    call = f"{name}({show(args[0])[:60]})"
    if should != _NOT_READ:
        got = "raises ValueError" if value == _NOT_READ else f"returns {show(value[0])}"
        return Problem(f"{call} {got}, and should return {show(should[0])}.")
    mistake = dict(_PYTHON_READS).get(args[0])
    return Problem(
        f"{call} returns {show(value[0])[:60]}, and should raise ValueError.", None, mistake
    )


def _strict_wanted(raw: Any) -> str:
    should = _tried(decode, raw)
    return _NOT_READ if should == _NOT_READ else show(should[0])


_STRICT_LOADS = (
    "import json\n"
    "\n"
    "\n"
    "def refuse(constant):\n"
    "    raise ValueError(constant)\n"
    "\n"
    "\n"
    "def strict_loads(raw):\n"
    "    text = raw.decode() if isinstance(raw, bytes) else raw\n"
    "    try:\n"
    "        return json.loads(text, parse_constant=refuse)\n"
    "    except RecursionError:\n"
    '        raise ValueError("too deep") from None\n'
)

_STRICT_EXERCISE = Exercise(
    id="strict_loads",
    lesson=5,
    title="A strict reader",
    prompt=(
        "Write `strict_loads(raw)` for text or bytes. It returns the value, or raises `ValueError` "
        "for all that is not JSON in strict UTF-8, and for what is too deep to read."
    ),
    stub="def strict_loads(raw):\n    raise NotAttempted\n",
    hints=(
        "Decode bytes yourself before `json.loads` can guess: `bytes.decode` is strict, and its "
        "UnicodeDecodeError is a ValueError.",
        "`parse_constant` is called for NaN and both infinities. What it raises comes out of "
        "`json.loads`.",
        "A RecursionError is no ValueError: catch it and raise one.",
    ),
    solution=_STRICT_LOADS,
    right=(
        "from mini_rpc.wire import decode as strict_loads\n",
        "import json\n"
        "def strict_loads(raw):\n"
        "    try:\n"
        "        def no(constant):\n"
        "            raise KeyError\n"
        "        if type(raw) is bytes:\n"
        "            raw = str(raw, 'utf-8')\n"
        "        return json.JSONDecoder(parse_constant=no).decode(raw)\n"
        "    except Exception as error:\n"
        "        raise ValueError('no JSON') from error\n",
    ),
    wrong=(
        Wrong(
            "import json\ndef strict_loads(raw):\n    return json.loads(raw)\n",
            "wrong",
            "strict_loads('NaN') returns nan, and should raise ValueError.",
            "Python's JSON",
        ),
        Wrong(
            _STRICT_LOADS.replace("raw.decode() if isinstance(raw, bytes) else raw", "raw"),
            "wrong",
            "strict_loads(b'\\xef\\xbb\\xbf{}') returns {}, and should raise ValueError.",
            "a byte-order mark",
        ),
        Wrong(
            _STRICT_LOADS.replace("raw.decode()", "raw.decode('utf-8', 'ignore')"),
            "wrong",
            "strict_loads(b'\"\\xed\\xa0\\x80\"') returns '', and should raise ValueError.",
            "bytes of any kind",
        ),
        Wrong(
            _STRICT_LOADS.replace('raise ValueError("too deep")', 'raise TypeError("too deep")'),
            "crashed",
            f"strict_loads('{'[' * 85}… crashed in line 13: TypeError: too deep.",
        ),
        Wrong(
            "def strict_loads(raw):\n    raise ValueError('no')\n",
            "wrong",
            "strict_loads('{}') raises ValueError, and should return {}.",
        ),
    ),
    judge=Obeys(
        ("raw",),
        tuple((raw,) for raw in _STRICT_CASES),
        f"All {len(_STRICT_CASES)} texts are read, or refused, as they should be.",
        via=_tried,
        find=_judge_strict,
        wanted=_strict_wanted,
    ),
    where=f"{_NOTEBOOK}#Your-turn:-a-strict-reader",
)


# --- duplicate_members(raw) --------------------------------------------------------------------


def _duplicates(raw: str) -> list[str]:
    found: dict[str, None] = {}

    def look(pairs: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in pairs]
        found.update((name, None) for name in names if names.count(name) > 1)

    json.loads(raw, object_pairs_hook=look)
    return list(found)


_DUPLICATE_CASES = (
    '{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "kitchen/burn"}',
    '{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
    '{"id": 1, "id": 1}',
    '{"id": 1, "id": 2, "id": 3, "method": "a", "method": "b"}',
    '{"id": 1, "params": {"id": 2}}',
    '{"params": {"table": 6, "table": 2}}',
    '{"a": {"x": 1, "x": 2}, "b": {"x": 1, "x": 2}}',
    '{"a": {"x": 1, "x": 2}, "a": 1}',
    '[{"id": 1}, {"id": 2}]',
    '[[{"id": 1, "id": 2}]]',
    '{"": 1, "": 2}',
    '{"a": 1, "A": 2}',
    r'{"id": 1, "\u0069d": 2}',
    '{"text": "{\\"a\\": 1, \\"a\\": 2}"}',
    *("{}", "[]", "7", '"id"', "null"),
)


def _judge_duplicates(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    should = _duplicates(args[0])
    call = f"{name}({show(args[0])[:80]})"
    if not isinstance(value, (list, tuple, set, frozenset)):
        return Problem(f"{call} returns {show(value)[:60]}, and should return a list.")
    found = list(value)
    if (
        len(found) == len(should)
        and all(one in should for one in found)
        and set(found) == set(should)
    ):
        return None
    mistake = "each object by itself" if _across_objects(args[0], found) else None
    return Problem(
        f"{call} returns {show(value)[:60]}, and should return {show(should)}.", None, mistake
    )


def _across_objects(raw: str, found: list[Any]) -> bool:
    """Tell whether a name was reported that stands twice, but in two objects."""
    return bool(set(map(str, found)) - set(_duplicates(raw)))


_DUPLICATE_MEMBERS = (
    "import json\n"
    "\n"
    "\n"
    "def duplicate_members(raw):\n"
    "    found = []\n"
    "\n"
    "    def look(pairs):\n"
    "        seen = set()\n"
    "        for name, value in pairs:\n"
    "            if name in seen and name not in found:\n"
    "                found.append(name)\n"
    "            seen.add(name)\n"
    "        return dict(pairs)\n"
    "\n"
    "    json.loads(raw, object_pairs_hook=look)\n"
    "    return found\n"
)

_DUPLICATES_EXERCISE = Exercise(
    id="duplicate_members",
    lesson=5,
    title="Names that stand twice",
    prompt=(
        "Write `duplicate_members(raw)` for JSON text. It returns a list of the names that stand "
        "twice or more in one and the same object, however deep: each name once, in any order."
    ),
    stub="def duplicate_members(raw):\n    raise NotAttempted\n",
    hints=(
        "After `json.loads` it is too late: a dict has each name once.",
        "`json.loads` takes an `object_pairs_hook`: a function that it calls for every object, "
        "the inner ones first, with a list of pairs.",
        "Collect the names in a list outside of that function. What it returns takes the object's "
        "place, and it may be anything.",
    ),
    solution=_DUPLICATE_MEMBERS,
    right=(
        "import json\n"
        "from collections import Counter\n"
        "def duplicate_members(raw):\n"
        "    names = set()\n"
        "    def look(pairs):\n"
        "        counts = Counter(name for name, _ in pairs)\n"
        "        names.update(name for name in counts if counts[name] > 1)\n"
        "    json.loads(raw, object_pairs_hook=look)\n"
        "    return sorted(names)\n",
    ),
    wrong=(
        Wrong(
            "import json\n"
            "def duplicate_members(raw):\n"
            "    value = json.loads(raw)\n"
            "    names = list(value) if isinstance(value, dict) else []\n"
            "    return [name for name in names if names.count(name) > 1]\n",
            "wrong",
            'duplicate_members(\'{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": '
            "\"kitchen/burn\"}') returns [], and should return ['method'].",
        ),
        Wrong(
            "import json\n"
            "def duplicate_members(raw):\n"
            "    names = []\n"
            "    def look(pairs):\n"
            "        names.extend(name for name, _ in pairs)\n"
            "    json.loads(raw, object_pairs_hook=look)\n"
            "    return list({name for name in names if names.count(name) > 1})\n",
            "wrong",
            'duplicate_members(\'{"id": 1, "params": {"id": 2}}\') returns [\'id\'], and should '
            "return [].",
            "each object by itself",
        ),
        Wrong(
            _DUPLICATE_MEMBERS.replace(" and name not in found", ""),
            "wrong",
            'duplicate_members(\'{"id": 1, "id": 2, "id": 3, "method": "a", "method": '
            "\"b\"}') returns ['id', 'id', 'method'], and should return ['id', 'method'].",
        ),
        Wrong(
            "def duplicate_members(raw):\n    return True\n",
            "wrong",
            'duplicate_members(\'{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": '
            '"kitchen/burn"}\') returns True, and should return a list.',
        ),
    ),
    judge=Obeys(
        ("raw",),
        tuple((raw,) for raw in _DUPLICATE_CASES),
        f"All {len(_DUPLICATE_CASES)} texts are seen through.",
        raw=lambda raw: raw,
        find=_judge_duplicates,
        wanted=lambda raw: show(_duplicates(raw)),
    ),
    where=f"{_NOTEBOOK}#Your-turn:-find-them",
)


# --- reply_line(id, result) --------------------------------------------------------------------

_CIRCLE: list[Any] = []
_CIRCLE.append(_CIRCLE)

_RESULTS: tuple[tuple[Any, Any], ...] = (
    *((1, {"status": "cooking"}), ("x", None), (0, []), ("", False), (-1, 1.0), (10**26, "é🍮")),
    *((2, {"s": "\ud800", "line": "a\nb"}), (3, {"error": 1}), (4, {"n": 1e300})),
    *((5, {6, 2}), (6, b"steak"), (7, float("nan")), (8, [float("inf")]), (9, _CIRCLE)),
    *((0, {"order": object()}), ("", {(6, 2): "steak"}), ("y", {"deep": [{"n": float("-inf")}]})),
)


def _line(id: Any, result: Any) -> str:
    request = encode({"jsonrpc": "2.0", "id": id, "method": "it"})
    return str(dispatch(request, {"it": lambda params: result}).sent)


def _judge_line(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    call = f"{name}({', '.join(show(arg)[:40] for arg in args)})"
    should = json.loads(_line(*args))
    if not isinstance(value, str):
        return Problem(f"{call} returns {show(value)[:60]}, and should return text.")
    if "\n" in value or "\r" in value:
        return Problem(f"{call} returns more than one line.")
    try:
        reply = decode(value)
    except NotJSON:
        mistake = "Python's JSON" if "NaN" in value or "Infinity" in value else None
        return Problem(f"{call} returns {show(value)[:90]}, which is not JSON.", None, mistake)
    if not isinstance(reply, dict) or not same(reply.get("id", _CIRCLE), should["id"]):
        return Problem(f"The reply of {call} has the wrong id.")
    if "error" in should:
        return _judge_unsendable(call, reply)
    if same(reply, should):
        return None
    return Problem(f"{call} returns {show(value)[:90]}, and should return {encode(should)[:90]}.")


def _judge_unsendable(call: str, reply: dict[str, Any]) -> Problem | None:
    error: Any = reply.get("error")
    fits = isinstance(error, dict) and isinstance(error.get("message"), str)
    if fits and same(error.get("code"), -32603) and set(reply) == {"jsonrpc", "id", "error"}:
        return None
    if "result" in reply:
        sentence = f"{call} sends another result than it was given, and should send -32603."
        return Problem(sentence, None, "a result is made to fit")
    return Problem(f"The reply of {call} should be an error with the code -32603.")


_REPLY_LINE = (
    "import json\n"
    "\n"
    "\n"
    "def reply_line(id, result):\n"
    "    try:\n"
    '        reply = {"jsonrpc": "2.0", "id": id, "result": result}\n'
    "        return json.dumps(reply, allow_nan=False)\n"
    "    except (TypeError, ValueError, RecursionError):\n"
    '        error = {"code": -32603, "message": "Internal error"}\n'
    '        return json.dumps({"jsonrpc": "2.0", "id": id, "error": error})\n'
)

_REPLY_LINE_EXERCISE = Exercise(
    id="reply_line",
    lesson=5,
    title="A reply that can always be written",
    prompt=(
        "Write `reply_line(id, result)`. It returns one line of strict JSON: the result under its "
        "id, or -32603 under the same id where the result cannot be written."
    ),
    stub="def reply_line(id, result):\n    raise NotAttempted\n",
    hints=(
        "Write the reply inside a try, and the error in its `except`.",
        "`json.dumps` raises TypeError for a set, ValueError for a list that contains itself, and "
        "RecursionError for what is nested too deep.",
        "It writes NaN unless `allow_nan` is false. Then it raises ValueError.",
    ),
    solution=_REPLY_LINE,
    right=(
        "import json\n"
        "from mini_rpc import error_response, result_response\n"
        "def reply_line(id, result):\n"
        "    try:\n"
        "        reply = result_response(id, result)\n"
        "        return json.dumps(reply, allow_nan=False, ensure_ascii=False)\n"
        "    except Exception:\n"
        "        return json.dumps(error_response(id, -32603, 'no', 'more'), sort_keys=True)\n",
        "from mini_rpc.wire import encode\n"
        "def reply_line(id, result):\n"
        '    head = \'{"jsonrpc":"2.0","id":\' + encode(id)\n'
        "    try:\n"
        "        return head + ',\"result\":' + encode(result) + '}'\n"
        "    except BaseException:\n"
        '        return head + \',"error":{"code":-32603,"message":""}}\'\n',
    ),
    wrong=(
        Wrong(
            _REPLY_LINE.replace(", allow_nan=False", ""),
            "wrong",
            'reply_line(7, nan) returns \'{"jsonrpc": "2.0", "id": 7, "result": NaN}\', which '
            "is not JSON.",
            "Python's JSON",
        ),
        Wrong(
            "import json\n"
            "def reply_line(id, result):\n"
            "    reply = {'jsonrpc': '2.0', 'id': id, 'result': result}\n"
            "    try:\n"
            "        return json.dumps(reply, default=str, allow_nan=False)\n"
            "    except Exception:\n"
            "        return json.dumps({'jsonrpc': '2.0', 'id': id, 'error':\n"
            "                           {'code': -32603, 'message': ''}})\n",
            "wrong",
            "reply_line(5, {2, 6}) sends another result than it was given, and should send -32603.",
            "a result is made to fit",
        ),
        Wrong(
            "import json\n"
            "def reply_line(id, result):\n"
            "    return json.dumps({'jsonrpc': '2.0', 'id': id, 'result': result})\n",
            "crashed",
            "reply_line(5, {2, 6}) crashed in line 3: TypeError: Object of type set is not JSON "
            "serializable.",
        ),
        Wrong(
            _REPLY_LINE.replace('"id": id, "error"', '"id": None, "error"'),
            "wrong",
            "The reply of reply_line(5, {2, 6}) has the wrong id.",
        ),
        Wrong(
            _REPLY_LINE.replace("allow_nan=False", "allow_nan=False, indent=1"),
            "wrong",
            "reply_line(1, {'status': 'cooking'}) returns more than one line.",
        ),
        Wrong(
            "def reply_line(id, result):\n"
            "    return {'jsonrpc': '2.0', 'id': id, 'result': result}\n",
            "wrong",
            "reply_line(1, {'status': 'cooking'}) returns {'jsonrpc': '2.0', 'id': 1, 'result': "
            "{'status': 'cooking'}}, and should return text.",
        ),
    ),
    judge=Obeys(
        ("id", "result"),
        _RESULTS,
        f"All {len(_RESULTS)} replies can be sent.",
        find=_judge_line,
        wanted=_line,
    ),
    where=f"{_NOTEBOOK}#Your-turn:-a-reply-that-cannot-be-written",
)

EXERCISES = (
    _REPLY_ID_EXERCISE,
    _STRICT_EXERCISE,
    _DUPLICATES_EXERCISE,
    _REPLY_LINE_EXERCISE,
)
