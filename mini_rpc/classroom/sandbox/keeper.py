"""The process between the kernel and a learner's code: it ends all that the code has started.

On Linux it adopts what its descendants leave behind, also what has a session of its own, so nothing
of a check outlives the check. Elsewhere it ends the code's own process group.
"""

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from os import _exit
from typing import Any, NoReturn

from .child import TIME_IS_UP

__all__ = ["SHOW_WHERE", "close_all", "keep", "process_control"]

SHOW_WHERE = signal.SIGXCPU
"""The signal on which the code's process writes where it is, and ends."""

_SEEN = {signal.SIGCHLD, signal.SIGTERM, signal.SIGALRM}
_ON_PARENTS_DEATH, _ADOPT = 1, 36  # of Linux's prctl


def process_control() -> Callable[..., Any] | None:
    """Return Linux's `prctl`, None elsewhere. Importing ctypes is no work for a forked child."""
    if sys.platform != "linux":
        return None
    import ctypes

    return ctypes.CDLL(None).prctl


def keep(work: Callable[[], object], seconds: float, prctl: Callable[..., Any] | None) -> NoReturn:
    """Do the work in a child, for `seconds` at most; end it and its descendants; leave.

    SIGTERM ends it at once. The exit code is `TIME_IS_UP`, or 0; where a signal has ended the
    child, the same signal ends this process.
    """
    os.setsid()
    if prctl:
        prctl(_ON_PARENTS_DEATH, signal.SIGTERM, 0, 0, 0)
        prctl(_ADOPT, 1, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # an ignored one would never be seen
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # from the code, too
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # both may end by a signal
    child = os.fork()
    if child == 0:
        if prctl:
            prctl(_ON_PARENTS_DEATH, signal.SIGKILL, 0, 0, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask - _SEEN)
        work()
        _exit(0)
    close_all()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    reason, status = _wait_for_the_end(child)
    if reason == signal.SIGALRM:
        with suppress(ProcessLookupError):
            os.kill(child, SHOW_WHERE)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        _wait_for_the_end(child)
    _end_all(child)
    _leave(TIME_IS_UP if reason == signal.SIGALRM else 0, status)


def close_all(*but: int) -> None:
    """Close every file but these: the other ends must read their ends."""
    for file in {*map(int, os.listdir("/dev/fd"))}.difference(but):
        with suppress(OSError):
            os.close(file)


def _wait_for_the_end(child: int) -> tuple[int, int]:
    """Wait until the child has ended, the time is up, or nobody wants it any more.

    Returns the signal that said so, and the child's status, 0 where it lives.
    """
    while (seen := signal.sigwait(_SEEN)) == signal.SIGCHLD:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == child:
                    return seen, ended[1]
    return seen, 0


def _end_all(child: int) -> None:
    """End the child's group, and then whatever is there or comes to be adopted."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):  # there are none left
        while True:
            for pid in {*_children(), child}:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def _leave(code: int, status: int) -> NoReturn:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    _exit(code)
