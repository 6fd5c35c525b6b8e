"""An interrupt ends a cell that waits, in a real kernel; code under a check knows nothing of it."""

import os
import signal
import socket
import subprocess
import sys

import pytest
from jupyter_client.manager import start_new_kernel

from mini_rpc.classroom import sandbox

WAITS = """import asyncio
from mini_rpc.classroom import needs
print("it waits")
await asyncio.sleep(3600)"""


def told(client, kind):
    """Return the content of the kernel's next message of this kind."""
    while (message := client.get_iopub_msg(timeout=30))["msg_type"] != kind:
        pass
    return message["content"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has another way to interrupt")
def test_an_interrupt_ends_a_cell_that_waits_an_hour_and_the_kernel_lives():
    manager, client = start_new_kernel()
    try:
        client.execute(WAITS)
        assert told(client, "stream")["text"] == "it waits\n"
        manager.interrupt_kernel()
        assert told(client, "error")["ename"] == "CancelledError"
        while told(client, "status")["execution_state"] != "idle":
            pass
        client.execute("'alive'")
        assert told(client, "execute_result")["data"]["text/plain"] == "'alive'"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_wakes_nobody():
    inside, outside = socket.socketpair()
    with inside, outside:
        outside.setblocking(False)
        before = signal.set_wakeup_fd(outside.fileno())
        run = sandbox.run(lambda: signal.set_wakeup_fd(-1), strategy="fork")
        signal.set_wakeup_fd(before)
    assert run.value == -1


def test_a_program_that_is_no_kernel_is_left_alone():
    program = (
        "import asyncio, signal\n"
        "async def main():\n"
        "    from mini_rpc.classroom import needs\n"
        "    print(signal.set_wakeup_fd(-1))\n"
        "asyncio.run(main())"
    )
    command = [sys.executable, "-W", "always::ResourceWarning", "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("-1\n", "")
