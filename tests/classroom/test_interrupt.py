"""An interrupt ends a cell that waits, in a real kernel; code under a check knows nothing of it."""

import os
import signal
import socket

import pytest
from jupyter_client.manager import start_new_kernel

from mini_rpc.classroom import sandbox

WAITS = """import asyncio
import mini_rpc.classroom
print("it waits")
await asyncio.sleep(3600)"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has another way to interrupt")
def test_an_interrupt_ends_a_cell_that_waits_an_hour_and_the_kernel_lives() -> None:
    manager, client = start_new_kernel()
    try:
        client.execute(WAITS)
        while client.get_iopub_msg(timeout=30)["content"].get("text") != "it waits\n":
            pass
        manager.interrupt_kernel()
        reply = client.get_shell_msg(timeout=30)["content"]
        assert (reply["status"], reply["ename"]) == ("error", "CancelledError")
        client.execute("'alive'")
        assert client.get_shell_msg(timeout=30)["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_wakes_nobody() -> None:
    inside, outside = socket.socketpair()
    outside.setblocking(False)
    before = signal.set_wakeup_fd(outside.fileno())
    try:
        run = sandbox.run(lambda: signal.set_wakeup_fd(-1), strategy="fork")
    finally:
        signal.set_wakeup_fd(before)
        inside.close()
        outside.close()
    assert run.value == -1
