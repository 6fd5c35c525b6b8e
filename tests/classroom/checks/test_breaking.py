"""Break the clerk: every clerk can be found out, and only by a message that shows the fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mini_rpc import handle
from mini_rpc.classroom import progress as course_map
from mini_rpc.classroom.checks.breaking import CLERKS, break_clerk, clerk, fault_of, scoreboard
from mini_rpc.classroom.checks.clerks import HANDLE_FAULTS

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
NOTE = '{"jsonrpc": "2.0", "method": "ping"}'

# For each clerk a message that a learner could find. Some need a method of the learner's own.
FINDS: dict[str, Any] = {
    "Ada": NOTE,
    "Bo": PING.replace("1", "0"),
    "Cleo": PING.replace("1", "true"),
    "Dov": PING.replace("ping", "kitchen/burn"),
    "Edda": '{"jsonrpc": "2.0", "id": 1, "method": "orders/juggle", "params": []}',
    "Finn": '{"jsonrpc": "2.0", "id": 1, "method": "orders/get", "params": {"ticket": 9}}',
    "Gwen": '{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": null}',
    "Hugo": NOTE.replace("ping", "orders/juggle"),
    "Iris": '{"method": "ping"}',
    "Jon": f"[{PING}]",
    "Kaya": PING,
    "Lars": '{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"n": NaN}}',
    "Mina": (PING.replace("ping", "tables"), {"tables": lambda params: {6, 2}}),
    "Nils": '{"id": 1, "method": "ping"}',
    "Olga": "[" * 100_000,
    "Pia": '{"jsonrpc": "2.0", "id": 1}',
    "Quin": '{"jsonrpc": "2.0", "id": 1, "method": "kitchen/burn"}',
}


@pytest.fixture(autouse=True)
def _own_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "progress.json"))


def sent(name: str) -> Any:
    found = FINDS[name]
    return break_clerk(name, *found) if isinstance(found, tuple) else break_clerk(name, found)


def test_there_are_at_least_twelve_clerks_and_both_naive_ones_are_among_them() -> None:
    faults = [fault for fault, _ in CLERKS.values()]
    assert len(set(faults)) == len(faults) >= 12
    assert {"the first naive dispatcher", "the second naive dispatcher"} <= set(faults)
    assert set(faults) <= {fault.name for fault in HANDLE_FAULTS}


@pytest.mark.parametrize("name", CLERKS)
def test_a_message_that_shows_the_fault_counts_and_the_habit_is_told(name: str) -> None:
    outcome = sent(name)
    assert outcome.passed, outcome
    assert fault_of(name).does in outcome.message
    assert fault_of(name).does in repr(scoreboard())


@pytest.mark.parametrize("name", sorted(set(CLERKS) - {"Kaya", "Pia"}))
def test_a_harmless_message_shows_nothing_and_tells_nothing(name: str) -> None:
    outcome = break_clerk(name, PING)
    assert outcome.state == "wrong"
    assert fault_of(name).does not in f"{outcome!r} {scoreboard()!r} {scoreboard()._repr_html_()}"


def test_any_message_that_shows_the_fault_counts() -> None:
    assert break_clerk("Ada", NOTE.replace("ping", "no such")).passed
    assert break_clerk("Ada", NOTE.encode()).passed


def test_what_the_steps_leave_open_finds_nobody_out() -> None:
    for raw in ("\ufeff" + PING, PING.replace('"id"', '"id": 2, "id"')):
        for name in set(CLERKS) - {"Kaya", "Pia", "Quin"}:
            assert not break_clerk(name, raw).passed, name


def test_found_once_is_found_for_good() -> None:
    assert sent("Bo").passed
    assert not break_clerk("Bo", PING).passed
    assert "1 of" in repr(scoreboard())
    assert "Bo" in scoreboard()._repr_html_()


def test_the_scoreboard_is_text_and_html_and_says_how_many() -> None:
    assert repr(scoreboard()).startswith(f"0 of {len(CLERKS)} clerks found out.")
    assert all(name in repr(scoreboard()) for name in CLERKS)
    assert "<script" not in scoreboard()._repr_html_()


def test_a_clerk_works_like_any_dispatcher_and_hides_its_habit() -> None:
    ada = clerk("Ada")
    assert ada(PING, {"ping": lambda params: {}}) == handle(PING, {"ping": lambda params: {}})
    assert ada.__name__ == "Ada"
    assert "notification" not in repr(ada)


def test_the_dots_are_not_attempted_and_a_dict_is_no_raw_message() -> None:
    assert break_clerk("Ada", ...).state == "not attempted"
    assert "quotes" in break_clerk("Ada", {"jsonrpc": "2.0"}).message


def test_an_unknown_name_gets_the_list_of_names() -> None:
    with pytest.raises(ValueError, match="Ada, Bo"):
        break_clerk("Zoe", PING)


def test_a_method_of_the_learners_own_can_harm_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mini_rpc.classroom.sandbox.SECONDS", 0.5)

    def endless(params: Any) -> Any:
        while True:
            pass

    raw = PING.replace("ping", "endless")
    assert break_clerk("Ada", raw, {"endless": endless}).state == "out of time"
    assert not break_clerk("Ada", raw, {"endless": lambda params: exit()}).passed


def test_the_map_of_the_course_is_not_disturbed() -> None:
    before = course_map().transcript()
    sent("Ada")
    assert course_map().transcript() == before
