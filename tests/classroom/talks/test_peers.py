"""Programs that nobody here wrote, and the learner's own server: started, heard, and ended."""

import asyncio
import os
import runpy
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from mini_rpc import RpcError
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.talks import peers
from mini_rpc.classroom.talks.peers import start

needs_mcp = pytest.mark.skipif(
    not find_spec("mcp"), reason="the official package is not installed: pip install mcp"
)


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


# The learner's own server.


def test_my_server_is_made_once_and_never_written_over(desk):
    path = peers.my_server()
    assert path == desk / "my_server.py"
    path.write_text("mine = 1")
    assert peers.my_server().read_text() == "mine = 1"


def test_where_nothing_can_be_written_it_is_made_elsewhere_and_said(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "no" / "such" / "folder.json"))
    path = peers.my_server()
    assert path.exists()
    assert str(path) in capsys.readouterr().out


def test_its_methods_are_read_without_starting_it():
    assert set(peers.methods_in(peers.my_server())) == {
        "server/discover",
        "tools/list",
        "tools/call",
    }


# The official client visits it.

ORDER = {"table": 6, "dish": "steak"}


@needs_mcp
def test_the_official_client_lists_and_calls_and_the_talk_is_logged():
    visit = bounded(peers.visit(peers.my_server(), "place_order", ORDER))
    assert (visit.tools, visit.said) == (["place_order"], "steak for table 6")
    asked = [line.message["method"] for line in visit.talk if line.sign == ">"]
    assert asked == ["server/discover", "tools/list", "tools/call"]
    assert len(visit.talk) == 6


@needs_mcp
def test_the_official_client_talks_to_the_dispatcher_that_a_learner_wrote_in_lesson_4():
    path, own = peers.my_server(), EXERCISES["handle"].solution
    before, imported, after = path.read_text().partition("from mini_rpc import handle\n")
    assert imported
    assert "mini_rpc" not in before + after
    path.write_text(before + f"from mini_rpc import RpcError\n\n\n{own}" + after)
    visit = bounded(peers.visit(path, "place_order", ORDER))
    assert (visit.tools, visit.said) == (["place_order"], "steak for table 6")


BROKEN = {
    "it leaves": "raise SystemExit(3)",
    "it crashes": "1 / 0",
    "it does not compile": "def",
    "it prints, too": "print('ready', flush=True)\nimport sys\nsys.stdin.readline()",
}


@needs_mcp
@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_server_is_a_sentence_and_no_traceback_of_the_course(desk, how, capsys):
    (desk / "my_server.py").write_text(BROKEN[how])
    visit = bounded(peers.visit(peers.my_server(), "place_order", ORDER))
    assert visit.said.startswith("MCPError")
    assert "\n" not in visit.said


@needs_mcp
def test_a_server_that_never_answers_has_a_deadline_and_is_ended(desk, monkeypatch):
    monkeypatch.setattr(peers, "_LONGEST_TALK", 3.0)
    (desk / "my_server.py").write_text(
        "import os, time\nopen('pid.txt', 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    )
    monkeypatch.chdir(desk)
    visit = bounded(peers.visit(peers.my_server(), "place_order", ORDER))
    assert visit.said == "nothing within 3 seconds"
    assert not is_alive(int((desk / "pid.txt").read_text()))


@pytest.mark.skipif(os.name == "nt", reason="Windows ends the whole job by itself")
def test_a_tapped_program_ends_when_whoever_started_it_is_gone(desk):
    (desk / "hog.py").write_text("import os\nprint(os.getpid(), flush=True)\nwhile True: pass\n")
    parent = (
        "import subprocess, sys\n"
        "tap = [sys.executable, '-m', 'mini_rpc.classroom.talks.wiretap', 'talk.log', 'hog.py']\n"
        "hog = subprocess.Popen(tap, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(hog.stdout.readline().decode().strip(), flush=True)\n"
    )
    ran = subprocess.run([sys.executable, "-c", parent], cwd=desk, capture_output=True, timeout=30)
    pid = int(ran.stdout)
    for _ in range(100):
        if not is_alive(pid):
            break
        time.sleep(0.1)
    assert not is_alive(pid)
    assert (desk / "talk.log").read_text() == f"< {pid}\n"


def test_a_tapped_program_says_the_same_and_ends_with_the_same_code(desk):
    (desk / "echo.py").write_text(
        "import sys\nfor line in sys.stdin: print(line.upper(), end='')\nsys.exit(7)\n"
    )
    tap = [sys.executable, "-m", "mini_rpc.classroom.talks.wiretap", "talk.log", "echo.py"]
    ran = subprocess.run(tap, input=b"a\nb", cwd=desk, capture_output=True, timeout=30)
    assert (ran.stdout, ran.returncode) == (b"A\nB", 7)
    lines = (desk / "talk.log").read_text().splitlines()
    assert [line for line in lines if line[0] == ">"] == ["> a", "> b"]
    assert [line for line in lines if line[0] == "<"] == ["< A", "< B"]


# Odd messages.

ANSWERS = """
import json, sys
for number, line in enumerate(sys.stdin):
    try:
        id = json.loads(line)["id"]
    except ValueError:
        id = None
    if str(id).startswith("after"):
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {}}), flush=True)
    else:
        ODD
"""


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("1 / 0", "it ended: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "it ended: without a word on stderr"),
        ("input()\nraise SystemExit('bye')", "it ended: bye"),
        ("def", "it ended: SyntaxError: invalid syntax"),
        ("print('ready')", "its stdout carries more than messages: 'ready'"),
        ("print([1])", "its stdout carries more than messages: '[1]'"),
        ("print('x' * 2_000_000)", "its stdout carries more than messages: '-32600 "),
        (ANSWERS.replace("ODD", "pass"), "SILENCE"),
        (ANSWERS.replace("ODD", "sys.exit('enough')"), "it ended: enough"),
        (ANSWERS.replace("ODD", "print('what?', flush=True)"), "no response: 'what?'"),
        (ANSWERS.replace("ODD", "print('{}', flush=True)"), "no response: '{}'"),
    ],
)
def test_silence_is_only_what_a_living_server_does_not_say(desk, source, sentence):
    path = desk / "odd.py"
    path.write_text(source)
    heard = bounded(peers.hear(["not json", "not json"], path))
    assert [one.sent for one in heard] == ["not json"] * 2
    assert all(repr(one).startswith(sentence) and "\n" not in repr(one) for one in heard)


def test_a_server_that_never_answers_an_odd_message_is_a_sentence(desk, monkeypatch):
    monkeypatch.setattr(peers, "_LONGEST_TALK", 0.5)
    (desk / "mute.py").write_text("import sys\nfor line in sys.stdin: pass\n")
    heard = bounded(peers.hear(["not json"], desk / "mute.py"))
    assert [repr(one) for one in heard] == ["it did not answer within 0.5 seconds"]


@pytest.mark.parametrize("source", ["", "METHODS = [1]"])
def test_a_server_without_methods_is_a_sentence(desk, source):
    (desk / "none.py").write_text(source)
    with pytest.raises(LookupError, match=r"none\.py has no METHODS, a dict"):
        peers.methods_in(desk / "none.py")


# Where nothing can be started.


def test_without_the_package_a_recorded_talk_takes_its_place_and_one_sentence_says_so(
    monkeypatch, capsys
):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)

    async def lesson():
        visit = await peers.visit(peers.my_server(), "place_order", ORDER)
        async with peers.official_server("") as server:
            call = {"name": "place_order", "arguments": ORDER, "_meta": peers.META}
            reply = await server.request("tools/call", call)
            with pytest.raises(RpcError, match="recorded talk has no answer"):
                await server.request("tools/call", {})
        return visit, reply, await peers.hear(peers.ODD.values(), "")

    visit, reply, heard = bounded(lesson())
    assert visit.said == reply["content"][0]["text"] == "steak for table 6"
    assert len(visit.talk) == 6
    assert [repr(one) for one in heard] == ["SILENCE"] * len(peers.ODD)
    assert capsys.readouterr().out == (
        "The package mcp is not installed here: what you see was recorded before.\n"
    )


def test_in_a_browser_no_program_is_started(monkeypatch, capsys):
    def no_program(*args, **options):
        raise AssertionError("a browser has no processes")

    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(subprocess, "Popen", no_program)

    async def lesson():
        await peers.visit(peers.my_server(), "place_order", ORDER)
        return await peers.hear(peers.ODD.values(), peers.my_server())

    heard = bounded(lesson())
    assert [repr(one)[:6] for one in heard] == ["-32700", *["-32600"] * 4]
    assert "A browser starts no programs" in capsys.readouterr().out


@needs_mcp
@pytest.mark.parametrize(
    "name", ["official_client", "official_server", "odd_to_us", "odd_to_official"]
)
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
