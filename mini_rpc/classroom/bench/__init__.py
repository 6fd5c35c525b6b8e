"""The wire bench: edit a raw message, and watch a dispatcher judge it."""

from __future__ import annotations

__all__: list[str] = []
