"""An event loop without a clock: where nothing is left to do but wait, time jumps ahead.

It needs no thread, socket or process. So it also runs where another loop is running, as in a cell
or in a browser tab, and what it runs takes the same course every time.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

__all__ = ["Stuck", "run"]

_T = TypeVar("_T")


class Stuck(RuntimeError):
    """Raised where everybody waits for something that never comes."""


class _Loop(asyncio.BaseEventLoop):
    """asyncio's own loop, with itself in the place of its selector."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def select(self, timeout: float | None) -> list[Any]:
        if timeout is None:
            raise Stuck("everybody waits for something that never comes")
        self._now += timeout
        return []

    def _process_events(self, events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


def run(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end and return or raise what it does. No task of it is left.

    Raises `Stuck` if it waits for something that never comes, a thread included; and what a task
    raised, where nobody has asked the task.
    """
    loop, tasks = _Loop(), list[asyncio.Task[Any]]()

    def make_task(*args: Any, **options: Any) -> asyncio.Task[Any]:
        tasks.append(asyncio.Task(args[1], loop=loop, **options))
        return tasks[-1]

    loop.set_task_factory(make_task)
    with _no_loop_around():
        try:
            found = loop.run_until_complete(coroutine)
            _raise_unheard(tasks)
            return found
        finally:
            loop.set_exception_handler(lambda *_: None)  # of what ends with the loop
            _end_tasks(loop)
            loop.close()


def _raise_unheard(tasks: list[asyncio.Task[Any]]) -> None:
    unheard = (task for task in tasks if getattr(task, "_log_traceback", False))
    errors = [task.exception() for task in unheard]  # asked for, none of them is logged any more
    for error in filter(None, errors[:1]):
        raise error


def _end_tasks(loop: asyncio.AbstractEventLoop) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        with suppress(Stuck):
            loop.run_until_complete(asyncio.wait(tasks))


@contextmanager
def _no_loop_around() -> Iterator[None]:
    """Take the loop that runs this code, and its task, out of asyncio's sight for a while."""
    around = asyncio._get_running_loop()
    if around is None:
        yield
        return
    # As of Python 3.14 a thread has one current task, whatever the loop.
    swap = getattr(asyncio.tasks, "_swap_current_task", lambda loop, task: None)
    task = swap(around, None)
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(around)
        swap(around, task)
