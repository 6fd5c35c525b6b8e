"""fuzz hunts for a message on which a dispatcher and the core differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mini_rpc import dispatch, error_response, handle
from mini_rpc.classroom.hostile import HOSTILE, LEFT_OPEN
from mini_rpc.classroom.judging.clerks import HANDLE_FAULTS
from mini_rpc.classroom.judging.fuzzing import Hunter, fuzz, hunt, invent, is_left_open
from mini_rpc.classroom.judging.judging import NotAttempted
from mini_rpc.classroom.judging.watching import judge

both_ways = pytest.mark.parametrize("with_hypothesis", [True, False])


def no_result_members(raw: Any, methods: Any) -> Any:
    """Differ only where a call also has a result and params, which no fixed message has."""
    if '"params"' in str(raw) and '"result"' in str(raw) and dispatch(raw, {}).step > 3:
        return error_response(None, -32600, "Invalid Request")
    return handle(raw, methods)


@both_ways
def test_the_core_is_never_found_different_from_itself(with_hypothesis: bool) -> None:
    assert hunt(Hunter(handle), 300, with_hypothesis=with_hypothesis).judged is None


@both_ways
def test_the_tries_are_bounded_and_counted(with_hypothesis: bool) -> None:
    seen: list[int] = []
    catch = hunt(Hunter(handle, progress=seen.append), 200, with_hypothesis=with_hypothesis)
    assert len(HOSTILE) < catch.tries <= len(HOSTILE) + 400
    assert seen == sorted(seen)
    assert seen[-1] == catch.tries


@both_ways
def test_what_no_fixed_message_shows_is_found_and_shrunk(with_hypothesis: bool) -> None:
    assert not any(one.fault for one in judge(no_result_members, HOSTILE))
    catch = hunt(Hunter(no_result_members), 1000, with_hypothesis=with_hypothesis)
    assert catch.judged is not None
    assert len(catch.judged.raw) < 90


@both_ways
def test_the_same_hunt_finds_the_same_message_again(with_hypothesis: bool) -> None:
    found = [
        invent(Hunter(no_result_members), 1000, with_hypothesis=with_hypothesis) for _ in range(2)
    ]
    assert found[0] is not None
    assert found[0] == found[1]


@pytest.mark.parametrize("fault", HANDLE_FAULTS, ids=lambda fault: fault.name)
def test_every_planted_fault_is_found_unless_the_steps_leave_it_open(fault: Any) -> None:
    found = Hunter(fault.behave).first_fault(HOSTILE)
    assert (found is None) == is_left_open(fault.exposed_by[0])


def test_what_the_six_steps_leave_open_is_fair_game_for_nobody() -> None:
    assert all(map(is_left_open, LEFT_OPEN))
    left = [raw for raw in HOSTILE if is_left_open(raw)]
    assert all("crash/fire" in str(raw) for raw in left), left


def test_the_smallest_message_is_shown_with_what_came_back() -> None:
    def careless(raw: Any, methods: Any) -> Any:
        return handle(raw, methods) if raw != "[]" else None

    outcome = fuzz(careless, 100)
    assert outcome.state == "wrong"
    assert outcome.case is not None
    assert (outcome.case.raw, outcome.case.came_back) == ("[]", "None")
    assert outcome.handle is careless


def test_a_stub_is_not_attempted() -> None:
    def stub(raw: Any, methods: Any) -> Any:
        raise NotAttempted("not yet")

    assert fuzz(stub, 100).state == "not attempted"
    assert fuzz(...).state == "not attempted"


def test_what_is_no_dispatcher_is_refused_in_a_sentence() -> None:
    assert "name" in fuzz("handle").message


def test_a_loop_is_stopped_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINI_RPC_SECONDS", "2")

    def stuck(raw: Any, methods: Any) -> Any:
        while raw == "[[]]":
            pass
        return handle(raw, methods)

    outcome = fuzz(stuck, 100)
    assert outcome.state == "out of time"
    assert "while" in outcome.line or "pass" in outcome.line


def test_nothing_is_left_beside_the_notebooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hunt(Hunter(handle), 50, with_hypothesis=True)
    assert list(tmp_path.iterdir()) == []
