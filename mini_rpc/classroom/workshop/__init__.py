"""What authors and instructors run: `python -m mini_rpc.classroom COMMAND`.

A module here with a function `main(argv) -> int` is a command. The others are shared by commands.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["NOTEBOOKS", "ROOT"]

ROOT = Path(__file__).resolve().parents[3]
"""The folder of the course: the copy of the repository that this package stands in."""

NOTEBOOKS = ROOT / "notebooks"
