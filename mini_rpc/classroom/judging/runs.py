"""Station 1: an answer is run. What a dispatcher did with each message, and what the core does."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from ...dispatcher import dispatch
from .. import sandbox
from ..text import shorten
from .hostile_messages import Raw
from .hostile_methods import HOSTILE_METHODS
from .values import as_json, message_of

__all__ = [
    "NOT_MEASURED",
    "NO_DICT",
    "Did",
    "Due",
    "Handle",
    "Methods",
    "due",
    "quiet",
    "run_dispatcher",
    "run_here",
]

Handle = Callable[[Any, Any], Any]
Methods = Mapping[str, Callable[[Any], Any]]
Calls = Sequence[tuple[str, str]]
"""The methods that were called, in order, each with its params as JSON text."""


class Did(NamedTuple):
    """What a dispatcher did with a message: how it ended, its reply, and the methods it called.

    `spoiled` is what the reply to the message before is by now, where it changed that; else "".
    """

    run: sandbox.Run
    reply: Any = None
    calls: Calls = ()
    spoiled: str = ""


class Due(NamedTuple):
    """What is due for a message: what the core does, and the ids that the reply may have."""

    step: int
    reply: Any
    calls: Calls
    ids: tuple[Any, ...] = ()

    @property
    def code(self) -> int | None:
        """Return the code of the error that is due, None where none is."""
        return self.reply["error"]["code"] if self.reply and "error" in self.reply else None


NOT_MEASURED = Due(6, None, [])
"""Stands for what is due where the core itself, with a learner's methods, came to no end."""


NO_DICT = "no dict"
"""Stands for the params of a method that was called in another way than with one dict."""


class _Watched:
    """A dispatcher whose calls are written down. It returns its reply, the calls, and whether it
    has spoiled its reply before."""

    def __init__(self, handle: Handle, methods: Methods) -> None:
        self.handle = handle
        self.calls: list[tuple[str, str]] = []
        self.methods = {name: self._watched(name, method) for name, method in methods.items()}
        self.last: dict[Any, Any] = {}
        self.last_parts: dict[Any, Any] = {}

    def __call__(self, raw: Raw) -> tuple[Any, Calls, str]:
        self.calls.clear()
        reply = self.handle(raw, self.methods)
        spoiled = ""
        if not _same_parts(self.last, self.last_parts):
            spoiled = shorten(repr(self.last), 300)
        if type(reply) is dict:
            self.last = reply
            copied = ((k, dict(v) if type(v) is dict else v) for k, v in reply.items())
            self.last_parts = dict(copied)
        return reply, list(self.calls), spoiled

    def _watched(self, name: str, method: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def watched(*args: Any, **named: Any) -> Any:
            params = [*args, *named.values()]
            if len(params) != 1 or named.keys() - {"params"}:
                self.calls.append((name, NO_DICT))
                return method(*args, **named)
            self.calls.append((name, as_json(params[0]) or repr(params[0])))
            return method(*params)

        return watched


def _same_parts(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    """Tell whether two dicts hold the very same parts, and so do the dicts right inside them."""

    def is_same(left: Any, right: Any) -> bool:
        both = type(left) is dict and type(right) is dict
        return left is right or (both and _same_parts(left, right))

    return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)


def run_dispatcher(
    handle: Handle,
    messages: Sequence[Raw],
    methods: Methods = HOSTILE_METHODS,
    seconds: float | None = None,
) -> list[Did]:
    """Give the messages to a dispatcher, in order; return what it did with each.

    The dispatcher and the methods run in the sandbox, so no mistake can harm the kernel.
    """
    runs = sandbox.run_each(_Watched(handle, methods), messages, seconds=seconds)
    return [_did(run) for run in runs]


def run_here(handle: Handle, messages: Sequence[Raw]) -> Iterator[Did]:
    """Do the same with one of the course's own dispatchers and the hostile methods, right here."""
    watched = _Watched(handle, HOSTILE_METHODS)
    for raw in messages:
        with quiet():
            try:
                run = sandbox.Run("returned", watched(raw))
            except BaseException as error:
                run = sandbox.Run("raised", error=type(error).__name__)
        yield _did(run)


def _did(run: sandbox.Run) -> Did:
    value = run.value
    if type(value) is tuple and len(value) == 3 and _are_calls(value[1]):
        return Did(run, *value)
    return Did(run, value)  # nothing came back, or what cannot leave the sandbox


def _are_calls(value: Any) -> bool:
    return type(value) is list and all(
        type(one) is tuple and [*map(type, one)] == [str, str] for one in value
    )


def due(
    messages: Sequence[Raw],
    methods: Methods = HOSTILE_METHODS,
    *,
    strict: bool = True,
) -> list[Due]:
    """Return what is due for each message.

    JSON-RPC leaves open whether a refusal of step 2 has the message's own id, if it is legal, or
    null. With `strict` the id must be the core's.
    """
    if methods is HOSTILE_METHODS:
        found = [_due_here(raw) for raw in messages]
    else:  # the learner's methods run as well
        runs = sandbox.run_each(_core(methods), messages)
        found = [_due_there(run.value) for run in runs]
    return found if strict else [*map(_opened, messages, found)]


def _opened(raw: Raw, one: Due) -> Due:
    if one.step != 2 or one.reply is None:
        return one
    id = (message_of(raw) or {}).get("id")
    return one._replace(ids=(None, id) if type(id) in (int, str) else (None,))


@lru_cache(4000)
def _due_here(raw: Raw) -> Due:
    with quiet():
        return _core(HOSTILE_METHODS)(raw)


def _due_there(value: Any) -> Due:
    is_due = type(value) is tuple and len(value) == 4 and value[0] in range(1, 7)
    return Due(*value) if is_due else NOT_MEASURED


def _core(methods: Methods) -> Callable[[Raw], Due]:
    watched = _Watched(dispatch, methods)

    def core(raw: Raw) -> Due:
        verdict, calls, _ = watched(raw)
        ids = () if verdict.reply is None else (verdict.reply["id"],)
        return Due(verdict.step, verdict.reply, calls, ids)

    return core


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the core's log, and Python's remarks on the hostile methods, out of the notebook."""
    log = logging.getLogger("mini_rpc")
    before, log.disabled = log.disabled, True
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        log.disabled = before
