"""One message a line: `serve(methods)` makes a program of a dict of functions.

On stdio a message is one line of UTF-8; stdout carries messages only, and logs go to stderr (MCP).
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from contextlib import suppress
from typing import IO

from .codes import INVALID_REQUEST
from .connection import Connection, in_thread
from .dispatcher import Methods, RpcError
from .transport import Transport

__all__ = ["LONGEST_LINE", "Lines", "own_stdio", "serve"]

LONGEST_LINE = 1_000_000
"""How many bytes a line may have. Longer ones are skipped, so that memory stays bounded."""


class Lines:
    """A transport of two binary files: it reads lines from one and writes lines to the other.

    The files may block: each wait is in a thread, which works for pipes and files on all systems.
    """

    def __init__(self, source: IO[bytes], sink: IO[bytes], longest: int = LONGEST_LINE) -> None:
        self._source = source
        self._sink = sink
        self._longest = longest

    async def receive(self) -> bytes | None:
        """Return the next line that is not blank, None at the end.

        Raises `RpcError` -32600 for a line that is too long, having read past it.
        """
        return await in_thread(self._read)

    async def send(self, text: str) -> None:
        """Write one line. Raises `OSError` if nobody reads any more."""
        await in_thread(self._write, text.encode() + b"\n")

    def close(self) -> None:
        """Close the sink, without waiting for what is still being written."""
        threading.Thread(target=_close, args=(self._sink,), daemon=True).start()

    def _read(self) -> bytes | None:
        while line := self._source.readline(self._longest + 1):
            if len(line) > self._longest and not line.endswith(b"\n"):
                self._skip()
                raise RpcError(
                    INVALID_REQUEST.number,
                    f"{INVALID_REQUEST.name}: a line has more than {self._longest} bytes",
                )
            if line.strip(b" \t\r\n"):  # what JSON takes for blank
                return line
        return None

    def _skip(self) -> None:
        while (rest := self._source.readline(self._longest)) and not rest.endswith(b"\n"):
            pass

    def _write(self, line: bytes) -> None:
        self._sink.write(line)
        self._sink.flush()


def serve(methods: Methods, transport: Transport | None = None) -> None:
    """Answer on stdin and stdout until the input ends: the last call of a program.

    Exits with code 1 if nobody reads the answers any more, and with 130 after Ctrl-C.
    """
    transport = transport or own_stdio()
    logging.basicConfig(format="%(name)s: %(message)s")  # to stderr, unless it is set up already
    try:
        # `asyncio.run` would wait for a method that refuses to be canceled.
        asyncio.new_event_loop().run_until_complete(Connection(transport, methods).run())
    except OSError:
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def own_stdio() -> Lines:
    """Take stdin and stdout for messages only, from now on.

    Whatever else writes to stdout writes to stderr instead: `print`, loggers, C code, programs
    that a method starts. Whatever else reads stdin finds it empty.
    """
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdout = sys.stderr  # as well: it shows lines at once
    return Lines(open(source, "rb"), open(sink, "wb"))


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # nobody may be there to read the rest
        file.close()
