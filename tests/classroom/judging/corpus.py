"""Answers that are read from files, those in `wrong_answers/` fitted to no check; and a second,
larger set of messages that no check uses.

In a file `# handle` begins an exercise, and `## what is wrong` an answer: a whole one in a fence,
or changes to the exercise's solution, where lines with "-" are what is replaced by those with "+".
A quote is the name that the check must give it.
"""

from __future__ import annotations

import json
import linecache
import re
import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple
from warnings import catch_warnings

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.judging.answers import NotAttempted
from mini_rpc.classroom.judging.hostile_messages import HOSTILE
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS

FOLDER = Path(__file__).parent


class Answer(NamedTuple):
    """An answer: its file, its exercise, what it is in words, its source, and the name that a check
    must give it, if any."""

    file: str
    exercise: str
    title: str
    source: str
    mistake: str | None

    def function(self):
        return bound(self.source, self.exercise)

    @property
    def steps(self):
        """How many steps a dispatcher has to do, 0 where the answer is none."""
        return getattr(EXERCISES[self.exercise].judge, "steps", 0)


def bound(source, name):
    """Run a source as a notebook's cell would be run; return what it binds to the name."""
    file = f"<cell {name} {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names = {"NotAttempted": NotAttempted, "__name__": "__main__"}
    with catch_warnings(action="ignore"):  # of what Python itself says of a mistake
        exec(compile(source, file, "exec"), names)
    return names[name]


@cache
def wrong_answers():
    """Return the wrong answers that nobody fitted to a check."""
    paths = sorted((FOLDER / "wrong_answers").glob("*.md"))
    return tuple(one for path in paths for one in read_answers(path.name, path.parent))


def read_answers(name, folder=FOLDER):
    """Read a file of answers."""
    return tuple(_read(folder / name))


def _read(path):
    exercise = ""
    for part in re.split(r"^(?=#{1,2} )", path.read_text("utf-8"), flags=re.M):
        title, _, body = part.lstrip("#").partition("\n")
        if part.startswith("## "):
            source = _source(EXERCISES[exercise].solution, body.strip("\n"))
            name = re.search("^> (.*)$", body, re.M)
            yield Answer(path.stem, exercise, title.strip(), source, name and name[1])
        elif part.startswith("# "):
            exercise = title.strip()


def _source(solution, body):
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

PARTS = tomllib.loads((FOLDER / "second_set.toml").read_text("utf-8"))
IDS, BAD_IDS, NAMES = PARTS["ids"], PARTS["bad_ids"], PARTS["bad_names"]
VALUES = [*IDS, *BAD_IDS, *PARTS["bad_params"], *PARTS["values"]]
_DAMAGE = (
    *((lambda raw: raw[:-1]), (lambda raw: raw + "}"), (lambda raw: raw + raw)),
    *((lambda raw: raw.replace('"', "'")), (lambda raw: raw.replace(", ", ",, ", 1))),
    *((lambda raw: raw[:-1] + ",}"), (lambda raw: "\xa0" + raw), (lambda raw: raw + "\x0b")),
    *((lambda raw: raw[:-1] + ', "n": [01]}'), (lambda raw: raw[:-1] + ', "n": "\n"}')),
    *((lambda raw: raw[:-1] + r', "n": "\x"}'), (lambda raw: raw[: len(raw) // 2])),
    *((lambda raw: raw[:-1] + f', "n": {"8" * 4500}}}'), (lambda raw: raw.encode() + b"\xfe")),
    *((lambda raw: raw.encode().replace(b"e", b"\xe8", 1)), (lambda raw: "[" * 70_000 + raw)),
)
_ODDLY_WRITTEN = (
    *((lambda raw: raw.encode()), (lambda raw: raw.replace(", ", ",\n ", 1))),
    *((lambda raw: f"\n {raw}\t"), (lambda raw: f"[{raw}]"), (lambda raw: f"[{raw}, {raw}]")),
)
_LUCKY = '"method": "fine/zero", "id": 0'  # who confuses id and result is right by chance


def _raw(method, id="", params="", version='"2.0"', rest=""):
    members = [f'"jsonrpc": {version}' if version else "", f'"method": {method}' if method else ""]
    members += [f'"id": {id}' if id else "", f'"params": {params}' if params else "", rest]
    return f"{{{', '.join(filter(None, members))}}}"


@cache
def second_set():
    """Return messages that no check uses: each odd thing some times beside ordinary ones."""
    random = Random(13)
    slow = ("unsendable/", "open/", "crash/fire", "crash/mute")
    asked = [f'"{one}"' for one in HOSTILE_METHODS if not one.startswith(slow)]
    odd = {
        "method": [*asked, *PARTS["names"], *NAMES, ""],
        "id": [*BAD_IDS, *IDS],
        "params": PARTS["bad_params"],
        "version": [*PARTS["bad_versions"], ""],
        "rest": PARTS["outcomes"],
    }

    def one_with(**chosen):
        plain = {"method": PARTS["fine"], "id": [*IDS, "", ""], "params": PARTS["params"]}
        return _raw(**{name: random.choice(values) for name, values in plain.items()} | chosen)

    found = [*PARTS["no_objects"]]
    for name, values in odd.items():
        for value in values:
            found += [one_with(**{name: value}) for _ in range(6)]
            found += [one_with(**{"id": "", name: value}) for _ in range(2)]
    found += [one_with(method="", rest=rest) for rest in PARTS["outcomes"] for _ in range(4)]
    found += [damage(one_with()) for damage in _DAMAGE for _ in range(4)]
    found += [how(one_with(params="")) for how in _ODDLY_WRITTEN for _ in range(6)]
    return tuple(
        raw for raw in dict.fromkeys(found) if raw not in HOSTILE and _LUCKY not in str(raw)
    )


def _shapes():
    """Yield messages with one fault at most, a member that nobody asked for now and then."""
    ordinary, no = ('"echo"', '"notifications/x"', '""'), '"error": {"code": 9, "message": "no"}'
    for rest in ("", '"note": 1'):
        for id in (*IDS, *BAD_IDS, "1", "-1", ""):
            yield from (_raw(name, id, rest=rest) for name in ordinary)
            yield _raw("", id, rest=f'"result": 4{rest and ", "}{rest}')
            yield from [_raw("", id, rest=no)] if id else ()
        yield from (_raw(one, id, rest=rest) for one in NAMES for id in ("", "6", '"f"'))
        yield from (
            _raw('"menu"', id, "", one, rest) for one in PARTS["bad_versions"] for id in ("", "6")
        )
    for id in ("6", '"f"', "0"):
        yield from (_raw("", id, rest=f'"result": {one}') for one in VALUES)
        yield from (_raw("", id, rest=f'"error": {one}') for one in PARTS["errors"])
        yield _raw("", id, rest=f'"result": 1, {no}')
    yield from (*VALUES, *(f"[{_raw(name, id)}]" for name in ('"a"',) for id in ("", "6")))


def _evenings():
    random = Random(14)
    ids = (0, "", 4, "4", 1, "1", -3, "a", 10**20, "order-9")
    odd = (True, False, 1.0, 0.0, 4.5, None, [1], {"id": 1}, "A", 77, "77", " ")
    for number in range(300):
        here = random.sample(ids, random.randrange(1, 5))
        waiting = {id: f"table {place}" for place, id in enumerate(here, 1)}
        come = random.sample(here, random.randrange(len(here) + 1))
        if number % 3:
            extra = random.choice((*odd, *come)) if number % 3 == 1 else random.choice(ids)
            come.insert(random.randrange(len(come) + 1), extra)
        kinds = ("result", "error") if number % 5 == 0 else ("result",)
        yield waiting, [{"jsonrpc": "2.0", "id": id, random.choice(kinds): {}} for id in come]


def _readings():
    """Yield texts to read: those of the second set, and what Python reads although not JSON."""
    yield from second_set()
    for word in ("NaN", "Infinity", "-Infinity"):
        yield from (f"[1, {word}]", f'{{"a": {{"b": {word}}}}}', f'"{word}"', f'{{"{word}": 2}}')
        yield f" {word}\n".encode()
    for text in ('{"a": [1, 2.5, null]}', '"soufflé"', "[true]", "5", "{}"):
        yield from (text, text.encode(), b"\xef\xbb\xbf" + text.encode(), "\ufeff" + text)
        yield from (text.encode(name) for name in ("utf-16", "utf-16-be", "utf-32"))
    yield from (r'["\ud812"]', r'{"\udfff": 1}', '["\\ud83d\\ude00"]', b'{"a": "\xed\xb1\x81"}')
    yield from (b'"\xe9t\xe9"', b'["\x80"]', '{"a": 1, "a": 2}', "2e400", '{"n": -5e500}')


def second_cases(exercise):
    """Return cases that the check of this exercise does not use."""
    if exercise == "match_replies":
        return [*_evenings()]
    if exercise == "strict_loads":
        return [(raw,) for raw in _readings()]
    texts = _shapes() if exercise == "shape_of" else (*VALUES, '"x y"', "-2.5", "[null]")
    return [(json.loads(text),) for text in dict.fromkeys(texts)]
