"""The tally: how a class has voted, as bars, and then what is right and what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..bench.showing import visible
from .ballot import count
from .poll import Poll, find_poll

__all__ = ["Tally", "tally"]

_HERE = Path(__file__).parent
_WIDTH = 24
_MOST_HANDS = 999


def tally(
    question: str,
    codes: str = "",
    *,
    options: Sequence[str] = (),
    hands: Sequence[int] = (),
    revealed: bool = False,
) -> Tally:
    """Return the tally of a question, to be filled with pasted codes, or by counting hands.

    `question` and `options` are those of `vote`. `codes` is what the learners' votes gave, one a
    line; `hands` is how many hands went up for each option. With `revealed` it shows at once what
    is right.

    Raises `ValueError` if the lessons have no question of this name, for too many options, and
    for hands that do not fit the options.
    """
    poll = find_poll(question, options)
    if hands and len(hands) != len(poll.options):
        raise ValueError(f"there are {len(poll.options)} options to raise a hand for")
    return Tally(poll, codes, list(hands) or [0] * len(poll.options), revealed)


class Tally(anywidget.AnyWidget):
    """The live tally. Set `codes`, `hands` or `revealed` from Python, or by hand in the browser.

    The browser sends `_asked`, with a ticket; what Python counts comes back as `_answer`.
    """

    _esm = _HERE / "tally.js"
    _css = _HERE / "tally.css"
    _setup = traitlets.Dict().tag(sync=True)
    _asked = traitlets.Dict().tag(sync=True, echo_update=False)
    _answer = traitlets.Dict().tag(sync=True)

    def __init__(self, poll: Poll, codes: str, hands: list[int], revealed: bool) -> None:
        self.poll = poll
        self._take(codes, hands, revealed)
        super().__init__(
            _setup={
                "ask": poll.ask,
                "message": visible(poll.message),
                "options": [option.text for option in poll.options],
                "known": poll.is_known,
            }
        )
        self._show("")
        self.observe(self._on_asked, "_asked")

    @property
    def codes(self) -> str:
        """The pasted codes, one a line."""
        return self._codes

    @codes.setter
    def codes(self, text: str) -> None:
        self._take(text, self._hands, self._revealed)
        self._show("")

    @property
    def hands(self) -> tuple[int, ...]:
        """How many hands went up for each option."""
        return tuple(self._hands)

    @hands.setter
    def hands(self, hands: Sequence[int]) -> None:
        self._take(self._codes, hands, self._revealed)
        self._show("")

    @property
    def revealed(self) -> bool:
        """Whether it shows what is right, and the misconceptions."""
        return self._revealed

    @revealed.setter
    def revealed(self, revealed: bool) -> None:
        self._take(self._codes, self._hands, revealed)
        self._show("")

    @property
    def votes(self) -> tuple[int, ...]:
        """The votes for each option: codes and hands together."""
        return tuple(a + b for a, b in zip(self._count.votes, self._hands, strict=True))

    def transcript(self) -> str:
        """Return everything that the tally shows now as plain text."""
        lines = [f"Class vote: {self.poll.ask}"]
        if self.poll.message:
            lines += [f"    {line}" for line in visible(self.poll.message).split("\n")]
        for heading, rows in self._tables():
            width = max(len(name) for name, _, _ in rows)
            lines += ["", heading]
            for name, votes, more in rows:
                lines.append(f"  {name:<{width}}  {votes:>3}  {self._bar(votes)}".rstrip())
                lines += [f"      {more}"] if more else []
        return "\n".join([*lines, *(["", *self._count.notes] if self._count.notes else [])])

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/plain"] = self.transcript()
            bundle[0]["text/html"] = self._as_html()
        return bundle

    def _as_html(self) -> str:
        message = f"<pre>{escape(visible(self.poll.message))}</pre>\n" if self.poll.message else ""
        rows = []
        for heading, table in self._tables():
            rows.append(f'<tr><th colspan="3" align="left">{heading}</th></tr>')
            for name, votes, more in table:
                words = escape(name) + (f"<br>{escape(more)}" if more else "")
                rows.append(
                    f'<tr><td align="left">{words}</td><td align="right">{votes}</td>'
                    f'<td align="left">{self._bar(votes)}</td></tr>'
                )
        notes = "".join(f"\n<p>{escape(visible(note))}</p>" for note in self._count.notes)
        body = "\n".join(rows)
        return (
            f"<p><strong>Class vote:</strong> {escape(self.poll.ask)}</p>\n{message}"
            f"<table>\n<tbody>\n{body}\n</tbody>\n</table>{notes}"
        )

    def _tables(self) -> Iterator[tuple[str, list[tuple[str, int, str]]]]:
        """Yield a heading and its rows: what is counted, how often, and a sentence about it."""
        options = [option.text for option in self.poll.options]
        total = sum(self.votes)
        heading = f"{total} {'vote' if total == 1 else 'votes'}"
        yield heading, [(text, n, "") for text, n in zip(options, self.votes, strict=True)]
        if self._revealed and self.poll.is_known:
            yield "What stands behind it", self._behind()

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

    def _take(self, codes: str, hands: Sequence[int], revealed: bool) -> None:
        self._codes, self._revealed = codes, revealed
        self._hands = [min(max(number, 0), _MOST_HANDS) for number in hands]
        self._count = count(self.poll, codes)

    def _show(self, ticket: str) -> None:
        self._answer = {
            "ticket": ticket,
            "codes": self._codes,
            "hands": self._hands,
            "votes": self.votes,
            "revealed": self._revealed,
            "notes": [visible(note) for note in self._count.notes],
            "behind": self._behind() if self._revealed and self.poll.is_known else [],
        }

    def _on_asked(self, change: Any) -> None:
        """Count what comes from the browser. An exception here would vanish unseen."""
        asked = change["new"]
        try:
            self._take(asked["codes"], asked["hands"], asked["revealed"])
            self._show(asked["ticket"])
        except Exception as error:
            broken = f"The tally itself failed. {type(error).__name__}: {error}"
            self._answer = {**self._answer, "ticket": asked["ticket"], "broken": broken}
