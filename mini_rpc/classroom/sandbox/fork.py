"""The strategy where there is `os.fork`: the child has every name of the notebook already."""

import faulthandler
import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from os import _exit
from time import monotonic, sleep
from typing import Any

from .child import disarm, serve
from .keeper import SHOW_WHERE, close_all, keep, process_control
from .parent import collect
from .report import Run

__all__ = ["run_calls"]

_GRACE = 0.5
_PATIENCE = 3.0  # seconds for ending some thousand processes


def run_calls(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], seconds: float
) -> list[Run]:
    """Make the calls in a forked child; return one `Run` for each."""
    marker = os.urandom(16)
    prctl = process_control()
    _flush()
    with _alarms_wait():
        pid, results, to_results, printed, to_printed = _fork_with_pipes()
        if pid == 0:
            try:
                disarm()
                to_results, to_printed = _above_2(to_results), _above_2(to_printed)
                arm = partial(faulthandler.register, SHOW_WHERE, to_results, False, True)
                calling = partial(serve, function, calls, to_results, to_printed, marker, arm)
                keep(partial(_work, calling, to_results, to_printed), seconds, prctl)
            finally:
                _exit(1)
        os.close(to_results)
        os.close(to_printed)
        return collect(_Forked(pid), results, printed, marker, len(calls), seconds + _GRACE)


def _work(calling: Callable[[], object], *files: int) -> None:
    """Be the process in which the calls are made."""
    try:
        _let_go(*files)
        calling()
    finally:
        _exit(1)


@contextmanager
def _alarms_wait() -> Iterator[None]:
    """Hold back the alarms that somebody has set in this process, until the check is over."""
    if threading.current_thread() is not threading.main_thread():  # no handler runs here
        yield
        return
    rang: list[int] = []
    alarms = (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF)
    handlers = {alarm: signal.getsignal(alarm) for alarm in alarms}
    held = {alarm: handler for alarm, handler in handlers.items() if callable(handler)}
    for alarm in held:
        signal.signal(alarm, lambda number, _: rang.append(number))
    try:
        yield
    finally:
        for alarm, handler in held.items():
            signal.signal(alarm, handler)
        for number in dict.fromkeys(rang):
            signal.raise_signal(number)


class _Forked:
    """The forked keeper of the code, who ends whatever that has started."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None

    def poll(self) -> int | None:
        return self._reap(os.WNOHANG)

    def wait(self) -> int:
        end = monotonic() + _PATIENCE
        while self.poll() is None and monotonic() < end:
            sleep(0.0002)
        if self.code is None:  # somebody has stopped it
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        code = self._reap(0)
        assert code is not None
        return code

    def kill(self) -> None:
        if self.code is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGTERM)

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


def _fork_with_pipes() -> list[int]:
    """Return what `os.fork` does, and two pipes. Raises `OSError`, and leaves no pipe open then."""
    files: list[int] = []
    try:
        for _ in range(2):
            files += os.pipe()
        return [_fork(), *files]
    except OSError:
        for file in files:
            os.close(file)
        raise


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
    close_all(0, 1, 2, *keep)
