"""The model answers of lessons 4 and 5 do as the course's own dispatcher does: replies, ids and
effects, in all that the page above them has said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.judging.answers import NotAttempted
from mini_rpc.classroom.judging.clauses import is_taught
from mini_rpc.classroom.judging.differences import compare
from mini_rpc.classroom.judging.dispatchers import messages
from mini_rpc.classroom.judging.runs import due, run_here

STEPS = {"handle_step_2": 2, "handle_step_3": 3, "handle_step_5": 5, "handle": 6}
ANSWERS = [
    pytest.param(id, source, strict, id=f"{id}-{number}")
    for id, strict in (*((id, False) for id in STEPS), ("strict_handle", True))
    for number, source in enumerate((EXERCISES[id].solution, *EXERCISES[id].right))
]


def function(id: str, source: str) -> Any:
    names: dict[str, Any] = {"NotAttempted": NotAttempted}
    exec(compile(source, f"<{id}>", "exec"), names)
    return names[id]


@pytest.mark.parametrize(("id", "source", "strict"), ANSWERS)
def test_it_differs_in_nothing_that_its_page_has_said(id: str, source: str, strict: bool) -> None:
    """With `strict` also in what JSON-RPC leaves open, such as the id of a refusal."""
    sent = messages(STEPS.get(id, 6), strict=strict)
    compared = map(compare, sent, due(sent), run_here(function(id, source), sent))
    wrong = [(one.raw, one.did.reply, one.due.reply) for one in compared if one.difference]
    assert [one for one in wrong if strict or is_taught(one[0])] == []


@pytest.mark.parametrize("number", [0, 1, 2])
def test_reply_id_is_what_the_dispatcher_answers_with(number: int) -> None:
    exercise = EXERCISES["reply_id"]
    answer = function("reply_id", (exercise.solution, *exercise.right)[number])
    for raw, should in zip(messages(6), due(messages(6)), strict=True):
        if should.step == 2:
            assert answer(json.loads(raw)) == should.reply["id"]
