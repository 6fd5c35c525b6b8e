"""The outcome of a check: it shows itself as text and as HTML, with live help below."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate
from typing import Any, Literal

from ..kitchen import METHODS
from ..text import visible

__all__ = ["MESSAGE", "SENT", "Case", "Outcome", "State", "code_in_html"]

State = Literal["not attempted", "wrong", "crashed", "out of time", "correct"]
Labels = tuple[str, str, str]

SENT: Labels = ("sent", "came back", "should have")
"""How a case is labelled where something was sent to the answer."""

MESSAGE: Labels = ("you wrote", "it is", "wanted")
"""How a case is labelled where the answer is a message that the learner wrote."""

_SIGNS = {"correct": "✓", "not attempted": "○"}
_COLORS = {"correct": "success", "not attempted": "info", "out of time": "warn"}
_MOST_LINES = 20
_DOLLAR = len("<span>$</span>")
_MOST = 1_800  # bytes of HTML that one part takes: all of them together stay below 20 kB


@dataclass(frozen=True)
class Case:
    """The case that decided, in words: what was sent, what came back, what should have.

    `raw` is the message for the bench, where there is one; `labels` say what the three are.
    `topic` names what failed, such as "step 3" or "notification", where that is known.
    """

    sent: str
    came_back: str
    should: str
    raw: str | bytes | None = None
    labels: Labels = SENT
    topic: str = ""


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    `message` is one sentence. `misconception` names the known mistake that the answer behaves
    like, or is None. `printed` is what was printed on the way. `line` is the learner's own line
    where a call crashed or was stopped. `where` links to the place that teaches it.
    `handle` is the learner's dispatcher, where the exercise asks for one, and `methods` are those
    that it was checked with. `right` of `total` messages came out well, where they are counted;
    `pattern` says what the failures have in common and what differs, always true, or is None.
    `standing` is a table of where a dispatcher stands beside others.
    `others` are two more ways to write it, after a pass. `live` returns the widget with the
    help that stands below.
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
    standing: str = ""
    others: tuple[str, ...] = field(default=(), repr=False, compare=False)
    live: Callable[[Outcome], Any] | None = field(default=None, repr=False, compare=False)

    @property
    def passed(self) -> bool:
        return self.state == "correct"

    def bench(self) -> Any:
        """Show the verdict, and return the wire bench with the message that decided, and the
        methods of the check.

        A dispatcher of the learner's own stands on the right there, beside the course's.
        """
        _display(self)
        return self.only_bench()

    def only_bench(self) -> Any:
        """Return the wire bench as `bench` does, without the verdict."""
        from ..bench.widget import bench

        raw = self.case.raw if self.case else None
        text = raw.decode("utf-8", "backslashreplace") if isinstance(raw, bytes) else raw
        methods = METHODS if self.methods is None else self.methods
        return bench(text, beside=self.handle, methods=methods)

    def __repr__(self) -> str:
        sign = _SIGNS.get(self.state, "✗")
        lines = [f"{sign} {self.id}: {self.state}. {_shown(self.message)}"]
        rows = self._rows()
        width = max((len(label) for label, _ in rows), default=0)
        for label, text in rows:
            indented = _shown(text).replace("\n", "\n" + " " * (width + 5))
            lines.append(f"   {label:<{width}}  {indented}")
        return visible("\n".join(lines))

    def _repr_html_(self) -> str:
        color = f"var(--jp-{_COLORS.get(self.state, 'error')}-color1, currentColor)"
        rows = "".join(_row_in_html(label, _shown(text)) for label, text in self._rows())
        table = f'<table style="margin:0.5em 0 0">{rows}</table>' if rows else ""
        sources = "".join(f"<pre{_APART}><code>{escape(one)}</code></pre>" for one in self.others)
        how = "another way" if len(self.others) == 1 else "other ways, such as these two"
        others = f"<details><summary>Others solved it in {how}</summary>{sources}</details>"
        return visible(
            f'<div class="mini-rpc-outcome" style="border-left:4px solid {color};'
            f'padding:0.25em 0.75em"><strong>{_SIGNS.get(self.state, "✗")} {escape(self.id)}: '
            f"{escape(self.state)}.</strong> {_plain_in_html(_shown(self.message))}{table}"
            f"{others if self.others else ''}</div>"
        )

    def _ipython_display_(self) -> None:
        if not self.live:
            raise NotImplementedError  # then IPython takes the text and the HTML, as always
        _display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
        _display(self.live(self))

    def _rows(self) -> list[tuple[str, str]]:
        """Return what else there is to say, each with its label."""

        def unsaid(text: str | None) -> str:
            return text if text and text not in self.message else ""

        case, live, mine = self.case, self.live, f'("{self.id}")'
        labels = case.labels if case else ()
        words = (case.sent, case.came_back, case.should) if case else ()
        failed = self.state not in ("correct", "not attempted")
        counted, stuck = self.total and not self.passed, self.where and not (self.passed or live)
        solved = self.others and not live
        rows: list[tuple[str, str]] = [
            ("how far", f"{self.right} of {self.total} right" if counted else ""),
            ("in common", unsaid(self.pattern)),
            *zip(labels, words, strict=True),
            ("your code", self.line),
            ("known mistake", unsaid(self.misconception)),
            ("standing", self.standing),
            ("printed", self.printed),
            ("read", self.where if failed else ""),
            ("stuck?", f"hint{mine}" if stuck else ""),
            ("others", f"wrote it in other ways: solution{mine}" if solved else ""),
        ]
        return [(label, text) for label, text in rows if text or label in labels]


def _display(what: Any, **options: Any) -> None:
    """Show something in the cell that runs; print it where there is no IPython."""
    try:
        from IPython.display import display
    except ImportError:
        print(what)
    else:
        display(what, **options)  # type: ignore[no-untyped-call]


_APART = ' style="margin:0.75em 0;padding-left:0.75em;border-left:2px solid"'  # one from the next


def code_in_html(text: str) -> str:
    """Return a sentence of the course as HTML: what stands between backticks as code."""
    parts = re.split(r"`([^`\n]+)`", text)
    return "".join(
        f"<code>{escape(part)}</code>" if at % 2 else _plain_in_html(part)
        for at, part in enumerate(parts)
    )


def _plain_in_html(text: str) -> str:
    return escape(text).replace("$", "<span>$</span>")


def _row_in_html(label: str, text: str) -> str:
    cell = escape(text)
    if label == "read":
        page, _, heading = text.partition("#")
        cell = f'<a href="{cell}">{escape(heading.replace("-", " "))} ({escape(page)})</a>'
    return (
        f'<tr><th scope="row" style="text-align:left;vertical-align:top">{escape(label)}</th>'
        f'<td style="text-align:left"><pre style="margin:0;white-space:pre-wrap;background:none">'
        f"{cell}</pre></td></tr>"
    )


def _shown(text: str) -> str:
    """Return what is shown of a text: its first lines, as far as they are not too long."""
    text = text.rstrip("\n")
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    more = text.count("\n") + 1 - len(lines)
    last = [f"… and {more} more {'line' if more == 1 else 'lines'}"] if more else []
    return "\n".join([_bounded("\n".join(lines)), *last])


def _bounded(text: str) -> str:
    """Return the text as it is shown, cut where its HTML would take more than so many bytes."""
    shown = visible(text[:_MOST])
    sizes = accumulate(_DOLLAR if c == "$" else len(escape(c).encode()) for c in shown)
    fits = sum(size <= _MOST for size in sizes)
    if fits < len(shown) or len(text) > _MOST:
        return f"{shown[:fits]}… (cut: it has {len(text):,} characters)"
    return shown
