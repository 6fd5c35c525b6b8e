"""A class together: votes, counted hands, message cards, where the group stands."""

from __future__ import annotations

__all__: list[str] = []
