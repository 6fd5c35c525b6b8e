"""Conversations between programs: started, logged, drawn, replayed."""

from __future__ import annotations

__all__: list[str] = []
