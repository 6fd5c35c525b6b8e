"""Ballots: an answer of one learner as a short code, to be read out or pasted. No server, no names.

A code is 40 bits in eight letters and digits, as in K7M2-9QXF: 20 bits that are drawn once for each
question and kernel, so that a vote cast again replaces the first one; 7 that name the question;
3 for the option; 10 to notice a slip. What it says cannot be seen by looking at it.
"""

import os
import re
import secrets
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..questions.choice import Choice, Feedback
from ..text import many
from .poll import Poll, find_poll

__all__ = ["FOLDER", "Ballot", "Count", "count", "dropped", "read_code", "vote", "write_code"]

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: they look or sound like others
_ALIKE = str.maketrans({"I": "1", "L": "1", "O": "0", "-": None})
_LENGTH = 8
_DASH = "-"
_SIGN = "[0-9A-Z]"
_CODE = re.compile(
    rf"(?<!{_SIGN})(?=({_SIGN}(?:[\s{_DASH}]{{0,3}}{_SIGN}){{{_LENGTH - 1}}})(?!{_SIGN}))"
)
"""Eight letters or digits. It looks ahead only, so that the next one may begin within this one."""
_WRITTEN = re.compile(rf"(?<!{_SIGN}){_SIGN}{{4}}{_DASH}{_SIGN}{{4}}(?!{_SIGN})")
"""A code as it is given out, with or without a slip in it."""
FOLDER = "MINI_RPC_VOTES"
"""The environment variable that names a folder which a class shares, for votes."""
_voters: dict[Poll, int] = {}


@dataclass(frozen=True)
class Ballot:
    """One vote: `voter` is a random number, `question` that of a poll, `option` counts from 1."""

    voter: int
    question: int
    option: int


@dataclass(frozen=True)
class Count:
    """The votes: how many for each option, and in a sentence each what did not count."""

    votes: tuple[int, ...]
    notes: tuple[str, ...] = ()


def vote(question: str, options: Sequence[str] = ()) -> Choice:
    """Return the question as a widget that turns an answer into a code for the teacher.

    `question` is the name of one of the lessons' questions or predictions; or any question, with
    its `options`. The code says nothing about who voted, and nothing is recorded. Where the
    environment variable MINI_RPC_VOTES names a folder that the class shares, the code is also put
    there, in a file of its own.

    Raises `ValueError` if the lessons have no question of this name, or for too many options.
    """
    poll = find_poll(question, options)
    voter = _voters.setdefault(poll, secrets.randbelow(2**20))

    def judge(number: int) -> Feedback:
        code = write_code(Ballot(voter, poll.number, number))
        why = "Your teacher has it." if _drop(poll, voter, code) else "Give it to your teacher."
        return Feedback(None, f"Your code: {code}", why)

    texts = [option.text for option in poll.options]
    return Choice("Vote", poll.ask, texts, judge, message=poll.message, once=True)


def dropped(poll: Poll) -> str:
    """Return the codes in the shared folder, one a line; "" where there is none."""
    found = []
    with suppress(OSError, KeyError):
        for path in sorted(Path(os.environ[FOLDER]).glob(f"{poll.number}-*.vote")):
            with suppress(OSError), path.open(encoding="ascii", errors="replace") as file:
                found.append(file.readline(2 * _LENGTH).strip())
    return "\n".join(found)


def _drop(poll: Poll, voter: int, code: str) -> bool:
    with suppress(OSError, KeyError):
        path = Path(os.environ[FOLDER], f"{poll.number}-{voter}.vote")
        path.write_text(f"{code}\n", encoding="ascii")
        return True
    return False


def write_code(ballot: Ballot) -> str:
    """Return the code of a ballot."""
    hidden = (ballot.question << 3 | ballot.option - 1) ^ _mask(ballot.voter)
    signed = ballot.voter << 10 | hidden
    value = signed << 10 | _check(signed)
    digits = "".join(_DIGITS[value >> 5 * place & 31] for place in reversed(range(_LENGTH)))
    return f"{digits[:4]}-{digits[4:]}"


def read_code(text: str) -> Ballot | None:
    """Return the ballot of a code, whatever its case, spaces and dashes; None if it is no code."""
    digits = "".join(_plain(text).split()).translate(_ALIKE)
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
    """Count the codes in a text, wherever they stand and whatever a chat program puts around them.

    A code that comes twice counts once, and a learner's later vote replaces the earlier one. Lines
    without a code are counted, and never shown: there may be names in them.
    """
    votes: dict[int, int] = {}
    again = elsewhere = without = slips = 0
    for line in filter(str.strip, text.splitlines()):
        found = list(_ballots(line, poll))
        for ballot in found:
            if _is_for(poll, ballot):
                again += ballot.voter in votes
                votes[ballot.voter] = ballot.option
            else:
                elsewhere += 1
        slip = sum(read_code(code) is None for code in _WRITTEN.findall(_plain(line)))
        slips += slip
        without += not found and not slip
    chosen = list(votes.values())
    notes = (
        (slips, "code is mistyped: ask for it again.", "codes are mistyped."),
        (without, "line holds no code.", "lines hold no code."),
        (elsewhere, "vote is on another question.", "votes are on another question."),
    )
    said = [many(*note) for note in notes if note[0]]
    if again:
        said.append(f"{again} came again: of the same learner's votes the last one counts.")
    counted = tuple(map(chosen.count, range(1, len(poll.options) + 1)))
    return Count(counted, tuple(said))


def _ballots(line: str, poll: Poll) -> Iterator[Ballot]:
    """Yield the ballots of a line.

    Between the eight letters of a code there may be spaces and dashes, and around it anything but
    another letter. Where words only happen to make up a code together, it is one on this question.
    """
    plain = _plain(line)
    end = 0
    for match in _CODE.finditer(plain):
        if match.start() < end:
            continue
        code = match[1]
        ballot = read_code(code)
        if ballot and (_is_for(poll, ballot) or len(code.split()) == 1):
            end = match.start() + len(code)
            yield ballot


def _plain(line: str) -> str:
    """Return a line with full-width letters made plain, and without what cannot be seen."""
    kinds = [(unicodedata.category(c), c) for c in unicodedata.normalize("NFKC", line).upper()]
    seen = [(kind, c) for kind, c in kinds if kind not in ("Cf", "Mn", "Cc") or c == "\t"]
    return "".join(_DASH if kind == "Pd" else c for kind, c in seen)


def _is_for(poll: Poll, ballot: Ballot) -> bool:
    return ballot.question == poll.number and ballot.option <= len(poll.options)


def _mask(voter: int) -> int:
    """Return 10 bits that hide what learners have in common: the question and the option."""
    return zlib.crc32(b"mask%d" % voter) & 1023


def _check(signed: int) -> int:
    return zlib.crc32(b"check%d" % signed) & 1023
