"""Hunts for a message on which a dispatcher and the core decide differently."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from math import isinf
from random import Random
from typing import Any, NamedTuple

from ...wire import NotJSON, decode
from ..hostile import HOSTILE, HOSTILE_METHODS
from .comparing import show
from .judging import NOTHING_YET, NotAttempted, refusal
from .outcome import Case, Outcome, State
from .watching import Handle, Judged, Raw, judge

__all__ = ["Catch", "Hunter", "fuzz", "hunt", "invent", "is_left_open"]

_BATCH = 25
_ROUNDS = 40
_MOST_VARIANTS = 200


class Catch(NamedTuple):
    """What a hunt brought home: the message that shows a fault, or None, and the tries it took."""

    judged: Judged | None
    tries: int


class Hunter:
    """Judges messages, leaves out those that would not be fair, counts them, and tells so."""

    def __init__(
        self,
        handle: Handle,
        is_fair: Callable[[Raw], bool] = lambda raw: True,
        progress: Callable[[int], None] = lambda tries: None,
    ) -> None:
        self.handle = handle
        self.is_fair = is_fair
        self.progress = progress
        self.tries = 0

    def first_fault(self, messages: Iterable[Raw]) -> Judged | None:
        """Return the message that fails at the earliest step, the shortest of those."""
        fair = [raw for raw in messages if not is_left_open(raw) and self.is_fair(raw)]
        judged = judge(self.handle, fair)
        self.tries += len(fair)
        self.progress(self.tries)
        faulty = [one for one in judged if one.fault and one.run.state != "not run"]
        return min(faulty, key=lambda one: (one.expected.step, len(one.raw)), default=None)

    def shrink(self, found: Judged) -> Judged:
        """Return the shortest message that still shows a fault, after a short search."""
        for _ in range(_ROUNDS):
            if _is_stuck(found):
                break  # each try would take until the time is up
            shorter = self.first_fault(_shorter(found.raw))
            if shorter is None:
                break
            found = shorter
        return found


def hunt(hunter: Hunter, tries: int, *, with_hypothesis: bool | None = None) -> Catch:
    """Try what is known to hurt, then about `tries` invented messages; shrink what is found."""
    found = hunter.first_fault(HOSTILE)
    if found is None:
        found = invent(hunter, tries, with_hypothesis=with_hypothesis)
    return Catch(found and hunter.shrink(found), hunter.tries)


def invent(hunter: Hunter, tries: int, *, with_hypothesis: bool | None = None) -> Judged | None:
    """Try about `tries` invented messages; return one that shows a fault, or None.

    Hypothesis invents them where it is installed. The same hunt finds the same message again.
    """
    installed = find_spec("hypothesis") is not None
    use_it = installed if with_hypothesis is None else with_hypothesis
    return (_invent_with_hypothesis if use_it else _invent_by_hand)(hunter, tries)


def is_left_open(raw: Raw) -> bool:
    """Tell whether the six steps leave a message open, so that no dispatcher can be wrong on it.

    Byte-order marks, UTF-16 and UTF-32, infinity, a name twice in one object, and methods that
    leave by `SystemExit` and its kind, or raise an error on purpose that no reply can carry.
    """
    if isinstance(raw, bytes):
        return raw.startswith(b"\xef\xbb\xbf") or b"\x00" in raw or _has_open_value(raw)
    return raw.startswith("\ufeff") or _has_open_value(raw)


def _has_open_value(raw: Raw) -> bool:
    found = False

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal found
        members = dict(pairs)
        values = [value for _, value in pairs]
        infinite = any(isinstance(value, float) and isinf(value) for value in _flat(values))
        found = found or len(members) < len(pairs) or infinite
        return members

    try:
        message = decode(raw)
        json.loads(raw, object_pairs_hook=look)
    except (NotJSON, ValueError, RecursionError):
        return False
    if isinstance(message, dict):
        name = message.get("method")
        return found or (isinstance(name, str) and name.startswith(("open/", "crash/fire")))
    return found or any(isinstance(value, float) and isinf(value) for value in _flat([message]))


def _flat(values: list[Any]) -> Iterator[Any]:
    """Yield the values in a list of lists; objects are looked at by themselves."""
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def _is_stuck(found: Judged) -> bool:
    return found.run.state not in ("returned", "raised")


# --- shorter messages --------------------------------------------------------------------------


def _shorter(raw: Raw) -> list[Raw]:
    """Return shorter variants: without a member, with a simpler value, without a piece."""
    try:
        variants = [json.dumps(value) for value in _simpler(decode(raw))]
    except (NotJSON, RecursionError, ValueError):
        variants = []
    found = dict.fromkeys([*variants, *_cut(raw)])
    return [one for one in found if len(one) < len(raw)][:_MOST_VARIANTS]


def _cut(raw: Raw) -> Iterator[Raw]:
    for n in {len(raw) // 2, len(raw) // 4, len(raw) // 8, 1} - {0}:
        for at in range(0, min(len(raw), 40 * n), n):
            if isinstance(raw, bytes):
                yield raw[:at] + raw[at + n :]
            else:
                yield raw[:at] + raw[at + n :]


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
_LETTERS = 'a1 "\\\\{}[]:,-.\\n\\x00é\\u2028🍮\\ud800'
_USUAL = {"jsonrpc": 0.97, "id": 0.7, "method": 0.95, "params": 0.6, "result": 0.03}


def _invent_by_hand(hunter: Hunter, tries: int) -> Judged | None:
    """Put messages together from what is known to hurt, and damage some of them."""
    random = Random(0)
    end = hunter.tries + tries
    while hunter.tries < end:
        found = hunter.first_fault([_invented(random) for _ in range(4 * _BATCH)])
        if found:
            return found
    return None


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


class _Stuck(BaseException):
    """Ends Hypothesis's search, which would try the same message again and again."""

    def __init__(self, found: Judged) -> None:
        super().__init__()
        self.found = found


def _invent_with_hypothesis(hunter: Hunter, tries: int) -> Judged | None:
    """Let Hypothesis invent messages. Its own shrinking takes long across a process boundary."""
    from hypothesis import HealthCheck, Phase, configuration, find, settings
    from hypothesis import strategies as some
    from hypothesis.errors import NoSuchExample

    def shows_a_fault(messages: list[Raw]) -> bool:
        found = hunter.first_fault(messages)
        if found and _is_stuck(found):
            raise _Stuck(found)
        return found is not None

    options = settings(
        max_examples=max(1, tries // _BATCH),
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    with tempfile.TemporaryDirectory() as scratch:
        configuration.set_hypothesis_home_dir(scratch)  # nothing is left beside the notebooks
        try:
            batches = some.lists(_messages(some), min_size=_BATCH // 2, max_size=_BATCH)
            return hunter.first_fault(
                find(batches, shows_a_fault, settings=options, random=Random(0))
            )
        except NoSuchExample:
            return None
        except _Stuck as stuck:
            return stuck.found


def _messages(some: Any) -> Any:
    """Return Hypothesis's strategy for raw messages."""
    text = some.text(some.sampled_from(_LETTERS))  # all of Unicode takes seconds to load
    leaf = some.none() | some.booleans() | some.integers() | text
    leaf |= some.floats(allow_nan=False, allow_infinity=False)
    value = some.recursive(
        leaf,
        lambda one: some.lists(one, max_size=3) | some.dictionaries(text, one, max_size=3),
        max_leaves=4,
    ).map(json.dumps)
    members = {name: some.sampled_from(texts) | value for name, texts in _MEMBERS.items()}
    usual = {"jsonrpc": some.just('"2.0"')}
    rest = {name: members[name] for name in ("id", "method", "params", "result")}
    call = some.fixed_dictionaries(usual, optional=rest).map(_raw)
    odd = some.fixed_dictionaries({}, optional=members).map(_raw)
    return call | call | odd | value | text | some.binary() | call.map(str.encode)


# --- for the curious ---------------------------------------------------------------------------


def fuzz(handle: Any, tries: int = 1000) -> Outcome:
    """Hunt for a message on which a dispatcher and the course's decide differently; show the
    smallest that was found. The hunt ends after about `tries` messages.
    """
    if handle is ...:
        return Outcome("fuzz", *NOTHING_YET)
    if fault := refusal("handle", handle, ("raw", "methods")):
        return Outcome("fuzz", "wrong", fault)
    if _is_stub(judge(handle, ["{}"])[0]):
        return Outcome("fuzz", *NOTHING_YET)
    bar = _Bar(tries + len(HOSTILE))
    catch = hunt(Hunter(handle, progress=bar.show), tries)
    bar.close()
    judged = catch.judged
    if judged is None:
        return Outcome("fuzz", "correct", f"No difference found in {catch.tries:,} tries.")
    message = f"Found in {catch.tries:,} tries, at step {judged.expected.step}: {judged.fault}."
    case = Case(show(judged.raw), judged.came_back(), judged.should_have(), judged.raw)
    state: State = "out of time" if judged.run.state == "out of time" else "wrong"
    printed, line = judged.run.printed, judged.run.line
    found = Outcome("fuzz", state, message, case, None, printed, line)
    return replace(found, handle=handle, methods=HOSTILE_METHODS)


def _is_stub(judged: Judged) -> bool:
    return judged.run.error.split(":")[0] == NotAttempted.__name__


class _Bar:
    """A progress bar in a notebook, and nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self._widget: Any = None
        if find_spec("ipywidgets") and find_spec("IPython"):
            self._widget = self._in_notebook(total)

    @staticmethod
    def _in_notebook(total: int) -> Any:
        from IPython.core.getipython import get_ipython

        if get_ipython() is None:
            return None
        from IPython.display import display
        from ipywidgets import IntProgress  # type: ignore[import-untyped]

        widget = IntProgress(max=total, description="Trying")
        display(widget)  # type: ignore[no-untyped-call]
        return widget

    def show(self, tries: int) -> None:
        if self._widget:
            self._widget.value = tries
            self._widget.description = f"{tries:,} tries"

    def close(self) -> None:
        if self._widget:
            self._widget.close()
