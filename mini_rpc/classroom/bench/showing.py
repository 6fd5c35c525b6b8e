"""Text that can be shown: nothing invisible, nothing endless, and never without saying so."""

from __future__ import annotations

from ..text import visible

__all__ = ["LONGEST", "clip", "count", "visible"]

LONGEST = 2_000
"""How many characters of one text the bench shows."""


def clip(text: str, limit: int = LONGEST) -> tuple[str, str]:
    """Return the start of the text, and a sentence about what is left out, or ""."""
    if len(text) <= limit:
        return text, ""
    return text[:limit], f"The first {limit:,} of {len(text):,} characters are shown."


def count(text: str) -> str:
    """Say in words how long a text is."""
    return "1 character" if len(text) == 1 else f"{len(text):,} characters"
