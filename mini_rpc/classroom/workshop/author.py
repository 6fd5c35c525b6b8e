"""Run notebooks with a clean kernel, keep what belongs in the repository, list faults of style.

    python -m mini_rpc.classroom author                                 (every notebook, in order)
    python -m mini_rpc.classroom author notebooks/01_four_shapes.ipynb

Running it twice changes nothing: cell ids and tags stay; live widgets, timings and whatever differs
from one machine to the next go.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from .house_style import faults
from .lessons import KEPT_OF_A_CELL, LIVE_WIDGET, METADATA, Lesson, lesson_paths

__all__ = ["clean", "execute", "main", "write"]


def main(argv: list[str]) -> int:
    """Write the named notebooks, or all of them; return 1 where one breaks a rule."""
    parser = argparse.ArgumentParser("author", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("notebook", nargs="*", type=Path, help="all of them, unless named")
    named = [path.resolve() for path in parser.parse_args(argv).notebook]
    found = [write(path) for path in named or lesson_paths()]
    return int(any(found))


def execute(notebook: NotebookNode, folder: Path, progress: Path, *, go_on: bool = False) -> None:
    """Run every cell in place with a new kernel that works in `folder`.

    `progress` takes the place of the learner's progress file. A cell that raises stops the run with
    `CellExecutionError`, unless `go_on` is true.
    """
    client = NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        allow_errors=go_on,
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    )
    client.execute(env={**os.environ, "MINI_RPC_PROGRESS": str(progress)})


def clean(notebook: NotebookNode) -> None:
    """Take out, in place, all that is not the lesson: live widgets, timings, the editor's notes."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key in KEPT_OF_A_CELL}
        )
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(LIVE_WIDGET, None)
            if "metadata" in output:
                output.metadata = NotebookNode()


def write(path: Path) -> list[str]:
    """Run and clean a notebook; say whether it changed, and return what breaks a rule."""
    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    with tempfile.TemporaryDirectory() as scratch:
        execute(notebook, path.parent, Path(scratch) / "progress.json")
    clean(notebook)
    after = nbformat.writes(notebook) + "\n"
    path.write_text(after, encoding="utf-8", newline="\n")
    print(f"{path.name}: {'as before' if after == before else 'written'}")
    found = faults(Lesson(path, after))
    print(*(f"  {fault}\n" for fault in found), sep="", end="")
    return found
