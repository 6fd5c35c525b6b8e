"""The wire bench: edit a raw message, and watch a dispatcher judge it."""

from .answers import Answer
from .widget import Bench, bench

__all__ = ["Answer", "Bench", "bench"]
