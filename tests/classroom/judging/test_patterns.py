"""What failures have in common: said of wrong answers that nobody fitted to the check, and held
against a second, larger set of messages that no check uses.

Covers `patterns`, `clauses`, `behaviors`, `differences`, `runs`, `orders` and `values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest
from corpus import Answer, second_set, wrong_answers

from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.judging.behaviors import Clause
from mini_rpc.classroom.judging.clauses import faults_of, is_taught, of_message
from mini_rpc.classroom.judging.differences import Difference, compare, settle
from mini_rpc.classroom.judging.dispatchers import messages, vocabulary
from mini_rpc.classroom.judging.patterns import Pattern, find_pattern
from mini_rpc.classroom.judging.runs import due, run_here

DISPATCHERS = [one for one in wrong_answers() if one.exercise == "handle"]
OTHERS = [one for one in wrong_answers() if one.exercise != "handle"]
STATE = ("once", "one dict", "good for one", "closed after", "remember")  # looked for by `orders`


def is_about_order(answer: Answer) -> bool:
    return any(word in answer.title for word in STATE)


ABOUT_ORDER = [one for one in DISPATCHERS if is_about_order(one)]


class Second(NamedTuple):
    """The second set: its messages, what is due, what can be said, and which are in order."""

    raws: tuple[str | bytes, ...]
    dues: Sequence[Any]
    clauses: tuple[frozenset[Clause], ...]
    in_order: tuple[bool, ...]


@cache
def second() -> Second:
    raws = tuple(raw for raw in second_set() if is_taught(raw))
    dues = due(raws, strict=False)
    pairs = list(zip(raws, dues, strict=True))
    clauses = tuple(frozenset(of_message(*pair)) for pair in pairs)
    return Second(raws, dues, clauses, tuple(faults_of(*pair) < 2 for pair in pairs))


def differences(answer: Any, raws: Sequence[Any], dues: Sequence[Any]) -> dict[int, Difference]:
    compared = map(compare, raws, dues, run_here(answer, raws))
    return {i: one.difference for i, one in enumerate(compared) if one.difference}


@cache
def pattern_of(answer: Answer) -> Pattern:
    sent = messages(6)
    found = differences(answer.function(), sent, due(sent, strict=False))
    return find_pattern(vocabulary(sent), found)


def lies(answer: Answer) -> list[str]:
    """Return what is false in the sentences on an answer, held against the second set."""
    other = second()
    pattern = pattern_of(answer)
    found = settle(differences(answer.function(), other.raws, other.dues))
    wrong = []
    for group in pattern.groups:
        for i, said in enumerate(other.clauses):
            if other.in_order[i] and i not in found and group.holds(said):
                wrong.append(f"{group.sentence()} But not {other.raws[i]!r:.120}")
    return wrong


def test_there_are_enough_wrong_answers_and_the_second_set_is_larger() -> None:
    assert len(wrong_answers()) >= 250
    assert len({(one.exercise, one.source) for one in wrong_answers()}) == len(wrong_answers())
    assert len(second_set()) > len(messages(6))
    assert not set(second_set()) & set(messages(6, strict=True))


@pytest.mark.parametrize("answer", wrong_answers(), ids=lambda one: f"{one.exercise}-{one.title}")
def test_no_wrong_answer_is_accepted(answer: Answer) -> None:
    assert not check(answer.exercise, answer.function(), seconds=10).passed


@pytest.mark.parametrize("answer", DISPATCHERS, ids=lambda one: one.title)
def test_every_whenever_is_true_of_messages_that_no_check_uses(answer: Answer) -> None:
    if not is_about_order(answer):
        assert lies(answer) == []


def test_most_descriptions_are_complete(record_property: Any) -> None:
    asked = [one for one in DISPATCHERS if not is_about_order(one)]
    complete = [one.title for one in asked if pattern_of(one).is_complete]
    begun = [one.title for one in asked if pattern_of(one).groups]
    others = {one: check(one.exercise, one.function(), seconds=10) for one in OTHERS}
    said = [one for one, outcome in others.items() if outcome.pattern]
    whole = [one for one in said if "other" not in (others[one].pattern or "")[-9:]]
    total = len(asked) + len(OTHERS)
    figures = (
        f"{len(wrong_answers())} wrong answers: {100 * (len(complete) + len(whole)) / total:.0f} % "
        f"described completely, {100 * (len(begun) + len(said)) / total:.0f} % with a true group"
    )
    print(figures)
    record_property("figures", figures)
    assert len(complete) + len(whole) >= 0.92 * total, figures
    assert len(begun) + len(said) >= 0.95 * total, figures


@pytest.mark.parametrize("answer", ABOUT_ORDER, ids=lambda one: one.title)
def test_what_has_to_do_with_the_message_before_is_said(answer: Answer) -> None:
    outcome = check("handle", answer.function(), seconds=10)
    assert outcome.pattern
    assert any(word in outcome.pattern for word in ("before", "second time"))
    assert "\nthen " in outcome.case.sent  # type: ignore[union-attr]
