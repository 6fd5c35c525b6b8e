"""The messages that checks send, read from `hostile_messages.md`: the same ones at every run."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["GROUPS", "HOSTILE", "LEFT_OPEN", "Raw", "read_message", "read_messages"]

Raw = str | bytes

_REPEAT = re.compile("⟨([0-9]+) × ([^⟩]+)⟩")
_NUMBERED = re.compile("⟨U\\+([0-9A-F]{4,6})⟩")
_BYTE = re.compile("⟨([0-9A-F]{2})⟩")
_ENCODED = re.compile("⟨(bytes|utf-[0-9a-z-]+)⟩")


def read_message(line: str) -> Raw:
    """Return the message that a line of the file stands for; the file says how it is written."""
    encoded = _ENCODED.match(line)
    text = _ENCODED.sub("", line, count=1) if encoded else line
    is_bytes = encoded or _BYTE.search(text)
    text = _BYTE.sub(lambda found: chr(0xDC00 + int(found[1], 16)), text.replace("⟨⟩", ""))
    text = _REPEAT.sub(lambda found: int(found[1]) * found[2], text)
    text = _NUMBERED.sub(lambda found: chr(int(found[1], 16)), text)
    if not is_bytes:
        return text
    name = encoded[1] if encoded else "bytes"
    return text.encode("utf-8" if name == "bytes" else name, "surrogateescape")


def read_messages(text: str) -> dict[str, tuple[Raw, ...]]:
    """Return the messages by group: each line of a fence under a heading is one."""
    groups: dict[str, tuple[Raw, ...]] = {}
    for part in text.split("\n## ")[1:]:
        name, _, rest = part.partition("\n")
        lines = rest.partition("```text\n")[2].partition("\n```")[0]
        groups[name] = tuple(map(read_message, lines.split("\n")))
    return groups


GROUPS = read_messages((Path(__file__).parent / "hostile_messages.md").read_text("utf-8"))
"""The hostile messages by what is special about them."""

LEFT_OPEN = GROUPS.pop("left open")
"""Messages that the six steps leave open: a dispatcher may decide either way, and none is wrong."""

HOSTILE = tuple(dict.fromkeys(raw for messages in GROUPS.values() for raw in messages))
"""All of them, each once, without those that are left open."""
