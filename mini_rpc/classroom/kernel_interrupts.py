"""Let an interrupt end a cell that waits, at once.

The kernel cancels such a cell, but nobody wakes its event loop: the cell would go on until the
loop has something else to do, which may be a minute later. Here each signal wakes the loop.
"""

import asyncio
import signal
import socket
import sys
import threading

__all__ = ["wake_the_loop"]

_ends: list[socket.socket] = []


def wake_the_loop() -> None:
    """Let each signal wake the kernel's event loop. Anywhere but in a kernel, do nothing."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if _ends or not in_main_thread or not _in_a_kernel():
        return
    inside, outside = _ends[:] = socket.socketpair()
    for end in _ends:
        end.setblocking(False)
    try:
        asyncio.get_running_loop().add_reader(inside, inside.recv, 4096)
    except (RuntimeError, NotImplementedError):  # no loop runs; not every loop of Windows can
        return
    before = signal.set_wakeup_fd(outside.fileno(), warn_on_full_buffer=False)
    if before != -1:  # somebody has seen to it
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)


def _in_a_kernel() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
