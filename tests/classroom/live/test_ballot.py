"""Codes: whatever a class does to them, a vote counts once, and what is no vote is named."""

import random
from itertools import product
from pathlib import Path
from string import Template

import pytest

from mini_rpc.classroom.live.ballot import (
    Ballot,
    Count,
    count,
    dropped,
    read_code,
    vote,
    write_code,
)
from mini_rpc.classroom.live.poll import find_poll
from mini_rpc.classroom.progress import answers

POLL = find_poll("a crash")


def code(voter, option, poll=POLL):
    return write_code(Ballot(voter, poll.number, option))


def test_a_ballot_comes_back_from_its_code():
    for numbers in product((0, 1, 777_777, 2**20 - 1), (0, 64, 127), (1, 5, 8)):
        assert read_code(write_code(Ballot(*numbers))) == Ballot(*numbers)


def test_case_spaces_dashes_and_look_alikes_do_no_harm():
    chosen = next(n for n in range(9999) if {"0", "1"} <= set(code(n, 1)))
    written = code(chosen, 1)
    for heard in (written.lower(), f"  {written} ", written.replace("-", " "), " ".join(written)):
        for same in (heard, heard.replace("0", "o"), heard.replace("1", "l")):
            assert read_code(same) == read_code(written)


def test_nearly_every_slip_is_noticed():
    chance = random.Random(7)
    slips = 0
    for _ in range(2_000):
        written = list(code(chance.randrange(2**20), 1).replace("-", ""))
        at = chance.randrange(8)
        other = chance.choice([c for c in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" if c != written[at]])
        slips += read_code("".join([*written[:at], other, *written[at + 1 :]])) is not None
    assert slips < 10


def test_what_is_no_code_is_none_and_codes_of_one_option_do_not_look_alike():
    for text in ("", "K7M2", "K7M2-9QX", "K7M2-9QXFF", "U7M2-9QXF", "ééééßßßß"):
        assert read_code(text) is None
    assert len({code(voter, 1)[5:7] for voter in range(100)}) > 50


def test_good_bad_and_repeated_codes_are_told_apart():
    other = find_poll("a request")
    pasted = f"""
        {code(1, 2)}
        {code(2, 2).lower().replace("-", " ")}
        10:31 From somebody to everyone: {code(3, 1)}

        {code(1, 2)}
        {code(2, 3)}
        K7M2-9QXF
        {code(4, 1, other)}
    """
    found = count(POLL, pasted)
    assert found.votes == (1, 1, 1)
    assert found.notes == (
        "1 code is mistyped: ask for it again.",
        "1 vote is on another question.",
        "2 came again: of the same learner's votes the last one counts.",
    )


def test_a_vote_is_a_code_that_reveals_nothing_and_of_one_learner_the_last_counts(monkeypatch):
    first = vote("a crash").choose(1)
    second = vote("a crash").choose(2).heading
    assert (first.right, first.misconception, first.reveal) == (None, None, ())
    assert answers() == {}
    assert count(POLL, f"{first.heading}\n{second}").votes == (0, 1, 0)
    monkeypatch.setattr("mini_rpc.classroom.live.ballot._voters", {})  # another learner
    assert count(POLL, f"{second}\n{vote('a crash').choose(2).heading}").votes == (0, 2, 0)


def test_commas_and_several_codes_on_a_line_do_no_harm():
    one, two, three = code(1, 1), code(2, 2), code(3, 2)
    for text in (
        f"{one},\n{two},\n{three},",
        f"{one} {two} {three}",
        f"{one}, {two}; {three}",
        f"Ada: {one}, Bo: {two}\n10:31 Cleo: {three.replace('-', ' ')}",
        f"{one.replace('-', ' ')} {two.replace('-', ' ')} {three}",
    ):
        assert count(POLL, text) == Count((1, 2, 0)), text
    slip = ("1 code is mistyped: ask for it again.",)
    assert count(POLL, f"{one} ABCD-EFGH {two}") == Count((1, 1, 0), slip)


ONE, TWO, THREE = code(1, 1), code(2, 2), code(3, 2)
WRITTEN = {
    "one": ONE,
    "one_with_another_dash": ONE.replace("-", "\u2011"),
    "two": TWO,
    "two_small": TWO.lower(),
    "two_left": TWO[:4],
    "two_right": TWO[4:],
    "three": THREE,
    "three_wide": "".join(chr(ord(c) + 0xFEE0) for c in THREE),
    "three_spaced": " ".join(THREE.replace("-", "")),
}
CHATS = Path(__file__).parents[2] / "data" / "chats"


@pytest.mark.parametrize("chat", sorted(CHATS.iterdir()), ids=lambda path: path.stem)
def test_codes_are_found_whatever_a_chat_program_puts_around_them(chat):
    found = count(POLL, Template(chat.read_text("utf-8")).substitute(WRITTEN))
    assert found.votes == (1, 2, 0)


def test_lines_without_a_code_are_one_number_and_never_shown():
    found = count(POLL, f"Ada says hello\n{ONE}\n10:31 Bo\n\n   \n+49 30 1234-5678 is mine")
    assert found.votes == (1, 0, 0)
    assert not any(name in "".join(found.notes) for name in ("Ada", "Bo", "49"))
    assert found.notes[-1] == "2 lines hold no code."
    assert count(POLL, "\n \n") == count(POLL, "")


def test_a_vote_goes_to_the_folder_that_a_class_shares_and_comes_back_once(tmp_path, monkeypatch):
    monkeypatch.setenv("MINI_RPC_VOTES", str(tmp_path))
    assert vote("a crash").choose(1).why == "Your teacher has it."
    vote("a crash").choose(2)
    vote("Tea?", ["yes", "no"]).choose(1)
    assert len([*tmp_path.iterdir()]) == 2
    assert count(POLL, dropped(POLL)).votes == (0, 1, 0)
    monkeypatch.setenv("MINI_RPC_VOTES", str(tmp_path / "nowhere"))
    assert vote("a crash").choose(1).why == "Give it to your teacher."
    assert dropped(POLL) == ""
