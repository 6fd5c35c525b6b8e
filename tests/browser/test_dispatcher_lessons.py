"""Lessons 4 and 5 in real JupyterLab: a learner's dispatcher on the bench, and a broken clerk."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from playwright.sync_api import expect

from mini_rpc.classroom.exercises import EXERCISES

ERRORS = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']"


def open_with(lesson: Any, name: str, sources: dict[str, str]) -> None:
    """Open a copy of a lesson with other sources in these cells, at the cells from the last one."""
    notebook = nbformat.read(lesson.lab.folder / name, as_version=4)
    for cell in notebook.cells:
        cell.source = sources.get(cell.id, cell.source)
    nbformat.write(notebook, lesson.lab.folder / f"own_{name}")
    lesson.open(f"own_{name}")
    lesson.run_all()


@pytest.mark.rest
def test_a_solved_dispatcher_stands_beside_the_courses_and_a_faulty_one_is_marked(
    lesson: Any,
) -> None:
    page = lesson.page
    solution = f'{EXERCISES["handle"].solution}\n\ncheck("handle", handle)'
    leak = 'except Exception as error:\n        return error_response(id, -32603, str(error), "!")'
    faulty = solution.replace(
        'except Exception:\n        return error_response(id, -32603, "Internal error")', leak
    )
    open_with(lesson, "04_dispatcher.ipynb", {"handle": faulty})
    outcome = page.locator(".mini-rpc-outcome", has_text="Steps 1 to 5 are right.")
    expect(outcome).to_contain_text("tells of the exception")
    bench = page.locator(".mrpc-outer", has_text="Right: handle")
    expect(bench).to_contain_text("error.data")
    expect(bench).to_contain_text("missing on the left")

    open_with(lesson, "04_dispatcher.ipynb", {"handle": solution})
    expect(page.locator(".mini-rpc-outcome", has_text="All six steps are right")).to_be_visible()
    bench.get_by_label("Raw message").fill("[")
    expect(bench).to_contain_text("No difference")
    bench.get_by_label("Raw message").fill('{"jsonrpc": "2.0", "method": "kitchen/burn"}')
    expect(bench).to_contain_text("both stay silent")


def test_a_clerk_is_found_out_and_the_machine_finds_one_by_itself(lesson: Any) -> None:
    page = lesson.page
    note = '{"jsonrpc": "2.0", "method": "ping"}'
    open_with(
        lesson,
        "05_edge_cases.ipynb",
        {
            "scoreboard": f"break_clerk('Bo', '{note}')\nscoreboard()",
            "first-clerk": f"print(break_clerk('Ada', '{note}'))\nscoreboard()",
            "fuzz-run": "fuzz(clerk('Quin'))",
        },
    )
    expect(page.locator(ERRORS)).to_have_count(0)
    expect(page.get_by_text("0 of 22 clerks found out.")).to_be_visible()
    expect(page.get_by_text("1 of 22 clerks found out.")).to_be_visible()
    expect(page.locator("td", has_text="✓ answers a notification")).to_be_visible()
    expect(page.locator(".mini-rpc-outcome", has_text="fuzz: crashed")).to_be_visible(
        timeout=30_000
    )
