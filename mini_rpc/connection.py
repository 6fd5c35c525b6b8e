"""Both directions over one stream: requests, notifications and replies, slow and fast together.

A `Connection` reads one message after the other. A request or a notification goes through the six
steps of the dispatcher, and its method runs beside the others: a slow one holds up nobody. A
response goes to whoever waits for its id; a stray one goes to the private log.

A plain method runs in a thread of its own: it may block, and if it shares data with another
method, that needs a lock. An `async` method runs in the event loop, which it must not block.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future as Outcome
from contextlib import suppress
from contextvars import ContextVar
from inspect import isawaitable, iscoroutinefunction
from typing import Any, NamedTuple, TypeVar

from . import messages
from .codes import INVALID_REQUEST
from .dispatcher import (
    Methods,
    RpcError,
    Verdict,
    crashed,
    dispatch,
    find_method,
    finished,
    raised,
    refused,
)
from .in_flight import InFlight, Stray
from .transport import Channel, Transport
from .wire import NotJSON, decode, encode

__all__ = ["Connection", "in_thread", "progress"]

_log = logging.getLogger("mini_rpc")
_T = TypeVar("_T")


class _Wait(NamedTuple):
    """Who waits for a reply, and who hears of progress until then."""

    reply: asyncio.Future[dict[str, Any] | None]
    on_progress: Callable[[dict[str, Any]], object] | None


class _Call:
    """A message that got through steps 1 to 5 and is ready for step 6."""

    def __init__(self, message: dict[str, Any], method: Any) -> None:
        self.message = message
        self.method = method
        self.params = message.get("params", {})
        self.shape = messages.shape_of(message)


class Connection:
    """One side of a conversation: it serves `methods`, and asks the other side.

    `await connection.run()` serves until the stream ends; `async with Connection(...)` does the
    same in the background. With `at_once` calls running it stops reading, so that the stream fills
    up to the sender. It asks as much at once itself, and the rest waits, notifications apart: so
    there is room for every reply. After the end of the stream, calls have `grace` seconds.
    """

    def __init__(
        self,
        transport: Transport,
        methods: Methods | None = None,
        *,
        at_once: int = 100,
        grace: float = 1.0,
    ) -> None:
        self._transport = transport
        self._methods: Methods = {} if methods is None else methods
        self._grace = grace
        self._asked: InFlight[_Wait] = InFlight()
        self._serving: InFlight[_Call] = InFlight(remembered=0)  # the other side chose the ids
        self._tasks: dict[_Call, asyncio.Task[None]] = {}
        self._answering: set[_Call] = set()  # their methods have returned
        self._room = asyncio.Semaphore(at_once)
        self._may_ask = asyncio.Semaphore(at_once)
        # Half of the replies may wait to be sent to nobody, for a deadline has passed meanwhile.
        self._outgoing = Channel(request=at_once, reply=2 * at_once, notification=at_once)

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        timeout: float | None = 60.0,
        on_progress: Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """Ask the other side; return the result.

        Raises `RpcError` for an error response, `ValueError` for a reply that breaks the rules,
        `ConnectionError` when the connection ends, and `TimeoutError` after `timeout` seconds.
        `on_progress` gets the params of each progress notification. Whoever stops waiting says so
        with `notifications/cancelled` (MCP, utilities).
        """
        id = self._asked.new_id()
        if on_progress is not None:  # the id serves as the token
            meta = (params or {}).get("_meta", {})
            params = {**(params or {}), "_meta": {**meta, "progressToken": id}}
        text = encode(messages.request(id, method, params))
        wait = _Wait(asyncio.get_running_loop().create_future(), on_progress)
        self._asked.open(id, wait)
        try:
            return _unpack(await asyncio.wait_for(self._ask(id, text, wait), timeout))
        except TimeoutError:  # before Python 3.11 not the same as TimeoutError
            raise TimeoutError(f"no reply to {method} within {timeout} seconds") from None
        finally:
            self._asked.give_up(id)

    async def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Tell the other side. Raises `ConnectionError` once the connection has ended."""
        await self._outgoing.put(encode(messages.notification(method, params)), "notification")

    async def run(self) -> None:
        """Talk until the stream ends. Raises `OSError` if it breaks."""
        reading, writing = asyncio.create_task(self._read()), asyncio.create_task(self._write())
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
            self._end_waits()
            if not writing.done():
                await self._finish(writing)
        finally:
            self._outgoing.end()
            self._end_waits()
            self._serving.give_up_all()
            for task in (reading, writing, *self._tasks.values()):
                task.cancel()
            outcomes = await asyncio.gather(reading, writing, return_exceptions=True)
            self._transport.close()
            if self._tasks:
                await asyncio.wait(list(self._tasks.values()), timeout=self._grace)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                _log.warning("the connection broke: %r", outcome)
                raise outcome

    async def __aenter__(self) -> Connection:
        self._running = asyncio.create_task(self.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._outgoing.end()  # what is on its way still goes out
        await asyncio.wait({self._running}, timeout=self._grace)
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    # Reading: one message after the other.

    async def _read(self) -> None:
        while True:
            try:
                raw = await self._transport.receive()
            except RpcError as error:
                reply = messages.error_response(None, error.code, error.message)
                await self._outgoing.put(encode(reply), "reply")
                continue
            if raw is None:
                return
            await self._take(raw)

    async def _take(self, raw: str | bytes) -> None:
        try:
            message = decode(raw)
        except NotJSON:
            return await self._answer(dispatch(raw, {}))
        if messages.is_response(message):
            return self._match(message)
        if messages.shape_of(message) == "notification" and self._heed(message):
            return None
        method, verdict = find_method(message, self._methods)
        if verdict is not None:
            return await self._answer(verdict)
        return await self._start(_Call(message, method))

    def _match(self, reply: dict[str, Any]) -> None:
        """Give a reply to whoever waits for it."""
        try:
            _settle(self._asked.match(reply.get("id")).reply, reply)
        except Stray as stray:
            _log.warning("%s", stray)

    def _heed(self, message: dict[str, Any]) -> bool:
        """Heed progress and cancellation (MCP, utilities); tell whether that was all."""
        params = message.get("params")
        if not isinstance(params, dict):
            return False
        if message["method"] == "notifications/cancelled":
            self._stop(params.get("requestId"))
        elif message["method"] == "notifications/progress":
            self._pass_on(params)
        else:
            return False
        return message["method"] not in self._methods

    def _stop(self, id: Any) -> None:
        """Never answer this request (MCP), and end its method where that can be done."""
        call = self._serving.give_up(id)
        # Nothing stops a thread.
        if call is not None and (iscoroutinefunction(call.method) or call in self._answering):
            self._tasks[call].cancel()

    def _pass_on(self, params: dict[str, Any]) -> None:
        wait = self._asked.get(params.get("progressToken"))
        if wait is not None and wait.on_progress is not None:
            asyncio.get_running_loop().call_soon(wait.on_progress, params)

    # Calling: a task for each call.

    async def _start(self, call: _Call) -> None:
        if call.shape == "request":
            try:
                self._serving.open(call.message["id"], call)
            except ValueError as error:
                return await self._answer(refused(call.message, 2, INVALID_REQUEST, str(error)))
        # While all places are taken nothing is read, replies and cancellations included: a method
        # that asks back needs its deadline.
        await self._room.acquire()
        self._tasks[call] = asyncio.create_task(self._serve(call))
        self._tasks[call].add_done_callback(lambda _: self._done(call))
        return None

    def _done(self, call: _Call) -> None:
        del self._tasks[call]
        self._room.release()

    async def _serve(self, call: _Call) -> None:
        """Run the method, and send the answer unless nobody waits for it any more."""
        _served.set((self, call, float("-inf")))
        try:
            verdict = await self._call(call)
            if self._is_awaited(call):
                self._answering.add(call)
                await self._answer(verdict)
        except BrokenPipeError:
            pass  # the connection has ended, and `run` tells how
        finally:
            self._answering.discard(call)
            if self._is_awaited(call):
                self._serving.match(call.message["id"])

    async def _call(self, call: _Call) -> Verdict:
        """Take step 6 of the dispatcher, and wait for the result."""
        try:
            if iscoroutinefunction(call.method):
                result = call.method(call.params)
            else:
                result = await in_thread(call.method, call.params)
            return finished(call.message, await result if isawaitable(result) else result)
        except asyncio.CancelledError:
            if self._is_awaited(call):
                return crashed(call.message, RuntimeError("the method canceled itself"))
            raise
        except KeyboardInterrupt:
            raise  # in the thread of the loop: Ctrl-C
        except RpcError as error:
            return raised(call.message, error)
        except BaseException as error:
            return crashed(call.message, error)

    def _is_awaited(self, call: _Call) -> bool:
        return self._serving.get(call.message.get("id")) is call

    # Writing: one queue, so that no message is torn, and never more than fits.

    async def _ask(self, id: int, text: str, wait: _Wait) -> dict[str, Any] | None:
        # Two sides that both wait for room to send a reply would read nothing for ever. So the
        # notice that nobody waits goes ahead of the request that takes this one's place.
        async with self._may_ask:
            await self._outgoing.put(text, "request")
            try:
                return await wait.reply
            except asyncio.CancelledError:
                if self._asked.give_up(id) is not None:
                    notice = messages.notification("notifications/cancelled", {"requestId": id})
                    self._outgoing.put_at_once(encode(notice))
                raise

    async def _answer(self, verdict: Verdict) -> None:
        if verdict.sent is not None:
            await self._outgoing.put(verdict.sent, "reply")

    async def _write(self) -> None:
        while (text := await self._outgoing.get()) is not None:
            await self._transport.send(text)

    # Ending: nobody waits for ever.

    async def _finish(self, writing: asyncio.Task[None]) -> None:
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=self._grace)
        self._outgoing.end()
        await asyncio.wait({writing}, timeout=self._grace)

    def _end_waits(self) -> None:
        for wait in self._asked.give_up_all():
            _settle(wait.reply, None)


def _unpack(reply: dict[str, Any] | None) -> Any:
    """Return what a reply carries, or raise it; None stands for a connection that has ended."""
    if reply is None:
        raise ConnectionError("the connection ended before the reply came")
    shape, fault = messages.classify(reply)
    if shape == "result":
        return reply["result"]
    if shape == "invalid":
        raise ValueError(f"the reply breaks the rules: {fault}")
    error = reply["error"]
    raise RpcError(error["code"], error["message"], error.get("data"))


def _settle(future: asyncio.Future[_T], value: _T) -> None:
    if not future.done():  # whoever waited may have been canceled meanwhile
        future.set_result(value)


async def in_thread(function: Callable[..., _T], *args: Any) -> _T:
    """Run a function that may block in a thread of its own; return or raise what it does.

    The thread is a daemon: it keeps no program alive. Where there are no threads, as in a browser,
    the function runs here.
    """
    done: asyncio.Future[Outcome[_T]] = asyncio.get_running_loop().create_future()

    def work() -> None:
        outcome: Outcome[_T] = Outcome()
        try:
            outcome.set_result(function(*args))
        except (KeyboardInterrupt, asyncio.CancelledError) as error:
            # Ctrl-C goes to the main thread, and nothing cancels a thread: this ends nobody else.
            outcome.set_exception(RuntimeError(f"{type(error).__name__} in a thread"))
        except BaseException as error:
            outcome.set_exception(error)
        with suppress(RuntimeError):  # the loop may be gone by now
            done.get_loop().call_soon_threadsafe(_settle, done, outcome)

    try:
        threading.Thread(target=work, daemon=True).start()
    except RuntimeError:
        work()
    return (await done).result()


# Progress (MCP, utilities): the request carries a token, and each report carries it back.

_served: ContextVar[tuple[Connection, _Call, float] | None] = ContextVar("_served", default=None)


async def progress(done: float, total: float | None = None) -> None:
    """Tell whoever waits for the running `async` method how far it is.

    Sends nothing if nobody asked for it. Raises `ValueError` unless `done` grows (MCP).
    """
    if (served := _served.get()) is None:
        return
    connection, call, last = served
    if not done > last:
        raise ValueError(f"progress must grow, and {done} comes after {last}")
    _served.set((connection, call, done))
    meta = call.params.get("_meta")
    if isinstance(meta, dict) and "progressToken" in meta:
        params = {"progressToken": meta["progressToken"], "progress": done}
        if total is not None:
            params["total"] = total
        await connection.notify("notifications/progress", params)
