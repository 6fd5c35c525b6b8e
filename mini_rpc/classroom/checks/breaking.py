"""Break the clerk: dispatchers with one bad habit each, to be found out by sending them mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from typing import Any

from ..kitchen import METHODS
from ..progress import passed, record
from .comparing import show
from .misconceptions import HANDLE_FAULTS, Fault
from .outcome import Case, Outcome
from .watching import Handle, Judged, judge

__all__ = ["CLERKS", "Scoreboard", "break_clerk", "clerk", "fault_of", "scoreboard"]

CLERKS = {
    "Ada": ("answers a notification", "She leaves no letter without an answer. So polite."),
    "Bo": ("falsy is no id", "He counts from one. Zero is nothing to him."),
    "Cleo": ("true as an id", "She takes a yes for a number."),
    "Dov": ("the text leaks", "Ask him what happened, and he tells you everything."),
    "Edda": ("method before params", "She reads the address before she looks at anything else."),
    "Finn": ("every KeyError is a missing param", "Whatever gets lost, the sender has done it."),
    "Gwen": ("falsy params", "Nothing, empty, none: she says it is all the same."),
    "Hugo": ("reports a failed notification", "A quiet man, until something goes wrong."),
    "Iris": ("silence for a shape error", "No ticket, no answer. She has no other rule."),
    "Jon": ("batches", "He likes his mail in bundles."),
    "Kaya": ("id as text", "She copies each ticket by hand, in quotation marks."),
    "Lars": ("Python's JSON", "He reads numbers that are not a number."),
    "Mina": ("results unread", "She mails whatever the kitchen hands her, unseen."),
    "Nils": ("jsonrpc unread", "He has never checked a version in his life."),
    "Olga": ("only JSONDecodeError", "Calm with torn letters. Deep piles make her run."),
    "Pia": ("the first naive dispatcher", "She learned the work in five minutes."),
    "Quin": ("the second naive dispatcher", "He learned it in depth, and trusts everybody."),
}
"""The clerks by name: the planted fault of each, and what colleagues say."""


_LEFT = ' style="text-align:left"'


@cache  # the same clerk each time, so that a message card can tell who it is
def clerk(name: str) -> Callable[[Any, Any], Any]:
    """Return the dispatcher of this name; it works like any other `handle(raw, methods)`.

    Raises `ValueError` for a name that is not on the scoreboard.
    """
    behave = fault_of(name).behave

    def handle(raw: Any, methods: Any) -> Any:
        return behave(raw, methods)

    handle.__name__ = handle.__qualname__ = name
    return handle


def fault_of(name: str) -> Fault:
    """Return the planted fault of the clerk of this name."""
    if name not in CLERKS:
        raise ValueError(f"no clerk is called {name!r}; there are {', '.join(CLERKS)}")
    return next(fault for fault in HANDLE_FAULTS if fault.name == CLERKS[name][0])


def break_clerk(
    name: str, raw: Any, methods: Mapping[str, Callable[[Any], Any]] | None = None
) -> Outcome:
    """Send a raw message to a clerk; it is found out if the course's dispatcher decides otherwise.

    `methods` are added to the kitchen's. Any message that shows the fault counts, and is kept in
    the progress file under "clerk:" and the name.
    """
    handle = clerk(name)
    id = f"message for {name}"
    if raw is ...:
        return Outcome(id, "not attempted", "Put a raw message in place of the dots.")
    if not isinstance(raw, (str, bytes)):
        return Outcome(id, "wrong", "A raw message is text or bytes: put it in quotes.")
    (judged,) = judge(handle, [raw], {**METHODS, **(methods or {})})
    outcome = _outcome(name, handle, judged)
    record(f"clerk:{name}", outcome.state)
    return outcome


def _outcome(name: str, handle: Handle, judged: Judged) -> Outcome:
    case = Case(show(judged.raw), judged.came_back(), judged.should_have(), judged.raw)
    id, printed = f"message for {name}", judged.run.printed
    if judged.run.state in ("out of time", "died", "not run"):
        message = f"No verdict: your method did not finish. {judged.run.line}".strip()
        return Outcome(id, "out of time", message, case, printed=printed)
    if not judged.fault:
        message = f"{name} and the course's dispatcher decide the same about this message."
        return Outcome(id, "wrong", message, case, printed=printed, handle=handle)
    message = f"Found out: {name} {fault_of(name).does}."
    return Outcome(id, "correct", message, case, printed=printed, handle=handle)


def scoreboard() -> Scoreboard:
    """Return the clerks, and the bad habits of those that have been found out."""
    return Scoreboard()


class Scoreboard:
    """The scoreboard as text and as HTML, as it stands when it is shown."""

    def __repr__(self) -> str:
        rows = [f"  {name:<5} {says:<58} {habit}".rstrip() for name, says, habit in _rows()]
        return "\n".join([_headline(), *rows])

    def _repr_html_(self) -> str:
        names = ("clerk", "colleagues say", "the habit")
        head = "".join(f'<th scope="col"{_LEFT}>{name}</th>' for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td{_LEFT}>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in _rows()
        )
        return (
            f"<p>{_headline()}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def _rows() -> list[tuple[str, str, str]]:
    return [
        (name, says, f"✓ {fault_of(name).does}" if _found(name) else "")
        for name, (_, says) in CLERKS.items()
    ]


def _headline() -> str:
    return f"{sum(map(_found, CLERKS))} of {len(CLERKS)} clerks found out."


def _found(name: str) -> bool:
    return passed(f"clerk:{name}")
