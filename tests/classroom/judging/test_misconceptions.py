"""The planted faults: each is exposed by its own message, told from the others, and found again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from mini_rpc import handle
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.lesson_6 import _MATCH_CASES, _MATCH_FAULTS, _matched
from mini_rpc.classroom.hostile import HOSTILE, HOSTILE_METHODS, LEFT_OPEN, SECRET, agrees
from mini_rpc.classroom.judging.clerks import Clerk, decision
from mini_rpc.classroom.judging.comparing import same
from mini_rpc.classroom.judging.faults import Fault
from mini_rpc.classroom.judging.judging import Behaves
from mini_rpc.classroom.judging.misconceptions import CRASH, HANDLE_FAULTS, diagnose, row_of

Cases = Sequence[tuple[Any, ...]]
Behavior = Callable[[Any], Any]

# Messages that take long, and tell no more than others: left out here.
_QUICK = [(raw, HOSTILE_METHODS) for raw in HOSTILE if len(raw) < 2000 and "mirror" not in str(raw)]
_DEEP = [(fault.exposed_by[0], HOSTILE_METHODS) for fault in HANDLE_FAULTS]


class Family:
    """The faults of one kind of function, its reference, and the cases that tell them apart."""

    def __init__(
        self, reference: Any, faults: tuple[Fault, ...], cases: Cases, behavior: Behavior
    ) -> None:
        self.reference = reference
        self.faults = faults
        self.cases = cases
        self.behavior = behavior

    def row(self, function: Any) -> Any:
        return _row(self, function)

    def diagnosed(self, row: Any) -> Any:
        """Diagnose a row; what the faults do with each case is looked up, for it takes long."""
        faults = [one._replace(behave=self.row(one.behave).__getitem__) for one in self.faults]
        numbers = [(number,) for number in range(len(self.cases))]
        return diagnose(row, self.row(self.reference), faults, numbers)


@cache
def _row(family: Family, function: Any) -> Any:
    return row_of(function, family.cases, family.behavior)


def _family(id: str) -> Family:
    judge = EXERCISES[id].judge
    assert isinstance(judge, Behaves)
    return Family(judge.reference, judge.faults, judge.cases, lambda value: value)


FAMILIES = {
    "handle": Family(handle, HANDLE_FAULTS, [*_QUICK, *_DEEP], decision),
    "shape_of": _family("shape_of"),
    "verdict_code": _family("verdict_code"),
    "valid_id": _family("valid_id"),
}
each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
each_fault = pytest.mark.parametrize(
    ("family", "fault"),
    [
        pytest.param(family, fault, id=f"{name}-{fault.name}")
        for name, family in FAMILIES.items()
        for fault in family.faults
    ],
)


def test_at_least_fourteen_faulty_dispatchers_are_planted() -> None:
    assert len(HANDLE_FAULTS) >= 14


def test_a_clerk_without_a_fault_does_as_the_core_does() -> None:
    clerk = Clerk()
    for raw in (*HOSTILE, *LEFT_OPEN):
        expected = handle(raw, HOSTILE_METHODS)
        assert agrees(raw, expected, clerk(raw, HOSTILE_METHODS)), raw[:100]


@each_fault
def test_its_own_message_exposes_the_fault(family: Family, fault: Fault) -> None:
    (right,) = row_of(family.reference, [fault.exposed_by], family.behavior)
    (faulty,) = row_of(fault.behave, [fault.exposed_by], family.behavior)
    assert not same(right, faulty)


@each_fault
def test_the_row_of_the_fault_leads_back_to_it(family: Family, fault: Fault) -> None:
    found = family.diagnosed(family.row(fault.behave))
    assert found.exactly
    assert found.fault.name == fault.name


@each_family
def test_names_and_sentences_are_unique_and_speak_to_a_learner(family: Family) -> None:
    assert len({fault.name for fault in family.faults}) == len(family.faults)
    assert len({fault.does for fault in family.faults}) == len(family.faults)
    for fault in family.faults:
        assert not fault.does.endswith(".")
        assert fault.does.split()[0].endswith(("s", "ly", "never"))


@each_family
def test_two_faults_at_once_get_a_sentence_that_is_true_or_none(family: Family) -> None:
    """Where one fault shows, the mixture does what that one does, or it is not named."""
    right = family.row(family.reference)
    rows = [family.row(fault.behave) for fault in family.faults]
    for one, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        mixture = [
            a if not same(a, core) else b for a, b, core in zip(one, other, right, strict=True)
        ]
        found = family.diagnosed(mixture)
        if found is None:
            continue
        assert all(same(mixture[i], found.fault.behave(i)) for i in found.shown_by)
        assert all(not same(mixture[i], right[i]) for i in found.shown_by)


@each_family
def test_a_row_that_no_fault_explains_gets_no_sentence(family: Family) -> None:
    assert family.diagnosed([f"strange {n}" for n in range(len(family.cases))]) is None


@each_family
def test_a_crash_everywhere_is_left_to_the_sentence_of_the_crash(family: Family) -> None:
    assert family.diagnosed([CRASH] * len(family.cases)) is None


@each_family
def test_the_same_answer_to_everything_is_called_that(family: Family) -> None:
    found = family.diagnosed(["silence"] * len(family.cases))
    assert (
        found.sentence("handle") == "handle behaves exactly like one that always gives 'silence'."
    )


def test_a_sentence_names_what_is_judged_and_says_where_more_is_wrong() -> None:
    family = FAMILIES["valid_id"]
    row = [*family.row(lambda value: isinstance(value, (str, int)))]
    found = family.diagnosed(row)
    assert (
        found.sentence("mine") == "mine behaves exactly like one that lets true and false through."
    )
    row[0] = "yes"
    found = family.diagnosed(row)
    assert found.sentence("mine") == "mine lets true and false through, and that is not all."


def test_who_goes_by_the_place_is_not_told_of_a_finer_point() -> None:
    def by_place(waiting: Any, replies: Any) -> Any:
        return [waiting.popitem()[1] for _ in replies]

    row = row_of(by_place, [deepcopy(case) for case in _MATCH_CASES])
    found = diagnose(row, row_of(_matched, _MATCH_CASES), _MATCH_FAULTS, _MATCH_CASES)
    assert found is None, found


def _reply(**error: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "x", **error}}


def test_a_decision_is_free_of_wording_and_of_what_the_steps_leave_open() -> None:
    assert decision(_reply()) == decision(_reply(message="y", data=[1]))
    invalid = _reply(code=-32600)
    assert decision(invalid) == decision({**invalid, "id": None})
    assert decision(_reply(code=86)) != decision(_reply(code=86, data=1))
    assert decision(_reply()) != decision({**_reply(), "id": "1"})
    assert decision(_reply(message=SECRET)) == "leak"
    assert decision({"result": {1}}) == "not JSON"
    assert decision(None) == "silence"
