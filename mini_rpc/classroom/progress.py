"""What a learner has done: one small file beside the notebooks.

The file is `progress.json` in the folder of the running notebook, or wherever the environment
variable MINI_RPC_PROGRESS says. It holds no path, no name and no time, so it can be carried to
another machine or handed in. It is one JSON object:

    {
      "course": "mini_rpc",
      "format": 1,
      "answers": {
        "valid_id": {"state": "correct", "tries": 3, "hints": 1, "gave_up": false},
        "quiz:id in msg": {"state": "wrong", "tries": 1, "hints": 0, "gave_up": false,
                           "choices": ["True"], "mistakes": ["the progress token is the id"]}
      },
      "seed": 81344
    }

A key of `answers` is an exercise's id, or "quiz:", "predict:" and the like with the name of a
question. `state` is how the last try ended ("wrong", "crashed", "out of time" or "correct"), and
"not attempted" where only hints were read; once "correct" it stays so. `tries` counts the tries up
to the first correct one, `hints` the hints that were read, and `gave_up` tells that the learner
asked for the solution before a pass. `choices` are the options that were chosen, the latest last,
and `mistakes` the names of the mistakes that were made, each once. `seed` orders the options of
questions, and differs from learner to learner. Members and states that are not listed here come
from a later version, and are kept as they are.

Import these functions by name, as in `from .progress import record`: in the package's own names
`progress` is the function that shows the map.
"""

import errno
import json
import os
import random
import re
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from .home import patiently, progress_file, write_whole
from .text import many, shorten, visible

__all__ = [
    "STATES",
    "Answer",
    "answer_of",
    "answers",
    "as_text",
    "can_be_saved",
    "draw",
    "gave_up",
    "give_up",
    "next_rung",
    "passed",
    "record",
    "seed",
    "start_over",
    "start_over_all",
    "unsaved",
]

_PATIENCE = 2.0  # seconds to wait for another kernel that is writing; it needs milliseconds
_MOST = 10  # choices and mistakes that are kept of one answer
_MOST_COUNTED = 10**9  # tries or hints; a number can also be too long to write


class Answer(NamedTuple):
    """How one exercise or question stands; the module's docstring explains the members."""

    state: str = "not attempted"
    tries: int = 0
    hints: int = 0
    gave_up: bool = False
    choices: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.state == "correct"


STATES = ("not attempted", "wrong", "crashed", "out of time", "correct")
_A_STATE = re.compile("[a-z][a-z -]{0,39}")  # so one of a later version looks
_Data = dict[str, Any]
_Change = Callable[[_Data], None]
_BLANK: _Data = {"state": "not attempted", "tries": 0, "hints": 0, "gave_up": False}

_one_at_a_time = threading.RLock()  # widgets may answer on another thread than the cells
_unsaved: dict[Path, list[_Change]] = {}
_said: set[str] = set()
_new_seed = random.SystemRandom().randrange(1, 1_000_000)  # for a learner who has none yet


def record(id: str, state: str, *, choice: str | None = None, mistake: str | None = None) -> None:
    """Count a try at `id` that ended in `state`. "not attempted" is no try and changes nothing.

    `choice` is the text of the option that was chosen, `mistake` the name of the mistake that was
    made. A pass is kept whatever comes after it.
    """

    def change(entry: _Data) -> None:
        if entry["state"] != "correct":
            entry.update(state=state, tries=entry["tries"] + 1)
            if choice is not None:
                entry["choices"] = [*_texts(entry, "choices")[: _MOST - 1], choice]
            known = _texts(entry, "mistakes")
            if mistake is not None and mistake not in known:
                entry["mistakes"] = [*known[: _MOST - 1], mistake]

    if state != "not attempted":
        _change_entry(id, change, seeded=choice is not None)


def passed(id: str) -> bool:
    """Tell whether `id` was ever answered correctly."""
    return _answer(id).passed


def next_rung(id: str, total: int) -> int:
    """Return the number of the next hint, from 1 to `total`, and count it as read.

    After the last hint it is the last one again. Without any (`total` is 0) it is 0.
    """

    def change(entry: _Data) -> None:
        entry["hints"] = max(entry["hints"], min(entry["hints"] + 1, total))

    _change_entry(id, change)
    return min(_answer(id).hints, total)


def give_up(id: str) -> None:
    """Note that the learner asks for the solution of `id`. After a pass this changes nothing."""

    def change(entry: _Data) -> None:
        entry["gave_up"] = entry["gave_up"] or entry["state"] != "correct"

    _change_entry(id, change)


def gave_up(id: str) -> bool:
    """Tell whether the learner asked for the solution of `id` before a pass."""
    return _answer(id).gave_up


def seed() -> int:
    """Return the number that orders a learner's options. It is kept once something is answered."""
    found = _load().get("seed")
    return found if type(found) is int else _new_seed


def draw(name: str, choose: Callable[[dict[str, Answer]], list[str]]) -> list[str]:
    """Return the names that were drawn as `name` before; the first time, what `choose` chooses."""

    def change(data: _Data) -> None:
        data["drawn"] = {name: choose(_as_answers(data)), **_drawn(data)}

    if name not in _drawn(_load()):
        _change(change)
    return _texts(_drawn(_load()), name)


def _drawn(data: _Data) -> _Data:
    found = data.get("drawn")
    return found if type(found) is dict else {}


def start_over(id: str | None = None) -> None:
    """Forget what is recorded for `id`: its pass, its tries, its hints. Code is left alone.

    Without an id, say how to name one, and forget nothing.
    """
    if id is None:
        print('start_over wants the name of an exercise, as in start_over("first_request").')
        return
    known = type(id) is str and id in answers()
    if known:
        _change(lambda data: data["answers"].pop(id, None))
    name = shorten(visible(str(id)), 80)
    print(f"{name} starts over." if known else f"Nothing is recorded for {name}.")


def start_over_all() -> None:
    """Forget what is recorded for every exercise and question. Code is left alone.

    What was recorded is kept beside the file, under a name with "before-reset" in it.
    """
    data, path = _load(), progress_file()
    if not data["answers"]:
        print("Nothing is recorded yet.")
        return
    aside = _free_name(path, "before-reset")
    try:
        _write(aside, data)
        kept = f"What was recorded is kept as {aside.name}."
    except OSError:
        kept = "What was recorded could not be kept."
    starts = many(len(data["answers"]), "entry starts", "entries start")

    def clear(data: _Data) -> None:
        data["answers"].clear()
        data.pop("drawn", None)

    _change(clear)
    print(f"{starts} over. {kept}")


def answers() -> dict[str, Answer]:
    """Return how everything stands that is recorded, by id, in the order of the first tries."""
    return _as_answers(_load())


def answer_of(entry: Any) -> Answer | None:
    """Return what an entry of a progress file says, or None for what cannot be one."""
    if not isinstance(entry, dict):
        return None
    found = {**_BLANK, **entry}
    sound = (
        all(type(found[name]) is type(blank) for name, blank in _BLANK.items())
        and bool(_A_STATE.fullmatch(found["state"]))
        and all(0 <= found[name] <= _MOST_COUNTED for name in ("tries", "hints"))
    )
    if not sound:
        return None
    state = found["state"] if found["state"] in STATES else "wrong"  # of a later version
    lists = (tuple(_texts(entry, name)) for name in ("choices", "mistakes"))
    return Answer(state, found["tries"], found["hints"], found["gave_up"], *lists)


def unsaved() -> bool:
    """Tell whether some of the progress is held in memory only, as the file cannot be written."""
    return bool(_unsaved.get(progress_file()))


def as_text() -> str:
    """Return the progress as it stands, as a progress file holds it."""
    return _text(_load())


def can_be_saved() -> bool:
    """Write the progress as it stands, and tell whether that worked."""
    return _change()


def _as_answers(data: _Data) -> dict[str, Answer]:
    found = {id: answer_of(entry) for id, entry in data["answers"].items()}
    return {id: answer for id, answer in found.items() if answer}


def _texts(entry: _Data, name: str) -> list[str]:
    found = entry.get(name)
    return [text for text in found if type(text) is str] if type(found) is list else []


def _answer(id: str) -> Answer:
    return answers().get(id, Answer())


def _change_entry(id: str, change: _Change, seeded: bool = False) -> None:
    def change_one(data: _Data) -> None:
        if seeded:
            data.setdefault("seed", _new_seed)
        entry = data["answers"][id] = {**_BLANK, **data["answers"].get(id, {})}
        change(entry)

    _change(change_one)


def _change(*changes: _Change) -> bool:
    """Apply changes to the file as it is now, so that two kernels lose nothing.

    What cannot be written waits in memory and is applied again with the next change. Tells whether
    the file could be written.
    """
    path = progress_file()
    with _one_at_a_time:
        waiting = _unsaved.setdefault(path, [])
        waiting.extend(changes)
        try:
            with _locked(path):
                _write(path, _changed(_read(path) or _set_aside(path), waiting))
            waiting.clear()
            _said.discard(f"{path}")
        except OSError as error:
            _trouble(path, "written", error)
            return False
    return True


def _load() -> _Data:
    path = progress_file()
    with _one_at_a_time:
        try:
            data = _read(path)
            if data is None:
                _change()  # puts the damaged file aside
                data = _read(path) or _new()
        except OSError as error:
            _trouble(path, "read", error)
            data = _new()
        return _changed(data, _unsaved.get(path, []))


def _changed(data: _Data, changes: list[_Change]) -> _Data:
    for change in changes:
        change(data)
    return data


def _new() -> _Data:
    return {"course": "mini_rpc", "format": 1, "answers": {}}


def _text(data: _Data) -> str:
    return json.dumps(data, indent=2) + "\n"


def _read(path: Path) -> _Data | None:
    """Return the file's content, or None if it is damaged. A missing file is an empty one."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading from a pipe would wait forever
            raise OSError(errno.EINVAL, "it is no ordinary file")
        data = json.loads(patiently(path.read_bytes))
        _text(data)  # what is nested too deep could be read, and never written again
    except FileNotFoundError:
        return _new()
    except (ValueError, RecursionError):
        return None
    entries = data.get("answers") if isinstance(data, dict) else None
    return data if isinstance(entries, dict) and all(map(answer_of, entries.values())) else None


def _set_aside(path: Path) -> _Data:
    """Keep a damaged file under another name, say so, and start a new one."""
    aside = _free_name(path, "damaged")
    os.replace(path, aside)
    kept = f"It is kept as {aside.name}, and a new one is started."
    _say(f"{aside}", f"{path.name} was damaged. {kept}")
    return _new()


def _free_name(path: Path, what: str) -> Path:
    names = (path.with_name(f"{path.name}.{what}-{number}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def _write(path: Path, data: _Data) -> None:
    if path.exists() and not path.stat().st_mode & stat.S_IWUSR:  # os.replace would not mind
        raise PermissionError(0, "it is read-only")
    write_whole(path, _text(data))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other kernels from writing. The system frees the lock of a process that has died.

    Raises `TimeoutError` if another one holds it for long, and `OSError` where the folder is
    missing or read-only.
    """
    file = os.open(path.parent / f".{path.name}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _take(file)
        yield
    finally:
        with suppress(OSError):
            _lock(file, False)
        os.close(file)


def _take(file: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return _lock(file, True)
        except (BlockingIOError, PermissionError):
            if time.monotonic() > deadline:
                raise TimeoutError("another notebook holds it") from None
            time.sleep(0.01)
        except OSError:  # a network drive without locks
            return None


def _lock(file: int, hold: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK if hold else msvcrt.LK_UNLCK, 1)
    elif sys.platform != "emscripten":  # a browser tab has no locks
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB if hold else fcntl.LOCK_UN)


def _trouble(path: Path, done: str, error: OSError) -> None:
    why = error.strerror or str(error)
    goes_on = "The course goes on: your progress is kept in memory, and written later"
    said = f"{path.name} cannot be {done} ({why}). {goes_on} if that becomes possible."
    _say(f"{path}", said)


def _say(key: str, sentence: str) -> None:
    if key not in _said:
        _said.add(key)
        print(sentence)
