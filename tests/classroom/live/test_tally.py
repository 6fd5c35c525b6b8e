"""The tally: bars by option, and only when revealed the right answer and the misconceptions."""

import math

import pytest

from mini_rpc.classroom.live.ballot import Ballot, write_code
from mini_rpc.classroom.live.poll import find_poll
from mini_rpc.classroom.live.tally import tally

CODES = "\n".join(
    write_code(Ballot(voter, find_poll("a crash").number, option))
    for voter, option in enumerate([1, 1, 1, 2, 2, 3])
)


def type_in(t, **asked):
    """Ask as the browser does; return the answer that goes back to it."""
    before = {"codes": t.codes, "hands": list(t.hands), "revealed": t.revealed}
    t.set_state({"_asked": {"ticket": "view-1", **before, **asked}})
    return t._answer


def test_codes_and_hands_count_together_and_bars_are_as_long_as_the_votes():
    t = tally("a crash", CODES, hands=[0, 5, 1])
    assert t.votes == (3, 7, 2)
    assert "12 votes" in t.transcript()
    rows = tally("a crash", hands=[12, 6, 0]).transcript().splitlines()
    assert [row.count("█") for row in rows[-3:]] == [24, 12, 0]


def test_nothing_is_given_away_before_it_is_revealed():
    t = tally("a crash", CODES)
    shown = t.transcript() + t._as_html() + str(t._answer) + str(t._setup)
    assert "right" not in shown
    assert "needs to know" not in shown
    t.revealed = True
    assert "the sender needs to know what broke    3" in t.transcript()
    assert "  right" in t.transcript()
    assert "needs to know what broke" in t._as_html()


def test_misconceptions_come_by_how_many_hold_them_and_share_a_bar():
    t = tally("id is true", hands=[1, 9, 4, 2], revealed=True)
    assert [votes for _, votes, _ in t._behind()] == [9, 4, 2, 1]
    assert t._behind()[0][0] == "right"
    for name in ("two faults at once", "id is true", "params in a list"):
        t = tally(name, revealed=True)
        names = [name for name, _, _ in t._behind()]
        assert len(set(names)) == len(names)


def test_a_question_of_ones_own_is_counted_and_has_nothing_to_reveal():
    t = tally("Coffee or tea?", options=["coffee", "tea"], hands=[2, 3], revealed=True)
    assert t.votes == (2, 3)
    assert "behind" not in t.transcript()


def test_what_is_no_code_is_counted_and_never_shown():
    t = tally("a crash", "<img src=x>")
    assert "1 line holds no code." in t.transcript()
    assert "<img" not in t._as_html() + t.transcript() + str(t._answer["notes"])


def test_a_hidden_vote_tells_how_many_and_nothing_else_until_it_is_closed():
    t = tally("a crash", CODES, hidden=True)
    assert "6 votes" in t.transcript()
    assert "█" not in t.transcript() + t._as_html()
    assert (t._answer["total"], t._answer["votes"]) == (6, [0, 0, 0])
    assert type_in(t, hidden=False)["votes"] == (3, 2, 1)
    assert "█" in t.transcript()


def test_the_browser_counts_hands_pastes_codes_and_reveals():
    t = tally("a crash")
    assert type_in(t, hands=[0, 1, 0])["votes"] == (0, 1, 0)
    assert type_in(t, codes=CODES)["votes"] == (3, 3, 1)
    assert type_in(t, hands=[-1, 10**9, 0])["hands"] == [0, 999, 0]
    assert type_in(t, revealed=True)["behind"][0][0] == "right"
    assert t.revealed
    assert type_in(t, hands=None)["broken"].startswith("The tally itself failed.")
    assert "broken" not in type_in(t, codes=CODES)


def test_a_cell_that_runs_again_goes_on_with_what_was_counted():
    t = tally("a crash")
    type_in(t, codes=CODES, hands=[4, 0, 0], revealed=True, size=36)
    again = tally("a crash")
    assert (again.votes, again.revealed, again._answer["size"]) == ((7, 2, 1), True, 36)
    assert tally("a crash", name="second group").votes == (0, 0, 0)
    assert tally("a crash", hands=[1, 1, 1]).votes == (1, 1, 1)
    assert tally("a crash").votes == (0, 0, 0), "a cell that says something else begins anew"


def test_starting_over_is_said_and_goes_back_to_what_the_cell_says():
    t = tally("a crash", hands=[1, 0, 0])
    type_in(t, codes=CODES, size=28)
    assert type_in(t, again=True)["votes"] == (1, 0, 0)
    assert t._answer["size"] == 28
    t.hands = [0, 0, 5]
    t.reset()
    assert tally("a crash", hands=[1, 0, 0]).votes == (1, 0, 0)


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [([hand, 0, 0], "whole numbers") for hand in (math.nan, 1.5, True, "2")] + [([1], "3 options")],
)
def test_hands_are_whole_numbers_and_fit_the_options(hands, sentence):
    with pytest.raises(ValueError, match=sentence):
        tally("a crash", hands=hands)
    assert sentence in type_in(tally("a crash"), hands=hands)["broken"]


def test_a_lone_surrogate_does_not_silence_the_tally():
    t = tally("a crash")
    answer = type_in(t, codes=f"\ud800\n{CODES}")
    assert answer["votes"] == (3, 2, 1)
    str(answer).encode()
    tally("Tea?", options=["\ud800", "b"])._repr_mimebundle_()[0]["text/html"].encode()
