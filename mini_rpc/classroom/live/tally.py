"""The tally: how a class has voted, as bars, and then what is right and what stands behind it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..text import many, visible
from ..widget import SCRIPT, STYLE, Asked, joined, module
from .ballot import FOLDER, count, dropped
from .poll import Poll, find_poll
from .stage import PROJECTOR, SIZES

__all__ = ["Tally", "tally"]

_HERE = Path(__file__).parent
_WIDTH = 24
_MOST_HANDS = 999


@dataclass(frozen=True)
class _State:
    """What is counted and shown; `size` is that of the font, in pixels."""

    codes: str
    hands: tuple[int, ...]
    revealed: bool
    size: int = SIZES[2]
    hidden: bool = False


_kept: dict[str, Tally] = {}
"""The latest tally of each name, so that running a cell twice loses nothing."""


def tally(
    question: str,
    codes: str = "",
    *,
    name: str = "",
    options: Sequence[str] = (),
    hands: Sequence[int] = (),
    revealed: bool = False,
    hidden: bool = False,
) -> Tally:
    """Return the tally of a question, to be filled with pasted codes, or by counting hands.

    `question` and `options` are those of `vote`. `codes` is what the learners' votes gave, one a
    line; `hands` is how many hands went up for each option. With `revealed` it shows at once what
    is right; with `hidden` it shows no more than how many have voted, until the vote is closed.
    Votes that reach the folder of MINI_RPC_VOTES count by themselves.

    A cell that runs again goes on with what the tally of this `name`, or else of this
    question, has counted, as long as all that the cell says is the same.

    Raises `ValueError` if the lessons have no question of this name, for too many options, and
    for hands that do not fit the options or are no whole numbers.
    """
    poll = find_poll(question, options)
    start = _State(codes, tuple(hands or [0] * len(poll.options)), revealed, hidden=hidden)
    return Tally(poll, name or question, start)


def _of_state(name: str, what: str) -> property:
    """Return a property of a tally that can be set: it counts anew, and shows it."""

    def put(tally: Tally, value: Any) -> None:
        tally._take(replace(tally._state, **{name: value}))
        tally._show("")

    return property(lambda tally: getattr(tally._state, name), put, doc=what)


class Tally(Asked):
    """The live tally. Set `codes`, `hands` or `revealed` from Python, or by hand in the browser."""

    _esm = module(SCRIPT, PROJECTOR, _HERE / "tally.js")
    _css = joined(STYLE, _HERE / "tally.css")
    _called = "tally"

    def __init__(self, poll: Poll, name: str, start: _State) -> None:
        self.poll, self._start = poll, start
        before = _kept.get(name)
        fresh = before is None or (before.poll, before._start) != (poll, start)
        self._take(start if before is None or fresh else before._state)
        _kept[name] = self
        super().__init__(
            ask=visible(poll.ask),
            message=visible(poll.message),
            options=[visible(option.text) for option in poll.options],
            known=poll.is_known,
            sizes=SIZES,
            hides=start.hidden,
            folder=bool(os.environ.get(FOLDER)),
            fresh=fresh,
            name=f"{name} {poll.number}",
        )
        self._show("")

    codes = _of_state("codes", "The pasted codes, one a line.")
    hands = _of_state("hands", "How many hands went up for each option.")
    revealed = _of_state("revealed", "Whether it shows what is right, and the misconceptions.")

    @property
    def votes(self) -> tuple[int, ...]:
        """The votes for each option: codes and hands together."""
        return tuple(a + b for a, b in zip(self._count.votes, self._state.hands, strict=True))

    def reset(self) -> None:
        """Go back to what the cell says: counts that were made since are gone."""
        self._take(self._start)
        self._show("")

    def transcript(self) -> str:
        """Return everything that the tally shows now as plain text."""
        lines = [f"Class vote: {visible(self.poll.ask)}"]
        if self.poll.message:
            lines += [f"    {line}" for line in visible(self.poll.message).split("\n")]
        for heading, rows in self._tables():
            width = max((len(name) for name, _, _ in rows), default=0)
            lines += ["", heading]
            for name, votes, more in rows:
                lines.append(f"  {name:<{width}}  {votes:>3}  {self._bar(votes)}".rstrip())
                lines += [f"      {more}"] if more else []
        notes = ["", *self._count.notes] if self._count.notes else []
        return "\n".join([*lines, *notes])

    def _tables(self) -> Iterator[tuple[str, list[tuple[str, int, str]]]]:
        options = [visible(option.text) for option in self.poll.options]
        total = sum(self.votes)
        heading = many(total, "vote")
        if self._state.hidden:
            yield heading, []
            return
        yield heading, [(text, n, "") for text, n in zip(options, self.votes, strict=True)]
        if self._shows_behind():
            yield "What is behind each answer", self._behind()

    def _shows_behind(self) -> bool:
        return self._state.revealed and self.poll.is_known and not self._state.hidden

    def _behind(self) -> list[tuple[str, int, str]]:
        """Return the right answer, then the misconceptions by how many hold them."""
        found: dict[str | None, tuple[int, str]] = {}
        for option, votes in zip(self.poll.options, self.votes, strict=True):
            before, why = found.get(option.misconception, (0, option.why))
            if option.misconception is None:
                why = f"{option.text}. {option.why}"
            found[option.misconception] = (before + votes, why)
        named = sorted(found.items(), key=lambda item: (item[0] is not None, -item[1][0]))
        return [
            ("right" if name is None else name, votes, visible(why)) for name, (votes, why) in named
        ]

    def _bar(self, votes: int) -> str:
        return "█" * round(_WIDTH * votes / max(*self.votes, 1))

    def _take(self, state: _State) -> None:
        if len(state.hands) != len(self.poll.options):
            raise ValueError(f"there are {len(self.poll.options)} options to raise a hand for")
        if not all(type(number) is int for number in state.hands):
            raise ValueError("hands are counted in whole numbers")
        hands = tuple(min(max(number, 0), _MOST_HANDS) for number in state.hands)
        state = replace(state, hands=hands)
        self._count = count(self.poll, f"{state.codes}\n{dropped(self.poll)}")
        self._state = state

    def _show(self, ticket: str) -> None:
        state = self._state
        self._answer = {
            "ticket": ticket,
            "codes": state.codes.encode("utf-8", "replace").decode("utf-8"),  # no lone surrogates
            "hands": list(state.hands),
            "total": sum(self.votes),
            "votes": [0] * len(self.votes) if state.hidden else self.votes,
            "revealed": state.revealed,
            "hidden": state.hidden,
            "size": state.size,
            "notes": [visible(note) for note in self._count.notes],
            "behind": self._behind() if self._shows_behind() else [],
        }

    def _reply(self, asked: dict[str, Any]) -> None:
        if asked.get("again"):
            self._take(replace(self._start, size=self._state.size))
        else:
            given = {name: asked[name] for name in asdict(self._state) if name in asked}
            size = min(SIZES, key=lambda size: abs(size - given.get("size", self._state.size)))
            self._take(replace(self._state, **{**given, "size": size}))
        self._show(asked["ticket"])
