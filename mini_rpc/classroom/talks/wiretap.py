"""Starts a program and notes every line that goes in and out of it:

    python -m mini_rpc.classroom.talks.wiretap LOG PROGRAM.py

The program runs as it would alone. It ends when whoever started it has gone, even if it never
looks at its input.
"""

import os
import runpy
import sys
import threading
import time
from collections.abc import Callable
from typing import IO

__all__ = ["main"]

_TICK = 0.5
_PATIENCE = 2.0
_PIECE = 65_536  # bytes that are passed on at a time
_LONGEST = 1_000_000  # bytes of a line that are noted
_MOST = 4_000_000  # bytes of the whole log


def main(log: str, program: str) -> None:
    """Be the program, with a log of its lines."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with open(log, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        note = _notes(file)
        _tap(0, lambda line: note(">", line))
        writing = _tap(1, lambda line: note("<", line))
        sys.argv = [program]
        sys.path[0] = os.path.dirname(os.path.abspath(program))
        try:
            runpy.run_path(program, run_name="__main__")
        finally:
            sys.stdout.flush()
            _put(os.open(os.devnull, os.O_WRONLY), 1)
            writing.join(_PATIENCE)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_TICK)
    os._exit(1)


def _notes(file: IO[str]) -> Callable[[str, bytes], None]:
    one_at_a_time = threading.Lock()

    def note(sign: str, line: bytes) -> None:
        text = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
        with one_at_a_time:
            if file.tell() < _MOST:
                file.write(f"{sign} {text}\n")
                file.flush()

    return note


def _tap(place: int, note: Callable[[bytes], None]) -> threading.Thread:
    """Put a pipe into the place of stdin (0) or stdout (1), and pass on what goes through it."""
    outside, ends = os.dup(place), os.pipe()
    _put(ends[place], place)
    source, sink = (outside, ends[1]) if place == 0 else (ends[0], outside)
    return _pass_on(os.fdopen(source, "rb"), os.fdopen(sink, "wb"), note)


def _put(descriptor: int, place: int) -> None:
    os.dup2(descriptor, place)
    os.close(descriptor)


def _pass_on(source: IO[bytes], sink: IO[bytes], note: Callable[[bytes], None]) -> threading.Thread:
    def work() -> None:
        try:
            with sink:
                line = b""
                while piece := source.readline(_PIECE):
                    line = (line + piece)[:_LONGEST]
                    if piece.endswith(b"\n"):
                        note(line)
                        line = b""
                    sink.write(piece)
                    sink.flush()
                if line:
                    note(line)
        except OSError:  # nobody reads any more
            pass

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


if __name__ == "__main__":
    main(*sys.argv[1:])
