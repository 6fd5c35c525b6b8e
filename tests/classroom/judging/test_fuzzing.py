"""fuzz hunts for a message on which a dispatcher and the core differ.

Covers `inventing`.
"""

import pytest

from mini_rpc import dispatch, error_response, handle
from mini_rpc.classroom.judging.answers import NotAttempted
from mini_rpc.classroom.judging.clauses import is_left_open
from mini_rpc.classroom.judging.clerks import FAULTS
from mini_rpc.classroom.judging.fuzzing import fuzz
from mini_rpc.classroom.judging.hostile_messages import HOSTILE, LEFT_OPEN
from mini_rpc.classroom.judging.inventing import first_wrong, invent, shrink


def no_result_members(raw, methods):
    """Differ only where a call also has a result and params, which no fixed message has."""
    if '"params"' in str(raw) and '"result"' in str(raw) and dispatch(raw, {}).step > 3:
        return error_response(None, -32600, "Invalid Request")
    return handle(raw, methods)


def beyond_the_known(raw, methods):
    """Differ only where a call has three odd things at once, which no fixed message has."""
    odd = '"result"' in str(raw) and '"id": -1' in str(raw) and dispatch(raw, {}).step > 3
    return error_response(None, -32600, "Invalid Request") if odd else handle(raw, methods)


def test_the_core_is_never_found_different_and_it_is_said_what_was_compared():
    outcome = fuzz(handle, 300)
    assert outcome.passed, outcome
    assert outcome.message.startswith("No difference found in")
    for compared in ("ids", "RpcError", "the methods that ran", "how often", "not compared"):
        assert compared in outcome.message


def test_the_tries_are_bounded_and_counted():
    seen = []
    assert invent(handle, 200, strict=True, progress=seen.append) is None
    assert seen == sorted(seen)
    assert 200 <= seen[-1] <= 400


def test_what_no_fixed_message_shows_is_found_and_shrunk():
    assert first_wrong(beyond_the_known, (*HOSTILE, *LEFT_OPEN), strict=True) is None
    found = invent(beyond_the_known, 5000, strict=True)
    assert found is not None
    assert len(shrink(beyond_the_known, found, strict=True).raw) < 90


@pytest.mark.rest
def test_the_same_hunt_finds_the_same_message_again():
    found = [invent(no_result_members, 1000, strict=True) for _ in range(2)]
    assert found[0] is not None
    assert found[0] == found[1]


@pytest.mark.sample(8)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_planted_fault_is_found(fault):
    assert first_wrong(fault.behave, (*HOSTILE, *LEFT_OPEN), strict=True) is not None


def test_what_the_six_steps_leave_open_is_fair_game_for_nobody():
    assert all(map(is_left_open, LEFT_OPEN))
    left = [raw for raw in HOSTILE if is_left_open(raw)]
    assert all("crash/fire" in str(raw) for raw in left), left


def test_the_smallest_message_is_shown_with_what_came_back():
    def careless(raw, methods):
        return handle(raw, methods) if raw != "[]" else None

    outcome = fuzz(careless, 100)
    assert outcome.state == "wrong"
    assert (outcome.case.raw, outcome.case.came_back) == ("[]", "None")
    assert outcome.handle is careless


@pytest.mark.rest
def test_fuzz_looks_at_effects_and_at_errors_on_purpose_as_a_check_does():
    def twice(raw, methods):
        handle(raw, methods)
        return handle(raw, methods)

    def loud(raw, methods):
        reply = handle(raw, methods)
        if reply and "error" in reply:
            reply["error"]["message"] = reply["error"]["message"].upper()
        return reply

    assert "more than once" in fuzz(twice, 100).message
    assert "message of an RpcError" in fuzz(loud, 100).message
    assert fuzz(lambda raw, methods: None).message == "<lambda> returns nothing, whatever it gets."


def test_a_stub_is_not_attempted_and_what_is_no_dispatcher_is_refused_in_a_sentence():
    def stub(raw, methods):
        raise NotAttempted("not yet")

    assert fuzz(stub, 100).state == "not attempted"
    assert fuzz(...).state == "not attempted"
    for answer in ("handle", None, {}):
        assert fuzz(answer).message == "fuzz wants the function itself: its name alone."


@pytest.mark.rest
def test_fewer_tries_than_none_are_none():
    assert fuzz(handle, -5).message == fuzz(handle, 0).message


@pytest.mark.rest
def test_a_loop_is_stopped_and_said_so(monkeypatch):
    monkeypatch.setenv("MINI_RPC_SECONDS", "0.5")

    def stuck(raw, methods):
        while raw == "[[]]":
            pass
        return handle(raw, methods)

    outcome = fuzz(stuck, 100)
    assert outcome.state == "out of time"
    assert "while" in outcome.line or "pass" in outcome.line
