"""What failures have in common: said of wrong answers that nobody fitted to the check, and held
against a second, larger set of messages that no check uses.

Covers `patterns`, `clauses`, `behaviors`, `differences`, `runs`, `orders` and `values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from corpus import second_cases, second_set, wrong_answers

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.judging.behaviors import Clause
from mini_rpc.classroom.judging.clauses import faults_of, is_taught, of_message
from mini_rpc.classroom.judging.differences import compare, settle
from mini_rpc.classroom.judging.dispatchers import messages, so_far, vocabulary
from mini_rpc.classroom.judging.patterns import find_pattern
from mini_rpc.classroom.judging.runs import due, run_here
from mini_rpc.classroom.sandbox import Run

DISPATCHERS = [one for one in wrong_answers() if one.steps]
FUNCTIONS = [one for one in wrong_answers() if not one.steps]
STATE = (
    "once",
    "one dict",
    "good for one",
    "closed after",
    "remember",
    "of the message before",
)  # looked for by `orders`


def is_about_order(answer):
    return any(word in answer.title for word in STATE)


ABOUT_ORDER = [one for one in DISPATCHERS if is_about_order(one)]


class Second(NamedTuple):
    """The second set: its messages, what is due, what can be said, and which are in order."""

    raws: tuple[str | bytes, ...]
    dues: Sequence[Any]
    clauses: tuple[frozenset[Clause], ...]
    in_order: tuple[bool, ...]


@cache
def second():
    raws = tuple(raw for raw in second_set() if is_taught(raw))
    dues = due(raws, strict=False)
    pairs = list(zip(raws, dues, strict=True))
    clauses = tuple(frozenset(of_message(*pair)) for pair in pairs)
    return Second(raws, dues, clauses, tuple(faults_of(*pair) < 2 for pair in pairs))


def differences(answer, raws, dues):
    compared = map(compare, raws, dues, run_here(answer.function(), raws))
    found = enumerate(so_far(one, answer.steps) for one in compared)
    return {i: one.difference for i, one in found if one.difference}


@cache
def outcome_of(answer):
    return check(answer.exercise, answer.function(), seconds=10)


@cache
def pattern_of(answer):
    sent = messages(answer.steps)
    return find_pattern(vocabulary(sent), differences(answer, sent, due(sent, strict=False)))


def lies(answer):
    """Return what is false in the sentences on an answer, held against the second set."""
    other = second()
    found = settle(differences(answer, other.raws, other.dues))
    asked = [i for i, one in enumerate(other.dues) if one.step <= answer.steps]
    return [
        f"{group.sentence()} But not {other.raws[i]!r:.120}"
        for group in pattern_of(answer).groups
        for i in asked
        if other.in_order[i] and i not in found and group.holds(other.clauses[i])
    ]


def run_one(judge, answer, args):
    try:
        return Run("returned", judge.via(answer, *deepcopy(args)))
    except Exception as error:
        return Run("raised", error=type(error).__name__)


def lies_of_function(answer):
    """Return the same for an answer that is no dispatcher, where anything is said of it."""
    if not outcome_of(answer).pattern:
        return []
    judge = EXERCISES[answer.exercise].judge
    other = replace(judge, cases=second_cases(answer.exercise))
    runs, again = (
        [run_one(judge, answer.function(), args) for args in one.cases] for one in (judge, other)
    )
    wrong = [i for i, one in enumerate(runs) if judge.is_wrong("", i, one)]
    return [
        f"{group.sentence()} But not {other.cases[i]!r:.120}"
        for group in judge.pattern(runs, wrong).groups
        for i, one in enumerate(again)
        if not other.is_wrong("", i, one) and is_meant(group, other, other.cases[i])
    ]


def is_meant(group, judge, args):
    """Tell whether a sentence speaks of a case: of what it is, and of what is due."""
    should = judge.should(args)
    for part in group.does.split(", or "):
        gives, _, due = part.removesuffix(" is due").partition(" where ")
        is_value = due == "a value" and should != "a ValueError"
        is_other = due in ("another", "something else") and should not in gives
        if not due or should in due or is_value or is_other:
            return group.holds(judge.said_of(args))
    return False


def test_there_are_enough_wrong_answers_and_the_second_set_is_larger():
    assert len(wrong_answers()) >= 250
    assert len({(one.exercise, one.source) for one in wrong_answers()}) == len(wrong_answers())
    assert len(second_set()) > len(messages(6))
    assert not set(second_set()) & set(messages(6, strict=True))


@pytest.mark.sample(8)
@pytest.mark.parametrize("answer", wrong_answers(), ids=lambda one: f"{one.exercise}-{one.title}")
def test_no_wrong_answer_is_accepted(answer):
    assert not outcome_of(answer).passed


@pytest.mark.sample(8)
@pytest.mark.parametrize("answer", DISPATCHERS, ids=lambda one: f"{one.exercise}-{one.title}")
def test_every_whenever_is_true_of_messages_that_no_check_uses(answer):
    if not is_about_order(answer):
        assert lies(answer) == []


@pytest.mark.sample(8)
@pytest.mark.parametrize("answer", FUNCTIONS, ids=lambda one: f"{one.exercise}-{one.title}")
def test_every_whenever_of_a_function_is_true_of_cases_that_no_check_uses(answer):
    assert lies_of_function(answer) == []


@pytest.mark.rest
def test_most_descriptions_are_complete(record_property):
    asked = [one for one in DISPATCHERS if not is_about_order(one)]
    complete = [one.title for one in asked if pattern_of(one).is_complete]
    begun = [one.title for one in asked if pattern_of(one).groups]
    said = [one for one in FUNCTIONS if outcome_of(one).pattern]
    whole = [one for one in said if "other" not in (outcome_of(one).pattern or "")[-9:]]
    total = len(asked) + len(FUNCTIONS)
    figures = (
        f"{len(wrong_answers())} wrong answers: {100 * (len(complete) + len(whole)) / total:.0f} % "
        f"described completely, {100 * (len(begun) + len(said)) / total:.0f} % with a true group"
    )
    print(figures)
    record_property("figures", figures)
    assert len(complete) + len(whole) >= 0.92 * total, figures
    assert len(begun) + len(said) >= 0.95 * total, figures


@pytest.mark.parametrize("answer", ABOUT_ORDER, ids=lambda one: one.title)
def test_what_has_to_do_with_the_message_before_is_said(answer):
    outcome = outcome_of(answer)
    assert outcome.pattern
    assert any(word in outcome.pattern for word in ("before", "second time"))
    assert "\nthen " in outcome.case.sent
