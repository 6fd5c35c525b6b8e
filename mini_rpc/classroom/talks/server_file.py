"""The learner's own server: its file, whose functions answer in it, and how a host starts it."""

import json
import os
import runpy
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from ...dispatcher import Methods
from ..home import progress_file, write_whole
from ..text import Plain, function_name, visible
from .sources import CannotKeep, source_of

__all__ = [
    "Shown",
    "connect",
    "handle_in",
    "in_terminal",
    "keep",
    "methods_in",
    "my_server",
    "who_answers",
]

_FILES = Path(__file__).parent / "peer_files"
_PACKAGE = Path(__file__).parents[2]
_PARTS = ("handle", "initialize", "check_meta", "call_tool")
_IN_A_BROWSER = (
    "A browser tab starts no programs. Where the course is installed, this cell says how."
)
_OLD = (
    "Your {name} is older than this page: it does not answer initialize. Give it another name, "
    "run this cell again, and you have a new one."
)


class Shown(str):
    """Text that shows itself as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def my_server(folder: Path | None = None) -> Path:
    """Return the file of the learner's own server, beside the progress file or in this folder.

    It is made where there is none yet, and never written to again. Where that folder cannot be
    written, it is made in a new one, and a sentence says so.
    """
    try:
        path = _made_in(folder or progress_file().parent)
    except OSError:
        path = _made_in(Path(tempfile.mkdtemp()))
        print(f"This folder cannot be written: your server is {path}.")
    if b"initialize" not in path.read_bytes():
        print(_OLD.format(name=path.name))
    return path


def _made_in(folder: Path) -> Path:
    path = folder / "my_server.py"
    if not path.exists():
        write_whole(path, (_FILES / "my_server.txt").read_text("utf-8"))
    return path


def keep(function: Any, name: str = "") -> None:
    """Write a function of this notebook, and what it uses, where `my_server.py` looks for it.

    `name` is the name that the server knows it by, where that is another one. What cannot be kept
    is said in a sentence, and then nothing is written.
    """
    known = function_name(function)
    name = name or known
    folder = my_server().parent / "my_code"
    try:
        text = source_of(function, name)
        folder.mkdir(exist_ok=True)
        write_whole(folder / f"{name}.py", text)
    except CannotKeep as error:
        print(f"Not kept: {error}")
    except OSError as error:
        print(f"Not kept: {folder.name}/{name}.py cannot be written: {error.strerror}.")
    else:
        uses = f"Your server uses it as {name}."
        if name not in _PARTS:
            uses = f"Your server looks for {', '.join(_PARTS)}, and for nothing else."
        print(f"Kept: {known}, in {folder.name}/{name}.py. {uses}")


class NoServer(Plain, LookupError):
    """A server's file that lacks something, or that cannot be run. Its sentence says what."""


def _names_in(server: str | Path) -> dict[str, Any]:
    """Run a server's file, which starts no server, with its own folder to import from."""
    folder = str(Path(server).resolve().parent)
    for module in [name for name in sys.modules if name.partition(".")[0] == "my_code"]:
        del sys.modules[module]
    sys.path.insert(0, folder)
    try:
        return runpy.run_path(str(server))
    except (Exception, SystemExit) as error:
        said = visible(f"{type(error).__name__}: {error}")[:200]
        raise NoServer(f"{Path(server).name} cannot be run. {said}") from None
    finally:
        sys.path.remove(folder)


def methods_in(server: str | Path) -> Methods:
    """Return the `METHODS` of a server's file, without starting the server.

    Raises `NoServer` if it has none.
    """
    found: Methods | None = _names_in(server).get("METHODS")
    if not isinstance(found, Mapping):
        name = Path(server).name
        raise NoServer(f"{name} has no METHODS, a dict from a method's name to a function")
    return found


def handle_in(server: str | Path) -> Any:
    """Return the dispatcher of a server's file: the learner's own where one is kept.

    Raises `NoServer` if it has none.
    """
    handle = _names_in(server).get("handle")
    if not callable(handle):
        raise NoServer(f"{Path(server).name} has no handle, a function of raw text and methods")
    return handle


def who_answers(server: str | Path) -> Shown:
    """Say whose functions answer in a server's file, with the name and the file of each."""
    names = _names_in(server)
    folder = Path(server).resolve().parent
    return Shown("\n".join(f"{part:<11} {_whose(names.get(part), folder)}" for part in _PARTS))


def _whose(function: Any, folder: Path) -> str:
    if not isinstance(function, FunctionType):
        return "no function of that name"
    path = Path(function.__code__.co_filename).resolve()
    ours = path.is_relative_to(_PACKAGE)
    base = _PACKAGE.parent if ours else folder
    where = path.relative_to(base).as_posix() if path.is_relative_to(base) else path.name
    owner = "the course's" if ours else "yours" if path.parent != folder else "the file's"
    return visible(f"{owner:<12} {function.__name__} in {where}")


def connect(server: str | Path) -> Shown:
    """Return what a desktop client's configuration says about a server's file, and the Inspector's.

    The paths are those of this machine: this Python, which has the course installed, and the file.
    """
    if sys.platform == "emscripten":
        return Shown(_IN_A_BROWSER)
    command, file = sys.executable, str(Path(server).resolve())
    config = {"mcpServers": {"kitchen": {"command": command, "args": [file]}}}
    started = _typed("npx", "@modelcontextprotocol/inspector", command, file)
    return Shown(f"{json.dumps(config, indent=2)}\n\n{started}")


def in_terminal(*words: str) -> Shown:
    """Return two lines to type into a terminal: a command of the course, in the learner's folder.

    That is the folder of `my_server.py`; the Python is this one, which has the course installed.
    """
    if sys.platform == "emscripten":
        return Shown(_IN_A_BROWSER)
    command = _typed(sys.executable, "-m", "mini_rpc.classroom", *words)
    call = "& " if command.startswith('"') else ""  # PowerShell wants it before a quoted command
    return Shown(f"{_typed('cd', str(progress_file().parent))}\n{call}{command}")


def _typed(*words: str) -> str:
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
