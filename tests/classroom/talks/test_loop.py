"""The loop without a clock: time jumps, and what can never go on is found out."""

import asyncio
import gc
from contextlib import suppress

import pytest

from mini_rpc.classroom.talks.loop import Stuck, run


async def sleep_long():
    await asyncio.sleep(3600)
    return asyncio.get_running_loop().time()


def test_time_jumps_to_the_next_thing_to_do_and_an_exception_comes_out_as_it_is():
    async def burn():
        raise ZeroDivisionError

    assert run(sleep_long()) == 3600
    with pytest.raises(ZeroDivisionError):
        run(burn())


def test_what_a_task_raises_unheard_comes_out_and_what_was_heard_does_not(caplog):
    async def burn():
        raise ZeroDivisionError

    async def wait(*, hear):
        tasks = [asyncio.ensure_future(burn()), asyncio.ensure_future(burn())]
        await asyncio.wait(tasks)
        return [type(task.exception()) for task in tasks] if hear else None

    assert run(wait(hear=True)) == [ZeroDivisionError] * 2
    with pytest.raises(ZeroDivisionError):
        run(wait(hear=False))
    gc.collect()
    assert not caplog.records


def test_it_runs_where_another_loop_is_running_and_gives_the_task_back():
    async def around():
        task = asyncio.current_task()
        inner = run(sleep_long())
        assert asyncio.current_task() is task
        await asyncio.sleep(0)
        return inner

    assert asyncio.run(around()) == 3600


def test_everybody_waiting_is_stuck_and_no_task_is_left(caplog):
    async def wait():
        other = asyncio.ensure_future(asyncio.Event().wait())
        await asyncio.gather(other, asyncio.Event().wait())

    with pytest.raises(Stuck):
        run(wait())
    gc.collect()
    assert not caplog.records, "a task was destroyed while it was pending"


def test_a_task_that_refuses_to_end_is_left_behind_without_a_hang():
    async def stubborn():
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    async def leave():
        task = asyncio.ensure_future(stubborn())
        await asyncio.sleep(0)
        return "left" if not task.done() else "ended"

    assert run(leave()) == "left"
