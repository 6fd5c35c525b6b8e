"""An outcome shows itself as text and as HTML, whatever it holds, in less than 20 kB."""

import pytest

from mini_rpc.classroom.judging.outcome import MESSAGE, Case, Outcome, code_in_html

MOST = 20_000
HUGE = {"letters": "x", "markup": "<&>\"'", "invisible": "\u3164", "lines": "a\n", "dollars": "$"}


@pytest.mark.parametrize("unit", HUGE.values(), ids=HUGE)
def test_a_verdict_has_its_bounds_whatever_the_answer_was(unit):
    text = unit * 300_000
    case = Case(text, text, text, text)
    outcome = Outcome("x", "wrong", text, case, text, text, text, text, pattern=text)
    assert 1_000 < len(repr(outcome).encode()) < MOST
    assert 1_000 < len(outcome._repr_html_().encode()) < MOST
    assert "cut: it has" in repr(outcome) or "more lines" in repr(outcome)


def test_of_a_thousand_printed_lines_twenty_are_shown():
    printed = "\n".join(map(str, range(1000)))
    shown = repr(Outcome("x", "wrong", "No.", printed=printed)).splitlines()
    assert shown[-2:] == ["            19", "            … and 980 more lines"]


def test_how_far_it_is_and_what_the_failures_share():
    outcome = Outcome("x", "wrong", "No.", right=61, total=75, pattern="Whenever the id is 0.")
    assert "how far    61 of 75 right" in repr(outcome)
    assert "in common  Whenever the id is 0." in repr(outcome)
    assert "how far" not in repr(Outcome("x", "correct", "Yes.", right=75, total=75))


def test_a_message_that_was_written_has_labels_of_its_own():
    text = repr(Outcome("x", "wrong", "No.", Case("[]", "a list", "a request", labels=MESSAGE)))
    assert [line.split("  ")[1].strip() for line in text.splitlines()[1:]] == [*MESSAGE]


def test_after_a_pass_two_other_ways_are_shown():
    outcome = Outcome("x", "correct", "Yes.", others=("one = 1\n", "two = <2>\n"))
    assert 'wrote it in other ways: solution("x")' in repr(outcome)
    assert outcome._repr_html_().count("<code>") == 2
    assert "two = &lt;2&gt;" in outcome._repr_html_()


def test_backticks_become_code_and_dollars_no_mathematics():
    assert code_in_html("`a$` is <b> $x$") == (
        "<code>a$</code> is &lt;b&gt; <span>$</span>x<span>$</span>"
    )


def test_backticks_in_a_learner_s_value_stay_backticks():
    assert "gives `y` <span>$</span>." in Outcome("x", "wrong", "It gives `y` $.")._repr_html_()
