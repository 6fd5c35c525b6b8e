"""How an answer is judged: a value by what it is, a function by what it does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from ..sandbox import Run, run, run_each
from ..text import shorten
from .comparing import same, show
from .misconceptions import CRASH, Diagnosis, Fault, diagnose, row_of
from .outcome import Case, State

__all__ = [
    "NOTHING_YET",
    "Behaves",
    "Found",
    "Judge",
    "NotAttempted",
    "Obeys",
    "Problem",
    "Shows",
    "refusal",
]


class NotAttempted(Exception):
    """Raised by the stub of an exercise, so that a check knows that nobody has begun."""


class Found(NamedTuple):
    """What a judge found; `checking` makes an `Outcome` of it."""

    state: State
    message: str
    case: Case | None = None
    misconception: str | None = None
    printed: str = ""
    line: str = ""


class Problem(NamedTuple):
    """What is wrong with an answer: one sentence, what decided it, and the known mistake."""

    message: str
    case: Case | None = None
    misconception: str | None = None


Judge = Callable[[str, Any, float], Found]
"""Takes the name of what is judged, the answer and the limit in seconds; returns a `Found`."""

NOTHING_YET = Found("not attempted", "Nothing is written here yet.")
"""What every judge finds where the stub still stands."""


# --- values ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shows:
    """Judges a value: `find` takes its name and itself as plain data, and returns the `Problem`,
    or None."""

    find: Callable[[str, Any], Problem | None]
    praise: str

    def __call__(self, name: str, answer: Any, seconds: float) -> Found:
        if answer is ...:
            return NOTHING_YET
        if issubclass(type(answer), FunctionType):  # isinstance would ask the answer itself
            return Found("wrong", f"{name} is a function here. This exercise wants a value.")
        if issubclass(type(answer), dict) and (left := _left_open(answer)):
            return left
        carried = run(lambda: answer, seconds=seconds)  # an object can fight back
        if carried.state != "returned":
            return Found("crashed", f"{name} cannot be looked at: {_how_it_ended(carried)}.")
        problem = self.find(name, carried.value)
        return Found("wrong", *problem) if problem else Found("correct", self.praise)


def _left_open(answer: dict[Any, Any]) -> Found | None:
    left = [key for key, value in dict.items(answer) if value is ...]
    if not left:
        return None
    if len(left) == dict.__len__(answer):
        return NOTHING_YET
    names = ", ".join(f'"{key}"' for key in left if type(key) is str)
    return Found("not attempted", f"Still open: {names}.")


# --- functions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Function:
    """What the judges of functions share: the arguments of each case, and how to speak of them.

    `raw` takes the arguments of a case and returns the message for the bench, if there is one;
    `shown` tells how many of the arguments are worth showing; `via` calls the answer, which is an
    async function where `is_async` is true.
    """

    params: tuple[str, ...]
    cases: Sequence[tuple[Any, ...]]
    praise: str
    raw: Callable[..., str | bytes | None] = lambda *args: None
    shown: int | None = None
    via: Callable[..., Any] = lambda answer, *args: answer(*args)
    is_async: bool = False

    def problem_of(self, name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
        """Return what is wrong with the value that came back, or None."""
        raise NotImplementedError

    def should(self, args: tuple[Any, ...]) -> str:
        """Say what should come back."""
        raise NotImplementedError

    def diagnosis(self, runs: list[Run]) -> Diagnosis | None:
        """Return the known mistake that all these runs together show."""
        return None

    def __call__(self, name: str, answer: Any, seconds: float) -> Found:
        if answer is ...:
            return NOTHING_YET
        if fault := refusal(name, answer, self.params, is_async=self.is_async):
            return Found("wrong", fault)
        runs = run_each(lambda args: self.via(answer, *args), self.cases, seconds=seconds)
        if all(_not_begun(one) for one in runs):
            return NOTHING_YET
        return self._finding(name, runs, seconds)

    def _finding(self, name: str, runs: list[Run], seconds: float) -> Found:
        wrong = [index for index, one in enumerate(runs) if self._is_wrong(name, index, one)]
        if not wrong:
            printed = "".join(one.printed for one in runs)
            return Found("correct", self.praise, printed=_cut(printed))
        known = self.diagnosis(runs)
        index = next(i for i in known.shown_by if i in wrong) if known else wrong[0]
        if runs[index].state == "returned":
            return self._wrong(name, self.cases[index], runs[index], known)
        return self._unfinished(name, self.cases[index], runs[index], known, seconds)

    def _is_wrong(self, name: str, index: int, one: Run) -> bool:
        if one.state != "returned":
            return True
        return self.problem_of(name, self.cases[index], one.value) is not None

    def _wrong(self, name: str, args: tuple[Any, ...], one: Run, known: Diagnosis | None) -> Found:
        problem = self.problem_of(name, args, one.value)
        assert problem is not None
        message, mistake = problem.message, problem.misconception
        if known:
            message, mistake = known.sentence(name), known.fault.name
        case = problem.case or self._case(name, args, show(one.value))
        return Found("wrong", message, case, mistake, printed=one.printed)

    def _unfinished(
        self, name: str, args: tuple[Any, ...], one: Run, known: Diagnosis | None, seconds: float
    ) -> Found:
        state, message = _how_far(shorten(self.call(name, args), 100), name, one, seconds)
        case = self._case(name, args, f"nothing: {_how_it_ended(one)}")
        mistake = known.fault.name if known else None
        return Found(state, message, case, mistake, one.printed, one.line)

    def _case(self, name: str, args: tuple[Any, ...], came_back: str) -> Case:
        return Case(self.call(name, args), came_back, self.should(args), self.raw(*args))

    def call(self, name: str, args: tuple[Any, ...]) -> str:
        """Return the call in one line."""
        words = [show(arg) for arg in args[: self.shown]]
        return f"{name}({', '.join([*words, *self.params[len(words) :]])})"


@dataclass(frozen=True)
class Behaves(_Function):
    """Judges a function by a reference: over all cases it must return the same.

    A wrong row of values is held against the planted `faults`.
    """

    reference: Callable[..., Any] = lambda *args: None
    faults: tuple[Fault, ...] = ()

    def problem_of(self, name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
        expected = self.reference(*args)
        if same(expected, value):
            return None
        call, gives, should = (
            shorten(text, 100) for text in (self.call(name, args), show(value), show(expected))
        )
        return Problem(f"{call} gives {gives}, and should give {should}.")

    def should(self, args: tuple[Any, ...]) -> str:
        return show(self.reference(*args))

    def diagnosis(self, runs: list[Run]) -> Diagnosis | None:
        if any(one.state not in ("returned", "raised") for one in runs):
            return None
        row = [one.value if one.state == "returned" else CRASH for one in runs]
        return diagnose(row, row_of(self.reference, self.cases), self.faults, self.cases)


@dataclass(frozen=True)
class Obeys(_Function):
    """Judges a function that may answer in many ways.

    `find` takes the name, the arguments and what came back, and returns the `Problem`, or None.
    `wanted` takes the arguments, and says what should come back.
    """

    find: Callable[[str, tuple[Any, ...], Any], Problem | None] = lambda name, args, value: None
    wanted: Callable[..., str] = lambda *args: ""

    def problem_of(self, name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
        return self.find(name, args, value)

    def should(self, args: tuple[Any, ...]) -> str:
        return self.wanted(*args)


def refusal(
    name: str, answer: Any, params: tuple[str, ...], *, is_async: bool = False
) -> str | None:
    """Say why an answer cannot be called with these params, None if it can."""
    if not callable(answer):
        return f"check wants the function {name} itself: its name, without parentheses."
    if not issubclass(type(answer), (FunctionType, MethodType)):
        return None
    if type(answer) is FunctionType and not answer.__dict__:
        return _refused(name, answer, params, is_async)
    # It carries what a learner has put there, such as a signature that fights back.
    asked = run(lambda: _refused(name, answer, params, is_async))
    return asked.value if type(asked.value) is str else None


def _refused(name: str, answer: Any, params: tuple[str, ...], is_async: bool) -> str | None:
    if is_async and not inspect.iscoroutinefunction(answer):
        return f"{name} must be an async function: write async def."
    if inspect.iscoroutinefunction(answer) and not is_async:
        return f"{name} is an async function: it returns a coroutine. Write def alone."
    if inspect.isgeneratorfunction(answer):
        return f"{name} is a generator: it has a yield. Write return."
    try:
        inspect.signature(answer, follow_wrapped=False).bind(*params)
    except TypeError:
        wants = ", ".join(params)
        return f"{name} must be callable as {name}({wants}); yours takes other arguments."
    except KeyboardInterrupt:
        raise
    except BaseException:  # it hides its signature: then a call will tell
        return None
    return None


# --- words -------------------------------------------------------------------------------------


def _how_far(call: str, name: str, one: Run, seconds: float) -> tuple[State, str]:
    """Return state and sentence for a call that did not return."""
    line = one.line.partition(":")[0]
    if one.state == "out of time":
        unit = "second" if seconds == 1 else "seconds"
        message = f"{call} did not end within {seconds:g} {unit}"
        return "out of time", f"{message}; it was in {line}." if line else f"{message}."
    if one.state == "not run":
        return "not attempted", f"{name} could not be run here: {one.error}."
    if _not_begun(one):
        return "wrong", f"{call} is not written yet: it raises NotAttempted."
    place = f" in {line}" if line else ""
    return "crashed", f"{call} crashed{place}: {_how_it_ended(one)}."


def _how_it_ended(one: Run) -> str:
    return one.error.rstrip(".") or one.state


def _not_begun(one: Run) -> bool:
    return one.state == "raised" and one.error.split(":")[0] == NotAttempted.__name__


def _cut(text: str, most: int = 2000) -> str:
    return text if len(text) <= most else f"{text[:most]}\n… (cut)"
