"""The author's tool: run notebooks with a clean kernel and keep what belongs in the repository.

    python tests/notebooks/author.py                                 (every notebook, in order)
    python tests/notebooks/author.py notebooks/01_four_shapes.ipynb

Running it twice changes nothing: cell ids and tags stay; live widgets, timings and whatever differs
from one machine to the next go.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from house_style import faults
from lessons import KEPT_OF_A_CELL, LIVE_WIDGET, METADATA, Lesson, lesson_paths
from nbclient import NotebookClient
from nbformat import NotebookNode

__all__ = ["clean", "execute"]


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


def main(paths: list[Path]) -> int:
    """Run and clean these notebooks; print which of them changed, and what breaks a rule.

    Returns the number of faults.
    """
    number = 0
    for path in paths:
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
        number += len(found)
    return number


if __name__ == "__main__":
    sys.exit(bool(main([Path(name).resolve() for name in sys.argv[1:]] or lesson_paths())))
