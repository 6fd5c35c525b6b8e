"""Functions that block, beside an event loop that must not."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future as Outcome
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

__all__ = ["in_thread", "settle"]

_T = TypeVar("_T")


async def in_thread(function: Callable[..., _T], *args: Any) -> _T:
    """Run a function that may block in a thread of its own; return or raise what it does.

    The thread is a daemon: it keeps no program alive. Where there are no threads, as in a browser,
    the function runs here.
    """
    done: asyncio.Future[Outcome[_T]] = asyncio.get_running_loop().create_future()
    context = copy_context()

    def work() -> None:
        outcome: Outcome[_T] = Outcome()
        try:
            outcome.set_result(context.run(function, *args))
        except (KeyboardInterrupt, asyncio.CancelledError) as error:
            # Ctrl-C goes to the main thread, and nothing cancels a thread: this ends nobody else.
            outcome.set_exception(RuntimeError(f"{type(error).__name__} in a thread"))
        except BaseException as error:
            outcome.set_exception(error)
        with suppress(RuntimeError):  # the loop may be gone by now
            done.get_loop().call_soon_threadsafe(settle, done, outcome)

    try:
        threading.Thread(target=work, daemon=True).start()
    except RuntimeError:
        work()
    return (await done).result()


def settle(future: asyncio.Future[_T], value: _T) -> None:
    """Give a future its result, unless whoever waited was canceled meanwhile."""
    if not future.done():
        future.set_result(value)
