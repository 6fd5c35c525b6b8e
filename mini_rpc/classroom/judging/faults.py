"""What a planted fault is, and lenses to plant it with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = [
    "Fault",
    "Lens",
    "is_falsy",
    "is_none",
    "members_of",
    "with_member",
    "with_plain_id",
    "with_version",
    "without",
]


class Fault(NamedTuple):
    """One planted fault: its name, what it does in words, the faulty function, and the arguments
    that expose it. `kind` says what the function is."""

    name: str
    does: str
    behave: Callable[..., Any]
    exposed_by: tuple[Any, ...]
    kind: str = "one"


# --- lenses: a message, seen in a way that hides something -------------------------------------

Lens = Callable[[Any], Any]


def with_member(name: str, value: Any) -> Lens:
    """Return a lens that sees this value wherever the member is there."""

    def lens(message: Any) -> Any:
        return {**message, name: value} if name in members_of(message) else message

    return lens


def with_plain_id(*kinds: type) -> Lens:
    """Return a lens that sees an ordinary id where the id has one of exactly these types."""

    def lens(message: Any) -> Any:
        hidden = "id" in members_of(message) and type(message["id"]) in kinds
        return {**message, "id": 1} if hidden else message

    return lens


def with_version(message: Any) -> Any:
    """See the right jsonrpc on every object."""
    return {**message, "jsonrpc": "2.0"} if isinstance(message, dict) else message


def without(name: str, is_hidden: Callable[[Any], bool]) -> Lens:
    """Return a lens that does not see this member where its value is to be hidden."""

    def lens(message: Any) -> Any:
        hidden = name in members_of(message) and is_hidden(message[name])
        return {key: message[key] for key in message if key != name} if hidden else message

    return lens


def members_of(message: Any) -> dict[str, Any]:
    return message if isinstance(message, dict) else {}


def is_falsy(value: Any) -> bool:
    return not value


def is_none(value: Any) -> bool:
    return value is None
