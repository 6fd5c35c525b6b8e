"""Checking an answer: run it, judge it, name the mistake, help."""

from __future__ import annotations

__all__: list[str] = []
