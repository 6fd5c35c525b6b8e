"""Message cards: what goes on one comes off it, and nothing else is ever run or believed."""

import pytest

import mini_rpc
from mini_rpc import JSON_RPC, MCP
from mini_rpc.classroom import MESSAGES, METHODS, bench, clerk
from mini_rpc.classroom.live.cards import Card, CardError, card, open_card, read_card

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
ODD = ["", "\n", "\r\n\t", '"é😀"', '"\ud800"', "\0", "x" * 2_000, "card1-", *MESSAGES.values()]


def mine(raw, methods):
    return None


@pytest.mark.parametrize("message", ODD)
@pytest.mark.parametrize("rules", [MCP, JSON_RPC], ids=["mcp", "json-rpc"])
def test_a_message_and_its_rules_come_back_exactly(message, rules):
    found = open_card(card(bench(message, rules=rules)).token)
    assert (found.raw, found.rules) == (message, rules)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (bench(PING), ["course"]),
        (bench(PING, handle=mini_rpc.handle), ["course"]),
        (bench(PING, handle=clerk("Ada")), ["Ada"]),
        (bench(PING, handle=clerk("Ada"), beside=mini_rpc.handle), ["Ada", "course"]),
        (bench(PING, beside=clerk("Bo")), ["course", "Bo"]),
    ],
)
def test_the_dispatchers_of_the_course_are_on_it_by_name(source, names):
    made = card(source)
    assert list(made.dispatchers) == names
    assert made.left_behind == ()
    again = card(open_card(made.token))
    assert (again, again.token) == (made, made.token)


def test_a_dispatcher_and_methods_of_ones_own_stay_behind_and_it_says_so():
    made = card(bench(PING, handle=mine, methods={**METHODS, "mine": mine}))
    assert made.dispatchers == ("course",)
    assert "Your own dispatcher stays with you" in repr(made)
    assert "Your own methods stay with you" in made._repr_html_()


def test_no_function_becomes_a_clerk_by_its_name_and_one_of_ones_own_can_open_a_card():
    def Ada(raw, methods):
        return None

    assert card(bench(PING, handle=Ada)).left_behind
    assert open_card(card(PING).token, handle=Ada).handles == (Ada,)


def test_white_space_and_the_whole_line_around_it_do_no_harm():
    line = repr(card(PING))
    wrapped = "\n > ".join(line[at : at + 20] for at in range(0, len(line), 20)).replace(">", " ")
    assert read_card(f"Look at this:\n{wrapped}") == Card(PING)


def test_a_card_cut_or_changed_anywhere_is_refused_with_a_sentence():
    token = card(PING).token
    for at in range(len("card1-"), len(token) - 1):  # some bits of the last one say nothing
        changed = f"{token[:at]}{'A' if token[at] != 'A' else 'B'}{token[at + 1 :]}"
        for wrong in (token[:at], changed):
            with pytest.raises(CardError, match="cut off or changed"):
                read_card(wrong)


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        ("", "This is no card"),
        ("hello", "This is no card"),
        (None, "This is no card"),
        ("card2-AAAA", "another version of the course"),
        ("card1-", "cut off"),
        ("card1-é", "cut off"),
        (Card(PING, dispatchers=("os.system",)).token, "does not have"),
        (Card(PING, dispatchers=()).token, "does not have"),
        (Card(PING, dispatchers=("Ada", "Bo", "Cleo")).token, "does not have"),
        (Card("x" * 2_001).token, "A card carries up to 2,000 characters"),
    ],
)
def test_what_is_no_card_is_refused_with_a_sentence(token, sentence):
    with pytest.raises(CardError, match=sentence) as refused:
        open_card(token)
    assert refused.value._render_traceback_() == [str(refused.value)]


def test_what_makes_no_card_is_refused_and_the_token_of_a_message_never_changes():
    with pytest.raises(CardError, match="2,001 characters"):
        card("x" * 2_001)
    with pytest.raises(TypeError, match="a bench, or of a raw message"):
        card(7)
    assert card("[]").token == "card1-zw_-Z21jcCBjb3Vyc2UKW10"
