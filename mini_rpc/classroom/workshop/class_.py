"""Read a folder of progress files: how the class stands, as text or as CSV."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..live.group import COLUMNS, group

__all__ = ["main"]


def main(argv: list[str]) -> int:
    """Print how the class stands; return 0, or 2 where there is no such folder or file."""
    parser = argparse.ArgumentParser(
        prog="python -m mini_rpc.classroom class",
        description=(__doc__ or "").strip(),
        epilog=f"The columns of --csv: {', '.join(COLUMNS)}.",
    )
    parser.add_argument("folder", type=Path, help="where the progress files are")
    parser.add_argument("--csv", type=Path, help="one row for each learner and exercise")
    parser.add_argument("--gradebook", type=Path, help="one row for each learner, for an LMS")
    options = parser.parse_args(argv)
    try:
        found = group(options.folder)
        for path, text in ((options.csv, found.to_csv), (options.gradebook, found.to_gradebook)):
            if path:
                path.write_text(text(), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        print(f"{error.strerror}: {error.filename}" if error.strerror else error, file=sys.stderr)
        return 2
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    print(found)
    return 0
