"""The values' old name, until the exercises have moved."""

from __future__ import annotations

from .values import same, show

__all__ = ["same", "show"]
