"""Judges a learner's dispatcher step by step, on the messages that the steps so far decide."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from ...dispatcher import STEPS, Methods
from ...wire import NotJSON, decode
from ..hostile import HOSTILE, HOSTILE_METHODS
from .clerks import HANDLE_FAULTS, Clerk, decision
from .comparing import same, show
from .faults import Fault, with_member
from .fuzzing import Hunter, invent, is_left_open
from .judging import NOTHING_YET, Found, NotAttempted, refusal
from .misconceptions import CRASH, Diagnosis, diagnose
from .outcome import Case, State
from .watching import Handle, Judged, Raw, expected, judge, judge_own

__all__ = ["Dispatches", "is_taught"]

_INVENTED = 150
_RIGHT = "right"


@dataclass(frozen=True)
class Dispatches:
    """Judges a `handle(raw, methods)` on the messages that steps 1 to `steps` decide.

    The steps are taken in order, and the first that does not hold is reported. Once all six hold,
    some messages are invented as well. `praise` is said in the end.
    """

    steps: int
    praise: str
    methods: ClassVar[Methods] = HOSTILE_METHODS

    def __call__(self, name: str, answer: Any, seconds: float) -> Found:
        if answer is ...:
            return NOTHING_YET
        if fault := refusal(name, answer, ("raw", "methods")):
            return Found("wrong", fault)
        judged = judge(answer, _messages(self.steps), seconds=seconds)
        if all(map(_is_not_written, judged)):
            return NOTHING_YET
        if any(one.fault for one in judged):
            return _report(name, judged, self.steps, seconds)
        if self.steps == len(STEPS):
            hunter = Hunter(answer, is_taught)
            if found := invent(hunter, _INVENTED):
                return _report(name, [hunter.shrink(found)], self.steps, seconds)
        return Found("correct", self.praise.format(count=len(judged)))


def is_taught(raw: Raw) -> bool:
    """Tell whether lessons 1 to 4 and the six steps say what becomes of a message.

    Lesson 5 adds what `json.loads` reads although it is not JSON, results that JSON cannot carry,
    and exceptions whose own text crashes.
    """
    if is_left_open(raw):
        return False
    try:
        message = decode(raw)
    except NotJSON:
        return not _python_reads(raw)
    name = message.get("method") if isinstance(message, dict) else None
    return not (isinstance(name, str) and name.startswith(("unsendable/", "crash/mute")))


def _python_reads(raw: Raw) -> bool:
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


@lru_cache
def _messages(steps: int) -> tuple[Raw, ...]:
    """Return the messages that are decided by then: the earliest step first, then the shortest."""
    found = [raw for raw in HOSTILE if is_taught(raw) and expected(raw).step <= steps]
    return tuple(sorted(found, key=lambda raw: (expected(raw).step, len(raw))))


# --- what to say -------------------------------------------------------------------------------


def _report(name: str, judged: Sequence[Judged], steps: int, seconds: float) -> Found:
    """Say which steps hold, what the next one does, and which known mistake that looks like."""
    first = next(one for one in judged if one.fault)
    known = None if len(judged) == 1 else _diagnosis(name, judged, first.expected.step, steps)
    showing = [judged[i] for i in known.shown_by] if known else judged
    shown = _clearest([one for one in showing if one.fault], None if known else first.expected.step)
    message = known.message if known else _sentence(name, judged, shown, seconds)
    case = Case(show(shown.raw), shown.came_back(), shown.should_have(), shown.raw)
    return Found(
        _state(shown),
        _held(first.expected.step) + message,
        case,
        known.mistake if known else None,
        shown.run.printed,
        shown.run.line,
    )


def _clearest(faulty: Sequence[Judged], step: int | None) -> Judged:
    """Return the first, at this step if one is given, that the bench can show: text, and another
    reply. Where there is none, return the first."""
    here = [one for one in faulty if step in (None, one.expected.step)]
    return next((one for one in here if type(one.raw) is str and _replies_differ(one)), here[0])


def _replies_differ(one: Judged) -> bool:
    return one.run.state != "returned" or not same(one.reply, one.expected.reply)


def _held(step: int) -> str:
    if step < 3:
        return ("", "Step 1 holds. ")[step - 1]
    return f"Steps 1 {'and' if step == 3 else 'to'} {step - 1} hold. "


def _sentence(name: str, judged: Sequence[Judged], shown: Judged, seconds: float) -> str:
    step = STEPS[shown.expected.step - 1]
    line = shown.run.line.partition(":")[0]
    if shown.run.state == "out of time":
        place = f"; it was in {line}" if line else ""
        return f"{name} did not end within {seconds:g} seconds{place}."
    if _is_not_written(shown) or _does_nothing_at(step.number, judged):
        return f"Step {step.number}, {step.name}, is not written yet."
    verb = "does not hold" if step.number == 1 else "does not"  # the sentence before says "hold"
    place = f" in {line}" if line else ""
    return f"Step {step.number}, {step.name}, {verb}: {shown.fault}{place}."


def _does_nothing_at(step: int, judged: Sequence[Judged]) -> bool:
    here = [one for one in judged if one.expected.step == step]
    return len(here) > 1 and all(
        one.run.state == "returned" and one.reply is None and one.expected.reply for one in here
    )


def _state(shown: Judged) -> State:
    if shown.run.state == "out of time":
        return "out of time"
    return "wrong" if shown.run.state == "returned" or _is_not_written(shown) else "crashed"


def _is_not_written(one: Judged) -> bool:
    return one.run.state == "raised" and one.run.error.split(":")[0] == NotAttempted.__name__


# --- which known mistake it looks like ---------------------------------------------------------


class _NeverRunsNotifications(Clerk):
    def notify(self, message: Any, methods: Methods) -> Any:
        return None


class _NeverReadsMethods(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(with_member("method", "ping")(message))

    def notify(self, message: Any, methods: Methods) -> Any:
        with suppress(TypeError):  # a list or a dict cannot be looked up
            super().notify(message, methods)


class _FallsOverRequests(Clerk):
    def surprise(self, id: Any, error: BaseException) -> Any:
        if id is None:  # a notification
            return None
        raise error


def _plant(name: str, does: str, clerk: Clerk) -> Fault:
    return Fault(name, does, clerk, (), "the dispatcher")


_NAIVE = [fault for fault in HANDLE_FAULTS if "naive" in fault.name]
_FAULTS = (
    *HANDLE_FAULTS,
    _plant(
        "a notification is not run",
        "never runs the method of a notification",
        _NeverRunsNotifications(),
    ),
    _plant(
        "method of any type",
        "never looks at what kind of thing the method is",
        _NeverReadsMethods(),
    ),
    _plant("a crash ends it", "falls over when a method crashes", _FallsOverRequests()),
)


class _Known(NamedTuple):
    """A known mistake: its name, the sentence that says it, and the messages that show it."""

    mistake: str
    message: str
    shown_by: Sequence[int]


def _diagnosis(name: str, judged: Sequence[Judged], step: int, steps: int) -> _Known | None:
    """Find the planted fault: over all the messages, else over those up to the failing step."""
    if any(one.run.state not in ("returned", "raised") for one in judged):
        return None
    if constant := _constant(name, judged):
        return constant
    if any(map(_is_not_written, judged)) or _does_nothing_at(step, judged):
        return None
    so_far = [one for one in judged if one.expected.step <= step]
    single = [fault for fault in _FAULTS if fault not in _NAIVE]
    for behavior in (_behavior, _rough) if steps < len(STEPS) else (_behavior,):
        whole = _diagnosed(judged, _FAULTS, behavior)
        if whole and whole.exactly:
            return _Known(whole.fault.name, whole.sentence(name), whole.shown_by)
        part = _diagnosed(so_far, single, behavior)
        if part and part.exactly:
            return _Known(part.fault.name, f"So far {name} {part.fault.does}.", part.shown_by)
        if part and behavior is _behavior:
            return _Known(part.fault.name, part.sentence(name), part.shown_by)
    return None


def _constant(name: str, judged: Sequence[Judged]) -> _Known | None:
    reply = judged[0].reply
    if not all(one.run.state == "returned" and same(one.reply, reply) for one in judged):
        return None
    gives = "returns nothing" if reply is None else f"always gives {show(reply)}"
    return _Known("always the same", f"{name} {gives}, whatever it gets.", range(len(judged)))


def _diagnosed(
    judged: Sequence[Judged], faults: Sequence[Fault], behavior: Callable[[Judged], Any]
) -> Diagnosis | None:
    """Hold a row of behaviors against the rows of the planted dispatchers."""
    cases = [(one.raw,) for one in judged]
    row = [behavior(one) for one in judged]
    planted = [fault._replace(behave=_planted(fault.behave, behavior).get) for fault in faults]
    # One right case is put in, so that a row of equal faults is not taken for a constant.
    return diagnose([*row, _RIGHT], [_RIGHT] * (len(row) + 1), planted, [*cases, (None,)])


@lru_cache(200)
def _planted(behave: Handle, behavior: Callable[[Judged], Any]) -> dict[Raw | None, Any]:
    """Return what a planted dispatcher does with each of the messages."""
    row: dict[Raw | None, Any] = {None: _RIGHT}
    row.update((one.raw, behavior(one)) for one in _of_planted(behave))
    return row


@lru_cache(100)
def _of_planted(behave: Handle) -> list[Judged]:
    return judge_own(behave, _messages(len(STEPS)))


def _behavior(judged: Judged) -> Any:
    """Return what a dispatcher did, in a form that leaves out what the six steps leave open."""
    if not judged.fault:
        return _RIGHT
    if judged.run.state != "returned":
        return CRASH
    return [decision(judged.reply), judged.calls if judged.expected.calls is not None else None]


def _rough(judged: Judged) -> Any:
    """The same for a dispatcher that is not finished: what it lets through goes nowhere yet."""
    if judged.fault and judged.run.state == "returned":
        return "wrong"
    return _behavior(judged)
