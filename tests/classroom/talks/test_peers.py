"""Programs that nobody here wrote, and the learner's own server: started, heard, and ended.

Covers programs, wiretap.
"""

import asyncio
import logging
import os
import runpy
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from mini_rpc import RpcError
from mini_rpc.classroom.talks import hearing, peers, programs
from mini_rpc.classroom.talks.peers import start
from mini_rpc.classroom.talks.server_file import my_server
from mini_rpc.classroom.text import NoSuchName

needs_mcp = pytest.mark.skipif(
    not find_spec("mcp"), reason="the official package is not installed: pip install mcp"
)


def bounded(conversation):
    return asyncio.run(asyncio.wait_for(conversation, 60))


def program(methods, code=""):
    """Return the command that serves these methods."""
    return [sys.executable, "-c", f"from mini_rpc import serve\n{code}\nserve({{{methods}}})"]


def has_ended(pid):
    """Tell whether there is no such process any more, a zombie apart, or soon will be none."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


# A program that we start ourselves.


def test_a_program_is_started_asked_and_seen_to_end():
    async def ask():
        async with start(*program('"pid": lambda params: os.getpid()', "import os")) as server:
            return await server.request("pid")

    assert os.name == "nt" or has_ended(bounded(ask()))


def test_a_program_that_dies_ends_every_wait():
    async def ask():
        async with start(*program('"die": lambda params: os._exit(1)', "import os")) as server:
            await asyncio.gather(server.request("die"), server.request("never"))

    with pytest.raises((ConnectionError, RpcError)):
        bounded(ask())


def test_a_program_that_does_not_end_is_killed_also_when_the_caller_fails(monkeypatch):
    monkeypatch.setattr(programs, "_PATIENCE", 0.01)
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


# The official client visits it.

ORDER = {"table": 6, "dish": "steak"}
OPENINGS = {
    "auto": ["server/discover"],
    "legacy": ["initialize", "notifications/initialized"],
    "2026-07-28": [],
}


@needs_mcp
@pytest.mark.parametrize("mode", OPENINGS)
def test_both_eras_are_served_however_the_official_client_opens(mode):
    visit = bounded(peers.visit(my_server(), "place_order", ORDER, mode))
    assert (visit.tools, visit.said) == (["place_order"], "steak for table 6")
    sent = [line.message for line in visit.talk if line.sign == ">"]
    assert [one["method"] for one in sent] == [*OPENINGS[mode], "tools/list", "tools/call"]
    assert len(visit.talk) == len(sent) + sum("id" in one for one in sent)
    assert all(("_meta" in one.get("params", {})) == (mode != "legacy") for one in sent)


@needs_mcp
@pytest.mark.parametrize("source", ["raise SystemExit(3)", "1 / 0", "def"])
def test_a_broken_server_is_a_sentence_and_no_traceback_of_the_course(tmp_path, source):
    (tmp_path / "my_server.py").write_text(source)
    visit = bounded(peers.visit(my_server(), "place_order", ORDER))
    assert visit.said.startswith("MCPError")
    assert "\n" not in visit.said


CHATTY = "import sys\nfor n in range(300): print('ready', n, flush=True)\nsys.stdin.readline()"


@needs_mcp
def test_a_chatty_server_costs_one_line_of_the_talk_each_and_no_traceback(tmp_path, capfd, caplog):
    (tmp_path / "my_server.py").write_text(CHATTY)
    visit = bounded(peers.visit(my_server(), "place_order", ORDER))
    assert visit.said.startswith("MCPError")
    assert len([line for line in visit.talk if line.sign == "<"]) == 300
    assert "Traceback" not in capfd.readouterr().err + caplog.text
    assert logging.getLogger("mcp").level == logging.NOTSET


FLOOD = """
import os, sys, threading
def flood():
    while True: os.write(2, b"x" * 9_000_000 + b"\\nlast words\\n")
threading.Thread(target=flood, daemon=True).start()
"""


@needs_mcp
def test_a_server_that_floods_stderr_is_served_and_nothing_grows(tmp_path, capsys, monkeypatch):
    server = my_server()
    server.write_text(FLOOD + server.read_text())
    written = []
    monkeypatch.setattr(peers.LastWords, "text", lambda self: written.append(len(self._kept)) or "")
    visit = bounded(peers.visit(server, "place_order", ORDER))
    assert visit.said == "steak for table 6"
    assert 0 < written[0] <= 4_000


FAMILY = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"],
                         start_new_session=True)
open("family.txt", "w").write(str(child.pid))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("how", ["visit", "hear", "start"])
def test_what_a_server_has_started_itself_ends_with_it(tmp_path, monkeypatch, how):
    monkeypatch.chdir(tmp_path)
    server = my_server()
    server.write_text(FAMILY + server.read_text())

    async def begin():
        async with start(sys.executable, str(server)) as connection:
            await connection.request("server/discover", {"_meta": peers.META})

    if how == "visit":
        pytest.importorskip("mcp")
        bounded(peers.visit(server, "place_order", ORDER))
    else:
        bounded(hearing.hear(["x"], server) if how == "hear" else begin())
    assert has_ended(int((tmp_path / "family.txt").read_text()))


@needs_mcp
def test_a_server_that_never_answers_has_a_deadline_and_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(peers, "_LONGEST_TALK", 3.0)
    (tmp_path / "my_server.py").write_text(
        "import os, time\nopen('pid.txt', 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    )
    monkeypatch.chdir(tmp_path)
    visit = bounded(peers.visit(my_server(), "place_order", ORDER))
    assert visit.said == "nothing within 3 seconds"
    assert has_ended(int((tmp_path / "pid.txt").read_text()))


@pytest.mark.skipif(os.name == "nt", reason="Windows ends the whole job by itself")
def test_a_tapped_program_ends_when_whoever_started_it_is_gone(tmp_path):
    (tmp_path / "hog.py").write_text(
        "import os\nprint(os.getpid(), flush=True)\nwhile True: pass\n"
    )
    parent = (
        "import subprocess, sys\n"
        "tap = [sys.executable, '-m', 'mini_rpc.classroom.talks.wiretap', 'talk.log', 'hog.py']\n"
        "hog = subprocess.Popen(tap, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(hog.stdout.readline().decode().strip(), flush=True)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", parent], cwd=tmp_path, capture_output=True, timeout=30
    )
    pid = int(ran.stdout)
    assert has_ended(pid)
    assert (tmp_path / "talk.log").read_text() == f"< {pid}\n"


def test_a_tapped_program_says_the_same_and_ends_with_the_same_code(tmp_path):
    (tmp_path / "echo.py").write_text(
        "import sys\nfor line in sys.stdin: print(line.upper(), end='')\nsys.exit(7)\n"
    )
    tap = [sys.executable, "-m", "mini_rpc.classroom.talks.wiretap", "talk.log", "echo.py"]
    ran = subprocess.run(tap, input=b"a\nb", cwd=tmp_path, capture_output=True, timeout=30)
    assert (ran.stdout, ran.returncode) == (b"A\nB", 7)
    lines = (tmp_path / "talk.log").read_text().splitlines()
    assert sorted(lines) == ["< A", "< B", "> a", "> b"]


# Where nothing can be started.


def test_without_the_package_a_recorded_talk_takes_its_place_and_one_sentence_says_so(
    monkeypatch, capsys
):
    monkeypatch.setattr(peers, "_said", set())
    monkeypatch.setattr(peers, "find_spec", lambda name: None)

    async def lesson():
        visit = await peers.visit(my_server(), "place_order", ORDER)
        legacy = await peers.visit(my_server(), "place_order", ORDER, "legacy")
        assert legacy.talk[0].message["method"] == "initialize"
        async with peers.official_server("") as server:
            call = {"name": "place_order", "arguments": ORDER, "_meta": peers.META}
            reply = await server.request("tools/call", call)
            with pytest.raises(RpcError, match="recorded talk has no answer"):
                await server.request("tools/call", {})
        return visit, reply

    visit, reply = bounded(lesson())
    assert visit.said == reply["content"][0]["text"] == "steak for table 6"
    assert len(visit.talk) == 6
    assert capsys.readouterr().out == (
        "The package mcp is not installed here: what you see was recorded before.\n"
    )


def test_in_a_browser_no_program_is_started(monkeypatch, capsys):
    def no_program(*args, **options):
        raise AssertionError("a browser has no processes")

    monkeypatch.setattr(peers, "_said", set())
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(subprocess, "Popen", no_program)

    salad = bounded(peers.visit(my_server(), "place_order", {"table": 2, "dish": "salad"}))
    assert salad.said == "salad for table 2"
    assert "A browser starts no programs" in capsys.readouterr().out


@needs_mcp
@pytest.mark.parametrize("name", ["official_client", "legacy_client", "official_server"])
def test_a_recorded_talk_is_what_is_said_today(name, said_today):
    recorded = peers.recorded(name)
    assert [line.sign for line in said_today[name]] == [line.sign for line in recorded]
    for today, then in zip(said_today[name], recorded, strict=True):
        assert today.text == then.text, "python tests/data/record_talks.py records it anew"


@pytest.fixture(scope="module")
def said_today(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINI_RPC_PROGRESS", str(tmp_path_factory.mktemp("today") / "progress.json"))
        names = runpy.run_path(str(Path(__file__).parents[2] / "data" / "record_talks.py"))
        return bounded(names["talks"]())


@pytest.mark.parametrize("name", ["offical_server", "../judged_us", "x" * 5_000, None])
def test_a_talk_that_nobody_recorded_is_one_sentence(name):
    with pytest.raises(NoSuchName, match=r'no recorded talk ".{1,40}"\. |talk in quotes, such as'):
        peers.recorded(name)
