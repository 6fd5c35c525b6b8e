"""The half of a connection that serves: it runs methods side by side, and sends their replies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from typing import Any

from . import messages
from .asking import encoded
from .calls import Call, Line, call_method
from .codes import INVALID_REQUEST
from .dispatcher import Methods, find_method, refused
from .in_flight import InFlight
from .rules import MCP
from .transport import Outbox

__all__ = ["Serving", "progress"]


class Serving:
    """The calls that run at present, `at_once` of them at most, and those that wait in line.

    What will be answered has a seat until its reply is handed over. A call that asks the other
    side gives its place to the next one. `changed` is set for a moment when a call begins or ends.
    """

    def __init__(self, methods: Methods, outbox: Outbox, at_once: int) -> None:
        self._methods = methods
        self._outbox = outbox
        self._at_once = at_once
        self._in_flight: InFlight[Call] = InFlight(remembered=0)  # the other side chose the ids
        self._line = Line(at_once, self._begin)
        self._running: set[Call] = set()
        self._seats = at_once
        self.changed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._running) + len(self._line)

    @property
    def in_flight(self) -> list[Any]:
        """Return the ids of the requests that have no reply yet."""
        return list(self._in_flight)

    @property
    def bytes(self) -> int:
        """Return how many bytes wait on their way in and out, replies that have a seat apart."""
        return self._line.bytes + self._outbox.bytes - self._line.unsent

    def is_full_for(self, shape: str) -> bool:
        """Tell whether all seats are taken, or, for a notification, as many wait in line.

        These wait until a method ends: while one waits for room to notify, the line is never full.
        """
        if shape != "notification":
            return self._seats <= 0
        return self._line.notifications >= self._at_once and not self._outbox.waiting

    def wake(self) -> None:
        """Let whoever waits for a change look again."""
        self.changed.set()
        self.changed.clear()

    def take(self, message: Any, size: int) -> None:
        """Take a parsed JSON value that is no response through the six steps, without waiting."""
        method, verdict = find_method(message, self._methods)
        if verdict is not None:
            return self.answer(verdict.sent)
        call = Call(message, method, size)
        if call.is_request:
            try:
                self._in_flight.open(call.id, call)
            except ValueError as error:
                return self.answer(refused(message, 2, INVALID_REQUEST, str(error)).sent)
            self._seats -= 1
        return self._line.add(call)

    def answer(self, text: str | None) -> None:
        """Send what answers a message that is refused; None is silence."""
        if text is not None:
            self._seats -= 1
            self._send(text, self._free_seat)

    def serves(self, name: str) -> bool:
        """Tell whether there is a method of this name, or what will crash when it is looked up."""
        try:
            return name in self._methods
        except (Exception, SystemExit):
            return True

    def stop(self, id: Any) -> None:
        """Never answer this request (MCP), and end its method where that can be done."""
        call = self._in_flight.give_up(id)
        if call is None:
            return
        call.is_stopped = True
        self._free_seat()
        for number in call.letters:
            self._outbox.take_back(number)
        if call.task is None:
            self._line.remove(call)
        elif not call.in_thread:  # nothing stops a thread
            call.task.cancel()

    def step_aside(self) -> bool:
        """Let the call that runs here, if one does, give its place to the next one.

        Returns whether one does: it is about to ask the other side.
        """
        served = _served.get()
        if served is None or served[1] not in self._running:
            return False
        self._line.leave(served[1])
        self.wake()
        return True

    def end(self) -> list[asyncio.Task[None]]:
        """Answer nothing more; cancel what runs, and return its tasks."""
        self._in_flight.give_up_all()
        self._line.clear()
        tasks = [call.task for call in self._running if call.task is not None]
        for call in self._running:
            call.is_stopped = True
        for task in tasks:
            task.cancel()
        return tasks

    async def report(self, call: Call, text: str) -> None:
        """Send a progress notification, unless its request is answered or canceled by then."""
        number = await self._outbox.add_notification(text, lambda: self._is_awaited(call))
        if number is not None:
            call.letters = [one for one in call.letters if one in self._outbox] + [number]

    def _begin(self, call: Call) -> None:
        self._running.add(call)
        call.task = asyncio.create_task(self._serve(call))
        call.task.add_done_callback(partial(self._done, call))
        self.wake()

    def _done(self, call: Call, _: object) -> None:
        self._running.discard(call)
        self._line.leave(call)
        self.wake()

    async def _serve(self, call: Call) -> None:
        _served.set((self, call))
        sent = (await call_method(call)).sent
        if sent is not None and self._is_awaited(call):
            self._line.replied(len(sent))
            call.letters.append(self._send(sent, partial(self._handed_over, call, len(sent))))

    def _send(self, text: str, gone: Callable[[], None]) -> int:
        with suppress(BrokenPipeError):  # the connection has ended, and `run` tells how
            return self._outbox.add(text, gone)
        return 0

    def _handed_over(self, call: Call, size: int) -> None:
        if self._is_awaited(call):
            self._in_flight.match(call.id)
            self._free_seat()
        self._line.taken(size)

    def _free_seat(self) -> None:
        self._seats += 1
        self.wake()

    def _is_awaited(self, call: Call) -> bool:
        return call.is_request and self._in_flight.get(call.id) is call


# Progress (MCP, utilities): the request carries a token, and each report carries it back.

_served: ContextVar[tuple[Serving, Call] | None] = ContextVar("_served", default=None)


async def progress(done: float, total: float | None = None) -> None:
    """Tell whoever waits for the running method how far it is.

    Sends nothing if nobody asked for it, or waits any longer. Raises `ValueError` unless `done`
    grows (MCP).
    """
    if (served := _served.get()) is None:
        return
    serving, call = served
    if not done > call.reported:
        raise ValueError(f"progress must grow, and {done} comes after {call.reported}")
    call.reported = done
    if call.is_request and MCP.legal_id(call.token):
        params = {"progressToken": call.token, "progress": done}
        if total is not None:
            params["total"] = total
        text = encoded(messages.notification("notifications/progress", params))
        await serving.report(call, text)
