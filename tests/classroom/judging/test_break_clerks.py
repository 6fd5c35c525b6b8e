"""Break the clerk: every clerk can be found out, and only by a message that shows the fault."""

import random

import pytest
from evil import Evil, EvilText

from mini_rpc import handle
from mini_rpc.classroom import progress as course_map
from mini_rpc.classroom.judging.break_clerks import CLERKS, break_clerk, clerk, fault_of, scoreboard
from mini_rpc.classroom.judging.clerks import FAULTS
from mini_rpc.classroom.sandbox import report

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
NOTE = '{"jsonrpc": "2.0", "method": "ping"}'

# Messages that a learner could find, some with a method of the learner's own; else the fault's own.
FINDS = {
    "Ada": NOTE,
    "Bo": PING.replace("1", "0"),
    "Cleo": PING.replace("1", "true"),
    "Dov": PING.replace("ping", "kitchen/burn"),
    "Mina": (PING.replace("ping", "tables"), {"tables": lambda params: {6, 2}}),
    "Ugo": (PING.replace("ping", "leave"), {"leave": lambda params: exit()}),
    "Vera": [PING, PING.replace("1", "2")],
}


def sent(name):
    found = FINDS.get(name, fault_of(name).exposed_by)
    return break_clerk(name, *found) if isinstance(found, tuple) else break_clerk(name, found)


def test_there_are_at_least_twelve_clerks_and_both_naive_ones_are_among_them():
    faults = [fault.name for fault in CLERKS.values()]
    assert len(set(faults)) == len(faults) >= 12
    assert {"the first naive dispatcher", "the second naive dispatcher"} <= set(faults)
    assert set(faults) <= {fault.name for fault in FAULTS}


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", CLERKS)
def test_a_message_that_shows_the_fault_counts_and_the_habit_is_told(name):
    outcome = sent(name)
    assert outcome.passed, outcome
    assert fault_of(name).does in outcome.message
    assert fault_of(name).does in repr(scoreboard())


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", sorted(set(CLERKS) - {"Kaya", "Pia"}))
def test_a_harmless_message_shows_nothing_and_tells_nothing(name):
    outcome = break_clerk(name, PING)
    assert outcome.state == "wrong"
    assert fault_of(name).does not in f"{outcome!r} {scoreboard()!r} {scoreboard()._repr_html_()}"


def test_any_message_that_shows_the_fault_counts():
    assert break_clerk("Ada", NOTE.replace("ping", "no such")).passed
    assert break_clerk("Ada", NOTE.encode()).passed


@pytest.mark.rest
def test_what_the_steps_leave_open_finds_nobody_out():
    raws = ["\ufeff" + PING, PING.replace('"id"', '"id": 2, "id"')]
    for name in set(CLERKS) - {"Kaya", "Pia", "Quin", "Vera"}:
        assert not break_clerk(name, raws).passed, name


def test_found_once_is_found_for_good_and_the_scoreboard_says_how_many():
    assert repr(scoreboard()).startswith(f"0 of {len(CLERKS)} clerks found out.")
    assert all(name in repr(scoreboard()) for name in CLERKS)
    assert sent("Bo").passed
    assert not break_clerk("Bo", PING).passed
    assert "1 of" in repr(scoreboard())
    assert "Bo" in scoreboard()._repr_html_()


def test_a_clerk_works_like_any_dispatcher_and_hides_its_habit():
    ada = clerk("Ada")
    assert ada(PING, {"ping": lambda params: {}}) == handle(PING, {"ping": lambda params: {}})
    assert ada.__name__ == "Ada"
    assert "notification" not in repr(ada)


@pytest.mark.parametrize(
    ("raw", "state", "said"),
    [
        (..., "not attempted", "dots"),
        ({"jsonrpc": "2.0"}, "wrong", "quotes"),
        ([], "wrong", "quotes"),
        ([7], "wrong", "quotes"),
    ],
)
def test_what_is_no_raw_message_is_refused_in_words(raw, state, said):
    outcome = break_clerk("Ada", raw)
    assert outcome.state == state
    assert said in outcome.message


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Xyz", "Ada, Bo"),
        ("ada", r'There is no clerk "ada". Is it "Ada"'),
        (clerk, "in quotes"),
    ],
)
def test_an_unknown_name_gets_the_near_names_or_the_list(name, sentence):
    with pytest.raises(ValueError, match=sentence):
        break_clerk(name, PING)


@pytest.mark.parametrize("methods", [None, {"orders/find": lambda params: 1 / 0}])
def test_a_reply_that_tells_of_a_crash_is_a_leak_whatever_it_tells(methods):
    raw = '{"jsonrpc": "2.0", "id": 11, "method": "orders/get", "params": {"ticket": 105}}'
    outcome = break_clerk("Dov", raw.replace("get", "find") if methods else raw, methods)
    assert outcome.passed
    assert outcome.case.came_back != outcome.case.should
    assert not break_clerk("Ada", raw).passed


def test_a_method_that_gives_something_else_each_time_proves_nothing():
    raw = PING.replace("ping", "dice")
    for _ in range(3):
        for roll in (random.random, lambda: random.randint(0, 1)):
            outcome = break_clerk("Bo", raw, {"dice": lambda params, roll=roll: roll()})
            assert not outcome.passed


def test_methods_and_messages_that_fight_back_are_refused_in_words():
    for methods in (Evil(), {7: len}, {EvilText("ping"): len}):
        message = "The methods are a dict of functions by their names."
        assert break_clerk("Ada", NOTE, methods).message == message
    assert "quotes" in break_clerk("Ada", EvilText(NOTE)).message
    assert "quotes" in break_clerk("Ada", Evil()).message
    with pytest.raises(ValueError, match="in quotes"):
        break_clerk(Evil(), NOTE)
    assert break_clerk("Ada", NOTE, {"ping": Evil()}).state != "not attempted"


def test_a_method_of_the_learners_own_can_harm_nobody(monkeypatch):
    monkeypatch.setenv("MINI_RPC_SECONDS", "0.5")

    def endless(params):
        while True:
            pass

    raw = PING.replace("ping", "endless")
    assert break_clerk("Ada", raw, {"endless": endless}).state == "out of time"
    assert not break_clerk("Ada", raw, {"endless": lambda params: exit()}).passed


@pytest.mark.parametrize("name", ["Ada", "Mina"])
def test_where_the_course_itself_was_not_measured_nobody_is_found_out(name, monkeypatch):
    monkeypatch.setattr(report, "LARGEST", 1_000)
    outcome = break_clerk(name, PING.replace("ping", "m"), {"m": lambda params: "x" * 5_000})
    assert (outcome.state, outcome.message[:10]) == ("wrong", "No verdict")


def test_the_map_of_the_course_is_not_disturbed():
    before = course_map().transcript()
    sent("Ada")
    after = course_map().transcript()
    assert after.replace(f"1 of {len(CLERKS)}", f"0 of {len(CLERKS)}") == before


def _interrupt(params):
    raise KeyboardInterrupt


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", CLERKS)
def test_one_message_for_all_clerks_counts_for_none(name):
    """A method that raises KeyboardInterrupt shows no clerk's fault."""
    outcome = break_clerk(name, PING.replace("ping", "stop"), {"stop": _interrupt})
    assert not outcome.passed or name == "Kaya", outcome


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", CLERKS)
def test_what_colleagues_say_does_not_give_the_answer_away(name):
    says = CLERKS[name].says
    telling = set(fault_of(name).does.lower().split()) & set(says.lower().rstrip(".").split())
    assert not {one for one in telling if len(one) > 4} - {"whatever"}, telling


def test_a_list_is_sent_one_message_after_the_other():
    assert not break_clerk("Vera", PING).passed
    assert break_clerk("Vera", [PING, NOTE, PING.replace("1", "2")]).passed
