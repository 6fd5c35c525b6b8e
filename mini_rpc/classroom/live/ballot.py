"""Ballots: an answer of one learner as a short code, to be read out or pasted. No server, no names.

A code is 40 bits in eight letters and digits, as in K7M2-9QXF: 20 bits that are drawn once for each
question and kernel, so that a vote cast again replaces the first one; 7 that name the question;
3 for the option; 10 to notice a slip. What it says cannot be seen by looking at it.
"""

from __future__ import annotations

import re
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from ..questions.choice import Choice, Feedback
from ..text import shorten
from .poll import Poll, find_poll

__all__ = ["Ballot", "Count", "count", "read_code", "vote", "write_code"]

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: they look or sound like others
_ALIKE = str.maketrans({"I": "1", "L": "1", "O": "0", "-": None, "–": None, "—": None})
_LENGTH = 8
_voters: dict[Poll, int] = {}


@dataclass(frozen=True)
class Ballot:
    """One vote: `voter` is a random number, `question` that of a poll, `option` counts from 1."""

    voter: int
    question: int
    option: int


@dataclass(frozen=True)
class Count:
    """The votes: how many for each option, and a sentence for each line that is no vote here."""

    votes: tuple[int, ...]
    notes: tuple[str, ...] = ()


def vote(question: str, options: Sequence[str] = ()) -> Choice:
    """Return the question as a widget that turns an answer into a code for the teacher.

    `question` is the name of one of the lessons' questions or predictions; or any question, with
    its `options`. The code says nothing about who voted, and nothing is recorded.

    Raises `ValueError` if the lessons have no question of this name, or for too many options.
    """
    poll = find_poll(question, options)
    voter = _voters.setdefault(poll, secrets.randbelow(2**20))

    def judge(number: int) -> Feedback:
        code = write_code(Ballot(voter, poll.number, number))
        return Feedback(None, f"Your code: {code}", "Give it to your teacher.")

    texts = [option.text for option in poll.options]
    return Choice("Vote", poll.ask, texts, judge, message=poll.message, once=True)


def write_code(ballot: Ballot) -> str:
    """Return the code of a ballot."""
    hidden = (ballot.question << 3 | ballot.option - 1) ^ _mask(ballot.voter)
    signed = ballot.voter << 10 | hidden
    value = signed << 10 | _check(signed)
    digits = "".join(_DIGITS[value >> 5 * place & 31] for place in reversed(range(_LENGTH)))
    return f"{digits[:4]}-{digits[4:]}"


def read_code(text: str) -> Ballot | None:
    """Return the ballot of a code, whatever its case, spaces and dashes; None if it is no code."""
    digits = "".join(text.upper().split()).translate(_ALIKE)
    if len(digits) != _LENGTH or not set(digits) <= set(_DIGITS):
        return None
    value = 0
    for digit in digits:
        value = value << 5 | _DIGITS.index(digit)
    signed, check = value >> 10, value & 1023
    if check != _check(signed):
        return None
    shown = (signed & 1023) ^ _mask(signed >> 10)
    return Ballot(signed >> 10, shown >> 3, (shown & 7) + 1)


def count(poll: Poll, text: str) -> Count:
    """Count the codes in a text, one a line or several. Of what a chat puts before a colon nothing
    is read.

    A code that comes twice counts once, and a learner's later vote replaces the earlier one.
    """
    votes: dict[int, int] = {}
    notes: list[str] = []
    again = 0
    for piece in filter(str.strip, re.split(r"[\n,;]", "\n".join(text.splitlines()))):
        for said in _codes_in(piece.rpartition(":")[2], piece):
            ballot = read_code(said.rpartition(":")[2])
            if fault := _fault(ballot, poll):
                notes.append(f"{shorten(' '.join(said.split()), 40)}: {fault}")
            elif ballot:
                again += ballot.voter in votes
                votes[ballot.voter] = ballot.option
    if again:
        notes.append(f"{again} came again: of the same learner's votes the last one counts.")
    chosen = list(votes.values())
    return Count(tuple(map(chosen.count, range(1, len(poll.options) + 1))), tuple(notes))


def _codes_in(text: str, whole: str) -> list[str]:
    """Return the codes of a text with spaces between or within them; `whole` if it is no more."""
    words = text.split()
    if read_code(text) or len(words) < 2:
        return [whole]
    found: list[str] = []
    while words:
        most = range(min(len(words), _LENGTH), 0, -1)
        size = next((n for n in most if read_code("".join(words[:n]))), 1)
        found.append(" ".join(words[:size]))
        words = words[size:]
    return found if any(map(read_code, found)) else [whole]


def _fault(ballot: Ballot | None, poll: Poll) -> str:
    if ballot is None:
        return "no code, or one with a slip in it. Ask for it again."
    if ballot.question != poll.number or ballot.option > len(poll.options):
        return "a vote on another question."
    return ""


def _mask(voter: int) -> int:
    """Return 10 bits that hide what learners have in common: the question and the option."""
    return zlib.crc32(b"mask%d" % voter) & 1023


def _check(signed: int) -> int:
    return zlib.crc32(b"check%d" % signed) & 1023
