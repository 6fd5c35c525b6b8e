"""What carries messages between two programs, and what waits to be carried."""

from __future__ import annotations

import asyncio
import json
import re
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple, Protocol

from .codes import INVALID_REQUEST
from .dispatcher import RpcError

__all__ = ["LONGEST", "ROOM", "Outbox", "Skipped", "Transport"]

LONGEST = 1_000_000
"""How many bytes a message may have, without the end of its line: so memory stays bounded."""

ROOM = 4 * LONGEST
"""How many bytes may wait to be sent before nothing is added that can wait."""


class Transport(Protocol):
    """Anything with these three methods carries a `Connection`."""

    async def receive(self) -> str | bytes | None:
        """Return the next message, None at the end.

        Raises `Skipped` for one that is too long. Unless it was a reply, that goes back with the id
        null, as any `RpcError` does.
        """

    async def send(self, text: str) -> None:
        """Send one message; return when there is room for more. Raises `OSError` when it breaks."""

    def close(self) -> None:
        """Send nothing more: the other side reads the end."""


_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"'
_ID = rb'"id"\s*:\s*(-?\d{1,99}|"(?:[^"\\]|\\.)*")'
_REPLY = re.compile(rb'\s*\{\s*(?:(?:%b|%b)\s*,\s*)*"(?:result|error)"' % (_VERSION, _ID)).match
_LAST_ID = re.compile(rb",\s*%b\s*(?:,\s*%b\s*)?\}\s*$" % (_ID, _VERSION)).search


class Skipped(RpcError):
    """A message that is too long: only its first and its last bytes were looked at.

    `is_reply` tells whether it begins like a response. Then `id` is the one that it carries before
    its result, or behind it at the very end, and None where it stands elsewhere.
    """

    def __init__(self, longest: int, first: bytes, last: bytes) -> None:
        name = INVALID_REQUEST.name
        super().__init__(INVALID_REQUEST.number, f"{name}: a line has more than {longest} bytes")
        begun = _REPLY(first)
        self.is_reply = begun is not None
        found = begun and (begun if begun[1] else _LAST_ID(last))
        self.id = _read_id(found[1]) if found else None


def _read_id(text: bytes) -> Any:
    """Return an id; None where what looks like one is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


class _Letter(NamedTuple):
    text: str
    gone: Callable[[], object]


class Outbox:
    """The messages that wait to be sent, in their order. Until then they can be taken back.

    Requests and replies are added at once: who adds them has counted them. A notification waits
    for room: there is some for so many of them, and for `ROOM` bytes of everything. `bytes` counts
    what is inside, `waiting` who waits for room.
    """

    def __init__(self, room: int) -> None:
        self._letters: OrderedDict[int, _Letter] = OrderedDict()
        self._numbers = count(1)
        self._room = asyncio.Semaphore(room)
        self._more, self._less = asyncio.Event(), asyncio.Event()
        self._ended = False
        self.bytes = 0
        self.waiting = 0  # for room

    def __len__(self) -> int:
        return len(self._letters)

    def __contains__(self, number: int) -> bool:
        return number in self._letters

    def add(self, text: str, gone: Callable[[], object] = lambda: None) -> int:
        """Add a message, and return its number. Raises `BrokenPipeError` after the end.

        `gone()` is called when it is handed over to be sent, or taken back.
        """
        if self._ended:
            raise BrokenPipeError("the connection has ended")
        number = next(self._numbers)
        self._letters[number] = _Letter(text, gone)
        self.bytes += len(text)
        self._more.set()
        return number

    async def add_notification(
        self, text: str, is_wanted: Callable[[], bool] = lambda: True
    ) -> int | None:
        """Add a notification as soon as there is room, if it is still wanted then."""
        self.waiting += 1
        try:
            await self._room.acquire()
            try:
                while self.bytes >= ROOM and not self._ended:
                    await self._less.wait()
                if is_wanted():
                    return self.add(text, self._room.release)
            except BaseException:
                self._room.release()  # after the end this wakes the next one, who learns it too
                raise
            self._room.release()
            return None
        finally:
            self.waiting -= 1

    def take_back(self, number: int) -> bool:
        """Take a message out again; return whether it had not been handed over yet."""
        letter = self._letters.pop(number, None)
        if letter is not None:
            self._left(letter)
        return letter is not None

    async def next(self) -> str | None:
        """Take out the next message to be sent, None once the end is reached."""
        while not self._letters:
            if self._ended:
                return None
            self._more.clear()
            await self._more.wait()
        _, letter = self._letters.popitem(last=False)
        self._left(letter)
        return letter.text

    def end(self) -> None:
        """Let nothing more in. What is inside can still be taken out."""
        self._ended = True
        self._more.set()
        self._less.set()
        self._room.release()

    def _left(self, letter: _Letter) -> None:
        self.bytes -= len(letter.text)
        letter.gone()
        self._less.set()
        if not self._ended:
            self._less.clear()  # who waits is awake all the same
