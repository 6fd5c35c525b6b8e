"""Make slides of the lessons and the live demo, each deck one file that opens without a network.

    python -m mini_rpc.classroom slides
    python -m mini_rpc.classroom slides notebooks/01_four_shapes.ipynb

The decks come out in `.slides/`, made from the notebooks as last committed. Space goes on, Esc
shows all slides. reveal.js, which turns the pages, is fetched once with pip and stays in `.slides/`
too. Delete the folder to begin again.

A cell's metadata says what it is on the slides, as JupyterLab writes it (`slideshow.slide_type`).
Where it says nothing, a heading begins a slide, a live part begins one below it, what follows a
question waits for a key, and any other cell goes on with the one before while there is room. What
still does not fit is shown smaller. Exercises and what sets a page up stay out: they are for the
lesson. **S** opens the speaker's view, with the cells of the kind "notes".
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path

import nbformat
from nbconvert.exporters import SlidesExporter
from nbformat import NotebookNode

from . import ROOT, parser_of
from .demo_deck import demo_notebook
from .lessons import Lesson, committed, lesson_paths

__all__ = ["main", "make_deck", "prepare"]

HERE = Path(__file__).parent
DECK = HERE / "deck"
OUT = ROOT / ".slides"

DECKS = [path for path in lesson_paths() if path.stem != "teaching_notes"]
"""What becomes slides unless somebody names it: the lessons and the live demo."""

LEFT_OUT = {"imports", "run-first", "how-to-run"}
"""Cells that are about running the page."""

FULL = 17
"""How many lines a slide holds in a size that is read from the last row."""

BENCH, QUESTION = "The wire bench, as text", "Run this cell to answer."
"""What tells the live parts apart in the text that stands for them."""


def main(argv: list[str]) -> int:
    """Make the decks of the named notebooks, or all decks; return 0."""
    parser = parser_of("slides", __doc__)
    parser.add_argument("notebook", nargs="*", type=Path, help="all of them, unless named")
    named = [path.resolve() for path in parser.parse_args(argv).notebook]
    lessons = [Lesson(path, committed(path)) for path in named or DECKS]
    OUT.mkdir(exist_ok=True)
    part = reveal()
    for lesson in lessons:
        deck = make_deck(lesson, part)
        target = OUT / f"{lesson.path.stem}.html"
        target.write_text(deck, encoding="utf-8", newline="\n")
        print(f"{target.relative_to(ROOT)}: {len(deck) / 1e3:.0f} kB")
    return 0


def reveal() -> Callable[[str], str]:
    """Return what gives a file of reveal.js by its path, fetched with pip the first time."""
    wheels = OUT / "wheels"
    if not any(wheels.glob("*.whl")):
        pick = ("-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:")
        wanted = ("-d", wheels, "-r", DECK / "requirements.txt")
        subprocess.run([sys.executable, *pick, *wanted], check=True)
    wheel = zipfile.ZipFile(next(wheels.glob("*.whl")))

    def part(end: str) -> str:
        (name,) = (name for name in wheel.namelist() if name.endswith(f"/{end}"))
        return wheel.read(name).decode("utf-8")

    return part


def make_deck(lesson: Lesson, part: Callable[[str], str]) -> str:
    """Return the deck of a lesson as one HTML file that loads nothing; see `reveal` for `part`."""
    notebook = nbformat.reads(lesson.text, as_version=4)
    if lesson.path.stem == "live_demo":  # its acts are files of their own
        notebook = demo_notebook(notebook.cells[0])
    prepare(notebook, set(lesson.exercises))
    notebook.metadata["title"] = lesson.path.stem
    exporter = SlidesExporter(
        template_name="deck",
        extra_template_basedirs=[str(HERE)],
        exclude_anchor_links=True,
        embed_images=True,
    )
    exporter.environment.globals["part"] = lambda end: re.sub(r"@import[^;]*;", "", part(end))
    place = {"metadata": {"path": str(lesson.path.parent)}}
    page, _ = exporter.from_notebook_node(notebook, resources=place)
    page = re.sub(r"<link[^>]*stylesheet[^>]*>", "", page)
    page = page.replace("Run this cell to answer.", "")
    page = page.replace(" Run this cell to make it live.", "")
    return re.sub(r'href="([^":/]+)\.ipynb(#[^"]*)?"', r'href="\1.html"', page)


def prepare(notebook: NotebookNode, exercises: set[str]) -> None:
    """Say of each cell in place what it is on the slides, where its own metadata does not."""
    own = [f'check("{id}"' for id in exercises]
    asked = False  # what follows a question is its answer, which must wait for a key
    for cell in notebook.cells:
        kind = "skip" if any(call in cell.source for call in own) else _kind(cell, asked)
        cell.metadata.setdefault("slideshow", {}).setdefault("slide_type", kind)
        asked = QUESTION in _shown(cell)
        if kind == "subslide":
            cell.metadata["transient"] = {"remove_source": True}  # the class looks at what it shows
    notebook.cells = list(_spread(notebook.cells))


def _spread(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Begin another slide below this one wherever the next cell would not fit."""
    height = 0
    for cell in cells:
        kind = cell.metadata["slideshow"]["slide_type"]
        for part in [cell] if kind in ("skip", "notes") else _parts(cell):
            lines = _lines(part)
            goes_on = part.metadata["slideshow"]["slide_type"] in ("-", "fragment")
            if goes_on and height and height + lines > FULL:
                part.metadata["slideshow"]["slide_type"] = "subslide"
                goes_on = False
            if kind not in ("skip", "notes"):
                height = height + lines if goes_on else lines
            yield part


def _parts(cell: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the cell, or its code and then what it shows, where that is too much for one slide."""
    if cell.cell_type != "code" or not cell.outputs or _lines(cell) <= FULL:
        yield cell
        return
    outputs, cell.outputs = cell.outputs, []
    kind = cell.metadata["slideshow"]["slide_type"]
    if "transient" not in cell.metadata:
        yield cell
    pieces = (piece for output in outputs for piece in _pieces(output))
    for number, piece in enumerate(pieces, 1):
        shown = deepcopy(cell)
        shown.outputs, shown.id = [piece], f"{cell.id}-shows-{number}"
        shown.metadata["transient"] = {"remove_source": True}
        begins = kind == "subslide" and number == 1
        shown.metadata["slideshow"]["slide_type"] = kind if begins else "-"
        yield shown


def _pieces(output: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the output; what was printed in pieces of one slide each."""
    if output.output_type != "stream":
        yield output
        return
    lines = output.text.splitlines(keepends=True)
    for start in range(0, len(lines), FULL):
        yield nbformat.from_dict({**output, "text": "".join(lines[start : start + FULL])})


def _lines(cell: NotebookNode) -> int:
    """Return about how many lines a cell takes on a slide."""
    source = "" if cell.metadata.get("transient") else cell.source
    return sum(
        1 + len(line) // 95 for line in f"{source}\n{_shown(cell, 'text/plain')}".splitlines()
    )


def _kind(cell: NotebookNode, asked: bool) -> str:
    after = "fragment" if asked else "-"
    if cell.id in LEFT_OUT or re.search(r"^progress\(", cell.source, re.MULTILINE):
        return "skip"
    if cell.id.startswith("script-"):
        return "notes"
    if cell.cell_type == "markdown":
        return "slide" if cell.source.startswith("#") else after
    if any(mark in _shown(cell) for mark in (BENCH, QUESTION)):
        return "subslide"
    return after


def _shown(cell: NotebookNode, mime: str = "text/html") -> str:
    """Return what a cell shows of this kind, and what it printed."""
    outputs = cell.get("outputs", [])
    texts = (output.get("text") or output.get("data", {}).get(mime, "") for output in outputs)
    return "\n".join(map(str, texts))
