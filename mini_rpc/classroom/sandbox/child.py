"""The child's side: makes the calls one by one, and writes each report to a pipe at once."""

from __future__ import annotations

import builtins
import faulthandler
import io
import os
import pickle
import sys
from collections.abc import Callable
from functools import partial
from os import _exit  # the learner's code may put something else in its place
from typing import Any, NoReturn

from .report import LARGEST, VERY_LARGE, Report, Room, attempt, be_quiet

__all__ = ["HEADER", "serve"]

HEADER = 4
"""How many bytes tell a report's length."""

_MEMORY = 512 * 2**20


def serve(
    function: Callable[..., Any],
    calls: list[tuple[Any, ...]],
    results: int,
    printed: int,
    marker: bytes,
    seconds: float,
) -> NoReturn:
    """Make the calls and leave the process.

    The reports go to the file descriptor `results`. What is printed goes to `printed`, with the
    marker after each call. When the time is up, a thread that needs no Python writes to
    `results` where the code is, and ends the process.
    """
    try:
        _take_over(printed)
        faulthandler.dump_traceback_later(seconds, exit=True, file=results)
        me, little_memory, room = os.getpid(), _LittleMemory(), Room()
        for args in calls:
            report = attempt(function, args, little_memory, room)
            if os.getpid() != me:  # the learner's code forked, and this is not the original
                break
            _flush()
            _write(printed, marker)
            _send(results, report, little_memory)
    finally:
        _exit(0)  # no exit handlers, no second flush of the parent's buffers


def _take_over(printed: int) -> None:
    """Send every print to `printed`, and let nothing wait for the keyboard."""
    faulthandler.disable()
    be_quiet()
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr = io.TextIOWrapper(
        open(os.dup(printed), "wb", buffering=0),  # noqa: SIM115
        encoding="utf-8",
        errors="backslashreplace",
        write_through=True,
    )
    builtins.input = _no_input


def _no_input(prompt: object = "") -> str:
    raise EOFError("code under a check cannot wait for input()")


def _flush() -> None:
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):  # closed or replaced by the learner's code
        return


def _send(results: int, report: Report, little_memory: _LittleMemory) -> None:
    try:
        with little_memory:
            data = pickle.dumps(report)
    except MemoryError:
        data = b""
    if not 0 < len(data) <= LARGEST:
        data = pickle.dumps(report._replace(value=VERY_LARGE))
    _write(results, len(data).to_bytes(HEADER, "big") + data)


def _write(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]


class _LittleMemory:
    """Inside `with`, allows only so much more memory than was in use when this was made.

    Where the platform cannot tell or limit that, it allows everything.
    """

    def __init__(self) -> None:
        self._set: Callable[[tuple[int, int]], None] = lambda _: None
        self._inside = self._outside = (0, 0)
        try:
            import resource

            with open("/proc/self/statm", encoding="ascii") as file:
                used = int(file.read().split()[0]) * resource.getpagesize()
        except (ImportError, OSError):
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = used + _MEMORY if hard == resource.RLIM_INFINITY else min(used + _MEMORY, hard)
        self._set = partial(resource.setrlimit, resource.RLIMIT_AS)
        self._inside, self._outside = (most, hard), (soft, hard)

    def __enter__(self) -> None:
        self._set(self._inside)

    def __exit__(self, *_: object) -> None:
        self._set(self._outside)
