"""Programs that nobody here wrote, and the learner's own server: started, heard, and ended."""

import asyncio
import os
import subprocess
import sys

import pytest

from mini_rpc import RpcError
from mini_rpc.classroom import peers
from mini_rpc.classroom.peers import start


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(peers, "_said", set())
    return tmp_path


def bounded(conversation):
    return asyncio.run(asyncio.wait_for(conversation, 60))


def program(methods, code=""):
    """Return the command that serves these methods."""
    return [sys.executable, "-c", f"from mini_rpc import serve\n{code}\nserve({{{methods}}})"]


# A program that we start ourselves.


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_program_is_started_asked_and_seen_to_end():
    async def ask():
        async with start(*program('"pid": lambda params: os.getpid()', "import os")) as server:
            return await server.request("pid")

    pid = bounded(ask())
    assert isinstance(pid, int)
    if os.name != "nt":
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_program_that_dies_ends_every_wait():
    async def ask():
        async with start(*program('"die": lambda params: os._exit(1)', "import os")) as server:
            await asyncio.gather(server.request("die"), server.request("never"))

    with pytest.raises((ConnectionError, RpcError)):
        bounded(ask())


def test_a_program_that_does_not_end_is_killed_also_when_the_caller_fails(monkeypatch):
    monkeypatch.setattr(peers, "_PATIENCE", 0.01)
    seen = []

    class Seen(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            seen.append(self)

    monkeypatch.setattr(subprocess, "Popen", Seen)

    async def fail():
        async with start(sys.executable, "-c", "import time; time.sleep(600)"):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bounded(fail())
    assert seen[0].returncode not in (None, 0)
