"""Where a dispatcher stands beside the published ones, whose figures the benchmark writes."""

from mini_rpc import handle
from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.judging.hostile_messages import HOSTILE
from mini_rpc.classroom.judging.standing import echo_cost, published, standing


def test_seven_published_dispatchers_have_figures_for_the_messages_that_are_asked():
    rows = published()
    assert len(rows) == 7
    assert max(row["asked"] for row in rows) == len(HOSTILE), "run dispatchers.py --write again"
    assert all(0 < row["right"] < row["asked"] for row in rows)
    assert all(row["echo"] > 1 for row in rows)


def test_each_has_a_row_with_a_bar_and_the_learners_own_stands_first():
    lines = standing("mine", 10, 10, 2.5).splitlines()
    assert lines[0].startswith("mine")
    assert "10 of 10" in lines[0]
    assert "2.5" in lines[0]
    assert len(lines) == 8
    assert all("█" in line for line in lines)


def test_a_pass_of_strict_handle_shows_it():
    outcome = check("strict_handle", handle, seconds=20)
    assert outcome.passed, outcome
    assert f"{len(HOSTILE)} of {len(HOSTILE)}" in outcome.standing
    assert "pjrpc" in repr(outcome)
    assert "pjrpc" in outcome._repr_html_()
    assert not check("handle", handle, seconds=20).standing


def test_what_cannot_be_measured_has_no_cost():
    assert echo_cost(lambda raw, methods: 1 / 0) is None
    assert "JSON alone" not in standing("mine", 1, 2, None).splitlines()[0]
