"""What authors and instructors run: `python -m mini_rpc.classroom COMMAND`.

A module here with a function `main(argv) -> int` is a command. The others are shared by commands.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

__all__ = ["NOTEBOOKS", "ROOT", "parser_of"]

ROOT = Path(__file__).resolve().parents[3]
"""The folder of the course: the copy of the repository that this package stands in."""

NOTEBOOKS = ROOT / "notebooks"


def parser_of(command: str, says: str | None) -> ArgumentParser:
    """Return a parser of a command's arguments; `says` is the docstring of its module."""
    summary = (says or "").partition("\n")[0]
    return ArgumentParser(f"python -m mini_rpc.classroom {command}", description=summary)
