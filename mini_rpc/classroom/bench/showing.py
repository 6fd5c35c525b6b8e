"""Text that can be shown: nothing invisible, nothing endless, and never without saying so."""

from __future__ import annotations

__all__ = ["LONGEST", "clip", "count", "visible"]

LONGEST = 2_000
"""How many characters of one text the bench shows."""


def visible(text: str) -> str:
    """Return the text with each invisible character spelled out, as ⟨U+00A0⟩.

    Line breaks, tabs and plain spaces stay. What comes out can always be encoded as UTF-8.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else f"⟨U+{ord(c):04X}⟩" for c in text)


def clip(text: str, limit: int = LONGEST) -> tuple[str, str]:
    """Return the start of the text, and a sentence about what is left out, or ""."""
    if len(text) <= limit:
        return text, ""
    return text[:limit], f"The first {limit:,} of {len(text):,} characters are shown."


def count(text: str) -> str:
    """Say in words how long a text is."""
    return "1 character" if len(text) == 1 else f"{len(text):,} characters"
