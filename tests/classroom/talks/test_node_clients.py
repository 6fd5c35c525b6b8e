"""Clients and servers from npm against the learner's file and the judge: `pytest --long` only."""

import runpy
from pathlib import Path

import pytest

from mini_rpc.classroom.talks import peers
from mini_rpc.classroom.talks.server_file import my_server
from mini_rpc.classroom.workshop.judging_servers import judge_server

NODE = runpy.run_path(str(Path(__file__).parents[2] / "data" / "node_clients.py"))


@pytest.fixture(scope="module")
def folder(request):
    if not request.config.getoption("--long"):
        pytest.skip("fetches packages from npm: pytest --long")
    place = Path(request.config.cache.mkdir("node_clients")).resolve()
    NODE["install"](place)
    return place


@pytest.mark.parametrize("client", NODE["CLIENTS"])
def test_a_client_from_npm_is_served_and_says_what_is_recorded(client, folder):
    said, talk = NODE["let_talk"](client, folder, my_server())
    assert "steak for table 6" in said
    assert [line.text for line in talk] == [line.text for line in peers.recorded(client)]


@pytest.mark.parametrize(
    ("server", "counts"), [("server_1", (25, 0, 22, 18)), ("server_2", (37, 6, 22, 0))]
)
def test_the_judge_finds_in_servers_from_npm_what_the_lesson_says(server, counts, folder):
    report = judge_server(["node", str(folder / f"{server}.mjs")], mcp=True)
    states = ("right", "wrong", "no answer", "not spoken")
    assert tuple(report.count_of(state) for state in states) == counts
