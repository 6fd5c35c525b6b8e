"""JSON that is nested too deep: an error in a browser tab too, and not the end of the kernel.

Elsewhere Python's C code for JSON notices in time and raises `RecursionError`. A page has a smaller
stack, which that code overruns: about ten thousand brackets are enough. Python's own version of the
same code, slower and equal in everything else, counts its steps and raises the error.
"""

import json
from typing import Any

from .. import wire

__all__ = ["survive"]


def survive() -> None:
    """From now on, read and write JSON with Python's own code, here and in the core."""
    parts: Any = json
    if parts.encoder.c_make_encoder is None:
        return
    parts.encoder.c_make_encoder = None
    make = parts.scanner.make_scanner = parts.scanner.py_make_scanner
    made_before: list[Any] = [parts._default_decoder, wire._decoder]
    for decoder in made_before:
        decoder.scan_once = make(decoder)
    wire._scan, wire._write = wire._decoder.scan_once, None  # type: ignore[attr-defined]
