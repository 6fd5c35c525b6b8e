"""One call of a learner's function, and the report of it that can leave the sandbox."""

import linecache
import os
import sys
import sysconfig
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import Any, Literal, NamedTuple, get_args

from ...wire import Place
from ..text import a_or_an, shorten, type_name, visible

__all__ = [
    "LARGEST",
    "VERY_LARGE",
    "Opaque",
    "Report",
    "Room",
    "Run",
    "State",
    "attempt",
    "be_quiet",
    "in_words",
    "is_learners",
    "make_run",
    "no_input",
]

State = Literal["returned", "raised", "out of time", "died", "not run"]

LARGEST = 16_000_000
"""How much one value may hold, and how many bytes its report may take."""

_ALL_TOGETHER = 4 * LARGEST
_EACH = 16  # what a value takes besides its characters or members
_LONGEST_ERROR = 300
_DEEPEST = 200 if sys.platform == "emscripten" else 2000  # a browser tab has a small stack
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_NOT_THE_LEARNERS = tuple(
    os.path.join(folder.replace("//", "/"), "")  # so it begins in a browser tab
    for folder in {
        _PACKAGE,
        os.path.dirname(os.__file__),  # in a browser tab this is an archive that sysconfig omits
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    }
)


@dataclass(frozen=True)
class Opaque:
    """Stands for a value that stays behind in the sandbox: its kind in words."""

    kind: str

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

    @property
    def has_ended(self) -> bool:
        """Tell whether the call came to an end of its own."""
        return self.state in ("returned", "raised")


class Report(NamedTuple):
    """A `Run` on its way out of the sandbox: plain data, and a place instead of a line."""

    state: State
    value: Any = None
    error: str = ""
    place: tuple[str, int] | None = None

    def is_sound(self) -> bool:
        """Tell whether the members are what they should be: anybody may have written them."""
        place = self.place
        return (
            self.state in _STATES
            and type(self.error) is str
            and (place is None or (type(place) is tuple and list(map(type, place)) == [str, int]))
        )


_SCALARS: tuple[Any, ...] = (int, float, str, bytes)
_COLLECTIONS: tuple[Any, ...] = (list, tuple, set, frozenset)
_STATES = get_args(State)
_KINDS = (type(None), bool, Opaque, *_SCALARS, dict, *_COLLECTIONS)
_TOO_DEEP = Opaque("something circular or nested too deep")

VERY_LARGE = Opaque("something very large")
"""Stands for a value that holds more than may leave the sandbox."""


class _TooLarge(Exception):
    """A value does not fit into the room that is left."""


class Room:
    """How much the values of all calls may hold together.

    What is met many times counts as often: it is pickled once, but whoever writes it out as text
    writes all of it.
    """

    def __init__(self) -> None:
        self._left = _ALL_TOGETHER
        self._for_this = 0

    def copy(self, value: Any) -> Any:
        """Return the value as plain data; `VERY_LARGE` for one that does not fit."""
        before = self._for_this = min(LARGEST, self._left)
        try:
            copied = _member(value, 0, self)
        except _TooLarge:
            return VERY_LARGE
        self._left -= before - self._for_this
        return copied

    def take(self, size: int) -> None:
        """Count a value of this size. Raises `_TooLarge` where there is no room for it."""
        self._for_this -= size + _EACH
        if self._for_this < 0:
            raise _TooLarge


def attempt(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    guard: AbstractContextManager[Any],
    room: Room,
) -> Report:
    """Call the function inside the guard; report what it returned or raised.

    The copy of the value and the words for an error are made inside as well: both may run more of
    the learner's code, and need memory.
    """
    try:
        with guard:
            return _tried(function, args, room)
    except BaseException as error:  # the words failed, or the guard let nothing more through
        return Report("raised", None, type_name(error), _place_of(error))


def _tried(function: Callable[..., Any], args: tuple[Any, ...], room: Room) -> Report:
    try:
        return Report("returned", room.copy(function(*args)))
    except BaseException as error:
        return Report("raised", None, in_words(error), _place_of(error))


def be_quiet() -> None:
    """Leave out the remark on a coroutine that nobody awaits: a check says so in its own words."""
    warnings.filterwarnings("ignore", r"coroutine .* was never awaited", RuntimeWarning)


def make_run(report: Report, printed: str) -> Run:
    """Return the `Run` that a report describes."""
    line = ""
    if report.place:
        text = linecache.getline(*report.place).strip()
        line = visible(f"line {report.place[1]}: {text}".removesuffix(": "))
    return Run(report.state, report.value, visible(report.error), line, visible(printed))


def in_words(error: BaseException) -> str:
    """Return one line such as "ZeroDivisionError: division by zero"."""
    name = type_name(error)
    try:
        text = visible(" ".join(str(error).split()))
    except BaseException:  # an exception whose own text crashes
        return name
    line = f"{name}: {text}" if text else name
    return shorten(line, _LONGEST_ERROR)


def no_input(prompt: object = "") -> str:
    """Take the place of `input`. Raises `EOFError`, as nobody sits at a check's keyboard."""
    raise EOFError("code under a check cannot wait for input()")


@cache
def is_learners(filename: str) -> bool:
    """Tell whether code from this file was written by the learner."""
    return not filename.startswith(("<frozen", *_NOT_THE_LEARNERS))


def _place_of(error: BaseException) -> tuple[str, int] | None:
    """Return the innermost place in the learner's own code. The error's class is not asked."""
    trace: TracebackType | None = BaseException.__dict__["__traceback__"].__get__(error)
    place = None
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if is_learners(filename):
            place = (filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _plain(value: Any, depth: int, room: Room) -> Any:
    """Return the value as plain data that can be pickled. What is none becomes an `Opaque`.

    Subclasses of JSON's types become those types, because that is what they are on the wire.
    Types are asked for with `type`: `isinstance` would ask the value, which may not tell the truth.
    """
    if depth > _DEEPEST:
        raise RecursionError
    kind = next((kind for kind in _KINDS if issubclass(type(value), kind)), None)
    room.take(_size(value, kind))
    if kind is None:
        return Opaque(_kind(value))
    if kind in _SCALARS:
        return value if type(value) is kind else kind.__getnewargs__(value)[0]
    if kind is dict:
        pairs = dict.items(value)
        return {_plain(key, depth + 1, room): _member(item, depth + 1, room) for key, item in pairs}
    if kind in _COLLECTIONS:
        items = (_member(item, depth + 1, room) for item in kind.__iter__(value))
        return Place(*items) if type(value) is Place else kind(items)
    return value


def _member(value: Any, depth: int, room: Room) -> Any:
    """Return a member as plain data; one that is too deep does not take the others with it."""
    try:
        return _plain(value, depth, room)
    except RecursionError:
        if depth > 1:
            raise
        return _TOO_DEEP
    except TypeError:  # as plain data, it cannot be a key or in a set
        return Opaque(_kind(value))


def _size(value: Any, kind: Any) -> int:
    """Return about how many characters it takes to write the value, without its members."""
    if kind is int:
        return int.bit_length(value) // 3
    return int(kind.__len__(value)) if kind in (str, bytes) else 0


def _kind(value: Any) -> str:
    if type(value) is type:
        return f"the class {visible(type.__dict__['__name__'].__get__(value))}"
    return a_or_an(type_name(value))
