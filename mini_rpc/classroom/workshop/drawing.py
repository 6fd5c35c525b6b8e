"""A sheet to draw on: boxes, lines of text and arrows become one SVG file.

Each figure lies on a card of its own, so it reads on any page. The card is light, and dark where
the reader's system asks for that. No font is fetched, and a title and a description say in words
what the figure shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["DARK", "LIGHT", "WIDTH", "Sheet"]

WIDTH = 760

LIGHT = {
    "card": "#faf9f6",
    "paper": "#ffffff",
    "edge": "#c4beb2",
    "ink": "#1f2328",
    "quiet": "#555d66",
    "asks": "#0b57a4",
    "good": "#1a6b3c",
    "bad": "#a1261c",
}
DARK = {
    "card": "#1f2329",
    "paper": "#2a3038",
    "edge": "#59616b",
    "ink": "#eceef0",
    "quiet": "#b0b8c1",
    "asks": "#8fbcff",
    "good": "#83d9a0",
    "bad": "#ffa198",
}
"""The colors of a figure by what they stand for."""

_STYLE = """
text { font: 15px system-ui, sans-serif; fill: var(--ink) }
.code { font: 13px ui-monospace, Menlo, Consolas, monospace }
.small { font-size: 13px }
.strong { font-weight: 600 }
.title { font-size: 17px; font-weight: 600 }
.box { fill: var(--paper); stroke-width: 1.5 }
.line { fill: none; stroke-width: 1.5 }
"""


def _variables(colors: dict[str, str]) -> str:
    return " ".join(f"--{name}: {color};" for name, color in colors.items())


def _rules() -> str:
    fills = "".join(
        f".{c} {{ fill: var(--{c}) }}\n.l-{c} {{ stroke: var(--{c}) }}\n" for c in LIGHT
    )
    dark = f"@media (prefers-color-scheme: dark) {{ svg {{ {_variables(DARK)} }} }}"
    return f"\nsvg {{ {_variables(LIGHT)} }}\n{dark}{_STYLE}{fills}"


class Sheet:
    """A card of `WIDTH` by `height`. Places count from its upper left corner, in pixels."""

    def __init__(self, title: str, description: str, height: int) -> None:
        self.title = title
        self.description = description
        self.height = height
        self._parts: list[str] = []

    def text(
        self, x: float, y: float, words: str, look: str = "", *, anchor: str = "start"
    ) -> None:
        """Write one line of text; `look` names classes such as "code", "small", "bad"."""
        where = f'x="{x:g}" y="{y:g}"'
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        kind = f' class="{look}"' if look else ""
        space = ' xml:space="preserve"' if "  " in words else ""
        self._parts.append(f"<text {where}{place}{kind}{space}>{escape(words, quote=False)}</text>")

    def lines(
        self, x: float, y: float, lines: Sequence[str], look: str = "", *, step: float = 20
    ) -> None:
        """Write several lines, one below the other."""
        for number, words in enumerate(lines):
            self.text(x, y + number * step, words, look)

    def box(
        self, x: float, y: float, width: float, height: float, color: str = "edge", *, r: float = 8
    ) -> None:
        """Draw a box with rounded corners whose edge has this color."""
        size = f'width="{width:g}" height="{height:g}" rx="{r:g}"'
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" {size} class="box l-{color}"/>')

    def arrow(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        color: str = "quiet",
        *,
        dash: bool = False,
    ) -> None:
        """Draw a straight arrow with its head at the second place."""
        self.line([(x1, y1), (x2, y2)], color, dash=dash)
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        back, side = 8, 5
        tips = [
            (x2, y2),
            (x2 - back * dx - side * dy, y2 - back * dy - side * dx),
            (x2 - back * dx + side * dy, y2 - back * dy + side * dx),
        ]
        self._parts.append(f'<polygon points="{_points(tips)}" class="{color}"/>')

    def line(
        self, places: Sequence[tuple[float, float]], color: str = "edge", *, dash: bool = False
    ) -> None:
        """Draw a line through these places."""
        dashes = ' stroke-dasharray="5 4"' if dash else ""
        look = f'class="line l-{color}"{dashes}'
        self._parts.append(f'<polyline points="{_points(places)}" {look}/>')

    def area(self, places: Sequence[tuple[float, float]], color: str) -> None:
        """Fill the area between these places."""
        self._parts.append(f'<polygon points="{_points(places)}" class="{color}"/>')

    def svg(self) -> str:
        """Return the file's text."""
        size = f'viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" height="{self.height}"'
        said = 'role="img" aria-labelledby="title description"'
        card = f'width="{WIDTH - 2}" height="{self.height - 2}" rx="12" class="card l-edge"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} {said}>',
                f'<title id="title">{escape(self.title)}</title>',
                f'<desc id="description">{escape(self.description)}</desc>',
                f"<style>{_rules()}</style>",
                f'<rect x="1" y="1" {card}/>',
                *self._parts,
                "</svg>\n",
            ]
        )


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
