"""The sandbox: runs a learner's code so that no mistake in it can harm the kernel.

It is no wall against code that means harm: that runs as the learner, and may end any process.
What the code starts ends with it, and what it changes outside of files is lost.

Where the platform forks, the code runs in a forked child; on Windows in a fresh interpreter; in the
browser, where there are no processes, under a clock. Each strategy is one module.
"""

import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from typing import Any

from .report import VERY_LARGE, Opaque, Run, State

__all__ = [
    "STRATEGIES",
    "VERY_LARGE",
    "Opaque",
    "Run",
    "State",
    "limit_here",
    "run",
    "run_each",
    "strategy_here",
]

STRATEGIES = ("fork", "fresh", "clock")
"""The ways to run code behind a limit: modules of this package with a function `run_calls`."""

_USUAL = 6.0 if sys.platform == "emscripten" else 3.0  # all is slower there
_SHORTEST, _LONGEST = 0.001, 86_400.0  # a timer takes neither zero nor infinity


def limit_here() -> float:
    """Return how many seconds code may run unless told otherwise: `MINI_RPC_SECONDS`, or 3.

    In a browser tab it is 6.
    """
    wanted = os.environ.get("MINI_RPC_SECONDS", "")
    try:
        seconds = float(wanted)
    except ValueError:
        seconds = 0.0
    if seconds > 0 and isfinite(seconds):
        return seconds
    if wanted.strip():
        said = f"MINI_RPC_SECONDS is {wanted!r}: no number of seconds. A check takes {_USUAL:g}."
        print(said, file=sys.stderr)
    return _USUAL


def strategy_here() -> str:
    """Return the name of the strategy for this platform."""
    if sys.platform == "emscripten":
        return "clock"
    if hasattr(os, "fork"):
        return "fork"
    return "fresh" if find_spec("cloudpickle") else "clock"


def run_each(
    function: Callable[..., Any],
    inputs: Iterable[Any],
    *,
    seconds: float | None = None,
    strategy: str | None = None,
) -> list[Run]:
    """Call `function` with each of the inputs, in order; return one `Run` for each.

    `seconds` is the limit for all of them together, a day at most. After the first that is
    "out of time" or "died", the rest are "not run". What the function changes elsewhere is lost.
    Never raises on account of what the function does.
    """
    return _run_calls(function, [(value,) for value in inputs], seconds, strategy)


def run(
    function: Callable[..., Any],
    *args: Any,
    seconds: float | None = None,
    strategy: str | None = None,
) -> Run:
    """Call `function` with these arguments; return what became of it."""
    return _run_calls(function, [args], seconds, strategy)[0]


def _run_calls(
    function: Callable[..., Any],
    calls: list[tuple[Any, ...]],
    seconds: float | None,
    strategy: str | None,
) -> list[Run]:
    if not calls:
        return []
    # Not every platform can load every strategy.
    run_calls = import_module(f"{__name__}.{strategy or strategy_here()}").run_calls
    wanted = limit_here() if seconds is None else seconds
    runs: list[Run] = run_calls(function, calls, min(max(_SHORTEST, wanted), _LONGEST))
    return runs
