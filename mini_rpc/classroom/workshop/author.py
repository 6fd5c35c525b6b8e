"""Run notebooks with a clean kernel, keep what belongs in the repository, list faults of style.

    python -m mini_rpc.classroom author                                 (every notebook, in order)
    python -m mini_rpc.classroom author notebooks/01_four_shapes.ipynb

Prompts and stubs of exercises are written into their cells from their files, and a new exercise or
question gets its cells. Running it twice changes nothing: cell ids and tags stay; live widgets,
timings and whatever differs from one machine to the next go.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from ..content import BadContent
from . import parser_of
from .filling import fill
from .house_style import faults
from .lessons import (
    CHECK,
    KEPT_OF_A_CELL,
    LIVE_WIDGET,
    METADATA,
    OF_AN_EXERCISE,
    Lesson,
    lesson_paths,
)

__all__ = ["clean", "execute", "main", "write"]

OF_ONE_MACHINE = "of-one-machine"  # the tag of a cell whose output holds paths, as it must
COUNTS = re.compile(r"\b(?:progress|scoreboard|group|warm_up|final_round)\(")


def main(argv: list[str]) -> int:
    """Write the named notebooks, or all of them; return 1 where one breaks a rule.

    What is new in one of them changes what others count ("0 of 24") or ask again: these are
    written, too.
    """
    parser = parser_of("author", __doc__)
    parser.add_argument("notebook", nargs="*", type=Path, help="all of them, unless named")
    paths = [path.resolve() for path in parser.parse_args(argv).notebook] or lesson_paths()
    try:
        written = [write(path) for path in paths]
        if any(added for added, _ in written):
            written += [write(path) for path in lesson_paths() if _counts(path)]
    except BadContent as error:
        print(error, file=sys.stderr)
        return 1
    return int(any(found for _, found in written))


def _counts(path: Path) -> bool:
    """Tell whether a notebook counts exercises or draws questions."""
    return any(COUNTS.search(cell.source) for cell in Lesson.read(path).code)


def execute(notebook: NotebookNode, folder: Path, progress: Path) -> None:
    """Run every cell in place with a new kernel that works in `folder`.

    `progress` takes the place of the learner's progress file. A cell that raises stops the run with
    `CellExecutionError`.
    """
    client = NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute(env={**os.environ, "MINI_RPC_PROGRESS": str(progress)})


def clean(notebook: NotebookNode) -> None:
    """Take out, in place, all that is not the lesson: live widgets, timings, the editor's notes."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key in KEPT_OF_A_CELL}
        )
        if CHECK.search(cell.source):
            cell.metadata["tags"] = sorted({*cell.metadata.get("tags", []), *OF_AN_EXERCISE})
        if OF_ONE_MACHINE in cell.metadata.get("tags", []):
            cell.outputs = []
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(LIVE_WIDGET, None)
            if "metadata" in output:
                output.metadata = NotebookNode()


def write(path: Path) -> tuple[list[str], list[str]]:
    """Fill, run and clean a notebook; say whether it changed.

    Returns a sentence for each cell that was put in, and one for each thing that breaks a rule.
    """
    lesson = Lesson.read(path)
    added, kept = fill(lesson)
    with tempfile.TemporaryDirectory() as scratch:
        execute(lesson.notebook, path.parent, Path(scratch) / "progress.json")
    clean(lesson.notebook)
    after = nbformat.writes(lesson.notebook) + "\n"
    path.write_text(after, encoding="utf-8", newline="\n")
    print(f"{path.name}: {'as before' if after == lesson.text else 'written'}")
    found = [*kept, *faults(Lesson(path, after))]
    print(*(f"  {sentence}\n" for sentence in [*added, *found]), sep="", end="")
    return added, found
