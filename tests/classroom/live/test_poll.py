"""The questions a class votes on: the lessons' own, with what is right, or the teacher's."""

import pytest

from mini_rpc.classroom.live.poll import find_poll
from mini_rpc.classroom.questions.records import predictions, questions

EVERY = [*questions(), *predictions()]


@pytest.mark.parametrize("name", EVERY)
def test_a_question_of_the_lessons_has_one_right_option_and_says_why_of_each(name):
    assert EVERY.count(name) == 1, "no question and no prediction share a name"
    poll = find_poll(name)
    assert [option.misconception for option in poll.options].count(None) == 1
    assert all(option.why.endswith(".") for option in poll.options)
    assert poll.is_known


def test_a_question_of_ones_own_knows_no_right_option():
    poll = find_poll("Coffee or tea?", ["coffee", "tea"])
    assert not poll.is_known
    assert [option.text for option in poll.options] == ["coffee", "tea"]


def test_an_unknown_name_and_more_options_than_a_code_can_hold_are_refused():
    with pytest.raises(ValueError, match="the lessons have start self-check 1"):
        find_poll("a crahs")
    with pytest.raises(ValueError, match="at most 8"):
        find_poll("Which?", "abcdefghi")
