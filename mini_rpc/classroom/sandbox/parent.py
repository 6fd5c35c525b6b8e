"""The parent's side: reads what the child reports and prints, and ends it when the time is up."""

import io
import os
import pickle
import re
import threading
from collections.abc import Callable
from pickletools import genops
from time import monotonic, sleep
from typing import Any, Protocol

from ...wire import Place
from .child import HEADER, TIME_IS_UP
from .report import Opaque, Report, Run, is_learners, make_run

__all__ = ["Child", "collect"]

_LONGEST_PRINT = 10_000
_MOST = 64_000_000
_TICK = 0.05
_PATIENCE = 3.0  # seconds: a tracer in this process may slow the readers down
_HERE = os.path.dirname(__file__)
_WHERE = (b"Timeout (", b"Stack (")  # how faulthandler begins
_FRAME = re.compile(r'^  File "(.*)", line (\d+) in ', re.MULTILINE)


class Child(Protocol):
    """A process: `subprocess.Popen`, or a forked one."""

    def poll(self) -> int | None: ...
    def kill(self) -> None: ...
    def wait(self) -> int: ...


def collect(
    child: Child, results: int, printed: int, marker: bytes, count: int, seconds: float
) -> list[Run]:
    """Read from both pipes until `count` reports are there, or the child or the time is at an end.

    The child ends itself when its time is up; `seconds` is when to stop trusting that. The pipes
    are closed here, each by the thread that reads from it. What the child has started ends with it
    where it has a `keeper`.
    """
    frames, prints = _Frames(count), _Prints(marker)
    readers = [_reader(results, frames.feed, frames.done), _reader(printed, prints.feed)]
    end = monotonic() + seconds
    late = False
    try:
        while not frames.done.wait(_TICK) and child.poll() is None:
            if monotonic() > end:
                late = True
                break
        if len(frames.reports) < count and not late:
            _let_end(child)
    finally:
        child.kill()
        code = child.wait()
        for reader in readers:
            reader.join(_PATIENCE)
    reports = frames.reports
    if len(reports) < count:
        reports.append(frames.last_words(late, code))
    reports += [Report("not run")] * (count - len(reports))
    return [make_run(report, prints.of(index)) for index, report in enumerate(reports)]


def _let_end(child: Child) -> None:
    """Wait a moment for a child that has closed its pipe, to learn how it ended."""
    for _ in range(4):
        if child.poll() is not None:
            return
        sleep(_TICK)


def _reader(
    source: int, feed: Callable[[bytes], None], done: threading.Event | None = None
) -> threading.Thread:
    def read() -> None:
        try:
            while chunk := os.read(source, 65536):
                feed(chunk)
        finally:
            os.close(source)  # here alone: a number that is closed elsewhere may be somebody's
        if done:
            done.set()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


class _Frames:
    """The reports that have come so far. What is no report stays in `data`."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.data = bytearray()
        self.reports: list[Report] = []
        self.done = threading.Event()

    def feed(self, chunk: bytes) -> None:
        if len(self.data) > _MOST:
            return
        self.data += chunk
        while len(self.data) >= HEADER and len(self.reports) < self.count:
            end = HEADER + int.from_bytes(self.data[:HEADER], "big")
            if len(self.data) < end:
                break
            report = _read_report(bytes(self.data[HEADER:end]))
            if report is None:
                self.done.set()
                return
            self.reports.append(report)
            del self.data[:end]
        if len(self.reports) == self.count:
            self.done.set()

    def last_words(self, late: bool, code: int) -> Report:
        """Return the report on the call that did not come back."""
        tells_where = self.data.startswith(_WHERE)
        if tells_where or late or code == TIME_IS_UP:
            place = _where(self.data.decode("utf-8", "replace")) if tells_where else None
            return Report("out of time", place=place)
        how = f"killed by signal {-code}" if code < 0 else "it ended the process"
        return Report("died", error=how)


def _where(dump: str) -> tuple[str, int] | None:
    """Return the innermost line of the learner's in the main thread, which is listed last."""
    for filename, line in _FRAME.findall(dump.rstrip().split("\n\n")[-1]):
        if os.path.dirname(filename) == _HERE:  # from here on outwards it is our own call
            return None
        if is_learners(filename):
            return filename, int(line)
    return None


_CARRIED = {(kind.__module__, kind.__qualname__): kind for kind in (Report, Opaque, Place)}


_FAR = ("PUT", "LONG_BINPUT")  # the child writes neither; either makes a table of any size


class _Unpickler(pickle.Unpickler):
    """Makes plain data and these few kinds; whoever writes to the pipe gets no more."""

    def find_class(self, module: str, name: str) -> Any:
        if kind := _CARRIED.get((module, name)):
            return kind
        raise pickle.UnpicklingError(name)


def _read_report(data: bytes) -> Report | None:
    try:
        if any(operation.name in _FAR for operation, _, _ in genops(data)):
            return None
        report = _Unpickler(io.BytesIO(data)).load()
    except Exception:  # garbage
        return None
    return report if type(report) is Report and report.is_sound() else None


class _Prints:
    """What was printed, split at the marker, each part cut where it is long."""

    def __init__(self, marker: bytes) -> None:
        self.marker = marker
        self.parts = [bytearray()]

    def feed(self, chunk: bytes) -> None:
        last, *more = (self.parts[-1] + chunk).split(self.marker)
        self.parts[-1:] = [last, *more]
        for part in self.parts[-1 - len(more) :]:
            del part[_LONGEST_PRINT : -len(self.marker)]

    def of(self, index: int) -> str:
        if index >= len(self.parts):
            return ""
        text = self.parts[index].decode("utf-8", "replace")
        return text if len(text) <= _LONGEST_PRINT else f"{text[:_LONGEST_PRINT]}\n… (cut)"
