"""The requester's table: ids of both types, stray replies, and nobody served twice.

`test_proof.py` tries any order of events; here is what that leaves out.
"""

import pytest

from mini_rpc.in_flight import InFlight, Stray


def opened(tickets, waiter):
    """Let somebody wait under a new id; return the id."""
    id = tickets.new_id()
    tickets.open(id, waiter)
    return id


def test_new_ids_are_integers_that_never_come_again():
    tickets = InFlight()
    ids = [opened(tickets, "table 6") for _ in range(100)]
    for id in ids:
        tickets.match(id)
    ids += [opened(tickets, "table 6") for _ in range(100)]
    assert len(set(ids)) == 200
    assert {type(id) for id in ids} == {int}


def test_a_new_id_steps_over_one_that_waits():
    tickets = InFlight()
    tickets.open(1, "chosen")
    assert tickets.new_id() == 2


@pytest.mark.parametrize("id", [True, 1.0, [1], {}])
def test_an_id_is_a_string_or_an_integer(id):
    with pytest.raises(ValueError, match="a string or an integer"):
        InFlight().open(id, "table 6")


@pytest.mark.parametrize("id", ["1", True, 1.0, None, [1], {"id": 1}, float("inf"), 2])
def test_a_reply_matches_by_id_and_type(id):
    tickets = InFlight()
    tickets.open(1, "table 6")
    with pytest.raises(Stray) as stray:
        tickets.match(id)
    assert stray.value.kind == "unknown"
    assert id not in tickets
    assert tickets.get(id) is tickets.give_up(id) is None
    assert tickets.match(1) == "table 6"


def test_a_second_reply_is_a_duplicate_and_a_reply_after_giving_up_is_late():
    tickets = InFlight()
    tickets.open(1, "table 6")
    tickets.open(2, "table 2")
    tickets.match(1)
    assert tickets.give_up(2) == "table 2"
    for id, kind in [(1, "duplicate"), (2, "late"), (3, "unknown")]:
        with pytest.raises(Stray, match=kind) as stray:
            tickets.match(id)
        assert (stray.value.id, stray.value.kind) == (id, kind)


def test_the_memory_of_ended_requests_is_bounded():
    tickets = InFlight()
    for _ in range(5000):
        tickets.match(opened(tickets, "table 6"))
    assert len(tickets._ended) == 1000
    for id, kind in [(5000, "duplicate"), (1, "unknown")]:
        with pytest.raises(Stray, match=kind):
            tickets.match(id)


def test_who_needs_no_kinds_of_strays_remembers_no_ended_id():
    tickets = InFlight(remembered=0)
    for end in (tickets.match, tickets.give_up):
        tickets.open("an id", "table 6")
        end("an id")
    assert (len(tickets), len(tickets._ended)) == (0, 0)


def test_a_report_of_a_stray_stays_short_and_never_crashes():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for id in (deep, "x" * 1_000_000, 10**4000):
        assert len(str(Stray(id, "unknown"))) < 200
