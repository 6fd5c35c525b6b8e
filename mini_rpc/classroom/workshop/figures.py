"""The figures of the lessons, drawn from the package's own data, and the page of the glossary.

    python -m mini_rpc.classroom figures

Each figure is an SVG file in `drawings`, with Jinja where it shows data. What comes out lies in
`notebooks`, the figures in a folder of their own. A test says when one is out of date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from ... import codes
from ...dispatcher import STEPS, dispatch
from ...rules import JSON_RPC, MCP
from ..glossary import PAGE
from ..kitchen import MESSAGES, METHODS, OUT_OF_DISH
from ..talks.peers import recorded
from . import NOTEBOOKS, parser_of

__all__ = ["DRAWINGS", "draw", "main", "out_of_date"]

DRAWINGS = Path(__file__).with_name("drawings")


def main(argv: list[str]) -> int:
    """Make what is out of date in a folder, `notebooks` unless another one is named."""
    parser = parser_of("figures", __doc__)
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

    Raises `jinja2.UndefinedError` where the drawing wants data nobody has.
    """
    text = _JINJA.from_string((DRAWINGS / f"{name}.svg").read_text("utf-8")).render(
        codes=codes,
        steps=STEPS,
        plain=JSON_RPC,
        mcp=MCP,
        own=OUT_OF_DISH,
        error=_error,
        members=_members,
        talk=[json.loads(text) for _, text in recorded("official_client")],
    )
    text = text.replace("$style", (DRAWINGS / "style.css").read_text("utf-8"))
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


_JINJA = Environment(
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    finalize=lambda value: escape(f"{value}", quote=False),
)


def _error(message: Any) -> dict[str, Any] | None:
    """Return the code of the error that answers a message of the kitchen, or any, and its words."""
    reply = dispatch(MESSAGES.get(message, message), METHODS).reply
    if reply is None:
        return None
    error = reply["error"]
    return {"code": error["code"], "words": error["message"].partition(":")[0]}


def _members(message: dict[str, Any]) -> str:
    """Return what tells a message apart: its id, and its method or result."""
    shown = [f'"{key}": {json.dumps(message[key])}' for key in ("id", "method") if key in message]
    return ", ".join([*shown, *(['"result": {…}'] if "result" in message else [])])
