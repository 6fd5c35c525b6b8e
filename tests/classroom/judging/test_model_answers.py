"""The model answers of lessons 4 and 5 do as the course's own dispatcher does: replies, ids and
effects, in all that the page above them has said."""

import json
from collections import Counter

import pytest
from corpus import bound

from mini_rpc import dispatch
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.judging.clauses import is_taught
from mini_rpc.classroom.judging.differences import agrees, compare
from mini_rpc.classroom.judging.dispatchers import messages
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS
from mini_rpc.classroom.judging.runs import due, quiet, run_here
from mini_rpc.classroom.judging.values import same
from mini_rpc.wire import NotJSON, decode

STEPS = {"handle_step_2": 2, "handle_step_3": 3, "handle_step_5": 5, "handle": 6}
ALL = messages(6, strict=True)


def answers(*ids):
    """Return the parameters for a test: each right answer of these exercises."""
    return pytest.mark.parametrize(
        ("id", "source"),
        [
            pytest.param(id, source, id=f"{id}-{number}")
            for id in ids
            for number, source in enumerate((EXERCISES[id].solution, *EXERCISES[id].right))
        ],
    )


@answers(*STEPS, "strict_handle")
def test_it_differs_in_nothing_that_its_page_has_said(id, source):
    """With `strict_handle` also in what JSON-RPC leaves open, such as the id of a refusal."""
    steps, strict = STEPS.get(id, 6), id == "strict_handle"
    sent = [raw for raw in ALL if strict or is_taught(raw)]
    compared = map(compare, sent, due(sent), run_here(bound(source, id), sent))
    wrong = [one for one in compared if one.difference and one.due.step <= steps]
    assert [(one.raw, one.did.reply, one.due.reply) for one in wrong] == []


@answers("reply_id")
def test_reply_id_is_what_the_dispatcher_answers_with(id, source):
    answer = bound(source, id)
    for raw, should in zip(ALL, due(ALL), strict=True):
        if should.step == 2:
            assert answer(json.loads(raw)) == should.reply["id"]


@answers("strict_loads")
def test_strict_loads_reads_what_the_dispatcher_reads(id, source):
    answer = bound(source, id)
    for raw, should in zip(ALL, due(ALL), strict=True):
        try:
            value = [answer(raw)]
        except ValueError:
            value = []
        assert same(value, [] if should.step == 1 else [decode(raw)]), raw


@answers("duplicate_members")
def test_duplicate_members_are_where_two_readers_could_disagree(id, source):
    """Who keeps the first member and who keeps the last read the same where none is reported."""
    answer, counts = bound(source, id), Counter[bool]()
    for raw in ALL:
        try:
            last = decode(raw)
        except NotJSON:
            continue
        text = raw if isinstance(raw, str) else raw.decode()
        first = json.loads(text, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
        counts[bool(found := answer(text))] += 1
        assert found or same(first, last), raw
        assert len(found) == len(set(found))
    assert counts[True] > 2


@answers("reply_line")
def test_reply_line_is_what_the_dispatcher_sends(id, source):
    answer, sent = bound(source, id), 0
    for raw, should in zip(ALL, due(ALL), strict=True):
        if should.step < 6:
            continue
        message, results = json.loads(raw), []

        def kept(params, method=HOSTILE_METHODS[message["method"]]):
            results.append(method(params))  # noqa: B023
            return results[0]  # noqa: B023

        with quiet():
            reply = dispatch(raw, {message["method"]: kept}).reply
            if results:
                line = answer(message["id"], results[0])
                sent += 1
                assert line.isascii()
                assert agrees(raw, reply, decode(line)), raw
    assert sent > 100
