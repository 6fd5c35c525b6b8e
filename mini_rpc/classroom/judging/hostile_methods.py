"""Methods that return, raise and do what is hard for a dispatcher: each by a name that says it.

They stand in `hostile_methods.md`; here is what a line there cannot say.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ...dispatcher import RpcError
from ..content import Block, Page, read_page
from ..kitchen import METHODS, OUT_OF_DISH

__all__ = ["HOSTILE_METHODS", "SECRET", "read_methods"]

SECRET = "password 1234"
"""Every crash of these methods carries this text. It must never reach a reply."""

_HEIGHT = 1_500 if sys.platform == "emscripten" else 100_000  # a browser tab has a small stack


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


def _caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


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
    for _ in range(_HEIGHT):
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


_NAMES: dict[str, Any] = {
    **{one.__name__: one for one in (Fire, KitchenError, Mute, OutOfDish, RpcError, TrappedDict)},
    **{one.__name__[1:]: one for one in (_caused, _circle, _eat, _later, _mirror, _season)},
    "OUT_OF_DISH": OUT_OF_DISH,
    "SECRET": SECRET,
    "json": json,
    "stream": _stream,
    "tower": _tower,
}
_RETURN = ("fine", "unsendable")  # the others raise what stands there


def read_methods(path: Path) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Read a file of methods: a section for each kind, which says what they do, and a line for each
    with its name and what it returns or raises, made anew at each call.

    Raises `BadContent` if something in it is wrong.
    """
    page = read_page(path)
    for section in page.sections:
        if [block.language or block.kind for block in section.blocks] != ["quote", "python"]:
            page.refuse(section.line, "A kind of method has a quote, and a block of Python.")
        says, code = section.blocks
        for name, make in _made(page, code):
            method = make if section.title in _RETURN else _raising(make)
            method.__doc__ = f"{says.text}: {name.replace('_', ' ')}."
            yield f"{section.title}/{name}", method


def _made(page: Page, code: Block) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    lines = [line.partition(" = ") for line in code.text.splitlines()]
    for number, (name, equals, _) in enumerate(lines, code.line + 1):
        if not equals or not name.isidentifier():
            page.refuse(number, "A method is a line like: zero = 0")
    source = "\n".join(f"def made_{name}(params): return {value}" for name, _, value in lines)
    made = dict(_NAMES)
    try:
        exec(compile("\n" * code.line + source, str(page.path), "exec"), made)
    except SyntaxError as error:
        page.refuse(error.lineno or code.line, f"This is not Python: {error.msg}.")
    return ((name, made[f"made_{name}"]) for name, _, _ in lines)


def _raising(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def method(params: Any) -> Any:
        raise make(params)

    return method


HOSTILE_METHODS: dict[str, Callable[[Any], Any]] = {
    **METHODS,
    **dict(read_methods(Path(__file__).with_suffix(".md"))),
}
"""The kitchen's methods, and those that crash, or return and raise what is hard to send."""
