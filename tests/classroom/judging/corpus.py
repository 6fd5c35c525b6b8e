"""Wrong answers that nobody fitted to a check, read from `wrong_answers/`, and a second, larger
set of messages that no check uses.

In a file `# handle` begins an exercise, and `## what is wrong` an answer: a whole one in a fence,
or changes to the exercise's solution, where lines with "-" are what is replaced by those with "+".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.judging.answers import NotAttempted
from mini_rpc.classroom.judging.hostile_messages import HOSTILE
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS

FOLDER = Path(__file__).parent / "wrong_answers"


class Answer(NamedTuple):
    """A wrong answer: its file, its exercise, what is wrong in words, and its source."""

    file: str
    exercise: str
    title: str
    source: str

    def function(self) -> Any:
        names: dict[str, Any] = {"NotAttempted": NotAttempted}
        exec(compile(self.source, f"<{self.title}>", "exec"), names)
        return names[self.exercise]


@cache
def wrong_answers() -> tuple[Answer, ...]:
    return tuple(one for path in sorted(FOLDER.glob("*.md")) for one in _read(path))


def _read(path: Path) -> Iterator[Answer]:
    exercise = ""
    for part in re.split(r"^(?=#{1,2} )", path.read_text("utf-8"), flags=re.M):
        title, _, body = part.lstrip("#").partition("\n")
        if part.startswith("## "):
            source = _source(EXERCISES[exercise].solution, body.strip("\n"))
            yield Answer(path.stem, exercise, title.strip(), source)
        elif part.startswith("# "):
            exercise = title.strip()


def _source(solution: str, body: str) -> str:
    if fence := re.search(r"```python\n(.*?)```", body, re.S):
        return fence[1]
    for change in re.findall(r"(?:^-.*\n?)+(?:^\+.*(?:\n|$))*", body, flags=re.M):
        old, new = (
            "\n".join(line[2:] for line in change.split("\n") if line.startswith(sign))
            for sign in "-+"
        )
        assert old, body
        assert old in solution, old
        solution = solution.replace(old, new)
    return solution


# --- the second set ----------------------------------------------------------------------------

_IDS = ('"n4"', "88", "5", '"ticket-6"', "0", '""', "-12", '"31"', "9007199254740995", '"ä"')
_BAD_IDS = ("null", "true", "false", "3.0", "2.25", "[]", "[4]", "{}", '{"n": 1}', "1e3")
_BAD_PARAMS = ("null", "[]", "[3]", '""', '"x"', "0", "9", "true", "false", "1.25", r'"{\"a\": 3}"')
_PARAMS = ("", "{}", '{"table": 9}', '{"dish": "pie", "table": 5}', '{"a": null}', '{"b": [1, {}]}')
_NAMES = (
    '"menu/burn"',
    '"Echo"',
    '"echo "',
    '""',
    '"notifications/late"',
    '"keys"',
    '"pl\\u00e4tz"',
)
_BAD_NAMES = ("5", "null", "true", "false", "[]", '["echo"]', "{}", '{"m": 1}', "2.5")
_VERSIONS = ("2.0", "2", "null", '"2"', '"1.0"', '"2.00"', "true", "[]", '"v2.0"', '""')
_RESPONSES = (
    *('"result": 5', '"result": null', '"error": {"code": 5, "message": "no"}', '"error": null'),
    '"result": {}, "error": {"code": 2, "message": "x"}',
)
_DAMAGE = (
    *((lambda raw: raw[:-1]), (lambda raw: raw + "}"), (lambda raw: raw + raw)),
    *((lambda raw: raw.replace('"', "'")), (lambda raw: raw.replace(", ", ",, ", 1))),
    *((lambda raw: raw[:-1] + ",}"), (lambda raw: "\xa0" + raw), (lambda raw: raw + "\x0b")),
    *((lambda raw: raw[:-1] + ', "n": [01]}'), (lambda raw: raw[:-1] + ', "n": "\n"}')),
    *((lambda raw: raw[:-1] + r', "n": "\x"}'), (lambda raw: raw[: len(raw) // 2])),
    *((lambda raw: raw[:-1] + f', "n": {"8" * 4500}}}'), (lambda raw: raw.encode() + b"\xfe")),
    *((lambda raw: raw.encode().replace(b"e", b"\xe8", 1)), (lambda raw: "[" * 70_000 + raw)),
)
_FINE = ("echo", "ping", "fine/text", "fine/list", "fine/seven")


def _raw(
    method: str, id: str = "", params: str = "", version: str = '"2.0"', rest: str = ""
) -> str:
    members = [f'"jsonrpc": {version}' if version else "", f'"method": {method}' if method else ""]
    members += [f'"id": {id}' if id else "", f'"params": {params}' if params else "", rest]
    return f"{{{', '.join(filter(None, members))}}}"


@cache
def second_set() -> tuple[str | bytes, ...]:  # noqa: C901
    """Return messages that no check uses: each ordinary thing beside each odd one."""
    random = Random(13)

    def any_of(values: tuple[str, ...]) -> str:
        return random.choice(values)

    def name() -> str:
        return f'"{any_of(_FINE)}"'

    found: list[str | bytes] = []
    asked = [one for one in HOSTILE_METHODS if not one.startswith(("unsendable/", "open/"))]
    quick = [one for one in asked if one not in ("crash/fire", "crash/mute")]
    for method in quick:
        found += [_raw(f'"{method}"', any_of(_IDS), any_of(_PARAMS)) for _ in range(4)]
        found += [_raw(f'"{method}"', "", any_of(_PARAMS)) for _ in range(2)]
    for id in (*_BAD_IDS, *_IDS):
        found += [_raw(name(), id, any_of(_PARAMS)) for _ in range(6)]
    for params in _BAD_PARAMS:
        found += [_raw(name(), any_of(_IDS), params) for _ in range(5)]
        found += [_raw(name(), "", params) for _ in range(3)]
    for method in _NAMES:
        found += [_raw(method, any_of(_IDS), any_of(_PARAMS)) for _ in range(5)]
        found += [_raw(method, "", any_of(_PARAMS)) for _ in range(2)]
    for method in (*_BAD_NAMES, ""):
        found += [_raw(method, any_of(_IDS), any_of(_PARAMS)) for _ in range(4)]
        found += [_raw(method, "", any_of(_PARAMS)) for _ in range(2)]
    for version in (*_VERSIONS, ""):
        found += [_raw(name(), any_of(_IDS), "", version) for _ in range(4)]
        found += [_raw(name(), "", "", version) for _ in range(3)]
    for rest in _RESPONSES:
        found += [_raw("", any_of(_IDS), "", rest=rest) for _ in range(4)]
        found += [_raw(name(), any_of(_IDS), rest=rest), _raw(name(), rest=rest)]
    for damage in _DAMAGE:
        found += [damage(_raw(name(), any_of((*_IDS, "")), any_of(_PARAMS))) for _ in range(4)]
    calls = [_raw(name(), any_of(_IDS)) for _ in range(6)]
    found += [f"[{one}]" for one in calls] + [f"[{', '.join(calls[:3])}]", f"[{_raw(name())}]"]
    found += [
        "[]",
        "[2, 3]",
        "4",
        "2.5",
        '"echo"',
        "null",
        "true",
        "false",
        "{}",
        f"[5, {calls[0]}]",
    ]
    found += [one.encode() for one in calls] + [f"\n {one}\t" for one in calls]
    return tuple(raw for raw in dict.fromkeys(found) if raw not in HOSTILE)
