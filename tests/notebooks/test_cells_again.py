"""After Run All any cell can be run again: it shows what it showed before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import author
import nbformat
import pytest
from lessons import NOTEBOOKS, Lesson, committed, lesson_paths
from nbformat import NotebookNode

LESSONS = [Lesson(path, committed(path)) for path in lesson_paths() if path.parent == NOTEBOOKS]


@pytest.mark.long
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
def test_run_again_from_the_last_cell_to_the_first_each_shows_the_same(
    lesson: Lesson, tmp_path: Path
) -> None:
    copy = nbformat.reads(lesson.text, as_version=4)
    code = [cell for cell in copy.cells if cell.cell_type == "code"]
    again = [nbformat.v4.new_code_cell(cell.source, id=f"{cell.id}-again") for cell in code[::-1]]
    copy.cells += again
    author.execute(copy, tmp_path, tmp_path / "progress.json")
    author.clean(copy)
    pairs = zip(code, again[::-1], strict=True)
    assert [one.id for one, other in pairs if _shown(one) != _shown(other)] == []


def _shown(cell: NotebookNode) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in output.items() if key != "execution_count"}
        for output in cell.outputs
    ]
