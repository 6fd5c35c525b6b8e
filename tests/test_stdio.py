"""One message a line: stdout carries messages only, whatever a method does; a clean end.

Covers aside.
"""

import io
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from mini_rpc import RpcError, request, result_response, stdio
from mini_rpc.__main__ import load
from mini_rpc.classroom.judging.hostile_messages import read_message, read_messages
from mini_rpc.stdio import Lines
from mini_rpc.threads import in_thread
from mini_rpc.transport import Skipped


def program(methods="", code="", options=""):
    """Return the command that serves these methods and `ping`."""
    serve = f'serve({{"ping": lambda params: {{}}, {methods}}}{options})'
    return [sys.executable, "-c", f"from mini_rpc import serve\n{code}\n{serve}"]


def talk(command, *lines, **options):
    """Send lines to a program and close its stdin; return its replies, its stderr and its code."""
    text = b"".join(line if isinstance(line, bytes) else _line(line) for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, timeout=30, **options)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode(), done


def _line(message):
    return json.dumps(message).encode() + b"\n"


def test_a_method_that_leaves_at_once_leaves_whole_lines():
    lines = [request(id, "ping") for id in range(50)]
    replies, _, done = talk(
        program('"leave": lambda params: os._exit(7)', "import os"), *lines, request(99, "leave")
    )
    assert all(reply["result"] == {} for reply in replies)
    assert done.returncode == 7


DATA = Path(__file__).parent / "data"
TALKS = tomllib.loads((DATA / "talks.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", TALKS)
def test_what_goes_over_the_line(name):
    expected = TALKS[name]
    parts = [expected.get(part, "") for part in ("methods", "code", "options")]
    if "os.fork" in parts[1] and not hasattr(os, "fork"):
        pytest.skip("nothing forks here")
    sent = read_message(expected["sent"])
    replies, errors, done = talk(
        program(*parts), sent if isinstance(sent, bytes) else sent.encode()
    )
    wanted = map(json.loads, expected["replies"].splitlines())
    assert sorted(replies, key=str) == sorted(wanted, key=str)
    said = expected.get("said", [])
    assert all(words in errors for words in said)
    assert bool(said) == bool(errors)
    assert done.returncode == expected.get("status", 0)
    assert done.stdout.endswith(b"\n")


def lines_of(text, longest=60):
    source, sink = io.BytesIO(text), io.BytesIO()
    return Lines(source, sink, longest), sink


async def test_a_line_that_is_too_long_is_refused_and_the_next_one_is_read():
    text = b"".join(b"x" * size + b"\n" for size in (10, 11, 35)) + b"next\n" + b"x" * 11
    lines, _ = lines_of(text, 10)
    assert await lines.receive() == b"x" * 10 + b"\n"
    for _ in range(2):
        with pytest.raises(RpcError, match="a line has more than 10 bytes"):
            await lines.receive()
    assert await lines.receive() == b"next\n"
    assert not lines.is_cut
    with pytest.raises(RpcError, match="more than 10"):
        await lines.receive()
    assert await lines.receive() is None
    assert lines.is_cut


LONG = read_messages((DATA / "long_lines.md").read_text("utf-8"))


@pytest.mark.parametrize(("said", "line"), [(said, line) for said in LONG for line in LONG[said]])
async def test_of_a_reply_that_is_too_long_the_id_is_read(said, line):
    lines, _ = lines_of(f"{line}\nnext\n".encode())
    with pytest.raises(Skipped) as skipped:
        await lines.receive()
    found = json.dumps(skipped.value.id) if skipped.value.is_reply else "no reply"
    assert found == said
    assert (await lines.receive()).strip() == b"next"


@pytest.mark.skipif(os.name == "nt", reason="no POSIX signals")
@pytest.mark.parametrize("sleep", ["lambda params: time.sleep(60)", "tidy", "stubborn"])
def test_ctrl_c_ends_with_130_and_no_traceback(sleep):
    code = f"import time\n{TALKS['methods that never end']['code']}"
    with _popen(program(f'"sleep": {sleep}', code)) as process:
        process.stdin.write(_line(request(1, "sleep")) + _line(request(2, "ping")))
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == result_response(2, {})
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert b"Traceback" not in process.stderr.read()


def test_a_closed_pipe_ends_the_program_while_its_input_is_still_open():
    with _popen(program()) as process:
        process.stdout.close()
        process.stdin.write(_line(request(1, "ping")))
        process.stdin.flush()
        assert process.wait(30) == 1
        assert process.stderr.read().decode().startswith("mini_rpc: the connection broke: ")


def test_a_peer_that_never_reads_cannot_keep_the_program_alive():
    with _popen(program('"long": lambda params: "x" * 900_000', "", ", patience=0.2")) as process:
        for id in range(300):
            process.stdin.write(_line(request(id, "long")))
        process.stdin.close()
        assert process.wait(30) == 1
        assert b"the connection broke" in process.stderr.read()


@pytest.mark.skipif(os.name == "nt", reason="nothing tells it there")
def test_whether_somebody_could_still_send_is_known_without_reading(tmp_path):
    reading, writing = os.pipe()
    with open(reading, "rb") as source:
        os.write(writing, b"unread\n")
        assert not Lines(source, None).is_over
        os.close(writing)
        assert Lines(source, None).is_over
    (tmp_path / "orders").write_text("unread\n")
    with open(tmp_path / "orders", "rb") as source:
        assert Lines(source, None).is_over


def test_a_reader_that_is_slow_but_alive_gets_every_reply():
    with _popen(program('"long": lambda params: "x" * 900_000', "", ", grace=0.1")) as process:
        process.stdin.write(b"".join(_line(request(id, "long")) for id in range(110)))
        process.stdin.close()
        time.sleep(0.3)  # longer than the grace: what is unread by then waits all the same
        assert len(process.stdout.read().splitlines()) == 110
        assert process.wait(30) == 0
        assert process.stderr.read() == b""


LOUD_METHODS = """
import sys
def burn(params): raise ValueError("x" * 900)
async def shout(params): print("x" * 200_000); return 1
"""


@pytest.mark.parametrize("method", ["burn", "shout"])
def test_a_peer_that_never_reads_stderr_stops_nothing(method):
    with _popen(program('"burn": burn, "shout": shout', LOUD_METHODS)) as process:
        for id in range(60):
            process.stdin.write(_line(request(id, method)))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == id
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes them")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_a_closed_stdin_or_stdout_is_said_in_one_sentence(closed):
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *program()]
    replies, errors, done = talk(command, request(1, "ping"))
    name = "stdin" if "<" in closed else "stdout"
    assert errors == f"mini_rpc: {name} is closed, and messages go over stdin and stdout\n"
    assert (replies, done.returncode) == ([], 1)


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes them")
def test_with_a_closed_stderr_no_words_get_among_the_messages(tmp_path):
    methods = '"shout": lambda params: [os.system("echo loud >&2; echo loud"), print("loud")] and 1'
    code = f"import os\nkept = open({str(tmp_path / 'orders')!r}, 'w')"  # gets the number 2
    command = ["sh", "-c", 'exec "$@" 2>&-', "sh", *program(methods, code)]
    replies, _, done = talk(command, request(1, "shout"))
    assert (replies, done.returncode) == ([result_response(1, 1)], 0)
    assert (tmp_path / "orders").read_text().strip() in ("", "loud")


async def test_serve_refuses_elsewhere_before_it_has_touched_stdout():
    before = sys.stdout, os.fstat(1), os.fstat(0)
    with pytest.raises(RuntimeError, match="the last call of a program"):  # as in a notebook
        stdio.serve({})
    with pytest.raises(RuntimeError, match="put serve"):
        await in_thread(exec, "import mini_rpc; mini_rpc.serve({})", {"__name__": "<run_path>"})
    assert (sys.stdout, os.fstat(1), os.fstat(0)) == before


def _popen(command):
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)


# python -m mini_rpc MODULE:NAME

KITCHEN = """
print("a module may print")
METHODS = {"ping": lambda params: {}}
ORDERS = [1, 2]
"""


def test_a_module_of_methods_is_a_program(tmp_path):
    (tmp_path / "my_kitchen.py").write_text(KITCHEN)
    command = [sys.executable, "-m", "mini_rpc", "my_kitchen:METHODS"]
    replies, errors, done = talk(command, request(1, "ping"), cwd=tmp_path)
    assert replies == [result_response(1, {})]
    assert errors == "a module may print\n"
    assert done.returncode == 0


NO_NAME = "is not MODULE:NAME, as in kitchen:METHODS"


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        *(
            (name, f"{name!r} {NO_NAME}")
            for name in ("my", ".:METHODS", "..my:METHODS", ":METHODS")
        ),
        ("sink:METHODS", "there is no module sink here"),
        ("my.py:METHODS", "there is no module my.py here; write my, without .py"),
        ("my:methods", "my has no methods; its dicts of methods: METHODS"),
        ("my:ORDERS", "my:ORDERS is no dict from a method's name to a function"),
    ],
)
def test_a_wrong_module_or_name_gets_a_sentence(target, sentence, tmp_path, monkeypatch):
    (tmp_path / "my.py").write_text(KITCHEN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my", raising=False)
    with pytest.raises(LookupError) as error:
        load(target)
    assert error.value.args == (sentence,)


@pytest.mark.parametrize(
    ("target", "source", "status", "said"),
    [
        (
            "eager:METHODS",
            f"{KITCHEN}from mini_rpc import serve\nserve(METHODS)",
            1,
            "put serve() ",
        ),
        ("bad:METHODS", "raise KeyError('foo')", 1, "KeyError: 'foo'"),
        ("bad:METHODS", "raise LookupError('foo')", 1, "LookupError: foo"),
        (
            "needs_more:METHODS",
            "import nothing_like_this",
            1,
            "No module named 'nothing_like_this'",
        ),
        ("kitchen_sink:METHODS", "", 2, "error: there is no module kitchen_sink here"),
    ],
)
def test_a_program_that_cannot_serve_says_why_at_the_end(tmp_path, target, source, status, said):
    (tmp_path / target.replace(":METHODS", ".py")).write_text(source) if source else None
    command = [sys.executable, "-m", "mini_rpc", target]
    replies, errors, done = talk(command, request(1, "ping"), cwd=tmp_path)
    assert (replies, done.returncode) == ([], status)
    assert said in errors.splitlines()[-1]
    assert ("Traceback" in errors) == (status == 1)
