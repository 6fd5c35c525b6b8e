"""The half of a connection that asks: it sends requests, and finds who waits for each reply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple

from . import messages
from .dispatcher import RpcError
from .in_flight import InFlight, Stray
from .threads import settle
from .transport import LONGEST, Outbox, Skipped
from .wire import encode

__all__ = ["Asking", "OnProgress", "encoded"]

OnProgress = Callable[[dict[str, Any]], object]
"""What gets the params of each progress notification."""

_log = logging.getLogger("mini_rpc")


class _Wait(NamedTuple):
    """Who waits for a reply, and who hears of progress until then."""

    reply: asyncio.Future[dict[str, Any] | None]
    on_progress: OnProgress | None


class Asking:
    """The requests that this side has sent. `len` counts those that wait for their reply.

    At most `at_once` of them are on their way, and the rest waits here. One that a method sends
    while it serves a request goes ahead of these: else methods that ask back would wait for each
    other.
    """

    def __init__(self, outbox: Outbox, at_once: int) -> None:
        self._outbox = outbox
        self._waits: InFlight[_Wait] = InFlight()
        self._may_ask = asyncio.Semaphore(at_once)

    def __len__(self) -> int:
        return len(self._waits)

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None,
        timeout: float | None,
        on_progress: OnProgress | None,
        goes_ahead: bool,
    ) -> Any:
        """Send a request, and wait: see `Connection.request`."""
        id = self._waits.new_id()
        if on_progress is not None:  # the id serves as the token
            meta = (params or {}).get("_meta", {})
            params = {**(params or {}), "_meta": {**meta, "progressToken": id}}
        text = encoded(messages.request(id, method, params))
        wait = _Wait(asyncio.get_running_loop().create_future(), on_progress)
        self._waits.open(id, wait)
        try:
            async with asyncio.timeout(timeout):
                return _unpack(await self._ask(id, text, wait, goes_ahead))
        except TimeoutError:
            raise TimeoutError(f"no reply to {method} within {timeout} seconds") from None
        finally:
            self._waits.give_up(id)

    def take(self, message: Any) -> bool:
        """Give a response to whoever waits for it; tell whether the message was one.

        A message with no "method" under the id of a request that waits is its reply, well formed
        or not. A reply that nobody waits for goes to the private log: it is never answered.
        """
        if not isinstance(message, dict) or "method" in message:
            return False
        try:
            settle(self._waits.match(message.get("id")).reply, message)
        except Stray as stray:
            if stray.kind == "unknown" and not messages.is_response(message):
                return False
            _log.warning("%s", stray)
        return True

    def skip(self, message: RpcError) -> bool:
        """End the request whose reply had to be skipped; tell whether it was a reply at all.

        Where its id cannot be read, or nobody waits for it, it goes to the private log.
        """
        if not isinstance(message, Skipped) or not message.is_reply:
            return False
        wait = self._waits.give_up(message.id)
        if wait is None:
            _log.warning("a reply was skipped, and nobody knows whose: %s", message.message)
        elif not wait.reply.done():
            wait.reply.set_exception(ValueError(f"the reply was skipped: {message.message}"))
        return True

    def pass_on(self, params: dict[str, Any]) -> None:
        """Tell whoever waits how far the other side is (MCP, utilities: progress)."""
        wait = self._waits.get(params.get("progressToken"))
        if wait is not None and wait.on_progress is not None:
            asyncio.get_running_loop().call_soon(wait.on_progress, params)

    def end(self) -> None:
        """Let nobody wait any longer: the connection has ended."""
        for wait in self._waits.give_up_all():
            settle(wait.reply, None)

    async def _ask(
        self, id: int, text: str, wait: _Wait, goes_ahead: bool
    ) -> dict[str, Any] | None:
        async with nullcontext() if goes_ahead else self._may_ask:
            number = self._outbox.add(text)
            try:
                return await wait.reply
            except asyncio.CancelledError:
                if self._waits.give_up(id) is not None and not self._outbox.take_back(number):
                    self._cancel(id)
                raise

    def _cancel(self, id: int) -> None:
        """Say that nobody waits any longer, ahead of the request that takes this one's place."""
        notice = messages.notification("notifications/cancelled", {"requestId": id})
        with suppress(BrokenPipeError):
            self._outbox.add(encode(notice))


def encoded(message: dict[str, Any]) -> str:
    """Return a message as text. Raises `ValueError` if it is longer than the other side reads."""
    text = encode(message)
    if len(text) > LONGEST:
        raise ValueError(f"a message has at most {LONGEST:,} bytes, and this has {len(text):,}")
    return text


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
