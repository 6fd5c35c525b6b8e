"""The sandbox: runs a learner's code so that no mistake in it can harm the kernel.

It is no wall against code that means harm: that runs as the learner, and may end any process.

Where the platform forks, the code runs in a forked child; on Windows in a fresh interpreter; in the
browser, where there are no processes, under a clock. Each strategy is one module.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any

from . import clock, fork, fresh
from .report import VERY_LARGE, Opaque, Run, State

__all__ = [
    "STRATEGIES",
    "VERY_LARGE",
    "Opaque",
    "Run",
    "State",
    "run",
    "run_each",
    "strategy_here",
]

STRATEGIES = {"fork": fork.run_calls, "fresh": fresh.run_calls, "clock": clock.run_calls}
"""The ways to run code behind a limit, by name. Each returns one `Run` a call."""

SECONDS = float(os.environ.get("MINI_RPC_SECONDS", "3"))
"""How long code may run unless told otherwise; `MINI_RPC_SECONDS` sets it."""

_SHORTEST, _LONGEST = 0.001, 86_400.0  # a timer takes neither zero nor infinity


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
    run_calls = STRATEGIES[strategy or strategy_here()]
    wanted = SECONDS if seconds is None else seconds
    return run_calls(function, calls, min(max(_SHORTEST, wanted), _LONGEST))
