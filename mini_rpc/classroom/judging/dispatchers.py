"""Judges a learner's dispatcher: run it, compare it, say what its failures share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Any, ClassVar

from ...dispatcher import STEPS
from .answers import NOTHING_YET, is_not_begun, refusal
from .clauses import faults_of, is_taught, of_message
from .differences import Compared, Difference, compare, let_through
from .hostile_messages import HOSTILE, LEFT_OPEN, Raw
from .hostile_methods import HOSTILE_METHODS
from .inventing import invent, shrink
from .orders import Order, what_came_before
from .outcome import Case, Outcome, State
from .patterns import Pattern, Shared, Vocabulary, find_pattern
from .runs import Handle, Methods, due, run_dispatcher, run_here
from .standing import echo_cost, standing
from .values import same, show

__all__ = ["Dispatches", "examine", "messages", "report_one", "so_far", "vocabulary"]

_INVENTED = 150
_REFUSALS = (-32700, -32600, -32602, -32601)  # of steps 1, 2, 4 and 5


@dataclass(frozen=True)
class Dispatches:
    """Judges a `handle(raw, methods)` on the messages that steps 1 to `steps` decide.

    With `strict`, what the six steps leave open is asked as well, as the course decides it. The
    first step that does not hold is reported. Once all six hold, some messages are invented as
    well. `praise` is said in the end.
    """

    steps: int
    praise: str
    strict: bool = False
    methods: ClassVar[Methods] = HOSTILE_METHODS

    def __call__(self, name: str, answer: Any, seconds: float) -> Outcome:
        if answer is ...:
            return Outcome(name, *NOTHING_YET)
        if why := refusal(name, answer, ("raw", "methods")):
            return Outcome(name, "wrong", why)
        sent = messages(self.steps, self.strict)
        found = examine(name, answer, sent, strict=self.strict, seconds=seconds, steps=self.steps)
        if found:
            return found
        if self.steps == len(STEPS):
            is_fair = is_taught if not self.strict else lambda raw: True
            caught = invent(answer, _INVENTED, is_fair, strict=self.strict)
            if caught:
                shortest = shrink(answer, caught, is_fair, strict=self.strict)
                return report_one(name, shortest, seconds)
        if self.strict and (held_back := _holds_back(name, answer)):
            return held_back
        praise, count = self.praise.format(count=len(sent)), len(sent)
        passed = Outcome(name, "correct", praise, right=count, total=count)
        if not self.strict:
            return passed
        asked = len(HOSTILE)  # all of these were right, or this were no pass
        return replace(passed, standing=standing(name, asked, asked, echo_cost(answer)))


def examine(
    name: str,
    answer: Handle,
    sent: Sequence[Raw],
    *,
    strict: bool,
    seconds: float | None = None,
    steps: int = len(STEPS),
) -> Outcome | None:
    """Send these messages to a dispatcher, in order and mixed; say what it does wrong, None where
    nothing is. What comes out differently the second time has to do with what came before.
    """
    order = Random(1).sample(range(len(sent)), len(sent))
    dids = run_dispatcher(answer, [*sent, *(sent[at] for at in order)], HOSTILE_METHODS, seconds)
    should = due(sent, strict=strict)
    again = dict(zip(order, dids[len(sent) :], strict=True))
    first, second = (
        [so_far(compare(*one), steps) for one in zip(sent, should, part, strict=True)]
        for part in (dids[: len(sent)], [again[at] for at in range(len(sent))])
    )
    if all(is_not_begun(one.did.run) for one in first):
        return Outcome(name, *NOTHING_YET)
    before = None
    ended = all(did.run.state in ("returned", "raised") for did in dids)
    if ended and [*map(_kind, first)] != [*map(_kind, second)]:
        before = what_came_before(answer, strict)
        both = zip(first, second, strict=True)
        first = [one if one.difference else other for one, other in both]
    is_wrong = any(one.difference for one in first)
    return _report(name, first, before, seconds, strict=strict) if is_wrong else None


def so_far(one: Compared, steps: int) -> Compared:
    """Where later steps are not written, None is what becomes of a message that gets through; and
    what is left for them counts only if it is refused all the same, or if its method was run and
    nothing came back."""
    if steps == len(STEPS) or not one.difference:
        return one
    is_silent = one.difference.family == "silent"
    if one.due.step > steps:
        is_lost = is_silent and one.did.calls and steps > 2
        found = one.difference if is_lost else _refused_too_early(one, steps)
        if not found:
            return one._replace(difference=None)
        calls = one.due.calls if is_lost else one.did.calls  # they are no part of a refusal
        return one._replace(due=one.due._replace(step=steps, calls=calls), difference=found)
    return one._replace(difference=let_through(one.due)) if is_silent else one


def _refused_too_early(one: Compared, steps: int) -> Difference | None:
    error = one.did.reply.get("error") if isinstance(one.did.reply, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    if one.due.code is not None or code not in _REFUSALS[: 2 if steps < 4 else None]:
        return None
    return Difference(f"answers {code}", f"it answers {code}", "no refusal")


def _holds_back(name: str, answer: Handle) -> Outcome | None:
    """Tell of a dispatcher that takes Ctrl-C for a crash."""
    raw = '{"jsonrpc": "2.0", "id": 1, "method": "kitchen/wait"}'
    (did,) = run_dispatcher(answer, [raw], {"kitchen/wait": _interrupted})
    if did.run.error.startswith("KeyboardInterrupt"):
        return None
    message = "It holds a KeyboardInterrupt back, which is no crash: let it pass."
    case = Case(show(raw), show(did.reply), "nothing: KeyboardInterrupt", raw, topic="step 6")
    return Outcome(name, "wrong", f"Steps 1 to 5 are right. {message}", case, pattern=message)


def _interrupted(params: Any) -> Any:
    raise KeyboardInterrupt


def report_one(name: str, found: Compared, seconds: float | None = None) -> Outcome:
    """Say of one message what is wrong with the answer to it."""
    return _report(name, [found], None, seconds)


def _kind(one: Compared) -> tuple[str, str, bool] | None:
    """Return what tells two differences apart, None where there is none."""
    difference = one.difference
    if difference is None:
        return None
    is_silent = difference.otherwise is not None and difference.otherwise.family == "silent"
    return difference.family, difference.does, is_silent


@lru_cache
def messages(steps: int, strict: bool = False) -> tuple[Raw, ...]:
    """Return the messages that are decided by then: the earliest step first, then the shortest.

    Where steps are missing, messages that pass all six are asked as well: none is to be refused.
    """
    asked = [*HOSTILE, *LEFT_OPEN] if strict else [raw for raw in HOSTILE if is_taught(raw)]
    dues = dict(zip(asked, due(asked), strict=True))
    found = [raw for raw, one in dues.items() if one.step <= steps or one.code is None]
    return tuple(sorted(found, key=lambda raw: (dues[raw].step, len(raw))))


@lru_cache
def vocabulary(sent: tuple[Raw, ...]) -> Vocabulary:
    """Return what can be said about these messages."""
    should = due(sent)
    clauses = [tuple(of_message(*one)) for one in zip(sent, should, strict=True)]
    several = [i for i, one in enumerate(zip(sent, should, strict=True)) if faults_of(*one) > 1]
    return Vocabulary(clauses, several)


# --- what to say -------------------------------------------------------------------------------


def _report(
    name: str,
    judged: Sequence[Compared],
    before: Order | None,
    seconds: float | None,
    *,
    strict: bool = False,
) -> Outcome:
    """Say which steps hold, what the failures share, and which known mistake that looks like."""
    wrong = [one for one in judged if one.difference]
    right, total = len(judged) - len(wrong), len(judged)
    if before:
        return _report_order(name, before, right, total)
    ran = [one for one in wrong if one.did.run.state != "not run"] or wrong
    step = min(one.due.step for one in ran)
    pattern = _pattern(judged, step)
    stuck = (one for one in ran if one.did.run.state not in ("returned", "raised"))
    shown = next(stuck, None) or _clearest(wrong, pattern, step, judged)
    found = _outcome(name, shown, _message(name, judged, shown, step, pattern, seconds))
    if total == 1:
        return found
    said = str(pattern) if str(pattern) in found.message else None
    known = "always the same" if _constant(name, judged) else _known_mistake(judged, strict)
    counted = replace(found, right=right, total=total, misconception=known)
    return replace(counted, pattern=said or None)


def _message(
    name: str,
    judged: Sequence[Compared],
    shown: Compared,
    step: int,
    pattern: Pattern,
    seconds: float | None,
) -> str:
    if always := _constant(name, judged):
        return always
    held, unfinished = _held(step), _unfinished(name, judged, shown, seconds)
    if pattern.groups and not held and not unfinished:
        held = "Step 1, parse, is not right yet. "
        if not _is_of(pattern.groups[0], step, judged):  # it tells of later steps alone
            held = f"{_alone(next(one for one in judged if one.difference))} "
    return held + (unfinished or str(pattern) or _alone(shown))


def _outcome(name: str, shown: Compared, message: str) -> Outcome:
    run = shown.did.run
    return Outcome(name, _state(shown), message, _case(shown), None, run.printed, run.line)


def _case(shown: Compared) -> Case:
    topic = f"step {shown.due.step}"
    return Case(show(shown.raw), shown.came_back(), shown.should_have(), shown.raw, topic=topic)


def _report_order(name: str, before: Order, right: int, total: int) -> Outcome:
    """Say which message before it makes another go wrong."""
    shown = before.second
    came_back, should = shown.came_back(), shown.should_have()
    if shown.did.spoiled:
        came_back = f"{came_back}; and the first reply is now {shown.did.spoiled}"
    case = Case(f"{before.first!r}\nthen {shown.raw!r}", came_back, should, shown.raw)
    found = replace(_outcome(name, shown, before.sentence), case=case)
    known = "one dict for all replies" if shown.did.spoiled else None
    counted = replace(found, right=right, total=total, pattern=before.sentence)
    return replace(counted, misconception=known)


def _pattern(judged: Sequence[Compared], step: int) -> Pattern:
    """Return what the failures share, nothing where one is not written yet or never ended."""
    ended = all(one.did.run.state in ("returned", "raised") for one in judged)
    if len(judged) == 1 or not ended or any(is_not_begun(one.did.run) for one in judged):
        return Pattern((), 0)
    if _does_nothing_at(step, judged):
        return Pattern((), 0)
    words = vocabulary(tuple(one.raw for one in judged))
    differences = {i: one.difference for i, one in enumerate(judged) if one.difference}
    found = find_pattern(words, differences)
    first = sorted(found.groups, key=lambda group: not _is_of(group, step, judged))
    return found._replace(groups=tuple(first))


def _is_of(group: Shared, step: int, judged: Sequence[Compared]) -> bool:
    return any(judged[index].due.step == step for index in group.cases)


def _clearest(
    wrong: Sequence[Compared], pattern: Pattern, step: int, judged: Sequence[Compared]
) -> Compared:
    """Return the plainest of those that the pattern means, else of those at this step: one that
    the bench can show, text and another reply, else the shortest."""
    here = [one for one in wrong if one.due.step == step]
    if pattern.groups:
        here = [judged[index] for index in pattern.groups[0].cases]
    here.sort(key=_oddness)
    return next((one for one in here if type(one.raw) is str and _replies_differ(one)), here[0])


def _oddness(one: Compared) -> tuple[bool, bool, int]:
    """Order messages from the plainest: with one fault at most, with a name, short."""
    return faults_of(one.raw, one.due) > 1, '"method": ""' in str(one.raw), len(one.raw)


def _replies_differ(one: Compared) -> bool:
    return one.did.run.state != "returned" or not same(one.did.reply, one.due.reply)


def _held(step: int) -> str:
    if step < 3:
        return ("", "Step 1 is right. ")[step - 1]
    return f"Steps 1 {'and' if step == 3 else 'to'} {step - 1} are right. "


def _unfinished(
    name: str, judged: Sequence[Compared], shown: Compared, seconds: float | None
) -> str:
    """Say what has not come to an end, or is not written yet; "" where neither is so."""
    step = STEPS[shown.due.step - 1]
    line = shown.did.run.line.partition(":")[0]
    if shown.did.run.state == "out of time":
        place = f"; it was in {line}" if line else ""
        return f"{name} did not end within {seconds or 0:g} seconds{place}."
    if is_not_begun(shown.did.run) or _does_nothing_at(step.number, judged):
        return f"Step {step.number}, {step.name}, is not written yet."
    return ""


def _alone(shown: Compared) -> str:
    """Say of one message what is wrong: nothing is claimed of others."""
    assert shown.difference is not None
    step, difference = STEPS[shown.due.step - 1], shown.difference
    line = shown.did.run.line.partition(":")[0]
    place = f" in {line}" if line else ""
    instead = f" where {difference.due} is due" if difference.due else ""
    return f"Step {step.number}, {step.name}, is not right yet: {difference.does}{instead}{place}."


def _does_nothing_at(step: int, judged: Sequence[Compared]) -> bool:
    here = [one for one in judged if one.due.step == step]
    return len(here) > 1 and all(
        one.did.run.state == "returned" and one.did.reply is None and one.due.reply for one in here
    )


def _state(shown: Compared) -> State:
    run = shown.did.run
    if run.state == "out of time":
        return "out of time"
    return "wrong" if run.state == "returned" or is_not_begun(run) else "crashed"


def _constant(name: str, judged: Sequence[Compared]) -> str:
    """Say that a dispatcher always does the same, where it does."""
    reply = judged[0].did.reply
    if len(judged) == 1 or any(one.did.run.state != "returned" for one in judged):
        return ""
    if not all(same(one.did.reply, reply) and not one.did.calls for one in judged):
        return ""
    gives = "returns nothing" if reply is None else f"always gives {show(reply)}"
    return f"{name} {gives}, whatever it gets."


# --- which known mistake it looks like ---------------------------------------------------------


def _known_mistake(judged: Sequence[Compared], strict: bool) -> str | None:
    """Return the name of the planted fault that differs in the same way at every message."""
    if len(judged) == 1:
        return None
    wanted = sorted(judged, key=lambda one: one.difference is None)  # the failing ones tell most
    from .clerks import FAULTS  # read when somebody is wrong

    known = (fault for fault in FAULTS if all(_does(fault, one, strict) for one in wanted))
    return next((fault.name for fault in known), None)


def _does(fault: Any, one: Compared, strict: bool) -> bool:
    """Tell whether a planted dispatcher differs in the same way at this message."""
    return _kind_of(fault, one.raw, strict) == _kind(one)


@cache
def _kind_of(fault: Any, raw: Raw, strict: bool) -> tuple[str, str, bool] | None:
    (did,) = run_here(fault.behave, [raw])
    (should,) = due([raw], strict=strict)
    return _kind(compare(raw, should, did))
