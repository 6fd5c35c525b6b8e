"""Handing in: a learner's progress under a name, for whoever reads the class."""

import os
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..home import progress_file, write_whole
from ..progress import answers, as_text
from ..text import Plain, many

__all__ = ["FOLDER", "HandedOver", "NoName", "NotHandedIn", "hand_in"]

FOLDER = "MINI_RPC_HAND_IN"
"""The environment variable that names a folder in which a class hands in."""

_LONGEST = 60


class NoName(Plain, ValueError):
    """The name cannot be that of a file."""


class NotHandedIn(Plain, OSError):
    """The file could not be written."""


@dataclass(frozen=True)
class HandedOver:
    """What was handed in, and where the file is now. It shows itself with a link to download it."""

    file: Path
    arrived: bool
    answers: int

    def __repr__(self) -> str:
        count = many(self.answers, "answer")
        if self.arrived:
            return f"Handed in: {self.file.name}, {count}. Your teacher has it."
        return f"{self.file.name} with {count} lies beside this page. Send it to your teacher."

    def _repr_html_(self) -> str:
        name = escape(self.file.name)
        link = "" if self.arrived else f' <a href="{name}" download="{name}">Download it</a>.'
        return f"<p>{escape(repr(self))}{link}</p>"


def hand_in(name: str) -> HandedOver:
    """Write your progress under the name that your teacher knows, and say where it is.

    It goes to the folder that the environment variable MINI_RPC_HAND_IN names, or beside the
    progress file. Handing in again replaces what was handed in before. Nothing else leaves this
    machine.

    Raises `NoName` for a name that no file can have, `NotHandedIn` where nothing can be written.
    """
    is_name = type(name) is str and re.fullmatch(rf"\w[\w .-]{{0,{_LONGEST - 1}}}", name)
    if not is_name or name.lower() == "progress":
        raise NoName(f"Give a name of up to {_LONGEST} letters, digits, spaces, dots and dashes.")
    source, shared = progress_file(), os.environ.get(FOLDER)
    named = f"{name.rstrip(' .')}.json"
    target = Path(shared, named) if shared else source.with_name(named)
    try:
        write_whole(target, as_text())  # of which some may be in memory only
    except OSError as error:
        raise NotHandedIn(f"{target.name} cannot be written ({error.strerror}).") from None
    return HandedOver(target, bool(shared), len(answers()))
