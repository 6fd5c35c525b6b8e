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
from nbclient import NotebookClient
from nbformat import NotebookNode

__all__ = ["NOTEBOOKS", "ROOT", "clean", "execute", "notebook_paths"]

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"

LIVE_WIDGET = "application/vnd.jupyter.widget-view+json"
KEPT_OF_A_CELL = {"jupyter", "reason", "slideshow", "tags"}
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook_paths() -> list[Path]:
    """Return every notebook of the course, in order."""
    found = NOTEBOOKS.rglob("*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


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


def main(paths: list[Path]) -> None:
    """Run and clean these notebooks, saying which of them changed."""
    for path in paths:
        before = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(before, as_version=4)
        with tempfile.TemporaryDirectory() as scratch:
            execute(notebook, path.parent, Path(scratch) / "progress.json")
        clean(notebook)
        after = nbformat.writes(notebook) + "\n"
        path.write_text(after, encoding="utf-8")
        print(f"{path.name}: {'same as before' if after == before else 'written'}")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or notebook_paths())
