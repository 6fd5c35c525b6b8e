"""Both directions over one stream: requests, notifications and replies, slow and fast together.

A `Connection` reads one message after the other. A request or a notification goes through the six
steps of the dispatcher, and its method runs beside the others: a slow one holds up nobody. A
response goes to whoever waits for its id; a stray one goes to the private log.

A plain method runs in a thread of its own: it may block, and if it shares data with another
method, that needs a lock. An `async` method runs in the event loop, which it must not block.

Why two sides never wait for each other. A side that stops reading makes the other one wait, which
may have stopped reading, too. So there is one rule: **the reader waits only for this side's own
work, and never while this side waits for the other one.** In detail:

- The reader sends nothing itself: replies, refusals too, go to the `Outbox`.
- What will be answered takes a seat until its reply is handed over. The reader waits with a request
  in its hand while all `at_once` seats are taken, and with a notification while `at_once` of them
  have not begun. It never waits while a request of this side is in flight: the reply may come next.
- A side has at most `at_once` requests in flight, and says that it gives one up before it sends
  another. So only the side with fewer seats can run out of them, and the other one reads on.
- A method that waits for the other side keeps no place: it asks ahead of the others, and gives its
  place to the next call. While one waits for room to notify, notifications are read on.

What a side that breaks these rules can pile up is bounded in bytes; then the connection ends.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from reprlib import repr as shorten
from typing import Any

from .asking import Asking, OnProgress, encoded
from .dispatcher import Methods, RpcError, dispatch
from .messages import error_response, notification, shape_of
from .serving import Serving, progress
from .threads import in_thread
from .transport import Outbox, Transport
from .wire import NotJSON, decode, encode

__all__ = ["Connection", "in_thread", "progress"]

_log = logging.getLogger("mini_rpc")

_MOST_WAITING = 64_000_000  # bytes


class _Writer:
    """Writes what is in the outbox, one message after the other: so none is torn."""

    def __init__(self, transport: Transport, outbox: Outbox, serving: Serving) -> None:
        self._transport = transport
        self._outbox = outbox
        self._serving = serving
        self._sent = 0

    async def run(self) -> None:
        try:
            while (text := await self._outbox.next()) is not None:
                await self._transport.send(text)
                self._sent += 1
        finally:
            self._serving.wake()

    @property
    def is_left(self) -> bool:
        """Tell whether something waits to be sent, to somebody who sends nothing any more."""
        return bool(self._outbox) and getattr(self._transport, "is_over", False)

    @property
    def taken(self) -> tuple[int, int]:
        """Tell how much the other side has taken: messages, and the bytes of the one under way."""
        return self._sent, getattr(self._transport, "written", 0)

    async def moves(self, seconds: float) -> bool:
        """Wait until a call begins or ends; return whether that, or anything else, has happened."""
        taken = self.taken
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._serving.changed.wait()
                return True
        return taken != self.taken


class _Reader:
    """Reads one message after the other, and gives it to the half that it is for."""

    def __init__(
        self, transport: Transport, asking: Asking, serving: Serving, writer: _Writer
    ) -> None:
        self._transport = transport
        self._asking = asking
        self._serving = serving
        self._writer = writer

    async def run(self, patience: float) -> None:
        while True:
            try:
                raw = await self._transport.receive()
                if raw is None:
                    return
                message = decode(raw)
            except RpcError as error:
                if not self._asking.skip(error):
                    await self._room("invalid", patience)
                    self._serving.answer(encode(error_response(None, error.code, error.message)))
            except NotJSON:
                await self._room("not JSON", patience)
                self._serving.answer(dispatch(raw or "", {}).sent)
            else:
                if not self._asking.take(message):
                    await self._take(message, len(raw), patience)
            if self._serving.bytes > _MOST_WAITING:
                raise BlockingIOError("the other side sends more than this side can work off")

    async def _take(self, message: Any, size: int, patience: float) -> None:
        shape = shape_of(message)
        if shape != "notification" or not self._heed(message):
            await self._room(shape, patience)
            self._serving.take(message, size)

    def _heed(self, message: dict[str, Any]) -> bool:
        """Heed progress and cancellation (MCP, utilities); tell whether that was all."""
        method, params = message["method"], message.get("params")
        if not isinstance(params, dict):
            return False
        if method == "notifications/cancelled":
            self._serving.stop(params.get("requestId"))
        elif method == "notifications/progress":
            self._asking.pass_on(params)
        else:
            return False
        return not self._serving.serves(method)

    async def _room(self, shape: str, patience: float) -> None:
        """Wait for this side's own work, as the rule has it: see the top of this module."""
        while self._serving.is_full_for(shape) and not self._asking:
            if not await self._writer.moves(patience) and self._writer.is_left:
                raise TimeoutError("nobody reads the replies")


class Connection:
    """One side of a conversation: it serves `methods`, and asks the other side.

    `await connection.run()` serves until the stream ends; `async with Connection(...)` does the
    same in the background. At most `at_once` calls run at once, and this side asks as much at
    once; the rest waits. After the end of the stream, calls have `grace` seconds, counted from the
    last one that has ended, and then the other side `patience` seconds to take a piece of what
    waits for it. `unanswered` holds the ids of the requests that got no reply all the same.
    """

    def __init__(
        self,
        transport: Transport,
        methods: Methods | None = None,
        *,
        at_once: int = 100,
        grace: float = 1.0,
        patience: float = 10.0,
    ) -> None:
        if not isinstance(at_once, int) or at_once < 1:
            raise ValueError(f"at_once is a whole number from 1 on, not {at_once!r}")
        self.unanswered: list[Any] = []
        self._transport = transport
        self._grace = grace
        self._patience = patience
        self._outbox = Outbox(room=at_once)
        self._asking = Asking(self._outbox, at_once)
        self._serving = Serving({} if methods is None else methods, self._outbox, at_once)
        self._writer = _Writer(transport, self._outbox, self._serving)
        self._reader = _Reader(transport, self._asking, self._serving, self._writer)

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        timeout: float | None = 60.0,
        on_progress: OnProgress | None = None,
    ) -> Any:
        """Ask the other side; return the result.

        Raises `RpcError` for an error response, `ValueError` for a reply that breaks the rules or
        is too long, and for a request that is, `ConnectionError` when the connection ends, and
        `TimeoutError` after `timeout` seconds. `on_progress` gets the params of each progress
        notification. Whoever stops waiting says so with `notifications/cancelled` (MCP, utilities).
        """
        asks_back = self._serving.step_aside()
        self._serving.wake()  # the reader must read from now on
        return await self._asking.request(method, params, timeout, on_progress, asks_back)

    async def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Tell the other side. Raises `ConnectionError` once the connection has ended."""
        await self._outbox.add_notification(encoded(notification(method, params)))

    async def run(self) -> None:
        """Talk until the stream ends. Raises `OSError` if it breaks."""
        try:
            await self._talk()
        except Exception as error:
            _log.warning("the connection broke: %r", error)
            raise

    async def __aenter__(self) -> Connection:
        self._running = asyncio.create_task(self.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._outbox.end()  # what is on its way still goes out
        await asyncio.wait({self._running}, timeout=self._grace)
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    async def _talk(self) -> None:
        reading = asyncio.create_task(self._reader.run(self._patience))
        writing = asyncio.create_task(self._writer.run())
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
            self._asking.end()
            if not writing.done() and reading.exception() is None:
                await self._finish(writing)
        finally:
            self._outbox.end()
            self._asking.end()
            tasks = self._serving.end()
            reading.cancel()
            writing.cancel()
            outcomes = await asyncio.gather(reading, writing, return_exceptions=True)
            self._transport.close()
            if tasks:
                await asyncio.wait(tasks, timeout=self._grace)
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(
                outcome, asyncio.CancelledError
            ):
                raise outcome

    async def _finish(self, writing: asyncio.Task[None]) -> None:
        taken = None
        while self._serving and not writing.done():
            is_sending = bool(self._outbox)
            if not await self._writer.moves(self._patience if is_sending else self._grace):
                taken = self._writer.taken if is_sending else None
                break
        self._outbox.end()
        while not writing.done() and taken != self._writer.taken:
            taken = self._writer.taken
            await asyncio.wait({writing}, timeout=self._patience)
        self.unanswered = self._serving.in_flight
        if self.unanswered:
            _log.warning("the input ended, and no reply was sent to %s", shorten(self.unanswered))
        if not writing.done():
            raise TimeoutError("nobody reads the replies")
