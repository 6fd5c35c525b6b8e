"""The child's side: makes the calls one by one, and writes each report to a pipe at once."""

from __future__ import annotations

import builtins
import faulthandler
import io
import os
import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from os import _exit  # the learner's code may put something else in its place
from typing import Any, NoReturn

from .report import LARGEST, VERY_LARGE, Report, Room, attempt, be_quiet, no_input

__all__ = ["HEADER", "TIME_IS_UP", "disarm", "serve"]

HEADER = 4
"""How many bytes tell a report's length."""

TIME_IS_UP = 124
"""The exit code that says so."""

_MEMORY = 512 * 2**20


def serve(
    function: Callable[..., Any],
    calls: list[tuple[Any, ...]],
    results: int,
    printed: int,
    marker: bytes,
    arm: Callable[[], object],
) -> NoReturn:
    """Make the calls and leave the process.

    The reports go to the file descriptor `results`. What is printed goes to `printed`, with the
    marker after each call. `arm` sees to it that `results` tells where the code is when the time
    is up.
    """
    try:
        _take_over(printed)
        arm()
        me, little_memory, room = os.getpid(), _LittleMemory(), Room()
        for args in calls:
            report = attempt(function, args, little_memory, room)
            if os.getpid() != me:  # the learner's code forked, and this is not the original
                break
            with suppress(OSError, ValueError, AttributeError):  # closed or replaced by the code
                sys.stdout.flush()
            _write(printed, marker)
            _send(results, report, little_memory)
    finally:
        _exit(0)  # no exit handlers, no second flush of the parent's buffers


def disarm() -> None:
    """Leave no debugger, profiler or tracer of the kernel's in this process."""
    faulthandler.disable()
    sys.settrace(None)
    sys.setprofile(None)
    threading.settrace(None)
    threading.setprofile(None)
    if sys.version_info >= (3, 12):
        for tool in range(6):
            if sys.monitoring.get_tool(tool):
                sys.monitoring.set_events(tool, 0)


def _take_over(printed: int) -> None:
    """Send every print to `printed`, and let nothing wait for the keyboard."""
    be_quiet()
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    before = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    sys.stdout = sys.stderr = io.TextIOWrapper(
        open(os.dup(printed), "wb", buffering=0),  # noqa: SIM115
        encoding="utf-8",
        errors="backslashreplace",
        write_through=True,
    )
    sys.__stdout__ = sys.__stderr__ = sys.stdout  # type: ignore[misc]
    for stream in before:  # a logging handler or a variable may hold it
        with suppress(Exception):
            stream.write, stream.flush = sys.stdout.write, sys.stdout.flush  # type: ignore
    _show_as_text()
    builtins.input = no_input


def _show_as_text() -> None:
    """Let IPython's `display` print, for there is no way from here to the page."""
    shells = getattr(sys.modules.get("IPython.core.interactiveshell"), "InteractiveShell", None)
    if shells is not None and shells.initialized():
        shown = shells.instance().display_pub
        shown.publish = lambda data, *_, **__: print(data.get("text/plain", ""))
        shown.clear_output = lambda *_, **__: None


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
                used = int(file.read().split()[5]) * resource.getpagesize()
        except (ImportError, OSError):
            return
        # What is written to, not what is set aside: a thread sets aside some 70 MB.
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = used + _MEMORY if hard == resource.RLIM_INFINITY else min(used + _MEMORY, hard)
        self._set = partial(resource.setrlimit, resource.RLIMIT_DATA)
        self._inside, self._outside = (most, hard), (soft, hard)

    def __enter__(self) -> None:
        self._set(self._inside)

    def __exit__(self, *_: object) -> None:
        self._set(self._outside)
