"""Programs that nobody here wrote, and the learner's own server: started, visited, and ended.

Where there are no processes, as in a browser, or where the official `mcp` package is not installed,
a recorded talk takes its place, and one sentence says so.
"""

import asyncio
import json
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ...connection import Connection, in_thread
from ...dispatcher import Methods
from ...messages import error_response
from ...stdio import Lines
from ...wire import decode, encode
from ..eras import META
from ..text import known, visible
from .programs import LastWords, Program, end_all, new_mark
from .server_file import methods_in
from .talk import Logged, Talk

__all__ = [
    "META",
    "Visit",
    "is_recorded",
    "official_server",
    "recorded",
    "recorded_text",
    "start",
    "visit",
]

_FILES = Path(__file__).parent / "peer_files"
_LONGEST_TALK = 30.0  # seconds
_said: set[int | None] = set()


class Visit(NamedTuple):
    """What came of a visit: the tools that were listed, what the called one said, and the talk."""

    tools: list[str]
    said: str
    talk: Talk

    def __repr__(self) -> str:
        tools = visible(", ".join(self.tools)) or "none"
        return f"tools: {tools}\nsaid:  {visible(self.said)}"


async def visit(
    server: str | Path, tool: str, arguments: dict[str, Any], mode: str = "auto"
) -> Visit:
    """Let the official client start a server, list its tools and call one of them.

    `mode` is the client's: "legacy" opens with `initialize`, a modern version with no question at
    all, and "auto" asks `server/discover` first. What goes wrong is what the `Visit` says. The
    server, and what it has started itself, has ended when this returns.
    """
    if is_recorded():
        talk = recorded("legacy_client" if mode == "legacy" else "official_client")
        return Visit(["place_order"], _said_here(server, tool, arguments), talk)
    mark, words, tools = new_mark(), LastWords(), list[str]()
    with tempfile.TemporaryDirectory() as scratch, _one_line_each():
        log = Path(scratch, "talk.log")
        log.touch()
        command = [sys.executable, "-m", "mini_rpc.classroom.talks.wiretap", str(log), str(server)]
        try:
            said = await asyncio.wait_for(
                _list_and_call(command, mark, words, mode, tools, tool, arguments), _LONGEST_TALK
            )
        except Exception as error:
            said = _in_words(error)
        finally:
            words.close()
            end_all(mark)
        if last := words.text():
            print(f"The server wrote to stderr:\n{last}")
        return Visit(tools, said, Talk.load(log))


async def _list_and_call(
    command: list[str],
    mark: dict[str, str],
    words: LastWords,
    mode: str,
    tools: list[str],
    tool: str,
    arguments: dict[str, Any],
) -> str:
    import mcp

    program = mcp.StdioServerParameters(command=command[0], args=command[1:], env=mark)
    async with mcp.Client(mcp.stdio_client(program, errlog=words.file), mode=mode) as client:
        tools += [found.name for found in (await client.list_tools()).tools]
        result = await client.call_tool(tool, arguments)
    said = " ".join(getattr(content, "text", content.type) for content in result.content)
    return f"a failure: {said}" if result.is_error else said


def _said_here(server: str | Path, tool: str, arguments: dict[str, Any]) -> str:
    """Return what the tool of a server's file says, with no program and no client around it."""
    params = {"name": tool, "arguments": arguments, "_meta": META}
    try:
        result = methods_in(server)["tools/call"](params)
        said = " ".join(content["text"] for content in result["content"])
    except Exception as error:
        return _in_words(error)
    return f"a failure: {said}" if result.get("isError") is True else said


@contextmanager
def _one_line_each() -> Iterator[None]:
    """Keep the official client quiet: for each line that it cannot read it logs a traceback.

    The talk shows these lines, one each.
    """
    logger = logging.getLogger("mcp")
    before, logger.disabled = logger.level, False
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


def _in_words(error: BaseException) -> str:
    """Say in one line what went wrong; a group of errors is known by its first."""
    while nested := getattr(error, "exceptions", None):
        error = nested[0]
    if isinstance(error, asyncio.TimeoutError):
        return f"nothing within {_LONGEST_TALK:g} seconds"
    code = getattr(error, "code", None)
    return f"{type(error).__name__} {code}: {error}" if code else f"{type(error).__name__}: {error}"


@asynccontextmanager
async def start(
    *command: str, methods: Methods | None = None, log: list[Any] | None = None
) -> AsyncIterator[Connection]:
    """Start a program and talk to it over its stdin and stdout; at the end, see that it ends.

    Its stdin is closed first; a program that is still there two seconds later is killed, and so is
    what it has started itself. The lines of the talk are added to `log`.
    """
    program = Program(command)
    wire = Lines(program.stdout, program.stdin)
    try:
        async with Connection(wire if log is None else Logged(wire, log), methods) as connection:
            yield connection
    finally:
        wire.close()
        await in_thread(program.end)


@asynccontextmanager
async def official_server(
    source: str, *, log: list[Any] | None = None
) -> AsyncIterator[Connection]:
    """Start the source of a server that is made with the official package, and talk to it."""
    if is_recorded():
        player = _Player(recorded("official_server"))
        async with Connection(player if log is None else Logged(player, log)) as connection:
            yield connection
        return
    async with start(sys.executable, "-c", source, log=log) as connection:
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


def recorded(name: str) -> Talk:
    """Return a talk that was recorded with version 2.3 of the official package."""
    files = {path.stem: path for path in sorted(_FILES.glob("*.log"))}
    return Talk.load(known(name, files, "recorded talk"))


def recorded_text(file: str) -> str:
    """Return the text of a recorded file, by its whole name."""
    return (_FILES / file).read_text("utf-8")


def is_recorded(what: str = "") -> bool:
    """Tell whether a recorded talk must do; say why, and with `what`, once in each cell."""
    if sys.platform == "emscripten":
        why = "A browser starts no programs"
    elif find_spec("mcp") is None:
        why = "The package mcp is not installed here"
    else:
        return False
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    cell = shell and shell.execution_count
    if cell not in _said:
        _said.add(cell)
        print(f"{why}: what you see was recorded before{what}.")
    return True
