"""One message a line: `serve(methods)` makes a program of a dict of functions.

On stdio a message is one line of UTF-8; stdout carries messages only, and logs go to stderr (MCP).
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import stat
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import IO, Any

from .aside import write_aside
from .connection import Connection
from .dispatcher import Methods
from .threads import in_thread
from .transport import LONGEST, Skipped, Transport
from .wire import NotJSON, decode

__all__ = ["LONGEST_LINE", "Lines", "own_stdio", "serve"]

LONGEST_LINE = LONGEST
"""How many bytes a line may have. Longer ones are skipped, so that memory stays bounded."""

_PIECE = 16_384
_EDGE = 1_000  # bytes of a skipped line that are looked at, at each end
_log = logging.getLogger("mini_rpc")


class Lines:
    """A transport of two binary files: it reads lines from one and writes lines to the other.

    The files may block: each wait is in a thread, which works for pipes and files on all systems.
    `written` counts the bytes that the other side, or the pipe to it, has taken. `is_cut` tells
    whether the last line ended in the middle of a message.
    """

    def __init__(self, source: IO[bytes], sink: IO[bytes], longest: int = LONGEST_LINE) -> None:
        self._source = source
        self._sink = sink
        self._longest = longest
        self.written = 0
        self.is_cut = False

    async def receive(self) -> bytes | None:
        """Return the next line that is not blank, None at the end.

        Raises `Skipped` for a line that is too long, having read past it.
        """
        return await in_thread(self._read)

    async def send(self, text: str) -> None:
        """Write one line. Raises `OSError` if nobody reads any more."""
        await in_thread(self._write, text.encode() + b"\n")

    @property
    def is_over(self) -> bool:
        """Tell whether nobody can send any more, though there may be something left to read."""
        try:
            number = self._source.fileno()
        except OSError:  # a file in memory
            return True
        if not hasattr(select, "poll") or stat.S_ISREG(os.fstat(number).st_mode):
            return True
        poll = select.poll()
        poll.register(number, 0)
        return bool(poll.poll(0))  # hung up

    def close(self) -> None:
        """Close the sink, without waiting for what is still being written."""
        threading.Thread(target=_close, args=(self._sink,), daemon=True).start()

    def _read(self) -> bytes | None:
        while line := self._source.readline(self._longest + 1):
            if len(line) > self._longest and not line.endswith(b"\n"):
                raise Skipped(self._longest, line[:_EDGE], self._skip(line[-_EDGE:]))
            if line.strip(b" \t\r\n"):  # what JSON takes for blank
                self._look_at_end(line)
                return line
        return None

    def _look_at_end(self, line: bytes) -> None:
        if not line.endswith(b"\n"):
            try:
                decode(line)
            except NotJSON:
                self._was_cut("a message")

    def _was_cut(self, what: str) -> None:
        self.is_cut = True
        _log.warning("the input ended in the middle of %s", what)

    def _skip(self, line: bytes) -> bytes:
        """Read to the end of a line; return its last bytes."""
        while not line.endswith(b"\n") and (rest := self._source.readline(self._longest)):
            line = (line + rest)[-_EDGE:]
        if not line.endswith(b"\n"):
            self._was_cut("a line that is too long")
        return line

    def _write(self, line: bytes) -> None:
        for start in range(0, len(line), _PIECE):
            piece = line[start : start + _PIECE]
            self._sink.write(piece)
            self._sink.flush()
            self.written += len(piece)


def serve(methods: Methods, transport: Transport | None = None, **options: Any) -> None:
    """Answer on stdin and stdout until the input ends: the last call of a program.

    The options are those of a `Connection`.

    Exits with code 1, and says why on stderr, if a request got no reply, if the input ended in the
    middle of a message, if nobody reads the answers, and if a task that a method has started asks
    for the end; with 130 after Ctrl-C. Raises
    `RuntimeError`, before it has touched anything, where this is no program of its own: in a
    notebook, and in a file that another program reads.
    """
    _refuse_elsewhere(sys._getframe(1))
    transport = transport or own_stdio()
    logging.basicConfig(format="%(name)s: %(message)s")  # to stderr, unless it is set up already
    connection = Connection(transport, methods, **options)
    try:
        # `asyncio.run` would wait for a method that refuses to be canceled.
        asyncio.new_event_loop().run_until_complete(connection.run())
    except OSError:
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except SystemExit as error:
        _log.error("a task that a method has started ends the program: %r", error)
        sys.exit(1)
    if connection.unanswered or getattr(transport, "is_cut", False):
        sys.exit(1)


def _refuse_elsewhere(caller: FrameType) -> None:
    if asyncio._get_running_loop() is not None:
        raise RuntimeError(
            "serve() is the last call of a program: write it to a file, and start that"
        )
    if caller.f_code.co_name == "<module>" and caller.f_globals.get("__name__") != "__main__":
        raise RuntimeError(
            "this file is read by another program, and serve() would take its stdin and stdout: "
            'put serve() below if __name__ == "__main__":'
        )


def own_stdio() -> Lines:
    """Take stdin and stdout for messages only, from now on.

    Whatever else writes to stdout writes to stderr instead: `print`, loggers, C code, programs
    that a method starts. Whatever else reads stdin finds it empty. `print` and loggers never wait
    for somebody who reads stderr.

    Exits with one sentence if stdin or stdout is closed.
    """
    for name, file in (("stdin", sys.__stdin__), ("stdout", sys.__stdout__)):
        if file is None:
            sys.exit(f"mini_rpc: {name} is closed, and messages go over stdin and stdout")
    aside = 2
    if sys.__stderr__ is None:  # else the next file takes its number, and what is meant for stderr
        aside = os.open(os.devnull, os.O_WRONLY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    source, sink = os.dup(0), os.dup(1)
    os.dup2(nothing, 0)
    os.dup2(aside, 1)
    os.close(nothing)
    write_aside(aside)
    return Lines(open(source, "rb"), open(sink, "wb"))


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # nobody may be there to read the rest
        file.close()
