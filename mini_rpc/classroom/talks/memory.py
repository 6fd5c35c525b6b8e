"""A line in memory: two programs in one, without a process between them."""

from __future__ import annotations

from ...transport import Channel

__all__ = ["MemoryTransport", "memory_pair"]


class MemoryTransport:
    """One end of a `memory_pair`."""

    def __init__(self, incoming: Channel, outgoing: Channel) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    async def receive(self) -> str | None:
        """Return the next message, None at the end."""
        return await self._incoming.get()

    async def send(self, text: str) -> None:
        """Send one message. Raises `BrokenPipeError` after the end."""
        await self._outgoing.put(text, "message")

    def close(self) -> None:
        """End both directions."""
        self._incoming.end()
        self._outgoing.end()


def memory_pair(room: int = 16) -> tuple[MemoryTransport, MemoryTransport]:
    """Return the two ends of a line in memory, with room for so many messages each way."""
    there, back = Channel(message=room), Channel(message=room)
    return MemoryTransport(back, there), MemoryTransport(there, back)
