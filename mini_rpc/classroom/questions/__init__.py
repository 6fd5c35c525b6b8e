"""Questions before the run: their records, and the widget that asks them."""

from __future__ import annotations

__all__: list[str] = []
