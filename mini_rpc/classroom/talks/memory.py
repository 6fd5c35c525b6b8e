"""A line in memory: two programs in one, without a process between them."""

import asyncio

__all__ = ["MemoryTransport", "memory_pair"]


class Channel:
    """A queue with an end (asyncio's can end as of 3.13), and room for so many texts."""

    def __init__(self, room: int) -> None:
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = asyncio.Semaphore(room)
        self._ended = False

    async def put(self, text: str) -> None:
        """Add a text, as soon as there is room. Raises `BrokenPipeError` after the end."""
        await self._room.acquire()
        if self._ended:
            self._room.release()  # wakes the next one, who learns it too
            raise BrokenPipeError("the connection has ended")
        self._texts.put_nowait(text)

    async def get(self) -> str | None:
        """Take out the next text, None at the end."""
        text = await self._texts.get()
        self._room.release()
        return text

    def end(self) -> None:
        """Let nothing more in. What is inside can still be taken out."""
        self._ended = True
        self._texts.put_nowait(None)
        self._room.release()


class MemoryTransport:
    """One end of a `memory_pair`: what is put into one is taken out of the other."""

    def __init__(self, incoming: Channel, outgoing: Channel) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self.receive, self.send = incoming.get, outgoing.put

    def close(self) -> None:
        """End both directions."""
        self._incoming.end()
        self._outgoing.end()


def memory_pair(room: int = 16) -> tuple[MemoryTransport, MemoryTransport]:
    """Return the two ends of a line in memory, with room for so many messages each way."""
    there, back = Channel(room), Channel(room)
    return MemoryTransport(back, there), MemoryTransport(there, back)
