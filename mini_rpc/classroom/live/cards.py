"""Message cards: a message, its rules and its dispatcher as a short text that opens in any bench.

A card travels by chat or mail. It holds data and never code: a dispatcher is on it by its name, and
only if the course has one of that name. Its text is "card1-" and base64 of a checksum (CRC-32), of
one line with the rules and the dispatchers, and of the message as it is.
"""

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from html import escape

import mini_rpc

from ...rules import JSON_RPC, MCP, Rules
from ..bench.answers import Handle, is_course
from ..bench.widget import Bench, bench
from ..judging.break_clerks import CLERKS, clerk
from ..kitchen import METHODS
from ..text import Plain, count

__all__ = ["Card", "CardError", "card", "open_card", "read_card"]

_LONGEST = 2_000
_RULES = {"mcp": MCP, "json-rpc": JSON_RPC}
_COURSE = "course"
_TOKEN = re.compile(r"card(\d+)-([\w-]*)", re.ASCII)
_VERSION = "1"

_OWN = (
    "Your own dispatcher stays with you: the card opens with the course's. "
    "Whoever gets it may try another one: open_card(token, handle=theirs)."
)
_KITCHEN = "Your own methods stay with you: the card opens with the kitchen's."


class CardError(Plain, ValueError):
    """Why there is no card, in a sentence; in a notebook it shows without a traceback."""


@dataclass(frozen=True)
class Card:
    """What is on a card. `dispatchers` are one or two names: "course", or those of clerks.

    `left_behind` says what of a bench its card cannot carry.
    """

    message: str
    rules: Rules = MCP
    dispatchers: tuple[str, ...] = (_COURSE,)
    left_behind: tuple[str, ...] = field(default=(), compare=False)

    @property
    def token(self) -> str:
        """The card as text."""
        rules = next(name for name, known in _RULES.items() if known == self.rules)
        head = " ".join([rules, *self.dispatchers])
        data = f"{head}\n{self.message}".encode("utf-8", "surrogatepass")
        packed = urlsafe_b64encode(_checksum(data) + data).decode("ascii").rstrip("=")
        return f"card{_VERSION}-{packed}"

    def __repr__(self) -> str:
        return "\n".join([f'open_card("{self.token}")', *self.left_behind])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.left_behind)
        call = escape(f'open_card("{self.token}")')
        return (
            "<p>Send this line. Whoever runs it sees your bench.</p>"
            f'<pre style="white-space:pre-wrap;overflow-wrap:anywhere">{call}</pre>{notes}'
        )


def card(source: Bench | str) -> Card:
    """Return the card of a bench as it stands, or of a raw message.

    Raises `CardError` if the message is too long for a card, `TypeError` for anything else.
    """
    if isinstance(source, str):
        return Card(_short(source))
    if not isinstance(source, Bench):
        raise TypeError("a card is made of a bench, or of a raw message as text")
    names = [_name_of(handle) for handle in source.handles]
    notes = [_OWN] * ("" in names) + [_KITCHEN] * (source.methods != METHODS)
    dispatchers = tuple(name or _COURSE for name in names)
    return Card(_short(source.raw), source.rules, dispatchers, tuple(notes))


def open_card(token: str, *, handle: Handle | None = None) -> Bench:
    """Return a bench with what is on a card; `handle` takes the place of the card's dispatchers.

    Raises `CardError` with a sentence if the text is no whole card.
    """
    found = read_card(token)
    if handle is not None:
        return bench(found.message, handle=handle, rules=found.rules)
    # The course's own is given, too, as a second one must be to be shown.
    handles = [mini_rpc.handle if name == _COURSE else clerk(name) for name in found.dispatchers]
    first, second = [*handles, None][:2]
    return bench(found.message, handle=first, beside=second, rules=found.rules)


def read_card(token: str) -> Card:
    """Return what is on a card. White space in it, and text around it, do no harm.

    Raises `CardError` with a sentence if the text is no whole card.
    """
    match = _TOKEN.search("".join(str(token).split()))
    if match is None:
        raise CardError('This is no card: a card begins with "card1-".')
    if match[1] != _VERSION:
        raise CardError("This card was made by another version of the course, which you need too.")
    head, _, message = _unpack(match[2]).partition("\n")
    rules, *dispatchers = head.split(" ")
    known = {_COURSE, *CLERKS}
    if rules not in _RULES or len(dispatchers) not in (1, 2) or not known.issuperset(dispatchers):
        raise CardError("This card names rules or a dispatcher that the course does not have.")
    return Card(_short(message), _RULES[rules], tuple(dispatchers))


def _unpack(packed: str) -> str:
    try:
        data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        if data[:4] == _checksum(data[4:]):
            return data[4:].decode("utf-8", "surrogatepass")
    except ValueError:
        pass
    raise CardError("This card was cut off or changed on its way. Copy it again, to its very end.")


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "big")


def _short(message: str) -> str:
    if len(message) > _LONGEST:
        most = f"A card carries up to {_LONGEST:,} characters"
        raise CardError(f"{most}, and this has {count(message)}.")
    return message


def _name_of(handle: Handle | None) -> str:
    if is_course(handle):
        return _COURSE
    return next((name for name in CLERKS if clerk(name) is handle), "")
