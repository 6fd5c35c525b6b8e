"""The live demo as cells for a deck: an act's title, its messages, what comes back, and the script.

What comes back waits for a key, and the script is for the speaker's view.
"""

from __future__ import annotations

from collections.abc import Iterator

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ..bench.widget import bench
from ..judging.break_clerks import clerk
from ..kitchen import METHODS
from ..live.acts import Act, Part, read_acts
from ..live.demo import timeline_of
from ..live.poll import find_poll

__all__ = ["demo_notebook"]


def demo_notebook(title: NotebookNode) -> NotebookNode:
    """Return a notebook of all acts, with this cell as its first slide."""
    cells = [title]
    for act in read_acts().values():
        head = f"## Act {act.number}. {act.title}"
        cells += [_prose(f"act-{act.number}", "slide", head)]
        cells += [_prose(f"script-{act.number}", "notes", act.script)]
        for number, part in enumerate(act.parts, 1):
            cells += _slides(act, part, f"act-{act.number}-{number}")
    notebook: NotebookNode = new_notebook(cells=cells)
    return notebook


def _slides(act: Act, part: Part, id: str) -> Iterator[NotebookNode]:
    if part.kind == "message":
        ask = f"**What comes back?**\n\n```json\n{part.text}\n```"
        beside = clerk(act.beside) if act.beside else None
        shown = bench(part.text, beside=beside, methods=act.methods or METHODS)
        yield _prose(id, "subslide", ask)
        yield _shown(f"{id}-reply", shown._as_html(), shown.transcript())
    elif part.kind == "vote":
        poll = find_poll(part.text)
        options = "\n".join(f"- {option.text}" for option in poll.options)
        message = f"```json\n{poll.message}\n```\n\n" if poll.message else ""
        yield _prose(id, "subslide", f"**{poll.ask}**\n\n{message}{options}")
    elif part.kind == "timeline":
        shown_talk = timeline_of(part)
        yield _prose(id, "subslide", f"**{part.title}**")
        yield _shown(f"{id}-talk", shown_talk._as_html(), shown_talk.transcript())
    else:
        yield _prose(id, "subslide", f"**{part.title}**\n\n```python\n{part.text}\n```")


def _prose(id: str, kind: str, source: str) -> NotebookNode:
    cell: NotebookNode = new_markdown_cell(source, id=id)
    cell.metadata["slideshow"] = {"slide_type": kind}
    return cell


def _shown(id: str, html: str, text: str) -> NotebookNode:
    cell: NotebookNode = new_code_cell("", id=id)
    cell.outputs = [new_output("display_data", {"text/html": html, "text/plain": text})]
    cell.metadata["slideshow"] = {"slide_type": "fragment"}
    cell.metadata["transient"] = {"remove_source": True}
    return cell
