"""A request or a notification on its way through step 6, and the line that it waits in."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from typing import Any

from .dispatcher import RpcError, Verdict, crashed, finished, raised
from .threads import in_thread
from .transport import LONGEST, ROOM

__all__ = ["Call", "Line", "call_method"]


class Call:
    """A request or a notification whose method runs, or waits for a place to run."""

    def __init__(self, message: dict[str, Any], method: Callable[[Any], Any], size: int) -> None:
        self.message = message
        self.method = method
        self.size = size  # of the message, in bytes
        self.params: dict[str, Any] = message.get("params", {})
        meta = self.params.get("_meta")
        self.token = meta.get("progressToken") if isinstance(meta, dict) else None
        self.is_request = "id" in message
        self.id: Any = message.get("id")
        self.task: asyncio.Task[None] | None = None
        self.has_place = False
        self.in_thread = False
        self.is_stopped = False
        self.reported = float("-inf")
        self.letters: list[int] = []  # the numbers of what it has sent, in the outbox


class Line:
    """The calls that wait for one of the places to run. `begin` is called with each that gets one.

    While replies wait to be taken, `unsent` bytes of them, a request begins only if its own will
    have room, too. `notifications` and `bytes` count what waits.
    """

    def __init__(self, places: int, begin: Callable[[Call], None]) -> None:
        self._waiting: deque[Call] = deque()
        self._begin = begin
        self._all, self.places = places, places
        self._usual = 0  # the size of the last reply
        self.notifications = 0
        self.bytes = 0
        self.unsent = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, call: Call) -> None:
        """Let a call wait; let it begin if it can."""
        self._waiting.append(call)
        self.bytes += call.size
        self.notifications += not call.is_request
        self.move()

    def remove(self, call: Call) -> None:
        """Take a call out again."""
        self._waiting.remove(call)
        self.bytes -= call.size
        self.notifications -= not call.is_request

    def clear(self) -> None:
        """Let nobody wait any longer: the connection has ended."""
        self._waiting.clear()

    def leave(self, call: Call) -> None:
        """Give the place of a call to the next one."""
        if call.has_place:
            call.has_place = False
            self.places += 1
            self.move()

    def move(self) -> None:
        """Let begin what can."""
        while self.places > 0:
            call = next((one for one in self._waiting if self._can_begin(one)), None)
            if call is None:
                break
            self.remove(call)
            self.places -= 1
            call.has_place = True
            self._begin(call)

    def replied(self, size: int) -> None:
        """Count a reply that waits to be taken."""
        self.unsent += size
        self._usual = size

    def taken(self, size: int) -> None:
        """Count a reply that has been taken; let begin what can."""
        self.unsent -= size
        self.move()

    def _can_begin(self, call: Call) -> bool:
        if not call.is_request or self.unsent == 0:
            return True
        return self.unsent + self._usual * (1 + self._all - self.places) <= ROOM


async def call_method(call: Call) -> Verdict:
    """Take step 6 of the dispatcher, and wait for the result."""
    try:
        result = await _begun(call)
        if isawaitable(result):
            result = await result
        return _short_enough(call, finished(call.message, result))
    except asyncio.CancelledError:
        if call.is_stopped:
            raise
        return crashed(call.message, RuntimeError("the method canceled itself"))
    except KeyboardInterrupt:
        raise  # in the thread of the loop: Ctrl-C
    except RpcError as error:
        return _short_enough(call, raised(call.message, error))
    except BaseException as error:
        return crashed(call.message, error)


async def _begun(call: Call) -> Any:
    """Return what the method returns, at once: an `async` one returns what is still to await."""
    if iscoroutinefunction(call.method):
        return call.method(call.params)
    call.in_thread = True
    try:
        result = await in_thread(call.method, call.params)
    finally:
        call.in_thread = False
    if call.is_stopped:  # meanwhile, by a wrapper of an `async` method
        if iscoroutine(result):
            result.close()
        raise asyncio.CancelledError
    return result


def _short_enough(call: Call, verdict: Verdict) -> Verdict:
    """Return the verdict, or another one where the other side would not read such a long line."""
    size = len(verdict.sent or "")
    if size <= LONGEST:
        return verdict
    error = ValueError(f"a reply has at most {LONGEST:,} bytes, and this has {size:,}")
    return crashed(call.message, error, "returned more than a line may have")
