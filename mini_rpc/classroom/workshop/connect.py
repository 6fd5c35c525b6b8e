"""Print the configuration by which a desktop client starts the server of lesson 7.

    python -m mini_rpc.classroom connect [FILE]

It names this Python and the file: the `my_server.py` of the learner who asks, unless another one is
given. That is the one where MINI_RPC_PROGRESS says, in this folder, or beside the notebooks.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..talks.server_file import connect, my_server
from . import NOTEBOOKS, parser_of

__all__ = ["main"]


def main(argv: list[str]) -> int:
    """Print the configuration for a server's file; make the learner's file where it is missing."""
    parser = parser_of("connect", __doc__)
    parser.add_argument("file", nargs="?", type=Path, help="the server's file")
    file = parser.parse_args(argv).file or my_server(_learners_folder())
    if not file.is_file():
        print(f"There is no file {file}.", file=sys.stderr)
        return 2
    print(connect(file))
    return 0


def _learners_folder() -> Path | None:
    """Return where the notebooks' kernels look for `my_server.py`, or None: beside the progress."""
    moved = Path(os.environ.get("MINI_RPC_PROGRESS") or "progress.json")
    here = Path.cwd()
    for folder in (here, here / "notebooks", NOTEBOOKS):  # a kernel works in that of its notebook
        if (folder / moved).with_name("my_server.py").is_file():
            return (folder / moved).parent
    return (NOTEBOOKS / moved).parent if NOTEBOOKS.is_dir() else None
