"""Programs that are started, listened to, and ended with everything that they have started."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TextIO
from uuid import uuid4

from ..text import visible

__all__ = ["Ended", "LastWords", "Program", "Speaker", "end_all", "new_mark", "python_command"]

_MARK = "MINI_RPC_STARTED_FROM"
_PATIENCE = 2.0  # seconds that a program has to end by itself
_MOMENT = 0.5  # for what comes together with its end
_KEPT = 4_000  # bytes of stderr
_FLOOD = 4_000_000  # bytes of stderr after which a program is read more slowly
_LONGEST = 1_000_000  # bytes of a line of stdout
_UNREAD = 64  # lines of stdout that wait to be looked at


class Ended(EOFError):
    """Raised where a program that should go on has ended; its text says what it said last."""


class LastWords:
    """A pipe for the stderr of a program. Only what was written last is kept."""

    def __init__(self) -> None:
        self._source, sink = os.pipe()
        self.file: TextIO = os.fdopen(sink, "w", encoding="utf-8")
        self._kept = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        total = 0
        while chunk := os.read(self._source, 65_536):
            self._kept = (self._kept + chunk)[-_KEPT:]
            total += len(chunk)
            if total > _FLOOD:
                time.sleep(0.001)
        os.close(self._source)

    def close(self) -> None:
        """Let the pipe end with the program."""
        self.file.close()

    def text(self) -> str:
        """Return what was said last, with all that is invisible spelled out."""
        self._thread.join(_MOMENT)  # a program that has ended may still be heard
        return visible(self._kept.decode("utf-8", "replace")).strip()[-2_000:]

    def last_line(self) -> str:
        """Return the last line of it: of a traceback, the error."""
        return self.text().rpartition("\n")[2][:200] or "without a word on stderr"


class Program:
    """A program with pipes for stdin and stdout, and its last words."""

    def __init__(self, command: Sequence[str]) -> None:
        self._mark = new_mark()
        self.words = LastWords()
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.words.file,
                env={**os.environ, **self._mark},
                start_new_session=True,
            )
        finally:
            self.words.close()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout

    def end(self, patience: float | None = None) -> None:
        """Wait a little for the program to end, then see to it, and to all that it has started."""
        try:
            self.process.wait(_PATIENCE if patience is None else patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        end_all(self._mark)
        # Somebody may still be reading: closing waits for that, and nobody waits for closing.
        threading.Thread(target=self.stdout.close, daemon=True).start()


class Speaker(Program):
    """A program that is written to and heard in threads, so that nobody waits for it for ever."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self._out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._in: queue.Queue[bytes] = queue.Queue(_UNREAD)
        self._over = False
        for work in (self._write, self._read):
            threading.Thread(target=work, daemon=True).start()

    def send(self, data: bytes) -> None:
        """Let these bytes be written, in one write."""
        self._out.put(data)

    def receive(self, seconds: float) -> bytes | None:
        """Return the next line, or as much of it as is bearable; None when the time is over.

        Raises `Ended` when no line is left and the program writes no more.
        """
        if seconds <= 0:  # also where there is always one line more
            return None
        try:
            line = self._in.get(timeout=seconds)
        except queue.Empty:
            return None
        if not line:
            self._over = True
            self._in.put(line)  # whoever asks again learns it again
            raise Ended(f"{self._how_it_ended()}: {self.words.last_line()}")
        return line

    def give_up(self) -> str:
        """Kill the program, and return the start of a line that it has not brought to an end."""
        self.process.kill()
        line = b""
        with suppress(Ended):
            line = self.receive(_MOMENT) or b""
        return "" if line.endswith(b"\n") else line.decode("utf-8", "backslashreplace")

    def end(self, patience: float | None = None) -> None:
        """End the program, once it has had a moment to see that nothing more comes."""
        self._over = True
        self._out.put(None)
        super().end(patience)

    def _how_it_ended(self) -> str:
        try:
            status = self.process.wait(_MOMENT)
        except subprocess.TimeoutExpired:
            return "it closed its stdout"
        how = "it ended with exit status" if status >= 0 else "it was ended by signal"
        return f"{how} {abs(status)}"

    def _write(self) -> None:
        with suppress(OSError, ValueError):  # it reads no more
            while (data := self._out.get()) is not None:
                self.stdin.write(data)
                self.stdin.flush()
        with suppress(OSError, ValueError):
            self.stdin.close()

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # it was ended
            while line := self.stdout.readline(_LONGEST):
                self._hand_on(line)
        self._hand_on(b"")

    def _hand_on(self, line: bytes) -> None:
        while not self._over:
            with suppress(queue.Full):
                self._in.put(line, timeout=0.1)
                return


def python_command(server: str | Path) -> list[str]:
    """Return the command that starts a server's file, or the source of a server."""
    return [sys.executable, *([str(server)] if isinstance(server, Path) else ["-c", str(server)])]


def new_mark() -> dict[str, str]:
    """Return a variable for the environment of a program, by which what it starts is known."""
    return {_MARK: uuid4().hex}


def end_all(mark: Mapping[str, str]) -> None:
    """End all processes that carry the mark, whatever session they are in (on Linux)."""
    if not sys.platform.startswith("linux"):
        return
    sought = f"{_MARK}={mark[_MARK]}".encode()
    for _ in range(5):  # while one is looked for, another may be born
        found = [*_marked(sought)]
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _marked(sought: bytes) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if sought in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
