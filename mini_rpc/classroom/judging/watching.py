"""A dispatcher over many messages: run behind the process boundary, and held against the core."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from ...dispatcher import dispatch
from ...messages import kind_of
from ...wire import NotJSON, decode
from .. import sandbox
from ..hostile import HOSTILE_METHODS, SECRET, agrees, as_json
from .comparing import show

__all__ = ["Expected", "Handle", "Judged", "Raw", "Watched", "expected", "judge", "judge_own"]

Raw = str | bytes
Handle = Callable[[Any, Any], Any]
Methods = Mapping[str, Callable[[Any], Any]]


class Expected(NamedTuple):
    """What the core does with a message: the step that decides, its reply, and the calls made.

    `calls` is None where the six steps leave open whether the method is called.
    """

    step: int
    reply: Any
    calls: list[str] | None


class Judged(NamedTuple):
    """A message, what the core does with it, and what became of it in another dispatcher.

    `fault` says in words what is wrong, as "it answered a notification"; "" if nothing is.
    """

    raw: Raw
    expected: Expected
    run: sandbox.Run
    fault: str

    @property
    def reply(self) -> Any:
        """What came back, None also where nothing did."""
        return _reply_and_calls(self.run)[0]

    @property
    def calls(self) -> list[str]:
        """The methods that were called, and with what."""
        return _reply_and_calls(self.run)[1]

    def sentence(self) -> str:
        """Say in a sentence what is wrong."""
        return f"{self.fault[:1].upper()}{self.fault[1:]}."

    def came_back(self) -> str:
        """Say in a line what came back, or what became of it where nothing did."""
        if self.run.state != "returned":
            return f"nothing: {self.run.error or self.run.state}"
        return show(self.reply) + self._called(self.calls)

    def should_have(self) -> str:
        """Say in a line what should have come back."""
        return show(self.expected.reply) + self._called(self.expected.calls or [])

    def _called(self, calls: list[str]) -> str:
        """Tell of the calls, where they are what is wrong."""
        if "called" not in self.fault:
            return ""
        return f"; called: {', '.join(calls) or 'nothing'}"


class Watched:
    """A dispatcher whose calls are written down. It returns its reply and the calls it made."""

    def __init__(self, handle: Handle, methods: Methods) -> None:
        self.handle = handle
        self.calls: list[str] = []
        self.methods = {name: self._watched(name, method) for name, method in methods.items()}

    def __call__(self, raw: Raw) -> tuple[Any, list[str]]:
        self.calls.clear()
        reply = self.handle(raw, self.methods)
        return reply, list(self.calls)

    def _watched(self, name: str, method: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def watched(params: Any) -> Any:
            self.calls.append(f"{name} with {as_json(params) or repr(params)}")
            return method(params)

        return watched


def judge(
    handle: Handle,
    messages: Iterable[Raw],
    methods: Methods = HOSTILE_METHODS,
    *,
    seconds: float | None = None,
) -> list[Judged]:
    """Give the messages to a dispatcher, in order; return one `Judged` for each.

    The dispatcher and the methods run in the sandbox, so no mistake can harm the kernel.
    """
    messages = list(messages)
    runs = sandbox.run_each(Watched(handle, methods), messages, seconds=seconds)
    should = _expectations(messages, methods, seconds)
    return [
        Judged(raw, what, run, _fault(raw, what, run))
        for raw, what, run in zip(messages, should, runs, strict=True)
    ]


def judge_own(handle: Handle, messages: Iterable[Raw]) -> list[Judged]:
    """Do the same with one of the course's own dispatchers and the hostile methods, right here."""
    watched = Watched(handle, HOSTILE_METHODS)
    judged = []
    with _quiet():
        for raw in messages:
            try:
                run = sandbox.Run("returned", watched(raw))
            except BaseException as error:
                run = sandbox.Run("raised", error=type(error).__name__)
            what = expected(raw)
            judged.append(Judged(raw, what, run, _fault(raw, what, run)))
    return judged


def _expectations(
    messages: list[Raw], methods: Methods, seconds: float | None
) -> Iterable[Expected]:
    if methods is HOSTILE_METHODS:
        return map(expected, messages)
    runs = sandbox.run_each(_Core(methods), messages, seconds=seconds)
    return map(_as_expected, runs)


def _as_expected(run: sandbox.Run) -> Expected:
    """Take what the core did out of a run in which the learner's methods ran as well."""
    value = run.value
    if type(value) is tuple and len(value) == 3 and value[0] in range(1, 7):
        return Expected(*value)
    return Expected(6, None, None)


@lru_cache(2000)
def expected(raw: Raw) -> Expected:
    """Return what the core does with one message and the hostile methods."""
    with _quiet():
        return _Core(HOSTILE_METHODS)(raw)


class _Core:
    """The core, watched."""

    def __init__(self, methods: Methods) -> None:
        self.watched = Watched(dispatch, methods)

    def __call__(self, raw: Raw) -> Expected:
        verdict, calls = self.watched(raw)
        return Expected(
            verdict.step, verdict.reply, None if _may_call(raw, verdict.step) else calls
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the core's log, and Python's remarks on the hostile methods, out of the notebook."""
    log = logging.getLogger("mini_rpc")
    before = log.disabled
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        log.disabled = True
        try:
            yield
        finally:
            log.disabled = before


def _may_call(raw: Raw, step: int) -> bool:
    """Tell whether a method may be called or not: step 3 says "run it" before step 4 looks."""
    if step != 3:
        return False
    try:
        return not isinstance(decode(raw).get("params", {}), dict)
    except NotJSON:
        return False


def _fault(raw: Raw, what: Expected, run: sandbox.Run) -> str:
    if run.state == "raised":
        return f"it fell over with {run.error.split(':')[0]}"
    if run.state != "returned":
        return "it gave no answer at all"
    reply, calls = _reply_and_calls(run)
    if what.calls and not calls:
        return "it never called the method"
    if not agrees(raw, what.reply, reply):
        return _wrong_reply(what, reply)
    if what.calls is not None and calls != what.calls:
        return _wrong_calls(what.calls, calls)
    return ""


def _reply_and_calls(run: sandbox.Run) -> tuple[Any, list[str]]:
    value = run.value
    if type(value) is tuple and len(value) == 2 and _is_list_of_text(value[1]):
        return value
    return value, []  # nothing came back, or what cannot leave the sandbox


def _is_list_of_text(value: Any) -> bool:
    return type(value) is list and all(type(one) is str for one in value)


def _wrong_reply(what: Expected, reply: Any) -> str:
    if what.reply is None:
        return "it answered a notification"
    if reply is None:
        return "it stayed silent, although somebody may be waiting"
    if reply == sandbox.VERY_LARGE:
        return "its reply is very large"
    if isinstance(reply, sandbox.Opaque) or as_json(reply) is None:
        return "its reply cannot be written as JSON"
    if not isinstance(reply, dict):
        return f"it returned {kind_of(reply)}, and a reply is a dict"
    if SECRET in (as_json(reply) or ""):
        return "its reply tells what the exception said"
    for name in ("error", "result"):
        if name in what.reply and name not in reply:
            return f"its reply has no {name}"
    return _wrong_member(what.reply, reply)


def _wrong_member(should: dict[str, Any], reply: dict[str, Any]) -> str:
    if extra := sorted(map(str, set(reply) - set(should))):
        return f"its reply has a member too many, {extra[0]}"
    if reply.get("jsonrpc") != "2.0":
        return 'its reply lacks "jsonrpc": "2.0"'
    if "id" not in reply or as_json(reply["id"]) != as_json(should["id"]):
        return "its reply has the wrong id"
    if "result" in should:
        return "its reply has the wrong result"
    error = reply["error"]
    if isinstance(error, dict) and as_json(error.get("code")) == as_json(should["error"]["code"]):
        return "its reply has the right code, but not the right error"
    return "its reply has the wrong code"


def _wrong_calls(should: list[str], calls: list[str]) -> str:
    if not should:
        return "it called a method that must not be called"
    if len(calls) > len(should):
        return "it called the method more than once"
    return f"it called {calls[0]}, and not {should[0]}"
