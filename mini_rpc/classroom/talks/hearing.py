"""Lines that are sent to a server as they are, and what it answers to each."""

import json
import time
from collections.abc import Iterable
from pathlib import Path
from reprlib import repr as shorten
from typing import Any, NamedTuple

from ...connection import in_thread
from ...messages import is_response, request, shape_of
from ...rules import JSON_RPC
from ...wire import NotJSON, decode, encode
from ..eras import META
from .programs import Ended, Speaker, python_command

__all__ = ["Heard", "hear"]

_LONGEST_TALK = 30.0  # seconds


class Heard(NamedTuple):
    """What a server was sent, and the line that it answered, or None for silence.

    `fault` says in a sentence why nobody can tell: then None is no silence.
    """

    sent: str
    reply: str | None
    fault: str = ""

    def __repr__(self) -> str:
        if self.reply is None:
            return self.fault or "SILENCE"
        message = _message(self.reply)
        shape = shape_of(message, JSON_RPC)
        if shape == "result":
            return f"a result with the id {json.dumps(message['id'])}"
        if shape == "error":
            return f"{message['error']['code']} with the id {json.dumps(message.get('id'))}"
        return f"no response: {shorten(self.reply)}"


async def hear(lines: Iterable[str], server: str | Path) -> list[Heard]:
    """Send lines to a server as they are; return what it answers to each.

    `server` is a file, or the source of a server made with the official package. After each line
    the server is asked something it always answers, so that silence is known to be silence. A
    server that ends, or never answers, is what the rest of the `Heard` say.
    """
    lines = list(lines)
    speaker = Speaker(python_command(server))
    try:
        return await in_thread(_hear_all, lines, speaker)
    finally:
        await in_thread(speaker.end)


def _hear_all(lines: list[str], speaker: Speaker) -> list[Heard]:
    """Send the lines and wait after each; the first question is only there to begin with."""
    heard: list[Heard] = []
    fault = ""
    deadline = time.monotonic() + _LONGEST_TALK
    try:
        for number, line in enumerate(["", *lines]):
            heard.append(_hear_one(line, f"after {number}", speaker, deadline))
    except TimeoutError:
        fault = f"it did not answer within {_LONGEST_TALK:g} seconds"
    except (Ended, NotJSON) as error:
        fault = str(error)
    return [*heard[1:], *(Heard(line, None, fault) for line in lines[max(0, len(heard) - 1) :])]


def _hear_one(line: str, last: str, speaker: Speaker, deadline: float) -> Heard:
    question = encode(request(last, "server/discover", {"_meta": META}))
    text = f"{line}\n{question}\n" if line else f"{question}\n"
    speaker.send(text.encode("utf-8", "backslashreplace"))
    reply = None
    while (raw := speaker.receive(deadline - time.monotonic())) is not None:
        message = _message(raw)
        if isinstance(message, dict) and message.get("id") == last:
            return Heard(line, reply)
        said = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line:
            what = "a stray reply" if is_response(message) else "more than messages"
            raise NotJSON(f"its stdout carries {what}: {shorten(said)}")
        reply = said if reply is None else reply
    raise TimeoutError


def _message(text: str | bytes) -> Any:
    try:
        return decode(text)
    except NotJSON:
        return None
