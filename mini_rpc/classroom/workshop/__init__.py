"""What authors and instructors run: one command line for all of it."""

from __future__ import annotations

__all__: list[str] = []
