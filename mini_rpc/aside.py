"""A stderr that never blocks: what nobody reads is dropped, and nobody waits for it."""

from __future__ import annotations

import atexit
import io
import logging
import os
import sys
import threading
from contextlib import suppress
from typing import Any

__all__ = ["Aside", "write_aside"]

_MOST = 1_000_000
"""How many bytes may wait to be read."""


class Aside(io.RawIOBase):
    """A file whose `write` returns at once: a thread does the writing."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: list[bytes] = []
        self._size = self._written = self._dropped = 0
        self._changed = threading.Condition()
        self._has_thread = True
        threading.Thread(target=self._run, daemon=True).start()
        atexit.register(self.wait)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._lose_thread)

    def writable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor, for programs that a method starts."""
        return self._descriptor

    def write(self, data: Any) -> int:
        """Take some bytes; drop them where too much waits already."""
        data = bytes(data)
        if not self._has_thread:
            self._write(data)
            return len(data)
        with self._changed:
            if self._size > _MOST:
                self._dropped += 1
            else:
                self._waiting.append(data)
                self._size += len(data)
            self._changed.notify_all()
        return len(data)

    def wait(self, seconds: float = 1.0) -> None:
        """Wait until all is written, as long as somebody takes a piece of it every `seconds`."""
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
                data = b"".join(self._waiting)
                if self._dropped:
                    data += b"(%d more that nobody read were dropped)\n" % self._dropped
                self._waiting, self._dropped = [], 0
            self._write(data)
            with self._changed:
                self._size = sum(map(len, self._waiting))
                self._changed.notify_all()

    def _write(self, data: bytes) -> None:
        with suppress(OSError):  # nobody is there to read it
            while data:
                written = os.write(self._descriptor, data[:4096])
                data, self._written = data[written:], self._written + written

    def _lose_thread(self) -> None:
        """Write directly from now on: this process was forked, without the thread."""
        self._has_thread = False


def write_aside(descriptor: int) -> None:
    """Let `print`, loggers and tracebacks write to a stderr that never blocks."""
    bound = {sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__}
    aside: Any = Aside(descriptor)
    sys.stdout = sys.stderr = io.TextIOWrapper(
        aside, "utf-8", "backslashreplace", write_through=True
    )
    for name in (None, *logging.root.manager.loggerDict):
        for handler in logging.getLogger(name).handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream in bound:
                handler.setStream(sys.stderr)
