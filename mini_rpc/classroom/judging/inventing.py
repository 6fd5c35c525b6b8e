"""Invents messages, and shrinks those that show a fault to the shortest that still do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from ...wire import NotJSON, decode
from .clauses import is_taught
from .differences import Compared, compare
from .hostile_messages import Raw
from .hostile_methods import HOSTILE_METHODS
from .runs import Handle, due, run_dispatcher

__all__ = ["first_wrong", "invent", "shrink"]

_BATCH = 100
_ROUNDS = 40
_MOST_VARIANTS = 200


def first_wrong(handle: Handle, messages: Iterable[Raw], *, strict: bool) -> Compared | None:
    """Return the message that goes wrong at the earliest step, the shortest of those.

    Without `strict` only what lessons 1 to 4 have taught is asked.
    """
    asked = [raw for raw in messages if strict or is_taught(raw)]
    compared = map(compare, asked, due(asked, strict=strict), run_dispatcher(handle, asked))
    wrong = [one for one in compared if one.difference and one.did.run.state != "not run"]
    return min(wrong, key=lambda one: (one.due.step, len(one.raw)), default=None)


def invent(
    handle: Handle,
    tries: int,
    *,
    strict: bool,
    progress: Callable[[int], None] = lambda tries: None,
) -> Compared | None:
    """Try about so many messages, put together from what is known to hurt, some of them damaged;
    return one that goes wrong, or None. The same messages are invented each time."""
    random = Random(0)
    for done in range(0, tries, _BATCH):
        found = first_wrong(handle, [_invented(random) for _ in range(_BATCH)], strict=strict)
        progress(done + _BATCH)
        if found:
            return found
    return None


def shrink(handle: Handle, found: Compared, *, strict: bool) -> Compared:
    """Return the shortest message that still goes wrong, after a short search."""
    for _ in range(_ROUNDS):
        if not found.did.run.has_ended:
            break  # each try would take until the time is up
        shorter = first_wrong(handle, _shorter(found.raw), strict=strict)
        if shorter is None:
            break
        found = shorter
    return found


# --- shorter messages --------------------------------------------------------------------------


def _shorter(raw: Raw) -> list[Raw]:
    try:
        variants = [json.dumps(value) for value in _simpler(decode(raw))]
    except (NotJSON, RecursionError, ValueError):
        variants = []
    found = dict.fromkeys([*variants, *_cut(raw)])
    return [one for one in found if len(one) < len(raw)][:_MOST_VARIANTS]


def _cut(raw: Raw) -> Iterator[Raw]:
    for n in {len(raw) // 2, len(raw) // 4, len(raw) // 8, 1} - {0}:
        for at in range(0, min(len(raw), 40 * n), n):
            rest: Any = (raw[:at], raw[at + n :])
            yield raw[:0].join(rest)


def _simpler(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key in value:
            rest = {name: item for name, item in value.items() if name != key}
            yield rest
            yield from ({**value, key: item} for item in _simpler(value[key]))
    elif isinstance(value, list):
        for at in range(min(len(value), 20)):
            yield value[:at] + value[at + 1 :]
    elif isinstance(value, str) and value not in HOSTILE_METHODS:
        yield from ("", value[: len(value) // 2])
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from (0, 1)


# --- invented messages -------------------------------------------------------------------------

_VALUES = ("null", "true", "false", "0", "1", "-1", "1.5", '""', '"a"', "[]", "[1]", "{}")
_MEMBERS = {
    "jsonrpc": ('"2.0"', '"2.0"', '"2.0"', '"2.0"', "2.0", '"1.0"', "null"),
    "id": ("1", "1", '"a"', "0", '""', "-1", "9007199254740993", *_VALUES),
    "method": (*(json.dumps(name) for name in HOSTILE_METHODS), '"no such"', *_VALUES),
    "params": ("{}", "{}", '{"a": 1, "b": 2}', '{"ticket": 7}', *_VALUES),
    "result": ("{}", "null"),
}
_USUAL = {"jsonrpc": 0.97, "id": 0.7, "method": 0.95, "params": 0.6, "result": 0.03}


def _invented(random: Random) -> Raw:
    names = [name for name in _MEMBERS if random.random() < _USUAL[name]]
    random.shuffle(names)
    raw = _raw({name: random.choice(_MEMBERS[name]) for name in names})
    if random.random() < 0.2:
        at = random.randrange(len(raw))
        raw = raw[:at] + random.choice(('"', "{", "]", ",", " ", "\\", "", "é")) + raw[at + 1 :]
    return raw.encode() if random.random() < 0.1 else raw


def _raw(members: dict[str, str]) -> str:
    return "{" + ", ".join(f'"{name}": {text}' for name, text in members.items()) + "}"
