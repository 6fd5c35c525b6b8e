"""Lesson 7 in a real kernel: no program outlives its cell, and a recorded talk is as good."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import run_kernel

from mini_rpc.classroom.workshop import NOTEBOOKS, author

LESSON = NOTEBOOKS / "07_real_peers.ipynb"
NO_PACKAGE = "import mini_rpc.classroom.talks.peers as peers\npeers.find_spec = lambda name: None"
SENTENCE = "The package mcp is not installed here: what you see was recorded before.\n"
DEAF = """
import os, time
with open("pid.txt", "w") as file:
    file.write(str(os.getpid()))
while True:
    pass
"""
VISIT = "from mini_rpc.classroom import my_server, visit\nawait visit(my_server(), 'any', {})"

needs_mcp = pytest.mark.skipif(
    not find_spec("mcp"), reason="the official package is not installed: pip install mcp"
)


def test_without_the_package_the_lesson_shows_the_same_and_cells_say_why(tmp_path: Path) -> None:
    lesson = nbformat.read(LESSON, as_version=4)
    before = [cell.get("outputs") for cell in lesson.cells]
    lesson.cells.insert(0, nbformat.v4.new_code_cell(NO_PACKAGE, id="no-package"))
    author.execute(lesson, tmp_path, tmp_path / "progress.json")
    author.clean(lesson)
    after = [cell.get("outputs") for cell in lesson.cells[1:]]
    said = 0
    for outputs in after:
        for output in [*(outputs or [])]:
            if SENTENCE in output.get("text", ""):
                said += 1
                output.text = output.text.replace(SENTENCE, "")
                if not output.text:
                    outputs.remove(output)
            elif output.output_type == "execute_result":
                output.execution_count -= 1  # one cell more than in the lesson
    assert after == before
    assert said == 4


@pytest.mark.sample(3)
@needs_mcp
@pytest.mark.skipif(os.name == "nt", reason="asks for processes the POSIX way")
@pytest.mark.parametrize("how", ["interrupt_kernel", "restart_kernel", "kill"])
def test_a_server_that_loops_ends_with_its_cell(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "progress.json"))
    (tmp_path / "my_server.py").write_text(DEAF)
    with run_kernel(cwd=str(tmp_path)) as client:
        client.execute(VISIT)
        pid = soon(lambda: int((tmp_path / "pid.txt").read_text()))
        client.parent.signal_kernel(9) if how == "kill" else getattr(client.parent, how)()
        soon(lambda: _is_gone(pid))


def soon(find: Callable[[], int]) -> int:
    """Return what can be found before long: something else than 0, and without an error."""
    for _ in range(300):
        with suppress(OSError, ValueError):
            if found := find():
                return found
        time.sleep(0.1)
    pytest.fail("it has not happened")


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
