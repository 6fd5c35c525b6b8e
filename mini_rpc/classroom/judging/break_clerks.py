"""Break the clerk: dispatchers with one fault each, to be found out by sending them mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any

from ...codes import INTERNAL_ERROR
from ..kitchen import METHODS
from ..progress import passed, record
from ..text import NoSuchName, known
from .clerks import FAULTS, Clerk, Fault
from .differences import Compared, compare
from .outcome import Case, Outcome, State
from .runs import NOT_MEASURED, Handle, Methods, due, run_dispatcher
from .values import same, show

__all__ = ["CLERKS", "Scoreboard", "break_clerk", "clerk", "fault_of", "scoreboard"]

CLERKS = {
    fault.person: fault for fault in sorted(FAULTS, key=lambda one: one.person) if fault.person
}
"""The clerks by name, each by the fault that is planted in it."""


_MOST = 20  # messages in one letter
_OFTEN = 6  # a method that tosses a coin fools nobody six times
_LEFT = ' style="text-align:left"'


def clerk(name: str) -> Callable[[Any, Any], Any]:
    """Return the dispatcher of this name; it works like any other `handle(raw, methods)`.

    Raises `ValueError` for a name that is not on the scoreboard.
    """
    return _clerk(name, fault_of(name).behave)


@cache  # the same clerk each time, so that a message card can tell who it is
def _clerk(name: str, behave: Handle) -> Handle:
    def handle(raw: Any, methods: Any) -> Any:
        return behave(raw, methods)

    handle.__name__ = handle.__qualname__ = name
    return handle


def fault_of(name: str) -> Fault:
    """Return the planted fault of the clerk of this name."""
    if type(name) is not str:
        raise NoSuchName('The name of a clerk comes first, in quotes, as in clerk("Ada").')
    return known(name, CLERKS, "clerk")


def break_clerk(
    name: str, raw: Any, methods: Mapping[str, Callable[[Any], Any]] | None = None
) -> Outcome:
    """Send a raw message to a clerk; it is found out if the course's dispatcher decides otherwise.

    `raw` may be a list of messages, which are sent one after the other. `methods`, a dict, are
    added to the kitchen's. Any message that shows the fault counts, and is kept in the progress
    file under "clerk:" and the name. It must show it each time it is sent: a method that gives
    something else at every call proves nothing.

    Raises `ValueError` for a name that is not on the scoreboard.
    """
    handle = clerk(name)
    id = f"message for {name}"
    if raw is ...:
        return Outcome(id, "not attempted", "Put a raw message in place of the dots.")
    raws = raw if type(raw) is list else [raw]
    if not raws or len(raws) > _MOST or any(type(one) not in (str, bytes) for one in raws):
        return Outcome(id, "wrong", "A raw message is text or bytes: put it in quotes.")
    if methods is not None and not _are_methods(methods):
        return Outcome(id, "wrong", "The methods are a dict of functions by their names.")
    menu = {**METHODS, **(methods or {})}
    # With the kitchen's own methods, once is as good as often.
    found = _found_out(name, handle, raws, menu, _OFTEN if methods else 1)
    record(f"clerk:{name}", found.state)
    return replace(found, methods=menu)


def _found_out(name: str, handle: Handle, raws: list[Any], menu: Methods, often: int) -> Outcome:
    sent = _sent(handle, raws * often, menu)
    first = sent[: len(raws)]
    judged = next((one for one in first if one.difference or _leaks(one)), first[-1])
    place = first.index(judged)
    again = sent[place + len(raws) :: len(raws)]
    found = _outcome(name, handle, judged)
    message = ""
    if any(_shown(one) != _shown(judged) for one in again):
        message = "Your method gives something else each time, so this message shows nothing."
    elif _do_the_same(judged, _sent(Clerk(), raws[: place + 1], menu)[-1]):
        message = f"That is not the fault of {name}: a clerk without that fault does the same."
    return replace(found, state="wrong", message=message) if found.passed and message else found


def _do_the_same(one: Compared, other: Compared) -> bool:
    mine, others = (
        [each.did.run.state, each.did.run.error, bool(each.did.spoiled), [*each.did.calls]]
        for each in (one, other)
    )
    return mine == others and same(one.did.reply, other.did.reply)


def _are_methods(methods: Any) -> bool:
    return type(methods) is dict and all(type(name) is str for name in methods)


def _sent(handle: Handle, raws: list[Any], methods: Methods) -> list[Compared]:
    dids = run_dispatcher(handle, raws, methods)
    return [compare(*one) for one in zip(raws, due(raws, methods), dids, strict=True)]


def _shown(judged: Compared) -> tuple[str, str]:
    return judged.came_back(), judged.should_have()


def _leaks(judged: Compared) -> bool:
    """Tell whether the reply to a crash says more than the course's does. Checks allow that; a
    clerk's words are the course's own, unless they come from the exception."""
    error, own = (_error_of(reply) for reply in (judged.did.reply, judged.due.reply))
    return own.get("code") == INTERNAL_ERROR.number == error.get("code") and error != own


def _error_of(reply: Any) -> dict[str, Any]:
    error = reply.get("error") if type(reply) is dict else None
    return error if type(error) is dict else {}


def _outcome(name: str, handle: Handle, judged: Compared) -> Outcome:
    case = Case(show(judged.raw), judged.came_back(), judged.should_have(), judged.raw)
    run, own = judged.did.run, None
    state: State = "wrong"
    if run.state in ("out of time", "died", "not run"):
        message = f"No verdict: your method did not finish. {run.line}".strip()
        state = "out of time"
    elif judged.due is NOT_MEASURED:
        message = "No verdict: what your method gives is too large, or nothing comes of it."
        case = replace(case, should="nobody knows")
    elif not judged.difference and not _leaks(judged):
        message = f"{name} and the course's dispatcher decide the same about this message."
        own = handle
    else:
        state, message, own = "correct", f"Found out: {name} {fault_of(name).does}.", handle
    id = f"message for {name}"
    return Outcome(id, state, message, case, printed=run.printed, handle=own)


class Scoreboard:
    """The clerks, and the faults of those that have been found out, as text and as HTML: as it
    stands when it is shown."""

    def __repr__(self) -> str:
        headline, rows = _board()
        lines = [f"  {name:<5} {says:<58} {fault}".rstrip() for name, says, fault in rows]
        return "\n".join([headline, *lines])

    def _repr_html_(self) -> str:
        headline, rows = _board()
        names = ("clerk", "colleagues say", "the fault")
        head = "".join(f'<th scope="col"{_LEFT}>{name}</th>' for name in names)
        cells = ("".join(f"<td{_LEFT}>{escape(cell)}</td>" for cell in row) for row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<p>{headline}</p>{table}"


def _board() -> tuple[str, list[tuple[str, str, str]]]:
    found = {name for name in CLERKS if passed(f"clerk:{name}")}
    rows = [
        (name, fault.says, f"✓ {fault.does}" if name in found else "")
        for name, fault in CLERKS.items()
    ]
    return f"{len(found)} of {len(CLERKS)} clerks found out.", rows


scoreboard = Scoreboard
"""Return the scoreboard."""
