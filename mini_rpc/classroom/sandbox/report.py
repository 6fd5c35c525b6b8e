"""One call of a learner's function, and the report of it that can leave the sandbox."""

from __future__ import annotations

import linecache
import os
import sysconfig
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, NamedTuple

__all__ = ["Opaque", "Report", "Run", "State", "attempt", "in_words", "is_learners", "make_run"]

State = Literal["returned", "raised", "out of time", "died", "not run"]

_LONGEST_ERROR = 300
_DEEPEST = 2000
_SCALARS: tuple[Any, ...] = (int, float, str, bytes)
_COLLECTIONS: tuple[Any, ...] = (list, tuple, set, frozenset)
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_NOT_THE_LEARNERS = tuple(
    os.path.join(folder, "")
    for folder in {
        _PACKAGE,
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    }
)


@dataclass(frozen=True)
class Opaque:
    """Stands for a value that stays behind in the sandbox: its kind in words, and its text."""

    kind: str
    text: str = ""

    def __repr__(self) -> str:
        return f"<{self.kind}>"


@dataclass(frozen=True)
class Run:
    """What became of one call.

    `value` is what it returned, `error` what it raised, in one line; `line` is the learner's own
    line where that happened or where the time ran out, "" where unknown; `printed` is what went
    to stdout and stderr, cut where it is long.
    """

    state: State
    value: Any = None
    error: str = ""
    line: str = ""
    printed: str = ""


class Report(NamedTuple):
    """A `Run` on its way out of the sandbox: plain data, and a place instead of a line."""

    state: State
    value: Any = None
    error: str = ""
    place: tuple[str, int] | None = None


def attempt(
    function: Callable[..., Any], args: tuple[Any, ...], guard: AbstractContextManager[Any]
) -> Report:
    """Call the function inside the guard; report what it returned or raised."""
    try:
        with guard:
            value = function(*args)
    except BaseException as error:
        return Report("raised", None, in_words(error), _place_of(error.__traceback__))
    try:
        return Report("returned", _plain(value))
    except BaseException:  # circular, too deep, or an object that fights back
        return Report("returned", Opaque("something circular or nested too deep"))


def make_run(report: Report, printed: str) -> Run:
    """Return the `Run` that a report describes."""
    return Run(report.state, report.value, report.error, _line_at(report.place), printed)


def in_words(error: BaseException) -> str:
    """Return one line such as "ZeroDivisionError: division by zero"."""
    name = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except BaseException:  # an exception whose own text crashes
        return name
    line = f"{name}: {text}" if text else name
    return line if len(line) <= _LONGEST_ERROR else f"{line[: _LONGEST_ERROR - 1]}…"


def is_learners(filename: str) -> bool:
    """Tell whether code from this file was written by the learner."""
    return not filename.startswith(("<frozen", *_NOT_THE_LEARNERS))


def _place_of(trace: TracebackType | None) -> tuple[str, int] | None:
    """Return the innermost place in the learner's own code."""
    place = None
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if is_learners(filename):
            place = (filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _line_at(place: tuple[str, int] | None) -> str:
    if place is None:
        return ""
    text = linecache.getline(*place).strip()
    return f"line {place[1]}: {text}" if text else f"line {place[1]}"


def _plain(value: Any, depth: int = 0) -> Any:
    """Return the value as plain data that can be pickled. What is none becomes an `Opaque`.

    Subclasses of JSON's types become those types, because that is what they are on the wire.
    """
    if depth > _DEEPEST:
        raise RecursionError
    if value is None or isinstance(value, (bool, Opaque)):
        return value
    for kind in _SCALARS:
        if isinstance(value, kind):
            return value if type(value) is kind else kind.__getnewargs__(value)[0]
    if isinstance(value, dict):
        pairs = dict.items(value)
        return {_plain(key, depth + 1): _plain(item, depth + 1) for key, item in pairs}
    for kind in _COLLECTIONS:
        if isinstance(value, kind):
            items = (_plain(item, depth + 1) for item in kind.__iter__(value))
            return value._make(items) if _is_ours(value) else kind(items)
    return Opaque(_kind(value), _text(value))


def _is_ours(value: Any) -> bool:
    """Tell whether it is one of the course's own named tuples, such as a Verdict."""
    return type(value).__module__.startswith("mini_rpc.") and hasattr(value, "_make")


def _kind(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _text(value: Any) -> str:
    try:
        return repr(value)[:_LONGEST_ERROR]
    except BaseException:
        return ""
