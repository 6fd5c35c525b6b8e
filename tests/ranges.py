"""Do both ends of every version range work? Each end is installed afresh, and runs the tests:

    python tests/ranges.py lowest
    python tests/ranges.py highest --write

With --write the versions of a run that went well become tests/known_to_work.txt. What follows -- is
for pytest, as in `python tests/ranges.py lowest -- tests/classroom`.
"""

from __future__ import annotations

import argparse
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KNOWN = ROOT / "tests" / "known_to_work.txt"
LOWER = re.compile(r"([\w-]+)>=([\d.]+)")


def lower_ends() -> Iterator[str]:
    """Yield the oldest version of everything that requirements.txt and the extras name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    for line in [*(ROOT / "requirements.txt").read_text("utf-8").splitlines(), *extras]:
        if found := LOWER.match(line):
            yield f"{found[1]}=={found[2]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("end", choices=("lowest", "highest"))
    parser.add_argument("--write", action="store_true", help="keep the versions, if all goes well")
    parser.add_argument("pytest", nargs="*", help="what pytest runs; everything, unless told")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder, "constraints.txt")
        pins = sorted(set(lower_ends())) if options.end == "lowest" else []
        constraints.write_text("\n".join(pins) + "\n", encoding="utf-8")
        print(*pins, sep="\n")
        return run(Path(folder, "venv"), constraints, options.pytest, write=options.write)


def run(folder: Path, constraints: Path, tests: list[str], *, write: bool) -> int:
    """Install the course and run the tests; return pytest's exit status."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [python, "-m", "pip", "--quiet"]
    course = ["install", "-r", "requirements.txt", "-e", ".[tests]", "-c", constraints]
    subprocess.run([*pip, *course], cwd=ROOT, check=True)
    subprocess.run([*pip, "check"], cwd=ROOT, check=True)
    status = subprocess.run([python, "-m", "pytest", *tests], cwd=ROOT).returncode
    if write and not status:
        frozen = subprocess.run([*pip, "freeze"], capture_output=True, text=True, check=True)
        lines = [line for line in frozen.stdout.splitlines() if "mini_rpc" not in line]
        head = (
            f"# Versions that work together (Python {platform.python_version()}, "
            f"{platform.system()}). To have the same: pip install -c tests/known_to_work.txt ...\n"
            "# To renew it: python tests/ranges.py highest --write\n"
        )
        KNOWN.write_text(head + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
