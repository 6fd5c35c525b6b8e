"""What carries messages between two programs: `stdio` does it as lines."""

from __future__ import annotations

import asyncio
from typing import Protocol

__all__ = ["Channel", "Transport"]


class Transport(Protocol):
    """Anything with these three methods carries a `Connection`."""

    async def receive(self) -> str | bytes | None:
        """Return the next message, None at the end.

        Raises `RpcError` for one that had to be skipped: the error goes back with the id null.
        """

    async def send(self, text: str) -> None:
        """Send one message; return when there is room for more. Raises `OSError` when it breaks."""

    def close(self) -> None:
        """Send nothing more: the other side reads the end."""


class Channel:
    """A queue with room for so many texts, and with an end. (asyncio's can end as of 3.13.)"""

    def __init__(self, room: int) -> None:
        self._texts: asyncio.Queue[tuple[str | None, bool]] = asyncio.Queue()
        self._room = asyncio.Semaphore(room)
        self._ended = False

    async def put(self, text: str) -> None:
        """Add a text, as soon as there is room. Raises `BrokenPipeError` after the end."""
        await self._room.acquire()
        if self._ended:
            self._room.release()  # wakes the next one, who learns it too
            raise BrokenPipeError("the connection has ended")
        self._texts.put_nowait((text, True))

    def put_if_room(self, text: str) -> None:
        """Add a text that may be lost, without waiting and without taking anybody's room."""
        if not self._ended and not self._room.locked():
            self._texts.put_nowait((text, False))

    async def get(self) -> str | None:
        """Take out the next text, None at the end."""
        text, took_room = await self._texts.get()
        if took_room:
            self._room.release()
        return text

    def end(self) -> None:
        """Let nothing more in. What is inside can still be taken out."""
        self._ended = True
        self._texts.put_nowait((None, False))
        self._room.release()
