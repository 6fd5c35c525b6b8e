"""A talk between a client and a server, as it went over the wire: one message a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple, overload

from ...messages import is_response
from ...transport import Transport
from ...wire import NotJSON, decode
from ..text import clip, shorten, visible

__all__ = ["Line", "Logged", "Sign", "Talk"]

Sign = Literal[">", "<"]
"""">" stands for what the client sends, "<" for what the server sends."""

_LONGEST = 68
_NAME = 25
_MOST = 500  # lines that are shown


class Line(NamedTuple):
    """One message, and who sent it. It shows itself with line breaks."""

    sign: Sign
    text: str

    @property
    def message(self) -> Any:
        """Return the message, parsed. Raises `NotJSON`."""
        return decode(self.text)

    def __repr__(self) -> str:
        try:
            text = json.dumps(self.message, indent=2, ensure_ascii=False)
        except (NotJSON, RecursionError):
            text = self.text
        return f"{self.sign} {visible(text)}"


class Logged:
    """A transport around another one: it notes what the client (">") and the server ("<") send."""

    def __init__(self, transport: Transport, log: list[Any]) -> None:
        self._transport = transport
        self._log = log

    async def receive(self) -> str | bytes | None:
        """Return the next message, and note it."""
        raw = await self._transport.receive()
        if raw is not None:
            text = raw if isinstance(raw, str) else raw.decode("utf-8", "backslashreplace")
            self._log.append(Line("<", text.rstrip("\r\n")))
        return raw

    async def send(self, text: str) -> None:
        """Note one message, and send it."""
        self._log.append(Line(">", text))
        await self._transport.send(text)

    def close(self) -> None:
        """Close the other one."""
        self._transport.close()


class Talk(Sequence[Line]):
    """The lines of a talk, in order. It shows each in one row; a single line shows itself whole."""

    def __init__(self, lines: Iterable[tuple[Sign, str]]) -> None:
        self._lines = [Line(*line) for line in lines]

    @classmethod
    def load(cls, path: str | Path) -> Talk:
        """Read a file of lines that begin with "> " or "< ". A line ends at a newline only."""
        lines = Path(path).read_bytes().decode("utf-8", "backslashreplace").split("\n")
        return cls((line[0], line[2:]) for line in lines if line[:2] in ("> ", "< "))  # type: ignore[misc]

    def save(self, path: str | Path) -> None:
        """Write such a file."""
        # Between tokens JSON may break a line; inside a string it may not.
        text = "".join(f"{sign} {text}".replace("\n", " ") + "\n" for sign, text in self)
        Path(path).write_bytes(text.encode("utf-8", "backslashreplace"))

    @property
    def messages(self) -> dict[str, str]:
        """Return what the client sent, by number and method, for the bench."""
        return {
            f"{number}. {_what(line)}": line.text
            for number, line in enumerate(self, start=1)
            if line.sign == ">"
        }

    @overload
    def __getitem__(self, place: int) -> Line: ...
    @overload
    def __getitem__(self, place: slice) -> Talk: ...
    def __getitem__(self, place: int | slice) -> Line | Talk:
        return Talk(self._lines[place]) if isinstance(place, slice) else self._lines[place]

    def __len__(self) -> int:
        return len(self._lines)

    def __repr__(self) -> str:
        rows = (
            f"{number:>2} {line.sign} {_what(line):<21} {_row(line.text)}"
            for number, line in enumerate(self._lines[:_MOST], start=1)
        )
        return "\n".join(filter(None, [*rows, self._left_out]))

    @property
    def _left_out(self) -> str:
        is_all = len(self) <= _MOST
        return "" if is_all else f"The first {_MOST} of {len(self):,} lines are shown."

    def _repr_html_(self) -> str:
        left = 'align="left" style="text-align:left;vertical-align:top"'
        wrap = (
            "margin:0;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere;background:none"
        )
        rows = "".join(
            f"<tr><td {left}>{number}</td><td {left}>{'client' if line.sign == '>' else 'server'}"
            f"</td><td {left}>{escape(_what(line))}</td><td {left}>"
            f'<pre style="{wrap}">{escape(visible(_clipped(line.text)))}</pre></td></tr>'
            for number, line in enumerate(self._lines[:_MOST], start=1)
        )
        head = "".join(f"<th {left}>{name}</th>" for name in ("", "sent by", "what", "line"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{self._left_out}"


def _clipped(text: str) -> str:
    return "\n".join(filter(None, clip(text)))


def _row(text: str) -> str:
    return shorten(visible(text[: _LONGEST + 1]).replace("\n", " ").replace("\t", " "), _LONGEST)


def _what(line: Line) -> str:
    try:
        message = line.message
    except NotJSON:
        return "not JSON"
    if is_response(message):
        id = json.dumps(message.get("id"))
        return shorten(f"{'result' if 'result' in message else 'error'} {id}", _NAME)
    method = message.get("method") if isinstance(message, dict) else None
    return shorten(visible(str(method)[: _NAME + 1]), _NAME) if method is not None else "no message"
