"""The outcome of a check: it shows itself as text and as HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from ..kitchen import METHODS
from ..text import visible

__all__ = ["Case", "Outcome", "State"]

State = Literal["not attempted", "wrong", "crashed", "out of time", "correct"]

_SIGNS = {"correct": "✓", "not attempted": "○"}
_COLORS = {"correct": "success", "not attempted": "info", "out of time": "warn"}


@dataclass(frozen=True)
class Case:
    """The case that decided, in words: what was sent, what came back, what should have.

    `raw` is the message for the bench, where there is one.
    """

    sent: str
    came_back: str
    should: str
    raw: str | bytes | None = None


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    `message` is one sentence. `misconception` names the known mistake that the answer behaves
    like, or is None. `printed` is what was printed on the way. `line` is the learner's own line
    where a call crashed or was stopped. `where` links to the place that teaches it.
    `handle` is the learner's dispatcher, where the exercise asks for one, and `methods` are those
    that it was checked with. `right` of `total` messages came out well, where they are counted;
    `pattern` says what the failures have in common and what differs, always true, or is None.
    """

    id: str
    state: State
    message: str
    case: Case | None = None
    misconception: str | None = None
    printed: str = ""
    line: str = ""
    where: str = ""
    handle: Any = field(default=None, repr=False, compare=False)
    methods: Any = field(default=None, repr=False, compare=False)
    right: int | None = None
    total: int | None = None
    pattern: str | None = None

    @property
    def passed(self) -> bool:
        return self.state == "correct"

    def bench(self) -> Any:
        """Open the wire bench with the message that decided, and the methods of the check.

        A dispatcher of the learner's own stands beside the course's there.
        """
        from ..bench import bench

        raw = self.case.raw if self.case else None
        text = raw.decode("utf-8", "backslashreplace") if isinstance(raw, bytes) else raw
        methods = METHODS if self.methods is None else self.methods
        return bench(text, beside=self.handle, methods=methods)

    def __repr__(self) -> str:
        sign = _SIGNS.get(self.state, "✗")
        lines = [f"{sign} {self.id}: {self.state}. {self.message}"]
        width = max((len(label) for label, _ in self._rows()), default=0)
        for label, text in self._rows():
            indented = text.rstrip("\n").replace("\n", "\n" + " " * (width + 5))
            lines.append(f"   {label:<{width}}  {indented}")
        return visible("\n".join(lines))

    def _repr_html_(self) -> str:
        color = f"var(--jp-{_COLORS.get(self.state, 'error')}-color1, currentColor)"
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left;vertical-align:top">{escape(label)}</th>'
            f'<td style="text-align:left">'
            f'<pre style="margin:0;white-space:pre-wrap;background:none">'
            f"{self._cell(label, text)}</pre></td></tr>"
            for label, text in self._rows()
        )
        table = f'<table style="margin:0.5em 0 0">{rows}</table>' if rows else ""
        return visible(
            f'<div class="mini-rpc-outcome" style="border-left:4px solid {color};'
            f'padding:0.25em 0.75em"><strong>{_SIGNS.get(self.state, "✗")} {escape(self.id)}: '
            f"{escape(self.state)}.</strong> {escape(self.message)}{table}</div>"
        )

    def _cell(self, label: str, text: str) -> str:
        shown = escape(text)
        return f'<a href="{shown}">{shown}</a>' if label == "read" else shown

    def _rows(self) -> list[tuple[str, str]]:
        """Return what else there is to say, each with its label."""
        rows: list[tuple[str, str]] = []
        if self.case:
            rows.append(("sent", self.case.sent))
            rows.append(("came back", self.case.came_back))
            rows.append(("should have", self.case.should))
        if self.line:
            rows.append(("your code", self.line))
        if self.misconception and self.misconception not in self.message:
            rows.append(("known mistake", self.misconception))
        if self.printed:
            rows.append(("printed", self.printed))
        if self.where and self.state not in ("correct", "not attempted"):
            rows.append(("read", self.where))
        if not self.passed and self.where:
            rows.append(("stuck?", f'hint("{self.id}")'))
        return rows
