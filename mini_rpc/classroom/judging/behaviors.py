"""What a method does when it is called, in words: found by calling it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from traceback import walk_tb
from typing import Any, NamedTuple

from ...dispatcher import RpcError
from ...messages import kind_of
from ...wire import encode
from .hostile_methods import HOSTILE_METHODS
from .runs import quiet
from .values import as_json

__all__ = ["Behavior", "Clause", "behavior_of", "holding"]

Clause = tuple[str, str]
"""Something that can be said: a sentence with {} in it, and what stands there."""

_RAISES = "the method raises an RpcError {}"
_CRASHES = "the method crashes with {}"
_FAMILIES = (LookupError, ArithmeticError, ValueError, OSError, RuntimeError)
_OF_RPC = range(-32768, -31999)


def holding(*listed: tuple[Any, str, str]) -> Iterator[Clause]:
    """Yield the clauses that hold: each is listed as a condition, a sentence with {}, and what
    stands there."""
    return ((slot, value) for holds, slot, value in listed if holds)


class Behavior(NamedTuple):
    """What a call does: the clauses that are true of it, whether it raised an `RpcError` that can
    be sent, and the texts of a crash, none of which may reach a reply."""

    clauses: tuple[Clause, ...]
    on_purpose: bool = False
    tells: tuple[str, ...] = ()


@lru_cache(2000)
def behavior_of(name: str, params: str) -> Behavior:
    """Call a hostile method with these params, given as JSON text, and tell what it does."""
    method = HOSTILE_METHODS.get(name)
    if method is None:
        return Behavior(())
    try:
        with quiet():
            return _called(method, json.loads(params))
    except BaseException:  # a crash whose own text or attributes crash
        return Behavior((("the method {}", "crashes"),))


def _called(method: Callable[[Any], Any], params: Any) -> Behavior:
    before = as_json(params)
    try:
        result = method(params)
    except RpcError as error:
        return _meant(error)
    except BaseException as error:
        return Behavior(tuple(_crashed(error)), tells=tuple(_told_by(error)))
    return Behavior(tuple(_returned(result, as_json(params) != before)))


def _returned(result: Any, changed: bool) -> Iterator[Clause]:
    yield from holding(
        (True, "the method {}", "returns"),
        (changed, "the method {}", "changes its params"),
    )
    try:
        encode(result)
    except Exception as error:
        yield "the method {}", "returns what JSON cannot carry"
        yield "json.dumps of the result fails with {}", type(error).__name__
        return
    members = result if isinstance(result, dict) else {}
    has_error = "error" in members
    yield from holding(
        (True, "the method returns {}", kind_of(result)),
        (not result, "the method {}", "returns what is false for Python"),
        (not result, "the method returns {}", f"{as_json(result)}"),
        (has_error, "the method {}", "returns an object that has an error in it"),
        (members.get("isError"), "the method {}", "returns an object whose isError is true"),
    )


def _meant(error: RpcError) -> Behavior:
    said = [("the method {}", "raises an RpcError"), ("the method raises {}", "an RpcError")]
    try:
        encode([error.code, error.message, error.data])
        sendable = type(error.code) is int and type(error.message) is str
    except Exception:
        sendable = False
    if not sendable:
        said.append(("the method raises {}", "an RpcError that JSON cannot carry"))
        said.append((_RAISES, f"whose {_unsendable_part(error)}"))
        return Behavior(tuple(said))
    if type(error) is not RpcError:
        said.append(("the method raises {}", "a subclass of RpcError"))
    return Behavior((*said, *_of_code(error), *_of_data(error.data)), on_purpose=True)


def _of_code(error: RpcError) -> Iterator[Clause]:
    is_own = error.code in _OF_RPC
    return holding(
        (not error.message, _RAISES, "with an empty message"),
        (True, "the code of the RpcError is {}", "negative" if error.code < 0 else "0 or more"),
        (is_own, _RAISES, "with a code of JSON-RPC's own range"),
        (is_own, _RAISES, f"with the code {error.code}"),
    )


def _of_data(data: Any) -> Iterator[Clause]:
    has = data is not None
    return holding(
        (True, _RAISES, "with data" if has else "without data"),
        (has, "the data of the RpcError is {}", kind_of(data)),
        (has, _RAISES, f"with data that is {'true' if data else 'false'} for Python"),
        (has and not data, _RAISES, f"with the data {as_json(data)}"),
    )


def _unsendable_part(error: RpcError) -> str:
    if type(error.code) is not int:
        return "code is no integer"
    return "data JSON cannot carry" if type(error.message) is str else "message is no string"


def _crashed(error: BaseException) -> Iterator[Clause]:
    named = not type(error).__module__.startswith(__package__)  # a name that tells a learner much
    kinds = [one.__name__ for one in _FAMILIES if isinstance(error, one)]
    return holding(
        (True, "the method {}", "crashes"),
        (named, _CRASHES, type(error).__name__),
        *((True, _CRASHES, f"any kind of {kind}") for kind in kinds),
        (not isinstance(error, Exception), _CRASHES, "what is no Exception"),
        (hasattr(error, "code"), _CRASHES, "an exception that has a code"),
        (error.__cause__ is not None, _CRASHES, "an exception that has a cause"),
    )


def _told_by(error: BaseException) -> Iterator[str]:
    """Yield what must not reach a reply: texts, the class's name, and the same of its cause."""
    yield type(error).__name__
    yield from filter(None, [*map(str, error.args), str(getattr(error, "message", ""))])
    yield from {frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)}
    if error.__cause__ is not None:
        yield from _told_by(error.__cause__)
