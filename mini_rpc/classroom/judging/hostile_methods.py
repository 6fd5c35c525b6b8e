"""Methods that return, raise and do what is hard for a dispatcher: each by a name that says it."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from typing import Any

from ...dispatcher import RpcError
from ..kitchen import METHODS, OUT_OF_DISH

__all__ = ["HOSTILE_METHODS", "SECRET"]

SECRET = "password 1234"
"""Every crash of these methods carries this text. It must never reach a reply."""


class Fire(BaseException):
    """A crash that `except Exception` lets through."""


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError(SECRET)

    __repr__ = __str__


class KitchenError(Exception):
    """A crash that looks like an error raised on purpose, and is none."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(f"{message}, {SECRET}")
        self.code, self.message, self.data = code, message, data


class OutOfDish(RpcError):
    """An error raised on purpose, by its own name."""

    def __init__(self, dish: str) -> None:
        super().__init__(OUT_OF_DISH, f"We are out of {dish}", {"dish": dish})


class TrappedDict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError(SECRET)


def _raises(error: Callable[[], BaseException]) -> Callable[[Any], Any]:
    def method(params: Any) -> Any:
        raise error()

    return method


def _note(code: Any, message: Any, data: Any = None) -> Callable[[Any], Any]:
    return _raises(lambda: RpcError(code, message, data))


def _caused(error: BaseException, cause: BaseException) -> Callable[[Any], Any]:
    def method(params: Any) -> Any:
        raise error.with_traceback(None) from cause

    return method


def _mirror(params: Any) -> Any:
    return _mirror(params)


def _circle(params: Any) -> Any:
    plate: dict[str, Any] = {}
    plate["plate"] = plate
    return plate


def _tower(params: Any) -> Any:
    plates: list[Any] = []
    collecting = gc.isenabled()
    gc.disable()  # it would look through everything each time that some hundred plates are new
    for _ in range(100_000):
        plates = [plates]
    if collecting:
        gc.enable()
    return plates


async def _cook() -> None:
    """Wait for nothing."""


def _later(params: Any) -> Any:
    """Return what an async function returns: closed, so that Python does not miss the await."""
    coroutine = _cook()
    coroutine.close()
    return coroutine


def _stream(params: Any) -> Any:
    yield params


def _eat(params: Any) -> Any:
    params.clear()
    return {"eaten": True}


def _season(params: Any) -> Any:
    params["salt"] = True
    return {"seasoned": len(params) > 1}


_CRASHES: dict[str, Callable[[Any], Any]] = {
    "crash/key": _raises(lambda: KeyError(f"{SECRET} of the book")),
    "crash/index": _raises(lambda: IndexError(f"{SECRET} of the shelf")),
    "crash/type": _raises(lambda: TypeError(f"{SECRET} of the safe")),
    "crash/attribute": _raises(lambda: AttributeError(f"{SECRET} of the oven")),
    "crash/value": _raises(lambda: ValueError(f"{SECRET} of the till")),
    "crash/zero": _raises(lambda: ZeroDivisionError(f"{SECRET} of the scales")),
    "crash/file": _raises(lambda: FileNotFoundError(2, f"{SECRET} of the cellar")),
    "crash/time": _raises(lambda: TimeoutError(f"{SECRET} of the clock")),
    "crash/runtime": _raises(lambda: RuntimeError(f"{SECRET} of the stove")),
    "crash/plain": _raises(lambda: Exception(f"{SECRET} of the door")),
    "crash/assertion": _raises(lambda: AssertionError(f"{SECRET} of the cook")),
    "crash/stop": _raises(lambda: StopIteration(f"{SECRET} of the line")),
    "crash/json": _raises(lambda: json.JSONDecodeError(f"{SECRET} of the menu", "", 0)),
    "crash/coded": _raises(lambda: KitchenError(-32602, "No such table", {"table": 9})),
    "crash/numbered": _raises(lambda: KitchenError(OUT_OF_DISH, "No such dish")),
    "crash/cause": _caused(
        RuntimeError(f"{SECRET} of the bell"), KeyError(f"{SECRET} of the rope")
    ),
    "crash/meant_cause": _caused(
        ValueError(f"{SECRET} of the list"), RpcError(OUT_OF_DISH, "We are out of soup")
    ),
    "crash/fire": _raises(lambda: Fire(SECRET)),
    "crash/mute": _raises(Mute),
    "crash/mirror": _mirror,
}

_UNSENDABLE: dict[str, Callable[[Any], Any]] = {
    "unsendable/set": lambda params: {6, 2},
    "unsendable/bytes": lambda params: b"steak",
    "unsendable/object": lambda params: {"order": object()},
    "unsendable/nan": lambda params: float("nan"),
    "unsendable/infinity": lambda params: [float("-inf")],
    "unsendable/circle": _circle,
    "unsendable/tower": _tower,
    "unsendable/tuple_key": lambda params: {(6, 2): "steak"},
    "unsendable/function": lambda params: _circle,
    "unsendable/later": _later,
    "unsendable/stream": _stream,
    "unsendable/long": lambda params: 10**5000,
    "unsendable/trap": lambda params: TrappedDict(table=6),
}

_FINE: dict[str, Callable[[Any], Any]] = {
    "fine/null": lambda params: None,
    "fine/nothing": lambda params: None,
    "fine/false": lambda params: False,
    "fine/true": lambda params: True,
    "fine/zero": lambda params: 0,
    "fine/seven": lambda params: 7,
    "fine/empty": lambda params: "",
    "fine/text": lambda params: "steak, please",
    "fine/list": lambda params: [],
    "fine/dishes": lambda params: ["salad", "steak"],
    "fine/number": lambda params: 1.0,
    "fine/large": lambda params: 10**26,
    "fine/error": lambda params: {"error": {"code": 1, "message": "only data"}},
    "fine/failure": lambda params: {"error": None, "isError": True},
    "fine/surrogate": lambda params: "\ud800",
    "fine/eat": _eat,
    "fine/season": _season,
}

_NOTES: dict[str, Callable[[Any], Any]] = {
    "note/own": _note(OUT_OF_DISH, "We are out of that dish"),
    "note/closed": _note(404, "The kitchen is closed"),
    "note/data": _note(-32022, "Unsupported version", {"supported": ["2026-07-28"]}),
    "note/list": _note(OUT_OF_DISH, "Two are missing", ["salad", "steak"]),
    "note/text": _note(1, "One is missing", "salad"),
    "note/false": _note(OUT_OF_DISH, "Data can be false", False),
    "note/nought": _note(OUT_OF_DISH, "Data can be zero", 0),
    "note/bare": _note(OUT_OF_DISH, "Data can be empty", {}),
    "note/zero": _note(0, "Zero is an integer"),
    "note/subclass": _raises(lambda: OutOfDish("lobster")),
    "note/child": _raises(lambda: OutOfDish("soup")),
    "note/params": _note(-32602, "Invalid params: table is missing"),
    "note/method": _note(-32601, "Method not found: deeper down"),
    "note/internal": _note(-32603, "Internal error: no gas"),
    "note/legacy": _note(-32002, "Resource not found", {"uri": "menu:today"}),
    "note/empty": _note(OUT_OF_DISH, ""),
}

_OPEN_METHODS: dict[str, Callable[[Any], Any]] = {
    "open/exit": _raises(lambda: SystemExit(SECRET)),
    "open/set": _note(OUT_OF_DISH, "Data that is no JSON", {6, 2}),
    "open/nan": _note(OUT_OF_DISH, "Data that is no JSON", float("nan")),
    "open/true": _note(True, "A code that is true"),
    "open/text": _note("86", "A code that is text"),
    "open/fraction": _note(86.5, "A code that is a fraction"),
    "open/none": _note(None, "No code"),
    "open/number": _note(OUT_OF_DISH, 7),
    "open/object": _note(OUT_OF_DISH, "Data that is no JSON", {"order": object()}),
}

HOSTILE_METHODS: dict[str, Callable[[Any], Any]] = {
    **METHODS,
    **_CRASHES,
    **_UNSENDABLE,
    **_FINE,
    **_NOTES,
    **_OPEN_METHODS,
}
"""The kitchen's methods, and those that crash, or return and raise what is hard to send."""


def _described() -> None:
    """Give each hostile method one line that says what it does, for whoever meets its name."""
    for name, method in {**_CRASHES, **_UNSENDABLE, **_FINE, **_NOTES, **_OPEN_METHODS}.items():
        kind, _, what = name.partition("/")
        method.__doc__ = f"{_SAYS[kind]}: {what.replace('_', ' ')}."


_SAYS = {
    "crash": "Raises an exception that nobody meant",
    "unsendable": "Returns what JSON cannot carry",
    "fine": "Returns a value that may be sent",
    "note": "Raises an RpcError, which is sent as it is",
    "open": "Raises what the six steps say nothing about",
}
_described()
