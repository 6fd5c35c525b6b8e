"""Judges of answers: a value by what it is, a function by what it does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from ..sandbox import Run, run, run_each
from ..text import shorten
from .behaviors import Clause
from .differences import FALLS_OVER, Difference
from .outcome import Case, Outcome, State
from .patterns import Pattern, Vocabulary, find_pattern
from .values import same, show

__all__ = [
    "NOTHING_YET",
    "Behaves",
    "Judge",
    "NotAttempted",
    "Obeys",
    "Problem",
    "Shows",
    "always",
    "is_not_begun",
    "refusal",
]


_GIVES = ("it gives another value", "it gives")
_FEW = 3  # failures that a pattern may leave out, and still be worth reading
_SHORT = 30  # a value of fewer characters stands in a sentence
_MOST_PRINTED = 2000  # characters


class NotAttempted(Exception):
    """Raised by the stub of an exercise, so that a check knows that nobody has begun."""


class Problem(NamedTuple):
    """What is wrong with an answer: one sentence, what decided it, and the known mistake."""

    message: str
    case: Case | None = None
    misconception: str | None = None


Judge = Callable[[str, Any, float], Outcome]
"""Takes the name of what is judged, the answer and the limit in seconds."""

NOTHING_YET: tuple[State, str] = ("not attempted", "Nothing is written here yet.")
"""State and sentence of every judge where the stub still stands."""


# --- values ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shows:
    """Judges a value: `find` takes its name and itself as plain data, and returns the `Problem`,
    or None."""

    find: Callable[[str, Any], Problem | None]
    praise: str

    def __call__(self, name: str, answer: Any, seconds: float) -> Outcome:
        if answer is ...:
            return Outcome(name, *NOTHING_YET)
        if issubclass(type(answer), FunctionType):  # isinstance would ask the answer itself
            why = f"{name} is a function here. This exercise wants a value."
            return Outcome(name, "wrong", why)
        if issubclass(type(answer), dict) and (left := _left_open(name, answer)):
            return left
        carried = run(lambda: answer, seconds=seconds)  # an object can fight back
        if carried.state != "returned":
            why = f"The check cannot read {name}: {_how_it_ended(carried)}."
            return Outcome(name, "crashed", why)
        if problem := self.find(name, carried.value):
            return Outcome(name, "wrong", *problem)
        return Outcome(name, "correct", self.praise)


def _left_open(name: str, answer: dict[Any, Any]) -> Outcome | None:
    left = [key for key, value in dict.items(answer) if value is ...]
    if not left:
        return None
    if len(left) == dict.__len__(answer):
        return Outcome(name, *NOTHING_YET)
    names = ", ".join(f'"{key}"' for key in left if type(key) is str)
    return Outcome(name, "not attempted", f"Still open: {names}.")


# --- functions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Obeys:
    """Judges a function that may answer in many ways.

    `params` are the names of what it gets, and `cases` the arguments of each call; `read` makes
    them out of a line of the exercise's file, where they stand there. `find` takes the name, the
    arguments and what came back, and returns the `Problem`, or None. `wanted` says of the arguments
    what should come back, `words` shows what did, and `sent` says what is done, where the call says
    too little; of it the first `shown` arguments are shown. `raw` returns the message for the
    bench, if there is one. `mistakes` gives known mistakes: the name of each, and a function that
    makes it. An answer is called by one of them where `decision`, if there is one, gives the same
    for what comes back in every case.

    `via` calls the answer, which is an async function where `is_async` is true. With `goes_on` it
    calls it again and again, with what comes of the first call.
    """

    params: tuple[str, ...]
    praise: str
    cases: Sequence[tuple[Any, ...]] = ()
    read: Callable[[Any], tuple[Any, ...]] = lambda value: (value,)
    find: Callable[[str, tuple[Any, ...], Any], Problem | None] = lambda name, args, value: None
    wanted: Callable[..., str] = lambda *args: ""
    words: Callable[[Any], str] = show
    sent: Callable[..., str] = lambda *args: ""
    shown: int | None = None
    raw: Callable[..., str | bytes | None] = lambda *args: None
    mistakes: Callable[[], Sequence[tuple[str, Callable[..., Any]]]] = tuple
    decision: Callable[[Any], Any] | None = None
    via: Callable[..., Any] = lambda answer, *args: answer(*args)
    is_async: bool = False
    goes_on: bool = False

    def __call__(self, name: str, answer: Any, seconds: float) -> Outcome:
        if answer is ...:
            return Outcome(name, *NOTHING_YET)
        if why := refusal(name, answer, self.params, is_async=self.is_async):
            return Outcome(name, "wrong", why)
        runs = run_each(lambda args: self.via(answer, *args), self.cases, seconds=seconds)
        if all(map(is_not_begun, runs)):
            return Outcome(name, *NOTHING_YET)
        wrong = [index for index, one in enumerate(runs) if self.is_wrong(name, index, one)]
        right, total = len(runs) - len(wrong), len(runs)
        if wrong:
            return replace(self._finding(name, runs, wrong, seconds), right=right, total=total)
        praise, printed = self.praise.format(count=total), "".join(one.printed for one in runs)
        if len(printed) > _MOST_PRINTED:
            printed = f"{printed[:_MOST_PRINTED]}\n… (cut)"
        return Outcome(name, "correct", praise, printed=printed, right=right, total=total)

    def is_wrong(self, name: str, index: int, one: Run) -> bool:
        """Tell whether a case went wrong."""
        return one.state != "returned" or bool(self.problem(name, self.cases[index], one.value))

    def problem(self, name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
        """Return what is wrong with the value that came back, or None."""
        return self.find(name, args, value)

    def should(self, args: tuple[Any, ...]) -> str:
        """Say what should come back."""
        return self.wanted(*args)

    def pattern(self, runs: list[Run], wrong: list[int]) -> Pattern:
        """Return what the failing cases have in common."""
        return Pattern((), len(wrong))

    def known_mistake(self, runs: list[Run], wrong: list[int]) -> str | None:
        """Return the name of the known mistake that behaves in the same way in every case."""
        if self.decision is None:
            return None
        order = sorted(range(len(runs)), key=lambda index: index not in wrong)
        with redirect_stdout(StringIO()):  # what a known mistake prints is not the learner's
            for name, function in self.mistakes():
                if all(self._does_the_same(function, index, runs[index]) for index in order):
                    return name
        return None

    def _does_the_same(self, function: Callable[..., Any], index: int, done: Run) -> bool:
        assert self.decision is not None
        try:
            value = self.via(function, *deepcopy(self.cases[index]))
        except BaseException as error:
            return done.state == "raised" and done.error.split(":")[0] == type(error).__name__
        return done.state == "returned" and same(self.decision(value), self.decision(done.value))

    def constant(self, name: str, runs: list[Run]) -> str:
        """Say that the same came back in every case, where that says more than the cases."""
        return ""

    def call(self, name: str, args: tuple[Any, ...]) -> str:
        """Return the call in one line."""
        words = [show(arg) for arg in args[: self.shown]]
        return f"{name}({', '.join([*words, *self.params[len(words) :]])})"

    def _case(self, name: str, args: tuple[Any, ...], came_back: str) -> Case:
        sent = self.sent(name, *args) or self.call(name, args)
        return Case(sent, came_back, self.should(args), self.raw(*args))

    def _finding(self, name: str, runs: list[Run], wrong: list[int], seconds: float) -> Outcome:
        pattern, mistake = Pattern((), len(wrong)), None
        if all(runs[index].has_ended for index in wrong):
            pattern, mistake = self.pattern(runs, wrong), self.known_mistake(runs, wrong)
        if _GIVES[0] in str(pattern).lower():  # which one says more
            pattern = Pattern((), len(wrong))
        # Where the failures have not all been explained, the plainest of them says most.
        index = pattern.groups[0].cases[0] if pattern.is_complete else wrong[0]
        one, args = runs[index], self.cases[index]
        said = str(pattern) if str(pattern) and pattern.others <= _FEW else None
        if one.state != "returned":
            state, message = self._how_far(name, args, one, seconds)
            case = self._case(name, args, f"nothing: {_how_it_ended(one)}")
            return Outcome(name, state, message, case, mistake, one.printed, one.line, pattern=said)
        problem = self.problem(name, args, one.value)
        assert problem is not None
        message = str(pattern) if pattern.is_complete else problem.message
        mistake = mistake or problem.misconception
        if always := self.constant(name, runs):
            mistake, message = "always the same", always
        case = problem.case or self._case(name, args, self.words(one.value))
        return Outcome(name, "wrong", message, case, mistake, one.printed, pattern=said)

    def _how_far(
        self, name: str, args: tuple[Any, ...], one: Run, seconds: float
    ) -> tuple[State, str]:
        """Return state and sentence for a call that did not return."""
        call, line = shorten(self.call(name, args), 100), one.line.partition(":")[0]
        if one.state == "out of time":
            limit = f"{seconds:g} {'second' if seconds == 1 else 'seconds'}"
            last = f"a call that followed {call}" if self.goes_on else call
            calls, place = f"all {len(self.cases)} calls of {name}", f", in {line}" if line else ""
            over = f"The time is over ({limit} for {calls})"
            return "out of time", f"{over}, and {last} was still running{place}."
        if one.state == "not run":
            return "not attempted", f"{name} could not be run here: {one.error}."
        if is_not_begun(one):
            return "wrong", f"{call} is not written yet: it raises NotAttempted."
        place = f" in {line}" if line else ""
        return "crashed", f"{call} crashed{place}: {_how_it_ended(one)}."


@dataclass(frozen=True)
class Behaves(Obeys):
    """Judges a function by a reference: over all cases it must return the same.

    `differs` says how a value differs from what is due. `describe` takes the arguments of a case
    and says what they are, in clauses.
    """

    reference: Callable[..., Any] = lambda *args: None
    differs: Callable[[Any, Any], Difference] = lambda value, due: _other_value(value, due)
    describe: Callable[..., Iterable[Clause]] = lambda *args: ()
    decision: Callable[[Any], Any] | None = lambda value: value

    def due(self, args: tuple[Any, ...]) -> Any:
        """Return what the reference gives; it may change what it gets."""
        return self.reference(*deepcopy(args))

    def problem(self, name: str, args: tuple[Any, ...], value: Any) -> Problem | None:
        if same(self.due(args), value):
            return None
        texts = self.call(name, args), self.words(value), self.should(args)
        call, gives, should = (shorten(text, 100) for text in texts)
        return Problem(f"{call} gives {gives}, and should give {should}.")

    def should(self, args: tuple[Any, ...]) -> str:
        return self.words(self.due(args))

    def pattern(self, runs: list[Run], wrong: list[int]) -> Pattern:
        differences = {index: self._difference(index, runs[index]) for index in wrong}
        found = {index: one for index, one in differences.items() if one}
        if len(wrong) > _FEW and all(same(runs[at].value, self.cases[at][0]) for at in wrong):
            itself = Difference("itself", "it gives what it gets")
            found = {index: itself._replace(due=one.due) for index, one in found.items()}
        if not all(one.due for one in found.values()):
            return find_pattern(self._vocabulary, found)
        by_due = {index: one._replace(family=f"not {one.due}") for index, one in found.items()}
        few = min(found, by_due, key=lambda each: len({one.family for one in each.values()}))
        return find_pattern(self._vocabulary, few)

    def constant(self, name: str, runs: list[Run]) -> str:
        first = runs[0].value
        if not all(one.state == "returned" and same(one.value, first) for one in runs):
            return ""
        return always(name, first, self.words)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary([*map(self.said_of, self.cases)])

    def said_of(self, args: tuple[Any, ...]) -> tuple[Clause, ...]:
        """Return what can be said of a case: what it is, and what is due."""
        text = self.should(args)
        return (*self.describe(*args), *([("{} is due", text)] if len(text) < _SHORT else []))

    def _difference(self, index: int, done: Run) -> Difference | None:
        if done.state != "returned":
            does = f"it crashes with {done.error.split(':')[0] or done.state}"
            return Difference("fell over", does, "", *FALLS_OVER)
        due = self.due(self.cases[index])
        return None if same(due, done.value) else self.differs(done.value, due)


def _other_value(value: Any, expected: Any) -> Difference:
    gives, should = show(value), show(expected)
    due = should if len(should) < _SHORT else "another"
    if type(value) in (str, bool, int, type(None)) and len(gives) < _SHORT:
        return Difference(f"gives {gives}", f"it gives {gives}", due, *_GIVES)
    return Difference(f"not {due}", _GIVES[0], due, *_GIVES)


def always(name: str, value: Any, words: Callable[[Any], str] = show) -> str:
    """Say that this comes back, whatever it gets."""
    gives = "returns nothing" if value is None else f"always gives {words(value)}"
    return f"{name} {gives}, whatever it gets."


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


def _how_it_ended(one: Run) -> str:
    return one.error.rstrip(".") or one.state


def is_not_begun(one: Run) -> bool:
    """Tell whether a call ended because the stub still stands."""
    return one.state == "raised" and one.error.split(":")[0] == NotAttempted.__name__
