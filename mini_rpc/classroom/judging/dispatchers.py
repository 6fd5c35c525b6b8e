"""Judges a learner's dispatcher: run it, compare it, say what its failures share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Any, ClassVar

from ...dispatcher import STEPS
from .answers import NOTHING_YET, always, is_not_begun, refusal
from .clauses import faults_of, is_taught, of_message
from .differences import Compared, Difference, compare, let_through
from .hostile_messages import HOSTILE, LEFT_OPEN, Raw
from .hostile_methods import HOSTILE_METHODS
from .inventing import invent, shrink
from .orders import Order, what_came_before
from .outcome import Case, Outcome, State
from .patterns import Pattern, Vocabulary, find_pattern
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
        whole = self.steps == len(STEPS)
        if whole and (caught := invent(answer, _INVENTED, strict=self.strict)):
            return report_one(name, shrink(answer, caught, strict=self.strict), seconds)
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
    dids = run_dispatcher(answer, [*sent, *(sent[at] for at in order)], seconds=seconds)
    should = due(sent, strict=strict)
    again = dict(zip(order, dids[len(sent) :], strict=True))
    first, second = (
        [so_far(compare(*one), steps) for one in zip(sent, should, part, strict=True)]
        for part in (dids[: len(sent)], [again[at] for at in range(len(sent))])
    )
    if all(is_not_begun(one.did.run) for one in first):
        return Outcome(name, *NOTHING_YET)
    before = None
    if all(did.run.has_ended for did in dids) and [*map(_kind, first)] != [*map(_kind, second)]:
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
    found = [raw for raw in asked if dues[raw].step <= steps or dues[raw].code is None]
    return tuple(sorted(found, key=lambda raw: (dues[raw].step, len(raw))))


@lru_cache
def vocabulary(sent: tuple[Raw, ...]) -> Vocabulary:
    """Return what can be said about these messages."""
    pairs = [*zip(sent, due(sent), strict=True)]
    several = [i for i, pair in enumerate(pairs) if faults_of(*pair) > 1]
    return Vocabulary([tuple(of_message(*pair)) for pair in pairs], several)


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
        return replace(_of_order(name, before), right=right, total=total)
    ran = [one for one in wrong if one.did.run.state != "not run"] or wrong
    step = min(one.due.step for one in ran)
    pattern = _pattern(judged, step)
    stuck = (one for one in ran if not one.did.run.has_ended)
    shown = next(stuck, None) or _clearest(wrong, pattern, step, judged)
    same_always, said = _constant(name, judged), str(pattern)
    held, unfinished = _held(step), _unfinished(name, judged, shown, seconds)
    if pattern.groups and not unfinished and not _tells_of(step, pattern, judged):
        held += f"{_alone(shown)} "
    elif pattern.groups and not unfinished:
        held = held or "Step 1, parse, is not right yet. "
    found = _outcome(name, shown, same_always or held + (unfinished or said or _alone(shown)))
    if total == 1:
        return found
    known = "always the same" if same_always else _known_mistake(judged, strict)
    told = said if said in found.message else ""
    return replace(found, right=right, total=total, misconception=known, pattern=told or None)


def _outcome(name: str, shown: Compared, message: str) -> Outcome:
    run, topic = shown.did.run, f"step {shown.due.step}"
    case = Case(show(shown.raw), shown.came_back(), shown.should_have(), shown.raw, topic=topic)
    state: State = "wrong" if run.state == "returned" or is_not_begun(run) else "crashed"
    if run.state == "out of time":
        state = "out of time"
    return Outcome(name, state, message, case, None, run.printed, run.line)


def _of_order(name: str, before: Order) -> Outcome:
    shown, sentence = before.second, before.sentence
    came_back, spoiled = shown.came_back(), shown.did.spoiled
    if spoiled:
        came_back = f"{came_back}; and the first reply is now {spoiled}"
    sent = f"{before.first!r}\nthen {shown.raw!r}"
    case = Case(sent, came_back, shown.should_have(), shown.raw)
    known = "one dict for all replies" if spoiled else None
    found = _outcome(name, shown, sentence)
    return replace(found, case=case, pattern=sentence, misconception=known)


def _pattern(judged: Sequence[Compared], step: int) -> Pattern:
    """Return what the failures share, nothing where one is not written yet or never ended."""
    ended = all(one.did.run.has_ended and not is_not_begun(one.did.run) for one in judged)
    if len(judged) == 1 or not ended or _does_nothing_at(step, judged):
        return Pattern((), 0)
    words = vocabulary(tuple(one.raw for one in judged))
    differences = {i: one.difference for i, one in enumerate(judged) if one.difference}
    found = find_pattern(words, differences)
    here = {i for i, one in enumerate(judged) if one.due.step == step}
    # What is said of this step comes first, as the sentence before it names the step.
    return found._replace(
        groups=tuple(sorted(found.groups, key=lambda one: not here & {*one.cases}))
    )


def _tells_of(step: int, pattern: Pattern, judged: Sequence[Compared]) -> bool:
    """Tell whether a pattern, which may be about the most frequent failures, is about this step."""
    return any(judged[at].due.step == step for group in pattern.groups[:1] for at in group.cases)


def _clearest(
    wrong: Sequence[Compared], pattern: Pattern, step: int, judged: Sequence[Compared]
) -> Compared:
    """Return the plainest of those that the pattern means, else of those at this step: one that
    the bench can show, text and another reply, else the shortest."""
    here = [one for one in wrong if one.due.step == step]
    if _tells_of(step, pattern, judged):
        here = [judged[index] for index in pattern.groups[0].cases]

    def oddness(one: Compared) -> tuple[bool, bool, int]:
        return faults_of(one.raw, one.due) > 1, '"method": ""' in str(one.raw), len(one.raw)

    def can_be_shown(one: Compared) -> bool:
        same_reply = one.did.run.state == "returned" and same(one.did.reply, one.due.reply)
        return type(one.raw) is str and not same_reply

    here.sort(key=oddness)
    return next(filter(can_be_shown, here), here[0])


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
    assert shown.difference is not None
    step, difference = STEPS[shown.due.step - 1], shown.difference
    line = shown.did.run.line.partition(":")[0]
    instead = f" where {difference.due} is due" if difference.due else ""
    does = f"{difference.does}{instead}{f' in {line}' if line else ''}"
    return f"Step {step.number}, {step.name}, is not right yet: {does}."


def _does_nothing_at(step: int, judged: Sequence[Compared]) -> bool:
    here = [one for one in judged if one.due.step == step]
    return len(here) > 1 and all(
        one.did.run.state == "returned" and one.did.reply is None and one.due.reply for one in here
    )


def _constant(name: str, judged: Sequence[Compared]) -> str:
    reply = judged[0].did.reply
    if len(judged) == 1 or not all(
        one.did.run.state == "returned" and same(one.did.reply, reply) and not one.did.calls
        for one in judged
    ):
        return ""
    return always(name, reply)


# --- which known mistake it looks like ---------------------------------------------------------


def _known_mistake(judged: Sequence[Compared], strict: bool) -> str | None:
    """Return the name of the planted fault that differs in the same way at every message."""
    from .clerks import FAULTS  # read when somebody is wrong

    wanted = sorted(judged, key=lambda one: one.difference is None)  # the failing ones tell most
    for fault in FAULTS:
        if all(_kind_of(fault, one.raw, strict) == _kind(one) for one in wanted):
            return fault.name
    return None


@cache
def _kind_of(fault: Any, raw: Raw, strict: bool) -> tuple[str, str, bool] | None:
    (did,) = run_here(fault.behave, [raw])
    (should,) = due([raw], strict=strict)
    return _kind(compare(raw, should, did))
