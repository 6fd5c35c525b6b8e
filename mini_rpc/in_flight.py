"""The requester's table: the tickets that still wait for an answer.

Nothing here waits or knows of asyncio. A waiter is whatever the caller wants back when the answer
has come: a table in a restaurant, or a future (see `connection`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from itertools import count
from reprlib import repr as shorten
from typing import Any, Generic, Literal, TypeVar

from .rules import MCP

__all__ = ["InFlight", "Stray"]

Waiter = TypeVar("Waiter")


class Stray(LookupError):
    """A reply that nobody waits for.

    `kind` is "duplicate" (its request was answered before), "late" (its requester had stopped
    waiting) or "unknown" (no such request, or one too long ago to be remembered).
    """

    def __init__(self, id: Any, kind: Literal["duplicate", "late", "unknown"]) -> None:
        super().__init__(f"a stray reply, {kind}: nobody waits for the id {shorten(id)}")
        self.id = id
        self.kind = kind


class InFlight(Generic[Waiter]):
    """The requests that wait for an answer, by id: `len` counts them, iterating gives the ids.

    As many of the ended ones as are `remembered` tell what kind a stray reply is of.
    """

    def __init__(self, remembered: int = 1000) -> None:
        self._remembered = remembered
        self._waiting: dict[str | int, Waiter] = {}
        self._ended: OrderedDict[str | int, Literal["duplicate", "late"]] = OrderedDict()
        self._numbers = count(1)

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[str | int]:
        return iter(tuple(self._waiting))

    def __contains__(self, id: Any) -> bool:
        # To a Python dict, 1, True and 1.0 are one key. To JSON they are three different things.
        return MCP.legal_id(id) and id in self._waiting

    def new_id(self) -> int:
        """Return a number that is not waiting, and that this method has never returned before."""
        return next(number for number in self._numbers if number not in self._waiting)

    def open(self, id: str | int, waiter: Waiter) -> None:
        """Let `waiter` wait for the answer with this `id`.

        Raises `ValueError` if the id is illegal or still waits: of two tickets with one number,
        one would never be served.
        """
        if not MCP.legal_id(id):
            raise ValueError(f"an id is {MCP.ids}, not {shorten(id)}")
        if id in self._waiting:
            raise ValueError(f"the id {shorten(id)} is still in flight")
        self._waiting[id] = waiter

    def get(self, id: Any) -> Waiter | None:
        """Return who waits under `id`, or None. Here and below, `id` may be any JSON value."""
        return self._waiting[id] if id in self else None

    def match(self, id: Any) -> Waiter:
        """Take out and return who waits for the reply with this `id`: the same, type and all.

        Raises `Stray` if nobody does.
        """
        if id in self:
            return self._take_out(id, "duplicate")
        raise Stray(id, self._ended.get(id, "unknown") if MCP.legal_id(id) else "unknown")

    def give_up(self, id: Any) -> Waiter | None:
        """Take out and return who waits under `id`, or None. A reply from now on is late."""
        return self._take_out(id, "late") if id in self else None

    def give_up_all(self) -> list[Waiter]:
        """Take out and return everybody who waits: the connection has ended."""
        return [self._take_out(id, "late") for id in self]

    def _take_out(self, id: str | int, another_reply_is: Literal["duplicate", "late"]) -> Waiter:
        self._ended[id] = another_reply_is
        self._ended.move_to_end(id)
        if len(self._ended) > self._remembered:
            self._ended.popitem(last=False)
        return self._waiting.pop(id)
