"""The progress files that a class hands in. An odd file costs one line, never the picture."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ..progress import STATES, Answer, answer_of
from ..text import many, visible

__all__ = ["STANDINGS", "HandedIn", "State", "read_folder", "standing"]

State = Literal["solved", "stuck", "gave up", "not begun"]
STANDINGS: tuple[State, ...] = ("solved", "stuck", "gave up", "not begun")
_LARGEST = 2_000_000  # bytes; a whole course needs some 40,000
_NAMED_BY_THE_BROWSER = re.compile(r"progress(.*)", re.IGNORECASE)
_LATER = "of a kind that only a later version knows"


def standing(answer: Answer) -> State:
    """Return how a learner stands: who has tried, or read a hint, without success is stuck."""
    if answer.passed:
        return "solved"
    if answer.gave_up:
        return "gave up"
    return "stuck" if answer.tries or answer.hints else "not begun"


@dataclass
class HandedIn:
    """What the files say of each learner; why some are `skipped`, and what is odd about others."""

    learners: dict[str, Mapping[str, Answer]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)


def read_folder(folder: str | Path) -> HandedIn:
    """Read every progress file in a folder and in the folders in it.

    Raises `NotADirectoryError` with a sentence if there is no such folder.
    """
    top = Path(folder)
    if not top.is_dir():
        raise NotADirectoryError(
            f"there is no folder {visible(top.name)}: collect the progress files in it"
        )
    found = HandedIn()
    for path in sorted(_files(top)):
        inside = path.relative_to(top)
        try:
            entries, note = _read(path)
        except OSError as error:
            found.skipped[inside.as_posix()] = error.strerror or "it cannot be read"
        except (ValueError, RecursionError):
            found.skipped[inside.as_posix()] = "it is damaged, or no progress file"
        else:
            name = _name(inside)
            if name in found.learners:  # ada.json and ada/progress.json are two learners
                note = ", and ".join(filter(None, [note, f"there is another {name}"]))
                name = _free(inside.as_posix(), found.learners)
            found.learners[name] = entries
            if note:
                found.odd[inside.as_posix()] = note
    return found


def _files(top: Path) -> Iterator[Path]:
    """Yield what ends in .json, folders of that name too. Links that lead in a circle end."""
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith((".", "__MACOSX"))]
        for name in [*names, *(one for one in folders if one.lower().endswith(".json"))]:
            if name.lower().endswith(".json") and not name.startswith("."):
                yield Path(folder, name)


def _read(path: Path) -> tuple[dict[str, Answer], str]:
    if not path.is_file():  # reading from a pipe would wait forever
        raise OSError(0, "it is no ordinary file")
    if path.stat().st_size > _LARGEST:
        raise OSError(0, f"{path.stat().st_size / 1e6:.0f} MB are too many for a progress file")
    data = json.loads(path.read_bytes())
    entries = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(entries, dict) or data.get("course") != "mini_rpc":
        raise ValueError
    found = {id: answer for id, entry in entries.items() if (answer := answer_of(entry))}
    damaged = len(entries) - len(found)
    if entries and not found:
        raise ValueError
    later = sum(entries[id].get("state", STATES[0]) not in STATES for id in found)
    notes = (
        (damaged, "damaged entry is left out", "damaged entries are left out"),
        (later, f"entry is {_LATER}", f"entries are {_LATER}"),
    )
    return found, ", and ".join(many(*note) for note in notes if note[0])


def _name(path: Path) -> str:
    """Name a learner after the file, or after its folder where every file has the same name."""
    named = _NAMED_BY_THE_BROWSER.fullmatch(path.stem)
    if named and path.parent.parts:
        return f"{path.parent.as_posix()}{named[1]}"
    return path.with_suffix("").as_posix()


def _free(name: str, taken: Mapping[str, Any]) -> str:
    return name if name not in taken else _free(f"{name}'", taken)
