"""Print the configuration by which a desktop client starts the server of lesson 7.

    python -m mini_rpc.classroom connect [FILE]

It names this Python and the file, `notebooks/my_server.py` unless another one is given.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..talks.server_file import connect, my_server
from . import NOTEBOOKS

__all__ = ["main"]


def main(argv: list[str]) -> int:
    """Print the configuration for a server's file; make the learner's file where it is missing."""
    parser = argparse.ArgumentParser("connect", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, help="the server's file")
    file = parser.parse_args(argv).file or my_server(NOTEBOOKS)
    if not file.is_file():
        print(f"There is no file {file}.")
        return 2
    print(connect(file))
    return 0
