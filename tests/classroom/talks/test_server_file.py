"""The learner's own server: its file, whose functions answer in it, and how a host starts it.

Covers sources.
"""

import asyncio
import errno
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import mini_rpc
from mini_rpc.classroom import eras
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.talks import peers
from mini_rpc.classroom.talks.server_file import (
    connect,
    handle_in,
    in_terminal,
    keep,
    methods_in,
    my_server,
    who_answers,
)
from mini_rpc.classroom.workshop.connect import main

NOT_KEPT = (Path(__file__).parents[2] / "data" / "not_kept.toml").read_text("utf-8")


def replies(*messages):
    """Return what a fresh process of the learner's server answers to these messages."""
    lines = "".join(json.dumps(one) + "\n" for one in messages)
    command = [sys.executable, str(my_server())]
    ran = subprocess.run(command, input=lines.encode(), capture_output=True, timeout=60)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_where_nothing_can_be_written_it_is_made_elsewhere_and_said(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "no" / "such" / "folder.json"))
    path = my_server()
    assert path.exists()
    assert str(path) in capsys.readouterr().out


def test_its_methods_are_read_without_starting_it(tmp_path):
    assert my_server() == tmp_path / "my_server.py"
    known = "initialize ping server/discover tools/call tools/list"
    assert sorted(methods_in(my_server())) == known.split()


def test_a_server_without_methods_and_an_old_one_are_a_sentence(tmp_path, capsys):
    for source in ("", "METHODS = [1]"):
        (tmp_path / "my_server.py").write_text(source)
        with pytest.raises(LookupError, match=r"my_server\.py has no METHODS, a dict"):
            methods_in(my_server())
        assert my_server().read_text() == source, "what is there is never written to"
        assert "does not answer initialize" in capsys.readouterr().out


# Both eras.

LIST = mini_rpc.request(1, "tools/list")
MODERN_LIST = mini_rpc.request(2, "tools/list", {"_meta": eras.META})
OPEN = mini_rpc.request(
    0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}
)


OLD = {"_meta": {**eras.META, eras.VERSION: "1999-01-01"}}


def codes(*messages):
    return [one["error"]["code"] if "error" in one else "result" for one in replies(*messages)]


@pytest.mark.parametrize("method", ["tools/list", "ping", "nobody/has_this", "initialise"])
def test_the_version_comes_first_whatever_the_method_is(method):
    asked = [mini_rpc.request(1, method), mini_rpc.request(2, method, OLD)]
    assert codes(*asked) == [-32602, -32022]


@pytest.mark.parametrize(
    "no_opening",
    [
        {**OPEN, "params": {**OPEN["params"], "_meta": eras.META}},
        {**OPEN, "params": {}},
        {**OPEN, "params": []},
        {name: value for name, value in OPEN.items() if name != "id"},
    ],
)
def test_only_an_initialize_that_is_answered_with_a_result_opens_a_legacy_talk(no_opening):
    assert codes(no_opening, LIST, OPEN, LIST)[-3:] == [-32602, "result", "result"]


def test_after_initialize_the_talk_is_legacy_and_meta_is_not_demanded():
    opened, ping, listed, modern = replies(OPEN, mini_rpc.request(5, "ping"), LIST, MODERN_LIST)
    assert opened["result"]["protocolVersion"] == "2025-11-25"
    assert ping["result"] == {}
    assert listed["result"]["tools"] == modern["result"]["tools"]
    pings = [mini_rpc.request(1, "ping", {"_meta": meta}) for meta in (5, {})]
    assert codes(OPEN, *pings) == ["result", -32602, "result"]


def test_a_modern_request_is_served_by_itself_also_after_initialize():
    modern_ping = mini_rpc.request(2, "ping", {"_meta": eras.META})
    _, refused, removed = replies(OPEN, mini_rpc.request(1, "tools/list", OLD), modern_ping)
    assert refused["error"]["code"] == -32022
    assert refused["error"]["data"] == {"supported": ["2026-07-28"], "requested": "1999-01-01"}
    assert removed["error"] == {"code": -32601, "message": "Method not found in 2026-07-28"}


# What a learner keeps.


def run(cell):
    """Run a cell as a notebook does, so that its source is known."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    ran = shell.run_cell(cell)
    ran.raise_error()
    return ran.result


OWN = """
import json as j
from mini_rpc import RpcError, error_response
LIMIT = {"most": 5}
result = object()  # of another cell: a local name of the same name is another thing

class Reader:
    def read(self, raw):
        return j.loads(raw)

def parse(raw, most=LIMIT):
    result = Reader().read(raw)
    return result

def own_handle(raw, methods):
    message = parse(raw)
    try:
        return {"jsonrpc": "2.0", "id": message["id"], "result": methods[message["method"]]({})}
    except RpcError as error:
        return error_response(message["id"], error.code, "mine")
"""


def test_what_is_kept_answers_in_the_server_and_is_named(capsys):
    run(OWN)
    keep(run("own_handle"), "handle")
    assert capsys.readouterr().out.splitlines()[-1] == (
        "Kept: own_handle, in my_code/handle.py. Your server uses it as handle."
    )
    assert replies(LIST)[0]["error"]["message"] == "mine"
    assert handle_in(my_server()).__name__ == "own_handle"
    shown = repr(who_answers(my_server())).splitlines()
    assert shown[0].split() == ["handle", "yours", "own_handle", "in", "my_code/handle.py"]
    assert shown[1].endswith("the course's initialize in mini_rpc/classroom/eras.py")
    assert shown[3].split() == ["call_tool", "the", "file's", "call_tool", "in", "my_server.py"]
    capsys.readouterr()
    keep(run("parse"))
    assert "Your server looks for handle, initialize, check_meta" in capsys.readouterr().out
    keep(run("own_handle"), "handle")  # again: the newest counts
    assert handle_in(my_server()).__name__ == "own_handle"


@pytest.mark.parametrize("source", ["1 / 0", "def", "raise SystemExit(3)", "import no_such"])
def test_a_file_that_cannot_be_run_is_a_sentence(tmp_path, source):
    (tmp_path / "broken.py").write_text(source)
    for look in (methods_in, handle_in, who_answers):
        with pytest.raises(LookupError, match=r"broken\.py cannot be run\. \w+:"):
            look(tmp_path / "broken.py")


def test_a_full_disk_leaves_what_was_kept_before_and_no_half_files(tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    cannot = "Not kept: my_code/call_tool.py cannot be written: "
    folder = tmp_path / "my_code"
    folder.write_text("a file in the place of the folder")
    keep(run("def f(params):\n    return {}\nf"), "call_tool")
    assert cannot in capsys.readouterr().out
    folder.unlink()
    keep(run("def f(params):\n    return {}\nf"), "call_tool")
    before = {path: path.read_text() for path in tmp_path.rglob("*.py")}
    monkeypatch.setattr(os, "replace", full)
    keep(run("def f(params):\n    return 7\nf"), "call_tool")
    assert f"{cannot}No space" in capsys.readouterr().out
    assert {path: path.read_text() for path in tmp_path.rglob("*.py")} == before
    assert not list(tmp_path.rglob("*.new"))


@pytest.mark.parametrize(("cell", "sentence"), tomllib.loads(NOT_KEPT)["cases"])
def test_what_cannot_be_kept_is_a_sentence_and_nothing_is_written(tmp_path, capsys, cell, sentence):
    keep(run(cell))
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"Not kept: {sentence}")
    assert not (tmp_path / "my_code").exists()


def test_the_official_client_talks_to_the_dispatcher_that_a_learner_wrote_in_lesson_4():
    pytest.importorskip("mcp", reason="the official package is not installed: pip install mcp")
    run(f"from mini_rpc import RpcError\n{EXERCISES['handle'].solution}")
    keep(run("handle"))
    visit = asyncio.run(peers.visit(my_server(), "place_order", {"table": 6, "dish": "steak"}))
    assert (visit.tools, visit.said) == (["place_order"], "steak for table 6")
    assert "yours" in repr(who_answers(my_server())).splitlines()[0]


def test_the_configuration_of_a_host_starts_this_file_with_this_python():
    config, _, command = repr(connect(my_server())).rpartition("\n\n")
    (server,) = json.loads(config)["mcpServers"].values()
    asked, started = json.dumps(OPEN).encode() + b"\n", [server["command"], *server["args"]]
    ran = subprocess.run(started, input=asked, capture_output=True, timeout=60)
    assert json.loads(ran.stdout)["id"] == 0
    assert command.startswith("npx @modelcontextprotocol/inspector ")


def test_in_a_browser_nothing_is_said_that_cannot_be_done(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert repr(connect(my_server())) == repr(in_terminal("judge", "node", "kitchen.mjs"))
    assert "starts no programs" in repr(in_terminal())


def configured(capsys):
    config = json.loads(capsys.readouterr().out.rpartition("\n\n")[0])
    return Path(config["mcpServers"]["kitchen"]["args"][0])


def test_the_configuration_is_printed_for_any_file(capsys, tmp_path):
    assert main([str(my_server())]) == 0
    assert configured(capsys) == tmp_path / "my_server.py"
    assert main([str(tmp_path / "none.py")]) == 2


@pytest.mark.parametrize(
    ("progress", "here", "file"),
    [
        ("{}/ada/progress.json", ".", "ada/my_server.py"),
        ("ada/progress.json", ".", "ada/my_server.py"),
        ("ada/progress.json", "copy", "copy/notebooks/ada/my_server.py"),
        ("", "copy/notebooks", "copy/notebooks/my_server.py"),
        ("", "copy", "copy/notebooks/my_server.py"),
    ],
)
def test_the_configuration_names_the_file_of_the_learner_who_asks(
    capsys, tmp_path, monkeypatch, progress, here, file
):
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("# initialize")
    monkeypatch.setenv("MINI_RPC_PROGRESS", progress.format(tmp_path))
    monkeypatch.chdir(tmp_path / here)
    assert main([]) == 0
    assert configured(capsys) == tmp_path / file


def test_what_is_typed_into_a_terminal_starts_this_python_in_the_learners_folder(tmp_path):
    typed = repr(in_terminal("judge", "--mcp", sys.executable, my_server().name))
    ran = subprocess.run(typed, shell=True, cwd="/", capture_output=True, text=True, timeout=60)
    assert ran.stdout.endswith(" right.\n"), ran.stderr
