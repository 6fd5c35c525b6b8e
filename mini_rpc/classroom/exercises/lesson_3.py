"""The exercises of lesson 3: what MCP takes away from JSON-RPC."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

from ...rules import MCP
from ..judging.comparing import same, show
from ..judging.judging import Behaves, Obeys, Problem, Shows
from ..judging.misconceptions import ID_FAULTS
from ..judging.outcome import Case
from .raw_text import judge_message
from .record import Exercise, Wrong

__all__ = ["EXERCISES"]

_NOTEBOOK = "03_mcp_rules.ipynb"


# --- valid_id ----------------------------------------------------------------------------------

_IDS: tuple[Any, ...] = (
    *(7, "7", 0, "", -1, 1, 10**26, 2**53 + 1, "order-7", " ", "true", "é"),
    *(True, False, None, 1.0, 1.5, 0.0, -0.0, 1e300, float("inf"), float("nan")),
    *([], [7], ["7"], {}, {"id": 7}),
)


def _id_in_a_message(value: Any) -> str | None:
    try:
        id = json.dumps(value, allow_nan=False)
    except ValueError:
        return None
    return f'{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}'


def _id_wrong(body: str, does: str, misconception: str) -> Wrong:
    return Wrong(
        f"def valid_id(value):\n    return {body}\n",
        "wrong",
        f"valid_id behaves exactly like one that {does}.",
        misconception,
    )


_VALID_ID = Exercise(
    id="valid_id",
    lesson=3,
    title="What may stand on a ticket",
    prompt=(
        "Write `valid_id(value)` for any parsed JSON value: `True` if MCP allows it as the id of a "
        "request, `False` if not. An id is a string or an integer. It is never `null`, never a "
        "fraction, and `true` is no integer."
    ),
    stub=(
        "def valid_id(value):\n"
        '    """Return True if the value may be the id of a request, otherwise False."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "Ask for the type of the value, not for the value: 0 and the empty string are ids too.",
        "In Python `isinstance(True, int)` is true. Deal with booleans before you ask for `int`.",
        "`type(value)` is the type itself, and for `True` that is `bool`. Two types are allowed.",
    ),
    solution=(
        "def valid_id(value):\n"
        '    """Return True if the value may be the id of a request, otherwise False."""\n'
        "    if isinstance(value, bool):\n"
        "        return False\n"
        "    return isinstance(value, (str, int))\n"
    ),
    right=(
        "def valid_id(value):\n    return type(value) in (str, int)\n",
        "def valid_id(value):\n"
        "    return isinstance(value, (str, int)) and value is not True and value is not False\n",
        "def valid_id(v):\n"
        "    match v:\n"
        "        case bool():\n"
        "            return False\n"
        "        case str() | int():\n"
        "            return True\n"
        "    return False\n",
        "from mini_rpc import MCP\nvalid_id = MCP.legal_id\n",
        "import json\n"
        "def valid_id(value, /):\n"
        "    text = json.dumps(value)\n"
        "    return text[0] == '\"' or text.lstrip('-').isdigit()\n",
        "valid_id = lambda value: type(value) is int or type(value) is str\n",
    ),
    wrong=(
        _id_wrong("isinstance(value, (str, int))", "lets true and false through", "true as an id"),
        _id_wrong(
            "isinstance(value, (str, int, float)) and not isinstance(value, bool)",
            "lets fractions through",
            "fraction as an id",
        ),
        _id_wrong(
            "isinstance(value, (str, int, float))",
            "lets every number through, true and false among them",
            "any number as an id",
        ),
        _id_wrong(
            "type(value) in (str, int) or value == int(value or 0)"
            " if isinstance(value, float) and value - value == 0 else type(value) in (str, int)",
            "lets 1.0 through, because it is whole",
            "whole fractions",
        ),
        _id_wrong(
            "bool(value) and type(value) in (str, int)", 'refuses 0 and ""', "falsy is no id"
        ),
        _id_wrong("type(value) in (str, int) and value != ''", 'refuses ""', "no empty text"),
        _id_wrong(
            "type(value) is str or type(value) is int and value > 0",
            "refuses numbers below 1",
            "only positive",
        ),
        _id_wrong(
            "type(value) is str or type(value) is int and value >= 0",
            "refuses negative numbers",
            "no negative numbers",
        ),
        _id_wrong("type(value) is int", "refuses text", "only numbers"),
        _id_wrong("type(value) is str", "refuses numbers", "only text"),
        _id_wrong("type(value) in (str, int, type(None))", "lets null through", "null as an id"),
        _id_wrong(
            "True if type(value) in (str, int) else None",
            "gives None where it should give False",
            "None for no",
        ),
        _id_wrong(
            "type(value) not in (str, int)",
            "says yes to what is no id, and no to what is one",
            "the wrong way round",
        ),
        _id_wrong("True", "always gives True", "always the same"),
        _id_wrong("None", "returns nothing, whatever it gets", "always the same"),
        Wrong(
            "def valid_id(value):\n    return value is not None and not isinstance(value, list)\n",
            "wrong",
            "valid_id lets every number through, true and false among them, and that is not all.",
            "any number as an id",
        ),
        Wrong(
            "def valid_id(value):\n    return type(value) in (str, int) and 1\n",
            "wrong",
            "valid_id(7) gives 1, and should give True.",
        ),
        Wrong(
            "def valid_id(value):\n    return hash(value) and type(value) in (str, int)\n",
            "wrong",
            "valid_id(0) gives 0, and should give True.",
        ),
        Wrong(
            "def valid_id(value):\n    return value > 0 or isinstance(value, str)\n",
            "crashed",
            "valid_id('7') crashed in line 2: TypeError: '>' not supported between instances of "
            "'str' and 'int'.",
        ),
        Wrong(
            "def valid_id(value):\n    return {str: True, int: True}[type(value)]\n",
            "crashed",
            "valid_id(True) crashed in line 2: KeyError: <class 'bool'>.",
        ),
        Wrong(
            "def valid_id(value):\n"
            "    if type(value) is int:\n"
            "        return True\n"
            "    raise NotAttempted\n",
            "wrong",
            "valid_id('7') is not written yet: it raises NotAttempted.",
        ),
        Wrong(
            "import os\ndef valid_id(value):\n    os._exit(0)\n",
            "crashed",
            "valid_id(7) crashed: it ended the process.",
        ),
        Wrong(
            "import sys\ndef valid_id(value):\n    sys.exit('closed')\n",
            "crashed",
            "valid_id(7) crashed in line 3: SystemExit: closed.",
        ),
        Wrong(
            "def valid_id(value):\n"
            "    while value == '': pass\n"
            "    return type(value) in (str, int)\n",
            "out of time",
            "valid_id('') did not end within 0.3 seconds; it was in line 2.",
        ),
    ),
    judge=Behaves(
        ("value",),
        tuple((value,) for value in _IDS),
        f"All {len(_IDS)} values are told apart, true and 1.0 among them.",
        raw=_id_in_a_message,
        reference=MCP.legal_id,
        faults=ID_FAULTS,
    ),
    where=f"{_NOTEBOOK}#Ids",
)


# --- named_params ------------------------------------------------------------------------------

_NAMED = {"id": 12, "method": "orders/place", "params": {"table": 6, "dish": "steak"}}
_POSITIONAL = '{"jsonrpc": "2.0", "id": 12, "method": "orders/place", "params": [6, "steak"]}'


def _judge_named(name: str, value: Any) -> Problem | None:
    problem = judge_message(name, value, "request", _NAMED)
    if problem and problem.message.startswith('"params" is ['):
        sentence = "The params are still a list: MCP wants an object, with a name for each value."
        return Problem(sentence, problem.case, "params by position")
    return problem


_NAMED_PARAMS = Exercise(
    id="named_params",
    lesson=3,
    title="Give every param its name",
    prompt=(
        f"Plain JSON-RPC allows this request, and MCP does not:\n\n`{_POSITIONAL}`\n\nWrite it as "
        "raw text so that MCP takes it. The method needs `table` and `dish`, in this order."
    ),
    stub="named_params = ...  # the raw text, in quotes\n",
    hints=(
        "One member changes. The others, the id among them, stay as they are.",
        "An object in the place of the list, and in it a name in front of each value.",
    ),
    solution=(
        "named_params = (\n"
        '    \'{"jsonrpc": "2.0", "id": 12, "method": "orders/place",\'\n'
        '    \' "params": {"table": 6, "dish": "steak"}}\'\n'
        ")\n"
    ),
    right=(
        "import json\n"
        f"message = json.loads('{_POSITIONAL}')\n"
        "message['params'] = dict(zip(['table', 'dish'], message['params']))\n"
        "named_params = json.dumps(message, indent=2)\n",
    ),
    wrong=(
        Wrong(
            f"named_params = '{_POSITIONAL}'\n",
            "wrong",
            "The params are still a list: MCP wants an object, with a name for each value.",
            "params by position",
        ),
        Wrong(
            "named_params = " + repr(_POSITIONAL.replace('[6, "steak"]', '[{"table": 6}]')) + "\n",
            "wrong",
            "The params are still a list: MCP wants an object, with a name for each value.",
            "params by position",
        ),
        Wrong(
            "named_params = "
            + repr(_POSITIONAL.replace('[6, "steak"]', '{"dish": 6, "table": "steak"}'))
            + "\n",
            "wrong",
            '"params" is {"dish": 6, "table": "steak"}, and should be {"table": 6, "dish": '
            '"steak"}.',
        ),
        Wrong(
            "named_params = "
            + repr(_POSITIONAL.replace('[6, "steak"]', '{"0": 6, "1": "steak"}'))
            + "\n",
            "wrong",
            '"params" is {"0": 6, "1": "steak"}, and should be {"table": 6, "dish": "steak"}.',
        ),
        Wrong(
            'named_params = {"table": 6, "dish": "steak"}\n',
            "wrong",
            "named_params is a Python dict. What travels is text: put it in quotes.",
            "a dict is not yet text",
        ),
        Wrong(
            'named_params = \'{"table": 6, "dish": "steak"}\'\n',
            "wrong",
            'named_params is JSON, but no message: "jsonrpc" must be the string "2.0".',
        ),
    ),
    judge=Shows(_judge_named, "MCP takes the order now, and nobody has to count places."),
    where=f"{_NOTEBOOK}#Named-params",
)


# --- fresh_id ----------------------------------------------------------------------------------

_IN_FLIGHT: tuple[tuple[set[Any]], ...] = (
    (set(),),
    ({1},),
    ({2},),
    ({0},),
    ({1, 2, 3},),
    ({3, 1},),
    ({"1"},),
    ({1, "1"},),
    ({"a", "b"},),
    ({"salad", 7},),
    ({""},),
    ({-1, 10**26},),
    (set(range(1000)),),
    ({str(number) for number in range(1000)},),
    (set(range(1, 1001)),),
)
_FRESH = "a string or an integer that is not in flight"


def _ask_often(answer: Callable[[Any], Any], in_flight: set[Any]) -> list[Any]:
    """Ask for an id, and for others while it waits too; return it, and the first bad other.

    There are as many questions as ids: who draws lots is lucky once, and not a thousand times.
    """
    first = answer(in_flight.copy())
    if not MCP.legal_id(first):
        return [first]
    waiting = {*in_flight, first}
    others = (answer(waiting.copy()) for _ in range(len(waiting)))
    return [first, *islice((id for id in others if not MCP.legal_id(id) or id in waiting), 1)]


def _judge_fresh(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    if not isinstance(value, list):  # it stayed in the sandbox
        return _judge_id(name, args[0], value)
    in_flight, (first, *others) = args[0], value
    problems = [_judge_id(name, in_flight, first)]
    problems += [_judge_id(name, {*in_flight, first}, other) for other in others]
    return next(filter(None, problems), None)


def _judge_id(name: str, in_flight: set[Any], id: Any) -> Problem | None:
    call = f"{name}({_in_words(in_flight)})"
    case = Case(call, show(id), _FRESH)
    if not MCP.legal_id(id):
        mistake = "true as an id" if isinstance(id, bool) else None
        return Problem(f"{call} gives {show(id)}, and that is no legal id.", case, mistake)
    if any(same(id, waiting) for waiting in in_flight):
        sentence = f"{call} gives {show(id)}, and that one is still waiting."
        return Problem(sentence, case, "an id is used twice")
    return None


def _in_words(in_flight: set[Any]) -> str:
    """Return the set as Python writes it, but always in the same order."""
    if not in_flight:
        return "set()"
    ids = sorted(map(show, in_flight))
    return f"{{{', '.join(ids[:4])}{', …' if len(ids) > 4 else ''}}}"


_FRESH_ID = Exercise(
    id="fresh_id",
    lesson=3,
    title="Tear off a new ticket",
    prompt=(
        "Write `fresh_id(in_flight)`. `in_flight` is the set of the ids that still wait for an "
        "answer, strings and integers mixed. It returns an id that MCP allows, and that is not "
        "among them. The set may hold anything from nothing to a thousand ids."
    ),
    stub=(
        "def fresh_id(in_flight):\n"
        '    """Return an id that does not wait for an answer."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "The number of ids is no help: with one id in flight, that one may well be 2. And `max` "
        "cannot compare 7 with a string.",
        "Try 1, then 2, then 3, until one is not in the set.",
    ),
    solution=(
        "def fresh_id(in_flight):\n"
        '    """Return an id that does not wait for an answer."""\n'
        "    id = 1\n"
        "    while id in in_flight:\n"
        "        id += 1\n"
        "    return id\n"
    ),
    right=(
        "from uuid import uuid4\ndef fresh_id(in_flight):\n    return str(uuid4())\n",
        "from itertools import count\n"
        "tickets = count(10**30)\n"
        "def fresh_id(in_flight):\n    return next(tickets)\n",
        "def fresh_id(in_flight):\n"
        "    return max((id for id in in_flight if type(id) is int), default=0) + 1\n",
        "def fresh_id(in_flight):\n    return 'x' + ''.join(str(id) for id in in_flight)\n",
        "def fresh_id(in_flight):\n"
        "    in_flight.add(next(i for i in range(10**6) if i not in in_flight))\n"
        "    return 'ticket ' + str(len(in_flight))\n",
        "fresh_id = lambda in_flight: next(n for n in range(-5, 10**6) if n not in in_flight)\n",
    ),
    wrong=(
        Wrong(
            "def fresh_id(in_flight):\n    return len(in_flight) + 1\n",
            "wrong",
            "fresh_id({2}) gives 2, and that one is still waiting.",
            "an id is used twice",
        ),
        Wrong(
            "lots = iter(7919 * n % 5000 + 1 for n in range(10**9))\n"
            "def fresh_id(in_flight):\n    return next(lots)\n",
            "wrong",
            "fresh_id({0, 1, 10, 100, …}) gives 518, and that one is still waiting.",
            "an id is used twice",
        ),
        Wrong(
            "def fresh_id(in_flight):\n    return 10**9\n",
            "wrong",
            "fresh_id({1000000000}) gives 1000000000, and that one is still waiting.",
            "an id is used twice",
        ),
        Wrong(
            "def fresh_id(in_flight):\n    return sorted(in_flight)[-1] + 1\n",
            "crashed",
            "fresh_id(set()) crashed in line 2: IndexError: list index out of range.",
        ),
        Wrong(
            "def fresh_id(in_flight):\n    return None\n",
            "wrong",
            "fresh_id(set()) gives None, and that is no legal id.",
        ),
        Wrong(
            "def fresh_id(in_flight):\n    return not in_flight\n",
            "wrong",
            "fresh_id(set()) gives True, and that is no legal id.",
            "true as an id",
        ),
        Wrong(
            "def fresh_id(in_flight):\n    return len(in_flight) + 0.5\n",
            "wrong",
            "fresh_id(set()) gives 0.5, and that is no legal id.",
        ),
        Wrong(
            "def fresh_id(in_flight):\n    while '1' in in_flight: pass\n    return '1'\n",
            "out of time",
            "fresh_id(set()) did not end within 0.3 seconds; it was in line 2.",
        ),
    ),
    judge=Obeys(
        ("in_flight",),
        _IN_FLIGHT,
        "No two tickets in flight carry the same number.",
        find=_judge_fresh,
        wanted=lambda in_flight: _FRESH,
        via=_ask_often,
    ),
    where=f"{_NOTEBOOK}#Ids-in-flight",
)

EXERCISES = (_VALID_ID, _NAMED_PARAMS, _FRESH_ID)
