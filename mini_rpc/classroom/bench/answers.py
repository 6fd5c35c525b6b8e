"""Ask a dispatcher about one message. A learner's code runs in a child process, never here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from types import NoneType
from typing import Any

import mini_rpc

from ...dispatcher import Methods, Verdict, dispatch
from ...messages import kind_of
from ...rules import Rules
from ...wire import encode
from .. import sandbox
from ..kitchen import METHODS
from ..text import a_or_an, function_name, type_name

__all__ = ["SECONDS", "Answer", "Handle", "ask", "is_course", "is_quick"]

Handle = Callable[[Any, Methods], Any]
"""A dispatcher: takes raw text and the methods, returns the reply as a dict, or None."""

SECONDS = 2.0
"""How long a learner's code may take over one message."""
_FIELDS = ("step", "shape", "reply", "sent", "reason", "rule", "log", "place")
_LONGEST_NUMBER = 14_000  # bits: Python writes some 4,300 digits
_KITCHEN = dict(METHODS)  # as it was shipped: a learner may add to METHODS


@dataclass(frozen=True)
class Answer:
    """What one dispatcher did with one message.

    `verdict` is there for the course's dispatcher only: of any other one, nothing but its reply
    is known. `sent` is the reply as one line of text, None for silence. `failure` says in a
    sentence why there is no reply at all, `line` is the learner's own line where that happened,
    and `printed` is what the code printed.
    """

    name: str
    verdict: Verdict | None = None
    reply: Any = None
    sent: str | None = None
    reason: str = ""
    failure: str = ""
    line: str = ""
    printed: str = ""


def is_course(handle: Handle | None) -> bool:
    """Tell whether this is the course's own dispatcher."""
    return handle is None or handle is mini_rpc.handle


def is_quick(handle: Handle | None, methods: Methods) -> bool:
    """Tell whether nothing but the course's own code will run, which needs no sandbox.

    Methods are compared with `is`: a name or a method that fights back is never asked.
    """
    return (
        is_course(handle)
        and type(methods) is dict
        and len(methods) == len(_KITCHEN)
        and all(type(name) is str for name in methods)
        and all(methods.get(name) is method for name, method in _KITCHEN.items())
    )


def ask(handle: Handle | None, raw: str, methods: Methods, rules: Rules) -> Answer:
    """Give one raw message to a dispatcher, None meaning the course's; return its `Answer`.

    Whatever the dispatcher or a method does, an `Answer` comes out.
    """
    if not is_course(handle):
        return _ask_other(handle, raw, methods)
    name = "the course's dispatcher"
    if is_quick(handle, methods):
        return _from_verdict(name, dispatch(raw, methods, rules=rules))
    run = sandbox.run(lambda: _pack(dispatch(raw, methods, rules=rules)), seconds=SECONDS)
    if run.state != "returned":
        return _failed("A method", name, run)
    if not isinstance(run.value, tuple):
        size = "large" if run.value == sandbox.VERY_LARGE else "deep"
        return Answer(name, failure=f"The reply is too {size} to show.", printed=run.printed)
    try:
        verdict = _unpack(run.value)
    except (TypeError, ValueError):  # a method has written to the pipe in its place
        return Answer(name, failure="A method wrote over the verdict.", printed=run.printed)
    return _from_verdict(name, verdict, run.printed)


def _from_verdict(name: str, verdict: Verdict, printed: str = "") -> Answer:
    reason = verdict.reason
    return Answer(name, verdict, verdict.reply, verdict.sent, reason=reason, printed=printed)


def _pack(verdict: Verdict) -> tuple[Any, ...]:
    """Return a verdict as the plain tuple that can leave the sandbox."""
    fields = (getattr(verdict, name) for name in _FIELDS)
    return (*fields, tuple(_pack(part) for part in verdict.parts))


def _unpack(fields: tuple[Any, ...]) -> Verdict:
    *first, parts = fields
    named = dict(zip(_FIELDS, first, strict=True))
    return Verdict(**named, parts=tuple(_unpack(part) for part in parts))


def _ask_other(handle: Any, raw: str, methods: Methods) -> Answer:
    name = function_name(handle)
    run = sandbox.run(handle, raw, methods, seconds=SECONDS)
    if run.state != "returned":
        return _failed(name, name, run)
    if run.value is None:
        return Answer(name, reason=f"{name} returned None.", printed=run.printed)
    try:
        sent = encode(run.value)
    except (TypeError, ValueError, RecursionError):
        stranger = next(_strangers(run.value), "something nested too deep")
        failure = f"{name} returned what JSON cannot carry: {stranger}."
        return Answer(name, failure=failure, printed=run.printed)
    return Answer(name, None, run.value, sent, _reason(name, run.value), printed=run.printed)


def _strangers(value: Any) -> Iterator[str]:
    """Name what JSON has no word for in a value: a list that grows, as no stack is deep enough."""
    values = [value]
    for one in values:
        if isinstance(one, sandbox.Opaque):
            yield one.kind
        elif isinstance(one, dict):
            strange = (key for key in one if not isinstance(key, (str, int, float, NoneType)))
            yield from (f"a key that is {a_or_an(type_name(key))}" for key in strange)
            values += one.values()
        elif isinstance(one, (list, tuple)):
            values += one
        elif isinstance(one, float) and not isfinite(one):
            yield str(one)
        elif isinstance(one, int) and one.bit_length() > _LONGEST_NUMBER:
            yield "a number with very many digits"
        elif not isinstance(one, (str, float, int, NoneType)):
            yield a_or_an(type_name(one))


def _reason(name: str, reply: Any) -> str:
    if isinstance(reply, (dict, list)):
        return f"{name} returned it."
    return f"{name} returned {kind_of(reply)}: a reply is a dict, or None for silence."


def _failed(who: str, name: str, run: sandbox.Run) -> Answer:
    sentences = {
        "raised": f"{who} crashed. {run.error}",
        "out of time": f"{who} did not finish within {SECONDS:g} seconds and was stopped.",
        "died": f"{who} ended its own process before it could answer. {run.error}".rstrip(),
    }
    failure = sentences.get(run.state, f"{who} was not run.")
    return Answer(name, failure=failure, line=run.line, printed=run.printed)
