"""The strategy where there is no fork, as on Windows: a fresh interpreter.

`cloudpickle` carries the function there, with whatever of the notebook it refers to.
"""

import faulthandler
import io
import marshal
import os
import pickle
import subprocess
import sys
from collections import ChainMap
from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import Any, ClassVar

from .child import disarm, serve
from .parent import collect
from .report import Report, Run, in_words, make_run

__all__ = ["run_calls"]

_START = 10.0  # seconds that an interpreter may take to start on a busy machine


def run_calls(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], seconds: float
) -> list[Run]:
    """Make the calls in a fresh interpreter; return one `Run` for each."""
    marker = os.urandom(16)
    try:
        work = _pack((function, calls, marker, seconds))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an object can fight back
        why = f"it cannot be carried to a process of its own: {in_words(error)}"
        return [make_run(Report("not run", error=why), "")] * len(calls)
    with subprocess.Popen(
        [sys.executable, "-c", f"from {__name__} import main; main()"],
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
        results, printed = os.dup(process.stdout.fileno()), os.dup(process.stderr.fileno())
        return collect(process, results, printed, marker, len(calls), seconds + _START)


def _pack(work: Any) -> bytes:
    import cloudpickle  # type: ignore[import-untyped]

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        # Whole code objects keep the names of their files, by which the learner's line is found.
        dispatch_table: ClassVar[Any] = ChainMap(
            {CodeType: lambda code: (marshal.loads, (marshal.dumps(code),))},
            cloudpickle.Pickler.dispatch_table,
        )

    file = io.BytesIO()
    Pickler(file).dump(work)
    return file.getvalue()


def main() -> None:
    """Be the fresh interpreter."""
    disarm()
    results, printed = os.dup(1), os.dup(2)
    function, calls, marker, seconds = pickle.load(sys.stdin.buffer)
    # When the time is up, a thread that needs no Python tells where the code is, and ends it.
    arm = partial(faulthandler.dump_traceback_later, seconds, exit=True, file=results)
    serve(function, calls, results, printed, marker, arm)
