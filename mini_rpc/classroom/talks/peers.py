"""Programs that nobody here wrote, and the learner's own server: started, heard, and ended.

Where there are no processes, as in a browser, or where the official `mcp` package is not installed,
a recorded talk takes its place, and one sentence says so.
"""

from __future__ import annotations

import asyncio
import json
import runpy
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from reprlib import repr as shorten
from typing import IO, Any, NamedTuple, TextIO

from ...codes import REVISION
from ...connection import Connection, in_thread
from ...dispatcher import Methods, RpcError
from ...messages import error_response, request, shape_of
from ...rules import JSON_RPC
from ...stdio import Lines
from ...wire import NotJSON, decode, encode
from ..home import progress_file
from .talk import Logged, Talk

__all__ = [
    "META",
    "ODD",
    "Heard",
    "Visit",
    "hear",
    "methods_in",
    "my_server",
    "official_server",
    "recorded",
    "start",
    "visit",
]

META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What every request of revision 2026-07-28 carries in `params._meta`."""

_FILES = Path(__file__).parent / "peer_files"
_LONGEST_TALK = 30.0  # seconds
_PATIENCE = 2.0
_said: set[str] = set()


# --- the learner's own server ------------------------------------------------------------------


def my_server() -> Path:
    """Return the file of the learner's own server, beside the progress file.

    It is made where there is none yet, and never written to again. Where that folder cannot be
    written, it is made in a new one, and a sentence says so.
    """
    folder = progress_file().parent
    try:
        return _made_in(folder)
    except OSError:
        path = _made_in(Path(tempfile.mkdtemp()))
        print(f"This folder cannot be written: your server is {path}.")
        return path


def _made_in(folder: Path) -> Path:
    path = folder / "my_server.py"
    if not path.exists():
        text = (_FILES / "my_server.txt").read_text("utf-8")
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return path


def methods_in(server: str | Path) -> Methods:
    """Return the `METHODS` of a server's file, without starting the server.

    Raises `LookupError` with a sentence for the learner if it has none.
    """
    methods = runpy.run_path(str(server)).get("METHODS")
    if not isinstance(methods, Mapping):
        name = Path(server).name
        raise LookupError(f"{name} has no METHODS, a dict from a method's name to a function")
    found: Methods = methods
    return found


# --- the official client visits a server -------------------------------------------------------


class Visit(NamedTuple):
    """What came of a visit: the tools that were listed, what the called one said, and the talk."""

    tools: list[str]
    said: str
    talk: Talk

    def __repr__(self) -> str:
        return f"tools: {', '.join(self.tools) or 'none'}\nsaid:  {self.said}"


async def visit(server: str | Path, tool: str, arguments: dict[str, Any]) -> Visit:
    """Let the official client start a server, list its tools and call one of them.

    What goes wrong is what the `Visit` says. The server has ended when this returns.
    """
    if _is_recorded():
        return Visit(["place_order"], "steak for table 6", recorded("official_client"))
    with tempfile.TemporaryDirectory() as scratch:
        log, errors = Path(scratch, "talk.log"), Path(scratch, "stderr.txt")
        log.touch()
        command = [sys.executable, "-m", "mini_rpc.classroom.talks.wiretap", str(log), str(server)]
        tools: list[str] = []
        with open(errors, "w", encoding="utf-8") as stderr:
            try:
                said = await asyncio.wait_for(
                    _list_and_call(command, stderr, tools, tool, arguments), _LONGEST_TALK
                )
            except Exception as error:
                said = _in_words(error)
        if words := errors.read_text("utf-8", "replace").strip():
            print(f"The server wrote to stderr:\n{words[-2000:]}")
        return Visit(tools, said, Talk.load(log))


async def _list_and_call(
    command: list[str], stderr: TextIO, tools: list[str], tool: str, arguments: dict[str, Any]
) -> str:
    import mcp

    program = mcp.StdioServerParameters(command=command[0], args=command[1:])
    async with mcp.Client(mcp.stdio_client(program, errlog=stderr)) as client:
        tools += [found.name for found in (await client.list_tools()).tools]
        result = await client.call_tool(tool, arguments)
    said = " ".join(getattr(content, "text", content.type) for content in result.content)
    return f"a failure: {said}" if result.is_error else said


def _in_words(error: BaseException) -> str:
    """Say in one line what went wrong; a group of errors is known by its first."""
    while nested := getattr(error, "exceptions", None):
        error = nested[0]
    if isinstance(error, asyncio.TimeoutError):
        return f"nothing within {_LONGEST_TALK:g} seconds"
    code = getattr(error, "code", None)
    return f"{type(error).__name__} {code}: {error}" if code else f"{type(error).__name__}: {error}"


# --- our client visits a server ----------------------------------------------------------------


@asynccontextmanager
async def start(
    *command: str,
    methods: Methods | None = None,
    stderr: IO[str] | int | None = None,
    log: list[Any] | None = None,
) -> AsyncIterator[Connection]:
    """Start a program and talk to it over its stdin and stdout; at the end, see that it ends.

    Its stdin is closed first; a program that is still there two seconds later is killed. The lines
    of the talk are added to `log`.
    """
    async with (
        _wire_to(command, stderr) as wire,
        Connection(wire if log is None else Logged(wire, log), methods) as connection,
    ):
        yield connection


@asynccontextmanager
async def official_server(
    source: str, *, log: list[Any] | None = None
) -> AsyncIterator[Connection]:
    """Start the source of a server that is made with the official package, and talk to it."""
    if _is_recorded():
        player = _Player(recorded("official_server"))
        async with Connection(player if log is None else Logged(player, log)) as connection:
            yield connection
        return
    async with start(
        sys.executable, "-c", source, stderr=subprocess.DEVNULL, log=log
    ) as connection:
        yield connection


class _Player:
    """A transport to nobody: it answers requests the way they were answered in a recorded talk."""

    def __init__(self, talk: Talk) -> None:
        replies = {line.message["id"]: line.message for line in talk if line.sign == "<"}
        asked = [line.message for line in talk if line.sign == ">"]
        self._replies = {_what_is_asked(one): replies[one["id"]] for one in asked}
        self._incoming: asyncio.Queue[str | None] = asyncio.Queue()

    async def receive(self) -> str | None:
        return await self._incoming.get()

    async def send(self, text: str) -> None:
        message = decode(text)
        if "id" in message:
            unknown = error_response(None, -32601, "the recorded talk has no answer to this")
            reply = self._replies.get(_what_is_asked(message), unknown)
            self._incoming.put_nowait(encode({**reply, "id": message["id"]}))

    def close(self) -> None:
        self._incoming.put_nowait(None)


def _what_is_asked(message: dict[str, Any]) -> str:
    return json.dumps([message["method"], message.get("params")], sort_keys=True)


# --- odd messages ------------------------------------------------------------------------------


_LIST = f'"method": "tools/list", "params": {{"_meta": {encode(META)}}}'
ODD = {
    "a parse error": '{"jsonrpc": "2.0", "id": 1, "method": ',
    "id is true": f'{{"jsonrpc": "2.0", "id": true, {_LIST}}}',
    "id is null": f'{{"jsonrpc": "2.0", "id": null, {_LIST}}}',
    "a batch": f'[{{"jsonrpc": "2.0", "id": 1, {_LIST}}}]',
    "no jsonrpc": f'{{"id": 1, {_LIST}}}',
}
"""Messages that the official package meets with silence, by what is odd about each."""


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
    is_file = isinstance(server, Path)
    if sys.platform == "emscripten" or (not is_file and _is_recorded()):
        return _heard_before(lines, recorded("odd_to_us" if is_file else "odd_to_official"))
    command = [sys.executable, str(server)] if is_file else [sys.executable, "-c", str(server)]
    heard: list[Heard] = []
    fault = ""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        try:
            async with _wire_to(command, errors) as wire:
                await asyncio.wait_for(_hear_each(["", *lines], wire, heard), _LONGEST_TALK)
        except TimeoutError:
            fault = f"it did not answer within {_LONGEST_TALK:g} seconds"
        except (EOFError, OSError):
            fault = f"it ended: {_last_line(errors) or 'without a word on stderr'}"
        except NotJSON as error:
            fault = str(error)
    return [*heard[1:], *(Heard(line, None, fault) for line in lines[max(0, len(heard) - 1) :])]


def _last_line(file: TextIO) -> str:
    """Return the last line of a traceback, as a rule, shortened where it is long."""
    file.seek(0)
    return file.read()[-2000:].strip().rpartition("\n")[2][:200]


def _message(text: str | bytes) -> Any:
    """Return what a line says, None for what is not JSON."""
    try:
        return decode(text)
    except NotJSON:
        return None


async def _hear_each(lines: list[str], wire: Lines, heard: list[Heard]) -> None:
    """Send the lines, the first of which is only there to begin with, and wait after each.

    Raises `EOFError` or `OSError` when the server has ended, and `NotJSON` for one that prints.
    """
    for number, line in enumerate(lines):
        if line:
            await wire.send(line)
        last = f"after {number}"
        await wire.send(encode(request(last, "server/discover", {"_meta": META})))
        reply = None
        while (text := await _next_line(wire)) is not None:
            message = _message(text)
            if isinstance(message, dict) and message.get("id") == last:
                break
            if not line:
                raise NotJSON(f"its stdout carries more than messages: {shorten(text)}")
            reply = text if reply is None else reply
        else:
            raise EOFError
        heard.append(Heard(line, reply))


async def _next_line(wire: Lines) -> str | None:
    try:
        raw = await wire.receive()
    except RpcError as error:  # it was too long
        return str(error)
    return None if raw is None else raw.decode("utf-8", "replace").rstrip("\r\n")


def _heard_before(lines: Iterable[str], talk: Talk) -> list[Heard]:
    replies: dict[str, str | None] = {}
    sent = ""
    for line in talk:
        if line.sign == ">":
            sent = line.text
        replies[sent] = line.text if line.sign == "<" else None
    return [Heard(line, replies.get(line)) for line in lines]


# --- recorded talks, and processes -------------------------------------------------------------


def recorded(name: str) -> Talk:
    """Return a talk that was recorded with version 2.3 of the official package."""
    return Talk.load(_FILES / f"{name}.log")


def _is_recorded() -> bool:
    """Tell whether a recorded talk must do; say why, once."""
    if sys.platform == "emscripten":
        why = "A browser starts no programs: what you see was recorded before."
    elif find_spec("mcp") is None:
        why = "The package mcp is not installed here: what you see was recorded before."
    else:
        return False
    if why not in _said:
        _said.add(why)
        print(why)
    return True


@asynccontextmanager
async def _wire_to(command: Sequence[str], stderr: IO[str] | int | None) -> AsyncIterator[Lines]:
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr
    )
    assert process.stdin is not None
    assert process.stdout is not None
    wire = Lines(process.stdout, process.stdin)
    try:
        yield wire
    finally:
        wire.close()
        await in_thread(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout is not None
    # Somebody may still be reading: closing waits for that, and nobody waits for closing.
    threading.Thread(target=process.stdout.close, daemon=True).start()
