"""The strategy where there are no processes, as in the browser: a clock inside the interpreter.

It sees every jump and call of Python code, so it ends a loop; it cannot end one long call into C.
"""

import builtins
import io
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from time import monotonic
from types import CodeType, FrameType, TracebackType
from typing import Any, NoReturn

from .report import Report, Room, Run, attempt, be_quiet, is_learners, make_run, no_input

__all__ = ["run_calls"]

_LONGEST_PRINT = 10_000
_NAME = "mini_rpc clock"
_sleep = time.sleep


class _OutOfTime(BaseException):
    """Raised again at every step, so that no bare `except` keeps the code alive."""


def run_calls(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], seconds: float
) -> list[Run]:
    """Make the calls under a clock; return one `Run` for each."""
    if sys.version_info < (3, 12):
        report = Report("not run", error="this Python cannot stop a loop: it needs 3.12 or later")
        return [make_run(report, "")] * len(calls)
    clock, room = _Clock(monotonic() + seconds), Room()
    runs: list[Run] = []
    folder, variables = os.getcwd(), dict(os.environ)
    for args in calls:
        if clock.rang or clock.left:
            runs.append(make_run(Report("not run"), ""))
            continue
        printed = _Printed()
        with _tamed(clock), redirect_stdout(printed), redirect_stderr(printed):
            report = attempt(function, _copied(args), clock, room)
        if clock.rang:
            report = Report("out of time", place=clock.place)
        if clock.left:
            report = Report("died", error="it ended the process")
        runs.append(make_run(report, printed.getvalue()))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    return runs


@contextmanager
def _tamed(clock: Any) -> Iterator[None]:
    """Let nothing wait for the keyboard, end the process, or sleep on when time is up."""
    before: Any = builtins.input, time.sleep, os._exit
    builtins.input, time.sleep, os._exit = no_input, clock.sleep, clock.leave
    try:
        with warnings.catch_warnings():
            be_quiet()
            yield
    finally:
        builtins.input, time.sleep, os._exit = before


def _copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies, so that what the code does to its arguments is lost here too."""
    try:
        return deepcopy(args)
    except Exception:  # not everything can be copied
        return args


class _Printed(io.StringIO):
    def write(self, text: str) -> int:
        room = max(0, _LONGEST_PRINT - self.tell())
        super().write(text[:room])
        return len(text)


class _Clock:
    """Inside `with`, looks at the time at every step of the learner's code."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.rang = self.left = False
        self.guarded: FrameType | None = None
        self.place: tuple[str, int] | None = None

    def leave(self, status: int) -> NoReturn:
        """Take the place of `os._exit`: here it would be the end of the kernel."""
        self.left = True
        sys.exit(status)

    if sys.version_info >= (3, 12):

        def __enter__(self) -> None:
            self.guarded = sys._getframe(1)
            monitoring = sys.monitoring
            self.tool = next(tool for tool in range(6) if monitoring.get_tool(tool) is None)
            monitoring.use_tool_id(self.tool, _NAME)
            events = monitoring.events
            wanted = (events.JUMP, events.PY_START, events.PY_RESUME)
            for event in wanted:
                monitoring.register_callback(self.tool, event, self._look)
            monitoring.set_events(self.tool, sum(wanted))

        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> None:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.free_tool_id(self.tool)
            self.guarded = None
            self.rang = self.rang or monotonic() >= self.end  # one long call into C, at the end

        def _look(self, code: CodeType, *_: Any) -> Any:
            if not is_learners(code.co_filename):  # it ends by itself, and so must the way out
                return sys.monitoring.DISABLE
            if monotonic() < self.end or not self._is_within(sys._getframe(1)):
                return None
            return self._ring()

        def sleep(self, seconds: float) -> None:
            """Take the place of `time.sleep`, and wake the guarded call when its time is over."""
            inside = self._is_within(sys._getframe())
            _sleep(min(seconds, max(0.0, self.end - monotonic())) if inside else seconds)
            if inside and monotonic() >= self.end:
                self._ring()

        def _ring(self) -> NoReturn:
            if not self.rang:
                self.rang = True
                self.place = self._learners_place()
            raise _OutOfTime

        def _is_within(self, frame: FrameType | None) -> bool:
            """Tell whether the guarded call runs this: another thread or the browser's event loop,
            which goes on while the call sleeps, must not be stopped in its place."""
            while frame and frame is not self.guarded:
                frame = frame.f_back
            return frame is not None

        @staticmethod
        def _learners_place() -> tuple[str, int] | None:
            frame = sys._getframe(2)
            while frame and not is_learners(frame.f_code.co_filename):
                frame = frame.f_back  # type: ignore[assignment]
            return (frame.f_code.co_filename, frame.f_lineno) if frame else None
