"""A talk as a sequence diagram: who sends what, which tickets wait meanwhile, who gets a reply."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from ...connection import Connection
from ...in_flight import InFlight, Stray
from ...messages import is_response
from ...wire import NotJSON, decode, encode
from ..sandbox import run
from ..text import Plain, function_name, shorten, visible
from ..widget import SCRIPT, STYLE, Asked, joined, module
from . import loop
from .memory import memory_pair
from .talk import Line, Logged, Sign

__all__ = ["NoSuchOrder", "Row", "Timeline", "as_text", "replay", "rows_of", "timeline"]

Log = Iterable[tuple[Sign, str]]

_HERE = Path(__file__).parent
_LONGEST = 70  # as many characters as an arrow is long
_LANES = 12  # tickets that have a bar of their own at a time


@dataclass(frozen=True)
class Row:
    """One message of the diagram.

    `note` says who gets a reply, or why nobody does; `wrong` tells that somebody else has asked for
    it. `waiting` are the tickets in flight once the message is through: those that have a bar, and
    `more` counts the others.
    """

    sign: Sign
    kind: str
    label: str
    note: str = ""
    wrong: bool = False
    waiting: tuple[str, ...] = ()
    more: int = 0

    @property
    def tickets(self) -> str:
        """Return what waits, in a few words."""
        more = [f"{self.more} more"] if self.more else []
        return ", ".join([*self.waiting, *more])

    @property
    def sentence(self) -> str:
        """Return the row in words."""
        who = "Client" if self.sign == ">" else "Server"
        waiting = f"waiting: {self.tickets}" if self.waiting else "nobody waits"
        return f"{who}: {self.kind} {self.label}. {self.note}{'. ' if self.note else ''}{waiting}"


# --- from a log to rows ------------------------------------------------------------------------


def rows_of(log: Log, in_flight: Any = None) -> list[Row]:
    """Return a row for each line of a log.

    `in_flight` decides who gets a reply: it has `open(id, waiter)` and `match(id)`, as `InFlight`
    has. What it mixes up is marked. Without one, each reply goes where it belongs.
    """
    watcher = _Watcher(in_flight)
    return [watcher.row(Line(*line)) for line in log]


class _Watcher:
    def __init__(self, in_flight: Any) -> None:
        self._tickets: InFlight[dict[str, Any]] = InFlight()
        self._shown: dict[str | int, str] = {}  # the tickets with a bar, and their text
        self._in_flight = in_flight

    def row(self, line: Line) -> Row:
        try:
            message = line.message
        except NotJSON:
            return self._make(line, "not JSON", line.text)
        if is_response(message):
            return self._reply(line, message)
        if not isinstance(message, dict) or "method" not in message:
            return self._make(line, "no message", line.text)
        label = f"{message['method']} {_compact(message.get('params'))}".strip()
        if "id" not in message:
            return self._notification(line, message, label)
        return self._request(line, message, f"{json.dumps(message['id'])}: {label}")

    def _request(self, line: Line, message: dict[str, Any], label: str) -> Row:
        if line.sign == "<":  # the server asks; its tickets are its own
            return self._make(line, "request", label)
        try:
            self._tickets.open(message["id"], message)
        except ValueError as error:
            return self._make(line, "request", label, f"careful: {error}")
        if len(self._shown) < _LANES:
            self._shown[message["id"]] = shorten(json.dumps(message["id"]), 40)
        if self._in_flight is not None:
            self._in_flight.open(message["id"], message)
        return self._make(line, "request", label)

    def _notification(self, line: Line, message: dict[str, Any], label: str) -> Row:
        params = message.get("params")
        if message["method"] == "notifications/cancelled" and isinstance(params, dict):
            given_up = self._tickets.give_up(params.get("requestId"))
            if given_up is not None:
                self._shown.pop(given_up["id"], None)
        return self._make(line, "notification", label)

    def _reply(self, line: Line, message: dict[str, Any]) -> Row:
        kind = "result" if "result" in message else "error"
        label = f"{json.dumps(message.get('id'))}: {_compact(message[kind])}"
        if line.sign == ">":
            return self._make(line, kind, label)
        try:
            asked = self._tickets.match(message.get("id"))
        except Stray as stray:
            asked, note = None, f"a stray, {stray.kind}: nobody waits for it"
        else:
            note = f"for {_guest(asked)}"
            self._shown.pop(message["id"], None)
        if self._in_flight is None:
            return self._make(line, kind, label, note)
        try:
            given = self._in_flight.match(message.get("id"))
        except LookupError:
            given = None
        if given is not asked:
            return self._make(line, kind, label, f"{_mix_up(given, asked)}: WRONG", True)
        return self._make(line, kind, label, note)

    def _make(self, line: Line, kind: str, label: str, note: str = "", wrong: bool = False) -> Row:
        more = len(self._tickets) - len(self._shown)
        label = shorten(visible(label[: _LONGEST + 1]), _LONGEST)
        return Row(line.sign, kind, label, note, wrong, tuple(self._shown.values()), more)


def _compact(value: Any) -> str:
    """Write a value in a few characters: `_meta` is the same in every request."""
    if isinstance(value, dict):
        value = {name: value[name] for name in value if name != "_meta"}
    return "" if value is None or value == {} else json.dumps(value, ensure_ascii=False)


def _guest(asked: Any) -> str:
    params = asked.get("params")
    if isinstance(params, dict) and "table" in params:
        return f"table {_short(params['table'])}"
    return f"request {shorten(json.dumps(asked['id']), 40)}"


def _short(value: Any) -> str:
    return shorten(visible(str(value)[:24]), 24)


def _mix_up(given: Any, asked: Any) -> str:
    """Say who gets a reply that somebody else, or nobody, has asked for."""
    if not isinstance(given, dict):
        return f"nobody gets it, and {_guest(asked)} waits"
    params = given.get("params")
    wish = params.get("dish") if isinstance(params, dict) else None
    return f"{_guest(given)} gets it, and ordered {_short(wish or given['method'])}"


# --- replay ------------------------------------------------------------------------------------


class NoSuchOrder(Plain, ValueError):
    """An order that does not name each answered request of a log once."""


def replay(log: Log, order: Sequence[int]) -> list[Line]:
    """Send the requests of a log once more, over a new connection; return the new log.

    All requests go out first. Then their replies come back, those of the log, in this order:
    [2, 1] lets the reply to the second request come first.

    Raises `ValueError` unless the order names each answered request of the log once.
    """
    asked, replies = _pairs(log)
    numbers = list(order) if isinstance(order, (list, tuple)) else []
    known = [*range(1, len(asked) + 1)]
    if any(type(one) is not int for one in numbers) or sorted(numbers) != known:
        wanted = shorten(", ".join(map(str, known)), 80)
        raise NoSuchOrder(
            f"An order names the requests 1 to {len(asked)}, each once: {wanted}, in any order. "
            f"This one is {shorten(repr(order), 80)}."
        )
    return loop.run(_ask_again(asked, replies, order))


def _pairs(log: Log) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the client's requests that were answered, and their replies."""
    tickets: InFlight[dict[str, Any]] = InFlight()
    asked, replies = [], {}
    for line in (Line(*line) for line in log):
        message = line.message
        if line.sign == ">" and "method" in message and "id" in message:
            tickets.open(message["id"], message)
            asked.append(message)
        elif line.sign == "<" and is_response(message) and message["id"] in tickets:
            replies[id(tickets.match(message["id"]))] = message
    answered = [message for message in asked if id(message) in replies]
    return answered, [replies[id(message)] for message in answered]


async def _ask_again(
    asked: list[dict[str, Any]], replies: list[dict[str, Any]], order: Sequence[int]
) -> list[Line]:
    log: list[Line] = []
    most = len(asked) + 1
    ours, theirs = memory_pair(most)
    async with Connection(Logged(ours, log), at_once=most) as client:
        waits = [
            asyncio.ensure_future(client.request(one["method"], one.get("params"))) for one in asked
        ]
        ids = [decode(await theirs.receive() or "")["id"] for _ in asked]
        for number in order:
            await theirs.send(encode({**replies[number - 1], "id": ids[number - 1]}))
        await asyncio.gather(*waits, return_exceptions=True)
    return log


# --- the diagram -------------------------------------------------------------------------------


def timeline(
    log: Log,
    in_flight: Callable[[], Any] | None = None,
    *,
    from_start: bool = False,
    table: Callable[[], Any] | None = None,
) -> Timeline:
    """Return the sequence diagram of a log: pairs of ">" or "<" and a message.

    `in_flight` makes what decides who gets a reply: something with `open(id, waiter)` and
    `match(id)`, such as `InFlight`. Without one, each reply goes where it belongs.
    Notebooks of before call it `table`.
    With `from_start` the live diagram begins empty, so that a class can guess each next message.
    """
    return Timeline(log, in_flight or table, from_start)


class Timeline(Asked):
    """The diagram as text, as HTML, and live: message by message, or with the replies shuffled.

    `log` and `rows` are what it shows now. There is no clock in it: messages stand in the order in
    which the client sent and got them.
    """

    _esm: Any = module(SCRIPT, _HERE / "timeline.js")
    _css = joined(STYLE, _HERE / "timeline.css")
    _called = "timeline"

    def __init__(
        self, log: Log, in_flight: Callable[[], Any] | None = None, from_start: bool = False
    ) -> None:
        super().__init__()
        self._from_start = from_start
        self._log = [Line(*line) for line in log]
        self._in_flight = in_flight
        self._draw("")

    @property
    def log(self) -> list[Line]:
        return list(self._log)

    def shuffle(self) -> None:
        """Replay the log with its replies in another order."""
        self._reply({"ticket": ""})

    def transcript(self) -> str:
        """Return the diagram as plain text."""
        return as_text(self.rows, self._complaint)

    def _draw(self, ticket: str) -> None:
        self.rows, self._complaint = _judge(self._log, self._in_flight)
        self._answer = {
            "ticket": ticket,
            "rows": [asdict(row) for row in self.rows],
            "sentences": [row.sentence for row in self.rows],
            "complaint": self._complaint,
            "shuffles": _can_be_shuffled(self._log),
            "from_start": self._from_start,
        }

    def _shuffle(self) -> None:
        places = list(range(1, len(_pairs(self._log)[0]) + 1))
        before = [line.text for line in self._log]
        for _ in range(10):  # two tickets have one other order, and chance may need some tries
            random.shuffle(places)
            self._log = replay(self._log, places)
            if [line.text for line in self._log] != before:
                return

    def _reply(self, asked: dict[str, Any]) -> None:
        self._shuffle()
        self._draw(asked["ticket"])


def _judge(log: list[Line], in_flight: Callable[[], Any] | None) -> tuple[list[Row], str]:
    if in_flight is None or in_flight is InFlight:
        return rows_of(log, in_flight and in_flight()), ""
    ran = run(lambda: [astuple(row) for row in rows_of(log, in_flight())])  # the learner's code
    if ran.state == "returned":
        return [Row(*values) for values in ran.value], ""
    failed = f"{function_name(in_flight)} failed ({ran.error or ran.state})"
    return rows_of(log), f"{failed}: each reply goes where it belongs."


def _can_be_shuffled(log: list[Line]) -> bool:
    try:
        return len(_pairs(log)[0]) > 1
    except (NotJSON, ValueError, TypeError, KeyError):
        return False


# --- as text -----------------------------------------------------------------------------------

_WIDTH = 60  # at least


def as_text(rows: list[Row], complaint: str = "") -> str:
    """Return the diagram as plain text."""
    width = max(_WIDTH, *(len(row.label) + 9 for row in rows), 0)
    lines = [f"client{'server':>{width - 3}}   waiting"]
    for row in rows:
        start, end = ("|-- ", ">|") if row.sign == ">" else ("|<- ", "-|")
        body = f"{start}{row.label} ".ljust(width - 2, "-") + end
        lines.append(f" {body}   {row.tickets}".rstrip())
        if row.note:
            lines.append(f" |     {row.note}".ljust(width) + "|")
    return "\n".join([*lines, *([complaint] if complaint else [])])
