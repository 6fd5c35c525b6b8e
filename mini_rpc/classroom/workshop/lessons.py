"""Where the lessons are, and the version of each that is under judgment."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ..content import BadContent
from . import NOTEBOOKS, ROOT

__all__ = [
    "CHECK",
    "KEPT_OF_A_CELL",
    "LIVE_WIDGET",
    "METADATA",
    "OF_AN_EXERCISE",
    "SELF_CHECKS",
    "Lesson",
    "committed",
    "committed_lessons",
    "is_lesson",
    "last_commit",
    "lesson_paths",
]

SELF_CHECKS = "Three-self-checks"  # a heading, the way a link names it
LIVE_WIDGET = "application/vnd.jupyter.widget-view+json"
KEPT_OF_A_CELL = {"jupyter", "reason", "slideshow", "tags"}
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

CHECK = re.compile(r'^check\("(\w+)", \w+\)(?:\.\w+\(.*\))?$', re.MULTILINE)
OF_AN_EXERCISE = {"nbval-ignore-output", "raises-exception"}
"""The tags of its cell: the output is the learner's, and after a mistake Run All goes on below."""


def is_lesson(path: Path) -> bool:
    """Tell a lesson from what JupyterLab adds beside it: Untitled.ipynb, copies, checkpoints."""
    named_like_one = re.fullmatch(r"[a-z0-9_]+\.ipynb", path.name)
    return bool(named_like_one) and ".ipynb_checkpoints" not in path.parts


def lesson_paths() -> list[Path]:
    """Return every notebook of the course, in order."""
    return sorted(path for path in NOTEBOOKS.rglob("*.ipynb") if is_lesson(path))


def last_commit(path: Path) -> str | None:
    """Return the file's text as last committed; None where there is no git, or it has no such."""
    try:
        name = path.relative_to(ROOT).as_posix()
        shown = subprocess.run(
            ["git", "show", f"HEAD:{name}"], cwd=ROOT, capture_output=True, check=True
        )
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None
    return shown.stdout.decode("utf-8")


def committed(path: Path) -> str:
    """Return the file's text as last committed, so that a learner's own work is not judged.

    Where there is no git, or the file is new, it is the text on the disk.
    """
    text = last_commit(path)
    return path.read_text(encoding="utf-8") if text is None else text


@dataclass(frozen=True)
class Lesson:
    """A notebook and where it is."""

    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> Lesson:
        """Return the notebook as it is on the disk."""
        return cls(path, path.read_text(encoding="utf-8"))

    @cached_property
    def notebook(self) -> NotebookNode:
        try:
            notebook: NotebookNode = nbformat.reads(self.text, as_version=4)
        except Exception:  # nbformat falls over in many ways
            raise BadContent(f"{self.path.name} is no notebook") from None
        return notebook

    @property
    def code(self) -> list[NotebookNode]:
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]

    @property
    def prose(self) -> list[NotebookNode]:
        return [cell for cell in self.notebook.cells if cell.cell_type == "markdown"]

    @property
    def headings(self) -> dict[str, int]:
        """The place of each section, by its heading the way a link names it."""
        heads = (
            (place, cell.source.partition("\n")[0].removeprefix("## ").strip())
            for place, cell in enumerate(self.notebook.cells)
            if cell.cell_type == "markdown" and cell.source.startswith("## ")
        )
        return {name.replace(" ", "-"): place for place, name in heads}

    @property
    def exercises(self) -> dict[str, NotebookNode]:
        """The cells with an exercise, by its id."""
        found = ((CHECK.search(cell.source), cell) for cell in self.code)
        return {match[1]: cell for match, cell in found if match}


@cache
def committed_lessons() -> dict[str, Lesson]:
    """Return every notebook of the course as last committed, in order, by its file's stem."""
    return {path.stem: Lesson(path, committed(path)) for path in lesson_paths()}
