"""The strategy where there is no fork, as on Windows: a fresh interpreter.

`cloudpickle` carries the function there, with whatever of the notebook it refers to.
"""

from __future__ import annotations

import os
import pickle
import secrets
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from .child import serve
from .parent import collect
from .report import Report, Run, in_words, make_run

__all__ = ["run_calls"]

_START = 30.0  # seconds that an interpreter may take to start on a busy machine


def run_calls(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], seconds: float
) -> list[Run]:
    """Make the calls in a fresh interpreter; return one `Run` for each."""
    import cloudpickle  # type: ignore[import-untyped]

    marker = secrets.token_bytes(16)
    try:
        work = cloudpickle.dumps((function, calls, marker, seconds))
    except Exception as error:
        why = f"it cannot be carried to a process of its own: {in_words(error)}"
        return [make_run(Report("not run", error=why), "")] * len(calls)
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(work)
        process.stdin.close()
        results, printed = process.stdout.fileno(), process.stderr.fileno()
        return collect(process, results, printed, marker, len(calls), seconds + _START)


def _main() -> None:
    results, printed = os.dup(1), os.dup(2)
    function, calls, marker, seconds = pickle.load(sys.stdin.buffer)
    serve(function, calls, results, printed, marker, seconds)


if __name__ == "__main__":
    _main()
