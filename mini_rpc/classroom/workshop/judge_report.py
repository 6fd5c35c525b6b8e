"""What `judge` found: a row for each message, and all of them as a table."""

from __future__ import annotations

import json
from html import escape
from typing import NamedTuple

from ..text import shorten
from .judge_cases import State

__all__ = ["NOT_SENT", "Judged", "Report"]

NOT_SENT = "not sent"
_SHOWN: dict[State, str] = {
    "right": "right",
    "wrong": "WRONG",
    "no answer": "NO ANSWER",
    "not spoken": "not spoken",
    "not asked": "NOT ASKED",
}
_FINE = ("right", "not spoken")


class Judged(NamedTuple):
    """What was sent, what came back in a few words, and what the specification says.

    `remark` says what else there was: that the program ended, say.
    """

    what: str
    sent: str
    came: str
    state: State
    says: str
    source: str
    remark: str = ""

    def rows(self) -> list[str]:
        """Return the lines of a table: the rule is there where it was broken."""
        came = f"{self.came}; {self.remark}" if self.remark else self.came
        rows = [
            f"{_SHOWN[self.state]:<10}  {self.what:<38}  {came}",
            f"{'':<10}  {shorten(self.sent, 56):<56}  {self.source}",
        ]
        return rows if self.state in _FINE else [*rows, f"{'':<10}  {self.says}"]


class Report(tuple[Judged, ...]):
    """What a server was sent, and how it did. It shows itself as a table."""

    __slots__ = ()

    @classmethod
    def from_json(cls, text: str) -> Report:
        """Return the report that `as_json` has written."""
        return cls(Judged(**one) for one in json.loads(text)["messages"])

    def as_json(self) -> str:
        """Return everything for machines."""
        counts = {state: self.count_of(state) for state in _SHOWN}
        messages = [one._asdict() for one in self]
        return json.dumps({"passed": self.passed, "counts": counts, "messages": messages}, indent=1)

    def count_of(self, state: State) -> int:
        """Return how many messages came out so."""
        return sum(one.state == state for one in self)

    @property
    def passed(self) -> bool:
        """Tell whether all was asked, and all is right."""
        return all(one.state in _FINE for one in self)

    @property
    def faults(self) -> Report:
        """The messages that were answered wrongly, or not at all."""
        return Report(one for one in self if one.state in ("wrong", "no answer"))

    @property
    def summary(self) -> str:
        """Say how many came out how, and why not all were asked, if so."""
        counts = [f"{self.count_of(state)} {state}" for state in _SHOWN if self.count_of(state)]
        why = next((f" Given up: {one.remark}." for one in self if one.state == "not asked"), "")
        return f"{len(self)} messages: {', '.join(counts) or 'nothing wrong'}.{why}"

    def __repr__(self) -> str:
        rows = [row for one in self if one.came != NOT_SENT for row in one.rows()]
        return "\n".join([*rows, *([""] if rows else []), self.summary])

    def _repr_html_(self) -> str:
        left = 'align="left" style="text-align:left;vertical-align:top"'
        rows = "".join(
            f"<tr><td {left}>{_SHOWN[one.state]}</td><td {left}>{escape(one.what)}<br>"
            f"<code>{escape(shorten(one.sent, 90))}</code></td><td {left}>{escape(one.came)}"
            f"<br>{escape(one.remark)}</td><td {left}>{escape(one.says)}<br>{escape(one.source)}"
            "</td></tr>"
            for one in self
            if one.came != NOT_SENT
        )
        names = ("", "sent", "what came", "what the specification says")
        head = "".join(f"<th {left}>{name}</th>" for name in names)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return f"{table if rows else ''}<p>{escape(self.summary)}</p>"
