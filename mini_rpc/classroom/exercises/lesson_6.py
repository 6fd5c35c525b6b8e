"""The exercises of lesson 6: requests in flight, and replies in any order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from ...in_flight import InFlight, Stray
from ...messages import error_response, result_response
from ...rules import MCP
from ..judging.answers import Behaves, Judge, Obeys, Problem
from ..judging.behaviors import Clause, holding
from ..judging.clauses import of_value
from ..judging.differences import Difference
from ..judging.values import same, show
from ..talks import loop

__all__ = ["JUDGES"]


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


def _evening(line: list[Any]) -> tuple[dict[Any, str], list[dict[str, Any]]]:
    """Return who waits, and the replies, as a line of the file has them."""
    waiting, replies = line
    return dict(waiting), [*map(_reply, replies)]


def _reply(id: Any) -> dict[str, Any]:
    if isinstance(id, dict) and "error" in id:
        return error_response(id["error"], 86, "No soup today")
    return result_response(id, "served")


def _differs_in_serving(value: Any, should: list[str | None]) -> Difference:
    if not isinstance(value, list):
        return Difference("kind", "it returns no list")
    if len(value) != len(should):
        return Difference("length", "it returns a list of another length")
    pairs = zip(value, should, strict=True)
    gives, due = next(pair for pair in pairs if not same(*pair))
    if due is None:
        return Difference("stray", "it finds a table for a stray")
    does = "it finds no table" if gives is None else "it finds another table"
    return Difference("table", does, general="it finds another table or none")


def _of_evening(waiting: dict[Any, str], replies: list[dict[str, Any]]) -> Iterator[Clause]:
    """Say what is special about an evening: its replies, and their ids."""
    ids = [reply["id"] for reply in replies]
    still = dict(waiting)
    for id, reply in zip(ids, replies, strict=True):
        yield from _of_ids(id, still)
        if MCP.legal_id(id) and still.pop(id, None) and "error" in reply:
            yield "an error {}", "has an id in flight"
    said, open_ones = [*map(json.dumps, ids)], [*map(json.dumps, waiting)]
    stray = [one not in open_ones for one in said]
    kept = [one for one in said if one in open_ones]
    mixed = kept != open_ones[: len(kept)]
    by_type = len({*map(str, waiting)}) < len(waiting)
    yield from holding(
        (sorted(stray) != stray, "a reply {}", "comes after a stray"),
        (len(set(said)) < len(said), "a reply {}", "comes a second time"),
        (any("error" in reply for reply in replies), "a reply {}", "is an error"),
        (mixed, "the replies {}", "do not come in the order of the requests"),
        (len({*waiting.values()}) < len(waiting), "two ids in flight {}", "are of one table"),
        (by_type, "two ids in flight {}", "differ in their type alone"),
        (not replies, "the replies {}", "are none"),
        (0 < len(ids) < len(waiting), "the replies {}", "are fewer"),
    )


def _of_ids(id: Any, waiting: dict[Any, str]) -> Iterator[Clause]:
    """Say what the id of a reply is, and what it is to those who wait."""
    yield from of_value("the id of a reply", id)
    if not MCP.legal_id(id):
        yield "the id of a reply is {}", "neither a string nor an integer"
    if json.dumps(id) in map(json.dumps, waiting):
        yield "a reply {}", "has an id in flight"
        yield from of_value("an answered id", id)
        return
    yield "a reply {}", "has an id that nobody waits for"
    if isinstance(id, (str, int, float)) and id in waiting:
        yield "a reply {}", "has an id that only Python takes for one in flight"
    if str(id) in map(str, waiting):
        yield "a reply {}", "has an id that differs from one in flight in its type alone"


# --- id_source(in_flight) ----------------------------------------------------------------------

_NO_FUNCTION = "no function"
_Steps = tuple[Any, ...]
"""What happens in a talk: "new", {"opened": id}, or {"answered": number}; see the file."""


def _steps(line: Any) -> tuple[_Steps]:
    if isinstance(line, int):
        line = [step for number in range(line) for step in ("new", {"answered": number})]
    return (tuple(line),)


def _play(answer: Callable[[Any], Any], steps: _Steps) -> Any:
    """Play a talk; return the ids that were given out."""
    in_flight: set[Any] = set()
    next_id = answer(in_flight)
    if not callable(next_id):
        return [_NO_FUNCTION, next_id]
    given: list[Any] = []
    for step in steps:
        if step == "new":
            given.append(next_id())
            if not MCP.legal_id(given[-1]):
                return given
            in_flight.add(given[-1])
        elif "answered" in step:
            in_flight.discard(given[step["answered"]])
        else:
            in_flight.add(step["opened"])
    return given


def _happens(name: str, steps: _Steps) -> str:
    words = (
        "a call"
        if step == "new"
        else f"its id number {step['answered'] + 1} is answered"
        if "answered" in step
        else f"others open {show(step['opened'])}"
        for step in steps[:8]
    )
    return f"{name}(in_flight), then: {', '.join(words)}{', …' if len(steps) > 8 else ''}"


def _given(value: Any) -> str:
    if not isinstance(value, list):
        return show(value)
    return show(value[1]) if value[:1] == [_NO_FUNCTION] else f"one after the other: {value}"


def _judge_source(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    if not isinstance(value, list):
        return Problem(f"{name}(in_flight) gives ids that the check cannot read.")
    if value[:1] == [_NO_FUNCTION]:
        return Problem(f"{name}(in_flight) gives {show(value[1], 60)}, and should give a function.")
    waiting: list[Any] = []
    given: list[Any] = []
    for step in args[0]:
        if step == "new":
            id = value[len(given)]
            if problem := _judge_new(id, waiting, given):
                return problem
            given.append(id)
            waiting.append(id)
        elif "answered" in step:
            waiting = [id for id in waiting if not same(id, given[step["answered"]])]
        else:
            waiting.append(step["opened"])
    return None


def _judge_new(id: Any, waiting: list[Any], given: list[Any]) -> Problem | None:
    so_far = ", ".join(show(one) for one in given[-3:])
    if not MCP.legal_id(id):
        mistake = "true as an id" if isinstance(id, bool) else None
        return Problem(
            f"The function gives {show(id, 60)}, and that is no legal id.", None, mistake
        )
    if any(same(id, one) for one in given):
        again = "still waits" if any(same(id, one) for one in waiting) else "was answered before"
        sentence = f"After {so_far} it gives {show(id)} again, which {again}."
        return Problem(sentence, None, "an id is given out twice")
    if any(same(id, one) for one in waiting):
        sentence = f"The function gives {show(id)} while {show(id)} is in flight."
        return Problem(sentence, None, "an id is used twice")
    return None


# --- serve_all(messages, answer, send) ---------------------------------------------------------


class _Order(NamedTuple):
    """A message: how long its answer takes, and the reply that its sender waits for first."""

    dish: str
    minutes: int
    after: str = ""
    is_notification: bool = False


def _cook(answer: Callable[..., Any], orders: tuple[_Order, ...]) -> dict[str, Any]:
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


def _served(value: Any) -> str:
    if not isinstance(value, dict):
        return show(value)
    sent = [f"{show(text, 40)} at minute {time:g}" for text, time in value.get("sent", [])]
    return ", ".join(sent) or "nothing"


def _orders(name: str, orders: tuple[_Order, ...]) -> str:
    words = []
    for order in orders:
        about = f"{order.minutes} minutes" if order.minutes > 1 else "1 minute"
        about += ", a notification" if order.is_notification else ""
        about += f", ordered once the {order.after} is there" if order.after else ""
        words.append(f"{order.dish} ({about})")
    return ", ".join(words) or "no orders"


def _judge_service(name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
    orders: tuple[_Order, ...] = args[0]
    if not isinstance(value, dict):
        return Problem(f"{name} sends a value that the check cannot read.")
    if "stuck" in value:
        ordered = f"The cake is ordered only when the salad is there, and {name} reads all orders"
        sentence = f"{ordered} before it sends anything. So both sides wait forever."
        return Problem(sentence, None, "everything is read first")
    sent = value["sent"]
    for text, _ in sent:
        if text is None:
            sentence = f"{name} sends None: a notification gets nothing."
            return Problem(sentence, None, "None is sent")
        if not isinstance(text, str):
            sent_what = show(text, 60)
            return Problem(f"{name} sends {sent_what}: a reply is the text that answer gives.")
    for order in orders:
        if problem := _judge_order(name, order, value):
            return problem
    asked = [order.dish for order in orders if not order.is_notification]
    texts = [text for text, _ in sent]
    if sorted(texts) != sorted(asked):
        return Problem(f"{name} sends {show(texts, 80)}, and was asked for {show(asked, 80)}.")
    return None


def _judge_order(name: str, order: _Order, value: dict[str, Any]) -> Problem | None:
    dish, came, begun = order.dish, value["came"], value["begun"]
    if dish not in came:
        return Problem(f"{name} ends before it has read the order of {dish}.")
    if dish not in begun:
        return Problem(f"{name} never asks for the answer to the order of {dish}.")
    if begun[dish] > came[dish]:
        late = begun[dish] - came[dish]
        started = f"The {dish} is started {late:g} minutes after its order"
        return Problem(f"{started}: {name} waits for others.", None, "one after the other")
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
    replies = (order for order in orders if not order.is_notification)
    in_time = sorted(replies, key=lambda order: order.minutes)
    return ", then ".join(order.dish for order in in_time) or "nothing"


JUDGES: dict[str, Judge] = {
    "match_replies": Behaves(
        ("waiting", "replies"),
        "All {count} talks end with the right dish on every table.",
        read=_evening,
        via=lambda answer, waiting, replies: answer(dict(waiting), deepcopy(replies)),
        reference=_matched,
        describe=_of_evening,
        differs=_differs_in_serving,
    ),
    "id_source": Obeys(
        ("in_flight",),
        "Over {count} talks no two requests have the same id.",
        read=_steps,
        shown=0,
        sent=_happens,
        via=_play,
        find=_judge_source,
        words=_given,
        wanted=lambda steps: "ids that are not in flight, and that were not given out before",
    ),
    "serve_all": Obeys(
        ("messages", "answer", "send"),
        "In {count} runs every reply is sent as soon as it is there.",
        read=lambda line: (tuple(_Order(**order) for order in line),),
        shown=0,
        sent=_orders,
        via=_cook,
        is_async=True,
        find=_judge_service,
        words=_served,
        wanted=_service_wanted,
    ),
}
