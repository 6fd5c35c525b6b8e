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
    """A queue with an end (asyncio's can end as of 3.13), and room for so many texts of each kind.

    However many there are of one kind, they keep no other kind waiting.
    """

    def __init__(self, **room: int) -> None:
        self._texts: asyncio.Queue[tuple[str | None, asyncio.Semaphore | None]] = asyncio.Queue()
        self._room = {kind: asyncio.Semaphore(many) for kind, many in room.items()}
        self._ended = False

    async def put(self, text: str, kind: str) -> None:
        """Add a text, as soon as there is room. Raises `BrokenPipeError` after the end."""
        room = self._room[kind]
        await room.acquire()
        if self._ended:
            room.release()  # wakes the next one, who learns it too
            raise BrokenPipeError("the connection has ended")
        self._texts.put_nowait((text, room))

    def put_at_once(self, text: str) -> None:
        """Add a text without waiting for room: one at most for each text that has taken room."""
        if not self._ended:
            self._texts.put_nowait((text, None))

    async def get(self) -> str | None:
        """Take out the next text, None at the end."""
        text, room = await self._texts.get()
        if room is not None:
            room.release()
        return text

    def end(self) -> None:
        """Let nothing more in. What is inside can still be taken out."""
        self._ended = True
        self._texts.put_nowait((None, None))
        for room in self._room.values():
            room.release()
