"""The strategy where there is `os.fork`: the child has every name of the notebook already."""

from __future__ import annotations

import gc
import os
import secrets
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from os import _exit
from typing import Any

from .child import serve
from .parent import collect
from .report import Run

__all__ = ["run_calls"]

_GRACE = 0.5


def run_calls(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], seconds: float
) -> list[Run]:
    """Make the calls in a forked child; return one `Run` for each."""
    results, to_results = os.pipe()
    printed, to_printed = os.pipe()
    marker = secrets.token_bytes(16)
    _flush()
    pid = _fork()
    if pid == 0:
        try:
            to_results, to_printed = _above_2(to_results), _above_2(to_printed)
            _let_go(to_results, to_printed)
            serve(function, calls, to_results, to_printed, marker, seconds)
        finally:
            _exit(1)
    os.close(to_results)
    os.close(to_printed)
    return collect(_Forked(pid), results, printed, marker, len(calls), seconds + _GRACE)


class _Forked:
    """A forked child, and whatever that starts in its turn."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None

    def poll(self) -> int | None:
        return self._reap(os.WNOHANG)

    def wait(self) -> int:
        code = self._reap(0)
        assert code is not None
        return code

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if self.code is None:  # it may not have got as far as having a group
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _reap(self, options: int) -> int | None:
        if self.code is None:
            try:
                pid, status = os.waitpid(self.pid, options)
            except ChildProcessError:  # gone already: the caller ignores SIGCHLD, say
                pid, status = self.pid, 0
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code


def _flush() -> None:
    """Empty the buffers, so that the child inherits nothing to flush a second time."""
    for stream in (sys.__stdout__, sys.__stderr__):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()  # type: ignore[union-attr]


def _fork() -> int:
    with warnings.catch_warnings():  # 3.12 warns of threads: the child needs none of them
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _above_2(file: int) -> int:
    """Return a number for the file that no standard stream has, also where those are closed."""
    return file if file > 2 else _above_2(os.dup(file))


def _let_go(*keep: int) -> None:
    """In the child: leave the parent's group, its garbage and its open files alone."""
    os.setsid()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.set_wakeup_fd(-1)  # before Python 3.12 it would still name a file of the parent
    for name in os.listdir("/dev/fd"):
        if int(name) > 2 and int(name) not in keep:
            with suppress(OSError):
                os.close(int(name))
