"""Where the notebook is. Progress and the learner's server lie beside it, whatever `%cd` says."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

__all__ = ["FOLDER", "patiently", "progress_file", "write_whole"]

_T = TypeVar("_T")


def _folder() -> Path:
    notebook = os.environ.get("JPY_SESSION_NAME", "")  # Jupyter tells its kernels
    if os.path.isabs(notebook) and os.path.isdir(os.path.dirname(notebook)):
        return Path(notebook).parent
    try:
        return Path.cwd()
    except OSError:  # the folder was deleted
        return Path(os.environ.get("PWD") or os.sep)


FOLDER = _folder()
"""The folder of the notebook, or else the one in which Python was working when it came here."""


def progress_file() -> Path:
    """Return where the progress file is: as MINI_RPC_PROGRESS says, or beside the notebook."""
    name = os.environ.get("MINI_RPC_PROGRESS") or "progress.json"
    # Path.resolve would raise where links go round in a circle
    return Path(os.path.realpath(FOLDER / name))


def write_whole(path: Path, text: str) -> None:
    """Write the whole file or nothing of it. Raises `OSError`: a disk may be full."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.unlink(missing_ok=True)  # whatever it is: a pipe would wait forever
        with new.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            with suppress(OSError):  # some network drives cannot
                os.fsync(file.fileno())
        patiently(lambda: os.replace(new, path))
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def patiently(action: Callable[[], _T]) -> _T:
    """Try a few times: Windows refuses for as long as another kernel has the file open."""
    for _ in range(5):
        with suppress(PermissionError):
            return action()
        time.sleep(0.01)
    return action()
