"""A stderr that never blocks: what nobody reads is dropped, and nobody waits for it."""

from __future__ import annotations

import atexit
import io
import logging
import os
import sys
import threading
from contextlib import suppress
from typing import BinaryIO

__all__ = ["Aside", "write_aside"]

_MOST = 1_000_000  # characters that wait to be read


class Aside(io.TextIOBase):
    """A text file whose `write` returns at once: a thread does the writing."""

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: list[str] = []
        self._size = 0
        self._dropped = 0
        self._changed = threading.Condition()
        self._written = 0
        self._has_thread = True
        threading.Thread(target=self._run, daemon=True).start()
        atexit.register(self.wait)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._lose_thread)

    def write(self, text: str) -> int:
        """Take a text; drop it where too much waits already."""
        if not self._has_thread:
            self._write(text.encode(self.encoding, self.errors))
            return len(text)
        with self._changed:
            if self._size > _MOST:
                self._dropped += 1
            else:
                self._waiting.append(text)
                self._size += len(text)
            self._changed.notify_all()
        return len(text)

    def fileno(self) -> int:
        """Return the descriptor, for programs that a method starts."""
        return self._descriptor

    @property
    def buffer(self) -> BinaryIO:
        """Return the file of bytes behind it, which may block."""
        return open(self._descriptor, "wb", buffering=0, closefd=False)

    def writable(self) -> bool:
        """Return True."""
        return True

    def wait(self, seconds: float = 1.0) -> None:
        """Wait until everything is written, and as long at most since the last piece was."""
        with self._changed:
            written = -1
            while self._size and self._has_thread and written != self._written:
                written = self._written
                self._changed.wait(seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                text = "".join(self._waiting)
                if self._dropped:
                    text += f"({self._dropped} more that nobody read were dropped)\n"
                self._waiting, self._dropped = [], 0
            self._write(text.encode(self.encoding, self.errors))
            with self._changed:
                self._size = sum(map(len, self._waiting))
                self._changed.notify_all()

    def _write(self, data: bytes) -> None:
        with suppress(OSError):  # nobody is there to read it
            while data:
                written = os.write(self._descriptor, data[:4096])
                data, self._written = data[written:], self._written + written

    def _lose_thread(self) -> None:
        """Write directly from now on: this is a process that was forked, without the thread."""
        self._has_thread = False


def write_aside(descriptor: int) -> None:
    """Let `print`, loggers and tracebacks write to a stderr that never blocks."""
    bound = {sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__}
    sys.stdout = sys.stderr = aside = Aside(descriptor)
    for name in (None, *logging.root.manager.loggerDict):
        for handler in logging.getLogger(name).handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream in bound:
                handler.setStream(aside)
