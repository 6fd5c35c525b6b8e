"""The exercises of lesson 6: requests in flight, and replies in any order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from copy import deepcopy
from typing import Any, NamedTuple

from ...in_flight import InFlight, Stray
from ...messages import error_response, result_response
from ...rules import MCP
from ..judging.comparing import same, show
from ..judging.faults import Fault
from ..judging.judging import Behaves, Obeys, Problem
from ..judging.outcome import Case
from ..talks import loop
from .record import Exercise, Wrong

__all__ = ["EXERCISES"]

_NOTEBOOK = "06_in_flight.ipynb"


# --- match_replies(waiting, replies) -----------------------------------------------------------


def _matched(waiting: dict[Any, str], replies: list[dict[str, Any]]) -> list[str | None]:
    tickets: InFlight[str] = InFlight()
    for id, table in waiting.items():
        tickets.open(id, table)
    return [_who(tickets, reply) for reply in replies]


def _who(tickets: InFlight[str], reply: dict[str, Any]) -> str | None:
    try:
        return tickets.match(reply["id"])
    except Stray:
        return None


def _results(*ids: Any) -> list[dict[str, Any]]:
    return [result_response(id, "served") for id in ids]


_TABLES = {1: "table 6", 2: "table 2"}
_MATCH_CASES: tuple[tuple[dict[Any, str], list[dict[str, Any]]], ...] = (
    (_TABLES, _results(2, 1)),
    (_TABLES, _results(1, 2)),
    ({}, []),
    (_TABLES, []),
    ({7: "table 6"}, _results(7)),
    ({1: "table 6", 2: "table 2", 3: "table 9"}, _results(3, 1, 2)),
    ({1: "table 6", "1": "table 2"}, _results("1", 1)),
    ({1: "table 6"}, _results("1")),
    ({"1": "table 2"}, _results(1)),
    ({1: "table 6"}, _results(1, 1)),
    ({1: "table 6", 2: "table 2"}, _results(2, 2, 1)),
    ({1: "table 6"}, _results(3)),
    ({}, _results(3)),
    ({1: "table 6"}, _results(True)),
    ({1: "table 6"}, _results(1.0)),
    ({0: "table 6"}, _results(False)),
    # With more than one ticket nobody hits the right one by its place.
    ({7: "table 2", 1: "table 6", 8: "table 9"}, _results(True)),
    ({7: "table 2", 1: "table 6", 8: "table 9"}, _results(1.0)),
    ({7: "table 2", 1: "table 6", 8: "table 9"}, _results("1")),
    ({1: "table 6"}, _results(None)),
    ({1: "table 6"}, _results([1])),
    ({0: "table 6", "": "table 2"}, _results("", 0)),
    ({1: "table 6", 2: "table 2"}, [error_response(2, -32603, "Internal error"), *_results(1)]),
    ({"a": "table 6"}, [error_response(None, -32700, "Parse error"), *_results("a")]),
)


def _matching(find: Callable[[dict[Any, str], Any], Any]) -> Callable[..., Any]:
    """Return a faulty function; `find` takes the tickets and a reply, and returns the table."""

    def behave(waiting: dict[Any, str], replies: list[dict[str, Any]]) -> list[Any]:
        tickets = dict(waiting)
        return [find(tickets, reply) for reply in replies]

    return behave


def _next_one(tickets: dict[Any, str], reply: dict[str, Any]) -> str | None:
    return tickets.pop(next(iter(tickets))) if tickets else None


def _plain_pop(tickets: dict[Any, str], reply: dict[str, Any]) -> str | None:
    id = reply["id"]
    return tickets.pop(id, None) if not isinstance(id, list) else None


def _by_text(tickets: dict[Any, str], reply: dict[str, Any]) -> str | None:
    id = reply["id"]
    key = next((key for key in tickets if str(key) == str(id) and MCP.legal_id(id)), None)
    return tickets.pop(key) if key is not None else None


def _left_in(tickets: dict[Any, str], reply: dict[str, Any]) -> str | None:
    id = reply["id"]
    return tickets.get(id) if MCP.legal_id(id) else None


def _only_results(tickets: dict[Any, str], reply: dict[str, Any]) -> str | None:
    id = reply["id"]
    return tickets.pop(id, None) if MCP.legal_id(id) and "result" in reply else None


def _truthy(tickets: dict[Any, str], reply: dict[str, Any]) -> str | None:
    id = reply["id"]
    return tickets.pop(id, None) if MCP.legal_id(id) and id else None


_MATCH_FAULTS = (
    Fault(
        "the next reply",
        "gives each reply to whoever waits longest, and never looks at its id",
        _matching(_next_one),
        _MATCH_CASES[0],
    ),
    Fault(
        "the order of the orders",
        "hands the dishes out in the order of the requests, and never looks at an id",
        lambda waiting, replies: list(waiting.values())[: len(replies)],
        _MATCH_CASES[0],
    ),
    Fault(
        "true is the ticket 1",
        "takes `true` and 1.0 for the ticket 1, as a Python dict does",
        _matching(_plain_pop),
        ({1: "table 6"}, _results(True)),
    ),
    Fault(
        "text and number are one",
        'takes "1" and 1 for the same ticket',
        _matching(_by_text),
        ({1: "table 6"}, _results("1")),
    ),
    Fault(
        "a ticket is used twice",
        "leaves a ticket in the table after its reply has come",
        _matching(_left_in),
        ({1: "table 6"}, _results(1, 1)),
    ),
    Fault(
        "an error is no reply",
        "takes no notice of replies that are errors",
        _matching(_only_results),
        ({1: "table 6"}, [error_response(1, -32603, "Internal error")]),
    ),
    Fault(
        "falsy is no id",
        'takes the ids 0 and "" for a missing id',
        _matching(_truthy),
        ({0: "table 6"}, _results(0)),
    ),
)

_MATCH_REPLIES = (
    "def match_replies(waiting, replies):\n"
    '    """Return who gets each of the replies: a table, or None for a stray."""\n'
    "    served = []\n"
    "    for reply in replies:\n"
    '        id = reply["id"]\n'
    "        legal = isinstance(id, (str, int)) and not isinstance(id, bool)\n"
    "        served.append(waiting.pop(id, None) if legal else None)\n"
    "    return served\n"
)


def _matches_like(loop_body: str, does: str, misconception: str) -> Wrong:
    source = (
        "def match_replies(waiting, replies):\n"
        "    served = []\n"
        "    for reply in replies:\n"
        "        id = reply['id']\n"
        f"        {loop_body}\n"
        "    return served\n"
    )
    sentence = f"match_replies behaves exactly like one that {does}."
    return Wrong(source, "wrong", sentence, misconception)


_MATCH_EXERCISE = Exercise(
    id="match_replies",
    lesson=6,
    title="Who gets which reply",
    prompt=(
        "Write `match_replies(waiting, replies)`. `waiting` is a dict from the ids in flight to "
        "tables; `replies` is a list of results and errors, in the order in which they come. "
        "Return a list with the table that gets each reply, and `None` for every stray: unknown, "
        "late or a duplicate. A ticket is good for one reply. You may change `waiting`."
    ),
    stub=(
        "def match_replies(waiting, replies):\n"
        '    """Return who gets each of the replies: a table, or None for a stray."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "`dict.pop` with a second argument takes a ticket out, or gives that argument back.",
        'A dict keeps `1` and `"1"` apart, but not `1`, `True` and `1.0`. And a list cannot be '
        "looked up at all.",
        "Ask first whether the id is legal, as `valid_id` of lesson 3 does. An illegal one is "
        "nobody's ticket.",
    ),
    solution=_MATCH_REPLIES,
    right=(
        "from mini_rpc.in_flight import InFlight, Stray\n"
        "def match_replies(waiting, replies):\n"
        "    tickets = InFlight()\n"
        "    for id, table in waiting.items():\n"
        "        tickets.open(id, table)\n"
        "    def find(reply):\n"
        "        try:\n"
        "            return tickets.match(reply['id'])\n"
        "        except Stray:\n"
        "            return None\n"
        "    return [find(reply) for reply in replies]\n",
        "import json\n"
        "def match_replies(waiting, replies):\n"
        "    tickets = {json.dumps(id): table for id, table in waiting.items()}\n"
        "    return [tickets.pop(json.dumps(reply['id']), None) for reply in replies]\n",
        "def match_replies(waiting, replies):\n"
        "    used = set()\n"
        "    served = []\n"
        "    for reply in replies:\n"
        "        key = next((k for k in waiting if type(k) is type(reply['id'])\n"
        "                    and k == reply['id'] and k not in used), None)\n"
        "        used.add(key)\n"
        "        served.append(waiting.get(key))\n"
        "    return served\n",
    ),
    wrong=(
        _matches_like(
            "served.append(waiting.pop(next(iter(waiting))) if waiting else None)",
            "gives each reply to whoever waits longest, and never looks at its id",
            "the next reply",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n"
            "    return list(waiting.values())[: len(replies)]\n",
            "wrong",
            "match_replies behaves exactly like one that hands the dishes out in the order of the "
            "requests, and never looks at an id.",
            "the order of the orders",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n    return list(waiting.values())\n",
            "wrong",
            "match_replies({1: 'table 6', 2: 'table 2'}, [{'jsonrpc': '2.0', 'id': 2, 'result': "
            "'served'}, {'jso… gives ['table 6', 'table 2'], and should give ['table 2', "
            "'table 6'].",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n"
            "    tables = list(waiting.values())\n"
            "    return [tables[number] for number, reply in enumerate(replies)]\n",
            "wrong",
            "match_replies({1: 'table 6', 2: 'table 2'}, [{'jsonrpc': '2.0', 'id': 2, 'result': "
            "'served'}, {'jso… gives ['table 6', 'table 2'], and should give ['table 2', "
            "'table 6'].",
        ),
        _matches_like(
            "served.append(waiting.pop(id, None) if not isinstance(id, list) else None)",
            "takes `true` and 1.0 for the ticket 1, as a Python dict does",
            "true is the ticket 1",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n"
            "    return [waiting.pop(reply['id'], None) for reply in replies]\n",
            "wrong",
            "match_replies takes `true` and 1.0 for the ticket 1, as a Python dict does, and that "
            "is not all.",
            "true is the ticket 1",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n"
            "    tickets = {str(id): table for id, table in waiting.items()}\n"
            "    return [tickets.pop(str(reply['id']), None) for reply in replies]\n",
            "wrong",
            "match_replies({1: 'table 6', '1': 'table 2'}, [{'jsonrpc': '2.0', 'id': '1', "
            "'result': 'served'}, {… gives ['table 2', None], and should give ['table 2', "
            "'table 6'].",
        ),
        _matches_like(
            "served.append(waiting.get(id) if type(id) in (str, int) else None)",
            "leaves a ticket in the table after its reply has come",
            "a ticket is used twice",
        ),
        _matches_like(
            "served.append(waiting.pop(id, None) "
            "if type(id) in (str, int) and 'result' in reply else None)",
            "takes no notice of replies that are errors",
            "an error is no reply",
        ),
        _matches_like(
            "served.append(waiting.pop(id, None) if id and type(id) in (str, int) else None)",
            'takes the ids 0 and "" for a missing id',
            "falsy is no id",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n"
            "    return [waiting.pop(reply['id']) for reply in replies]\n",
            "wrong",
            "match_replies takes `true` and 1.0 for the ticket 1, as a Python dict does, and that "
            "is not all.",
            "true is the ticket 1",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n    return None\n",
            "wrong",
            "match_replies behaves exactly like one that returns nothing, whatever it gets.",
            "always the same",
        ),
        Wrong(
            "def match_replies(waiting, replies):\n    while replies: pass\n    return []\n",
            "out of time",
            "match_replies({1: 'table 6', 2: 'table 2'}, [{'jsonrpc': '2.0', 'id': 2, 'result': "
            "'served'}, {'jso… did not end within 0.3 seconds; it was in line 2.",
        ),
    ),
    judge=Behaves(
        ("waiting", "replies"),
        _MATCH_CASES,
        f"All {len(_MATCH_CASES)} evenings end with the right dish on every table.",
        via=lambda answer, waiting, replies: answer(dict(waiting), deepcopy(replies)),
        reference=_matched,
        faults=_MATCH_FAULTS,
    ),
    where=f"{_NOTEBOOK}#A-table-of-tickets",
)


# --- id_source(in_flight) ----------------------------------------------------------------------

_ASK = "a new id"
_NO_FUNCTION = "no function"


class _Step(NamedTuple):
    """What happens next: somebody asks for a new id, one is answered, or others open one."""

    what: str
    id: Any = None


def _answered(number: int) -> _Step:
    """The reply to the id that was given out as this number has come."""
    return _Step("answered", number)


def _opened(id: Any) -> _Step:
    return _Step("opened", id)


_NEW = _Step(_ASK)
_EVENINGS: tuple[tuple[tuple[_Step, ...]], ...] = (
    ((_NEW, _NEW, _NEW),),
    ((_opened(1), _NEW, _NEW),),
    ((_opened(2), _opened("a"), _NEW, _NEW),),
    ((_NEW, _answered(0), _NEW),),
    ((_NEW, _NEW, _answered(0), _NEW, _answered(1), _NEW),),
    ((_NEW, _opened(2), _opened(3), _NEW, _NEW),),
    ((_opened("1"), _opened("2"), _opened(""), _NEW, _NEW),),
    ((_opened(10**26), _opened(-1), _opened(0), _NEW, _NEW),),
    (tuple(step for number in range(60) for step in (_NEW, _answered(number))),),
)


def _play(answer: Callable[[Any], Any], steps: tuple[_Step, ...]) -> Any:
    """Play an evening; return the ids that were given out."""
    in_flight: set[Any] = set()
    next_id = answer(in_flight)
    if not callable(next_id):
        return [_NO_FUNCTION, next_id]
    given: list[Any] = []
    for step in steps:
        if step.what == _ASK:
            given.append(next_id())
            if not MCP.legal_id(given[-1]):
                return given
            in_flight.add(given[-1])
        elif step.what == "answered":
            in_flight.discard(given[step.id])
        else:
            in_flight.add(step.id)
    return given


def _judge_source(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    problem = _fault_of_source(name, args, value)
    if problem is None or not isinstance(value, list):
        return problem
    came_back = show(value[1]) if value[:1] == [_NO_FUNCTION] else f"one after the other: {value}"
    return problem._replace(case=Case(_evening(name, args[0]), came_back, _source_wanted(args[0])))


def _evening(name: str, steps: tuple[_Step, ...]) -> str:
    """Return what happens in an evening, in words."""
    words = []
    for what, id in steps[:8]:
        if what == "answered":
            words.append(f"its id number {id + 1} is answered")
        else:
            words.append("a call" if what == _ASK else f"others open {show(id)}")
    return f"{name}(in_flight), then: {', '.join(words)}{', …' if len(steps) > 8 else ''}"


def _fault_of_source(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    if not isinstance(value, list):
        return Problem(f"{name}(in_flight) gives ids that cannot be looked at.")
    if value[:1] == [_NO_FUNCTION]:
        return Problem(
            f"{name}(in_flight) gives {show(value[1])[:60]}, and should give a function."
        )
    waiting: list[Any] = []
    given: list[Any] = []
    ids = iter(value)
    for step in args[0]:
        if step.what == "opened":
            waiting.append(step.id)
        elif step.what == "answered":
            waiting = [id for id in waiting if not same(id, given[step.id])]
        else:
            id = next(ids)
            if problem := _judge_new(id, waiting, given):
                return problem
            given.append(id)
            waiting.append(id)
    return None


def _judge_new(id: Any, waiting: list[Any], given: list[Any]) -> Problem | None:
    so_far = ", ".join(show(one) for one in given[-3:])
    if not MCP.legal_id(id):
        mistake = "true as an id" if isinstance(id, bool) else None
        return Problem(
            f"The function gives {show(id)[:60]}, and that is no legal id.", None, mistake
        )
    if any(same(id, one) for one in given):
        again = "still waits" if any(same(id, one) for one in waiting) else "was answered before"
        sentence = f"After {so_far} it gives {show(id)} again, which {again}."
        return Problem(sentence, None, "an id is given out twice")
    if any(same(id, one) for one in waiting):
        sentence = f"The function gives {show(id)} while {show(id)} is in flight."
        return Problem(sentence, None, "an id is used twice")
    return None


def _source_wanted(steps: tuple[_Step, ...]) -> str:
    return "ids that are not in flight, and that were not given out before"


_ID_SOURCE_EXERCISE = Exercise(
    id="id_source",
    lesson=6,
    title="A roll of tickets",
    prompt=(
        "Write `id_source(in_flight)`. It returns a function without arguments; each call of that "
        "gives a new id. `in_flight` is a set that changes all the time: your ids go in and come "
        "out, and so do ids of others, numbers and texts. A new id is not in the set at that "
        "moment, and it is none that you gave out before."
    ),
    stub=(
        "def id_source(in_flight):\n"
        '    """Return a function that gives a new id with each call."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "The function inside has to remember what it gave out last, from one call to the next.",
        "`itertools.count(1)` remembers: each `next` of it gives the next number.",
        "Look into `in_flight` in each call, not once at the beginning. Skip what is in there.",
    ),
    solution=(
        "from itertools import count\n"
        "\n"
        "\n"
        "def id_source(in_flight):\n"
        '    """Return a function that gives a new id with each call."""\n'
        "    numbers = count(1)\n"
        "\n"
        "    def next_id():\n"
        "        return next(number for number in numbers if number not in in_flight)\n"
        "\n"
        "    return next_id\n"
    ),
    right=(
        "from uuid import uuid4\ndef id_source(in_flight):\n    return lambda: str(uuid4())\n",
        "def id_source(in_flight):\n"
        "    last = 0\n"
        "    def next_id():\n"
        "        nonlocal last\n"
        "        last += 1\n"
        "        while last in in_flight:\n"
        "            last += 1\n"
        "        return f'{last}' if f'{last}' not in in_flight else last\n"
        "    return next_id\n",
        "def id_source(in_flight):\n"
        "    given = set()\n"
        "    def next_id():\n"
        "        id = 1\n"
        "        while id in in_flight or id in given:\n"
        "            id += 1\n"
        "        given.add(id)\n"
        "        return id\n"
        "    return next_id\n",
        "from mini_rpc.in_flight import InFlight\n"
        "class id_source:\n"
        "    def __init__(self, in_flight):\n"
        "        self.in_flight, self.tickets = in_flight, InFlight()\n"
        "    def __call__(self):\n"
        "        while (id := self.tickets.new_id()) in self.in_flight:\n"
        "            pass\n"
        "        return id\n",
    ),
    wrong=(
        Wrong(
            "def id_source(in_flight):\n    return lambda: len(in_flight) + 1\n",
            "wrong",
            "After 1 it gives 1 again, which was answered before.",
            "an id is given out twice",
        ),
        Wrong(
            "from itertools import count\n"
            "def id_source(in_flight):\n"
            "    numbers = count(1)\n"
            "    return lambda: next(numbers)\n",
            "wrong",
            "The function gives 1 while 1 is in flight.",
            "an id is used twice",
        ),
        Wrong(
            "def id_source(in_flight):\n"
            "    def next_id():\n"
            "        id = 1\n"
            "        while id in in_flight:\n"
            "            id += 1\n"
            "        return id\n"
            "    return next_id\n",
            "wrong",
            "After 1 it gives 1 again, which was answered before.",
            "an id is given out twice",
        ),
        Wrong(
            "from itertools import count\n"
            "def id_source(in_flight):\n"
            "    numbers = (n for n in count(1) if n not in set(in_flight))\n"
            "    taken = frozenset(in_flight)\n"
            "    counter = count(1)\n"
            "    return lambda: next(n for n in counter if n not in taken)\n",
            "wrong",
            "The function gives 1 while 1 is in flight.",
            "an id is used twice",
        ),
        Wrong(
            "def id_source(in_flight):\n    return lambda: 7\n",
            "wrong",
            "After 7 it gives 7 again, which still waits.",
            "an id is given out twice",
        ),
        Wrong(
            "def id_source(in_flight):\n    return lambda: True\n",
            "wrong",
            "The function gives True, and that is no legal id.",
            "true as an id",
        ),
        Wrong(
            "def id_source(in_flight):\n    return lambda: None\n",
            "wrong",
            "The function gives None, and that is no legal id.",
        ),
        Wrong(
            "def id_source(in_flight):\n    return len(in_flight) + 1\n",
            "wrong",
            "id_source(in_flight) gives 1, and should give a function.",
        ),
        Wrong(
            "def id_source(in_flight):\n"
            "    return lambda: max(map(int, in_flight), default=0) + 1\n",
            "crashed",
            "id_source(in_flight) crashed in line 2: ValueError: invalid literal for int() with "
            "base 10: 'a'.",
        ),
        Wrong(
            "def id_source(in_flight):\n    yield 1\n",
            "wrong",
            "id_source is a generator: it has a yield. Write return.",
        ),
    ),
    judge=Obeys(
        ("in_flight",),
        _EVENINGS,
        f"Over {len(_EVENINGS)} evenings no two tickets have one number.",
        shown=0,
        via=_play,
        find=_judge_source,
        wanted=_source_wanted,
    ),
    where=f"{_NOTEBOOK}#Why-a-number-is-never-used-again",
)


# --- serve_all(messages, answer, send) ---------------------------------------------------------


class _Order(NamedTuple):
    """A message: how long its answer takes, and the reply that its sender waits for first."""

    dish: str
    minutes: int
    after: str = ""
    is_notification: bool = False


_SERVICES: tuple[tuple[tuple[_Order, ...]], ...] = (
    ((_Order("steak", 20), _Order("salad", 1)),),
    ((_Order("soup", 5),),),
    ((),),
    ((_Order("bell", 1, is_notification=True), _Order("soup", 5)),),
    ((_Order("steak", 20), _Order("bell", 30, is_notification=True), _Order("salad", 1)),),
    ((_Order("steak", 20), _Order("salad", 1), _Order("cake", 2, after="salad")),),
    ((_Order("roast", 30), _Order("pasta", 20), _Order("soup", 10)),),
)


def _cook(answer: Callable[..., Any], orders: tuple[_Order, ...]) -> dict[str, Any]:
    """Let the learner's function serve; return what was sent and begun, and when."""
    try:
        return loop.run(_Kitchen(orders).serve(answer))
    except loop.Stuck:
        return {"stuck": True}


class _Kitchen:
    def __init__(self, orders: tuple[_Order, ...]) -> None:
        self._orders = {f"order {order.dish}": order for order in orders}
        self._there = {order.dish: asyncio.Event() for order in orders}
        self._sent: list[tuple[Any, float]] = []
        self._sent_at: dict[str, float] = {}
        self._came: dict[str, float] = {}
        self._begun: dict[str, float] = {}

    async def serve(self, serve_all: Callable[..., Any]) -> dict[str, Any]:
        await serve_all(self._messages(), self._answer, self._send)
        return {"sent": list(self._sent), "came": self._came, "begun": self._begun}

    async def _messages(self) -> AsyncIterator[str]:
        for raw, order in self._orders.items():
            if order.after:
                await self._there[order.after].wait()
            self._came[order.dish] = self._sent_at.get(order.after, 0.0)
            yield raw

    async def _answer(self, raw: str) -> str | None:
        order = self._orders[raw]
        self._begun.setdefault(order.dish, _now())
        await asyncio.sleep(order.minutes)
        return None if order.is_notification else order.dish

    def _send(self, text: Any) -> None:
        self._sent.append((text, _now()))
        if isinstance(text, str) and text in self._there:
            self._sent_at[text] = _now()
            self._there[text].set()


def _now() -> float:
    return round(asyncio.get_running_loop().time(), 3)


def _judge_service(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    problem = _fault_of_service(name, args, value)
    if problem is None or not isinstance(value, dict):
        return problem
    sent = [f"{show(text)[:40]} at minute {time:g}" for text, time in value.get("sent", [])]
    case = Case(_orders(args[0]), ", ".join(sent) or "nothing", _service_wanted(args[0]))
    return problem._replace(case=case)


def _orders(orders: tuple[_Order, ...]) -> str:
    """Return what is ordered in a service, in words."""
    words = []
    for order in orders:
        about = f"{order.minutes} minutes" if order.minutes > 1 else "1 minute"
        about += ", a notification" if order.is_notification else ""
        about += f", ordered once the {order.after} is there" if order.after else ""
        words.append(f"{order.dish} ({about})")
    return ", ".join(words) or "no orders"


def _fault_of_service(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    orders: tuple[_Order, ...] = args[0]
    if not isinstance(value, dict):
        return Problem(f"{name} sends what cannot be looked at.")
    if "stuck" in value:
        return Problem(
            f"The cake is ordered once the salad is there, and {name} reads all orders before it "
            "sends anything: nobody moves any more.",
            None,
            "everything is read first",
        )
    sent = value["sent"]
    for text, _ in sent:
        if text is None:
            sentence = f"{name} sends None: a notification gets nothing."
            return Problem(sentence, None, "None is sent")
        if not isinstance(text, str):
            sent_what = show(text)[:60]
            return Problem(f"{name} sends {sent_what}: a reply is the text that answer gives.")
    for order in orders:
        if problem := _judge_order(name, order, value):
            return problem
    asked = [order.dish for order in orders if not order.is_notification]
    texts = [text for text, _ in sent]
    if sorted(texts) != sorted(asked):
        return Problem(f"{name} sends {show(texts)[:80]}, and was asked for {show(asked)[:80]}.")
    return None


def _judge_order(name: str, order: _Order, value: dict[str, Any]) -> Problem | None:
    dish, came, begun = order.dish, value["came"], value["begun"]
    if dish not in came:
        return Problem(f"{name} ends before it has read the order of {dish}.")
    if dish not in begun:
        return Problem(f"{name} never asks for the answer to the order of {dish}.")
    if begun[dish] > came[dish]:
        late = begun[dish] - came[dish]
        sentence = f"The {dish} is begun {late:g} minutes after its order: {name} waits for others."
        return Problem(sentence, None, "one after the other")
    if order.is_notification:
        return None
    times = [time for text, time in value["sent"] if text == dish]
    if not times:
        sentence = f"{name} ends before the reply for the {dish} is sent."
        return Problem(sentence, None, "nobody waits for the tasks")
    done = begun[dish] + order.minutes
    if times[0] > done:
        sentence = f"The {dish} is done at minute {done:g}, and sent at minute {times[0]:g}."
        return Problem(sentence, None, "replies wait for the slowest")
    return None


def _service_wanted(orders: tuple[_Order, ...]) -> str:
    replies = sorted((order for order in orders if not order.is_notification), key=_minutes)
    return ", then ".join(order.dish for order in replies) or "nothing"


def _minutes(order: _Order) -> int:
    return order.minutes


_SERVE_ALL = (
    "import asyncio\n"
    "\n"
    "\n"
    "async def serve_all(messages, answer, send):\n"
    '    """Answer all messages, each as soon as it can be."""\n'
    "\n"
    "    async def serve_one(raw):\n"
    "        reply = await answer(raw)\n"
    "        if reply is not None:\n"
    "            send(reply)\n"
    "\n"
    "    tasks = []\n"
    "    async for raw in messages:\n"
    "        tasks.append(asyncio.create_task(serve_one(raw)))\n"
    "    await asyncio.gather(*tasks)\n"
)

_SERVE_EXERCISE = Exercise(
    id="serve_all",
    lesson=6,
    title="Let the salad pass",
    prompt=(
        "Write `async def serve_all(messages, answer, send)`. `messages` is a stream: `async for` "
        "gives one raw message after the other. `await answer(raw)` gives the reply as text, or "
        "`None`; it takes its time and never raises. Call `send(reply)` as soon as a reply is "
        "there, and return once the stream has ended and every reply is sent."
    ),
    stub=(
        "async def serve_all(messages, answer, send):\n"
        '    """Answer all messages, each as soon as it can be."""\n'
        "    raise NotAttempted\n"
    ),
    hints=(
        "Awaiting an answer inside the loop holds up the next message. Start something there that "
        "goes on by itself.",
        "`asyncio.create_task(...)` starts a coroutine and returns at once. The coroutine needs a "
        "function of its own that answers one message and sends the reply.",
        "Keep the tasks in a list. After the loop, `asyncio.gather` waits for all of them.",
    ),
    solution=_SERVE_ALL,
    right=(
        "import asyncio\n"
        "async def serve_all(messages, answer, send):\n"
        "    def done(task):\n"
        "        if task.result() is not None:\n"
        "            send(task.result())\n"
        "    tasks = set()\n"
        "    async for raw in messages:\n"
        "        task = asyncio.ensure_future(answer(raw))\n"
        "        task.add_done_callback(done)\n"
        "        tasks.add(task)\n"
        "    while any(not task.done() for task in tasks):\n"
        "        await asyncio.wait(tasks)\n"
        "    await asyncio.sleep(0)\n",
    ),
    wrong=(
        Wrong(
            "async def serve_all(messages, answer, send):\n"
            "    async for raw in messages:\n"
            "        reply = await answer(raw)\n"
            "        if reply is not None:\n"
            "            send(reply)\n",
            "wrong",
            "The salad is begun 20 minutes after its order: serve_all waits for others.",
            "one after the other",
        ),
        Wrong(
            "import asyncio\n"
            "async def serve_all(messages, answer, send):\n"
            "    raws = [raw async for raw in messages]\n"
            "    for reply in await asyncio.gather(*map(answer, raws)):\n"
            "        if reply is not None:\n"
            "            send(reply)\n",
            "wrong",
            "The salad is done at minute 1, and sent at minute 20.",
            "replies wait for the slowest",
        ),
        Wrong(
            "import asyncio\n"
            "async def serve_all(messages, answer, send):\n"
            "    raws = [raw async for raw in messages]\n"
            "    for ready in asyncio.as_completed([answer(raw) for raw in raws]):\n"
            "        reply = await ready\n"
            "        if reply is not None:\n"
            "            send(reply)\n",
            "wrong",
            "The cake is ordered once the salad is there, and serve_all reads all orders before it "
            "sends anything: nobody moves any more.",
            "everything is read first",
        ),
        Wrong(
            _SERVE_ALL.replace("    await asyncio.gather(*tasks)\n", ""),
            "wrong",
            "serve_all ends before the reply for the steak is sent.",
            "nobody waits for the tasks",
        ),
        Wrong(
            _SERVE_ALL.replace("asyncio.gather(*tasks)", "asyncio.sleep(5)"),
            "wrong",
            "serve_all ends before the reply for the steak is sent.",
            "nobody waits for the tasks",
        ),
        Wrong(
            _SERVE_ALL.replace(
                "        if reply is not None:\n            send(reply)\n", "        send(reply)\n"
            ),
            "wrong",
            "serve_all sends None: a notification gets nothing.",
            "None is sent",
        ),
        Wrong(
            "async def serve_all(messages, answer, send):\n"
            "    async for raw in messages:\n"
            "        send(answer(raw))\n",
            "wrong",
            "serve_all sends <a coroutine>: a reply is the text that answer gives.",
        ),
        Wrong(
            "def serve_all(messages, answer, send):\n    return None\n",
            "wrong",
            "serve_all must be an async function: write async def.",
        ),
        Wrong(
            "async def serve_all(messages, answer, send):\n    return None\n",
            "wrong",
            "serve_all ends before it has read the order of steak.",
        ),
        Wrong(
            "async def serve_all(messages, answer, send):\n"
            "    for raw in messages:\n"
            "        send(await answer(raw))\n",
            "crashed",
            "serve_all(messages, answer, send) crashed in line 2: TypeError: 'async_generator' "
            "object is not iterable.",
        ),
        Wrong(
            "async def serve_all(messages, answer, send):\n    while True: pass\n",
            "out of time",
            "serve_all(messages, answer, send) did not end within 0.3 seconds; it was in line 2.",
        ),
    ),
    judge=Obeys(
        ("messages", "answer", "send"),
        _SERVICES,
        f"In {len(_SERVICES)} services every dish leaves the kitchen as soon as it is done.",
        shown=0,
        via=_cook,
        is_async=True,
        find=_judge_service,
        wanted=_service_wanted,
    ),
    where=f"{_NOTEBOOK}#The-kitchen's-side",
)

EXERCISES = (_MATCH_EXERCISE, _ID_SOURCE_EXERCISE, _SERVE_EXERCISE)
