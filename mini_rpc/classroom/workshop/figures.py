"""The figures of the lessons, drawn from the package's own data, and the page of the glossary.

    python -m mini_rpc.classroom figures

Each figure is an SVG file in `drawings`. Where it shows data, it has a `{name}` in the place of a
word. What comes out lies in `notebooks`, the figures in a folder of their own. A test says when one
is out of date.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from string import Formatter
from typing import Any

from ... import codes
from ...dispatcher import STEPS, Verdict, dispatch
from ...rules import JSON_RPC, MCP
from ..glossary import PAGE
from ..kitchen import MESSAGES, METHODS, OUT_OF_DISH
from ..talks.peers import recorded
from . import NOTEBOOKS

__all__ = ["DRAWINGS", "draw", "main", "out_of_date"]

DRAWINGS = Path(__file__).with_name("drawings")

_STOPS_AT = (
    "not JSON",
    "no jsonrpc",
    "notification",
    "params in a list",
    "unknown method",
    "a crash",
)
"""For each step a message of the kitchen that stops there."""

_HURTS = (
    b"\xff",
    "[NaN]",
    MESSAGES["id is true"],
    MESSAGES["params in a list"],
    MESSAGES["a crash"],
    '{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"n": 1e999}}',
)
"""A message for each place where one can hurt: as bytes, as text, by its envelope, and so on."""


def main(argv: list[str]) -> int:
    """Make what is out of date in a folder, `notebooks` unless another one is named."""
    parser = argparse.ArgumentParser("figures", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=NOTEBOOKS)
    folder: Path = parser.parse_args(argv).folder
    if not folder.is_dir():
        print(f"There is no folder {folder}.", file=sys.stderr)
        return 1
    (folder / "figures").mkdir(exist_ok=True)
    texts = dict(_pages())
    for name in list(out_of_date(folder)):
        (folder / name).write_text(texts[name], "utf-8", newline="\n")
        print(f"{name}: written")
    return 0


def out_of_date(folder: Path) -> Iterator[str]:
    """Yield the name of each file that is missing in this folder, or is not as it should be."""
    for name, text in _pages():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            yield name


def _pages() -> Iterator[tuple[str, str]]:
    for path in sorted(DRAWINGS.glob("*.svg")):
        yield f"figures/{path.name}", draw(path.stem)
    yield "glossary.md", PAGE.read_text("utf-8")


def draw(name: str) -> str:
    """Return the text of a figure, in ASCII: JupyterLite can show no other.

    Raises `KeyError` where the drawing wants data nobody has.
    """
    drawing = (DRAWINGS / f"{name}.svg").read_text("utf-8")
    text = _Escaping().vformat(drawing, (), _DATA.get(name, dict)())
    text = text.replace("$style", (DRAWINGS / "style.css").read_text("utf-8"))
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


class _Escaping(Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        return escape(f"{value}", quote=False)


def _first_talk() -> dict[str, Any]:
    lines = [json.loads(text) for _, text in recorded("official_client")]
    discovered, listed, called = (line["result"] for line in lines[1::2])
    order = lines[4]["params"]["arguments"]
    offers = " and ".join(discovered["capabilities"])
    says = [
        "Which versions do you speak, and what do you offer?",
        f"Version {' and '.join(discovered['supportedVersions'])}. I offer {offers}.",
        "Which tools are there?",
        f"One: {listed['tools'][0]['name']}.",
        f"Then place an order: {order['dish']}, table {order['table']}.",
        called["content"][0]["text"],
    ]
    return {"says": [f"“{words}”" for words in says], "members": [*map(_members, lines)]}


def _members(message: dict[str, Any]) -> str:
    """Return what tells a message apart: its id, and its method or result."""
    shown = [f'"{key}": {json.dumps(message[key])}' for key in ("id", "method") if key in message]
    return ", ".join([*shown, *(['"result": {…}'] if "result" in message else [])])


def _six_lights() -> dict[str, Any]:
    exits = [_exit(dispatch(MESSAGES[name], METHODS)) for name in _STOPS_AT]
    return {"steps": STEPS, "exit": exits}


def _exit(verdict: Verdict) -> str:
    """Say what goes back when a message stops at this verdict's step."""
    if verdict.reply is None:
        return "run it, and send nothing"
    code, words = _error(verdict)
    return f"its own error, or {code}" if verdict.step == len(STEPS) else f"{code} {words}"


def _error(verdict: Verdict) -> tuple[str, str]:
    error = verdict.reply["error"]
    return f"{error['code']}", error["message"].partition(":")[0]


def _where_it_hurts() -> dict[str, Any]:
    errors = [_error(dispatch(raw, METHODS)) for raw in _HURTS]
    return {"code": [code for code, _ in errors], "words": [words for _, words in errors]}


def _funnel() -> dict[str, Any]:
    told = [
        [
            rules.ids,
            f"{rules.named}, or missing",
            "one message, or many" if rules.batches else "one message",
        ]
        for rules in (JSON_RPC, MCP)
    ]
    return {"wide": told[0], "narrow": told[1]}


def _codes() -> dict[str, Any]:
    stamps = sorted(codes.CODES, key=lambda code: code.number)
    owners = [
        span.owner.replace(" itself", "", span.owner.startswith("J")) for span in codes.RANGES
    ]
    said = [f"{span.first} to {span.last}: {span.owner}." for span in codes.RANGES]
    said += ["All other numbers: your application."]
    said += [f"{code.number} is {code.name}." for code in stamps]
    return {
        "said": " ".join(said),
        "owner": [owner.partition(", ")[0] for owner in owners],
        "more": [owner.partition(", ")[2] for owner in owners],
        "ranges": codes.RANGES,
        "number": [f"{s.number}{' (old)' * (s.sent_by == 'nobody')}" for s in stamps],
        "stamps": stamps,
        "own": OUT_OF_DISH,
    }


_DATA: dict[str, Callable[[], dict[str, Any]]] = {
    "codes": _codes,
    "first_talk": _first_talk,
    "funnel": _funnel,
    "openings": lambda: {"revision": codes.REVISION},
    "six_lights": _six_lights,
    "where_it_hurts": _where_it_hurts,
}
"""What a drawing shows, for those that show data."""
