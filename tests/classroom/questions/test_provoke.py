"""Goals for the bench: they tick when, and only when, a verdict is what they ask for."""

import pytest

from mini_rpc.classroom.progress import answers
from mini_rpc.classroom.questions import provoke as module
from mini_rpc.classroom.questions.provoke import provoke
from mini_rpc.classroom.questions.records import goals

REACHED_BY = {
    "five codes": {
        "{": "An error with the code -32700, Parse error",
        "[]": "An error with the code -32600, Invalid Request",
        '{"jsonrpc": "2.0", "id": 1, "method": "x"}': "An error with the code -32601",
        '{"jsonrpc": "2.0", "id": 1, "method": "x", "params": []}': "code -32602",
        '{"jsonrpc": "2.0", "id": 1, "method": "kitchen/burn"}': "code -32603",
    },
    "odd ids": {
        '{"jsonrpc": "2.0", "id": 0, "method": "ping"}': "A result with the id 0",
        '{"jsonrpc": "2.0", "id": -1, "method": "ping"}': "A result with the id -1",
        '{"jsonrpc": "2.0", "id": "", "method": "ping"}': 'A result with the id ""',
        '{"jsonrpc": "2.0", "id": "null", "method": "ping"}': 'A result with the id "null"',
    },
    "silence": {
        '{"jsonrpc": "2.0", "method": "ping"}': "and the method ran",
        '{"jsonrpc": "2.0", "method": "nope"}': "although nobody has the method",
        '{"jsonrpc": "2.0", "method": "ping", "params": []}': "although the params are no object",
        '{"jsonrpc": "2.0", "method": "kitchen/burn"}': "although the method crashed",
    },
}
REACHES_NOTHING = [
    '{"jsonrpc": "2.0", "id": 7, "method": "ping"}',
    '{"jsonrpc": "2.0", "method": "orders/place", "params": {}}',  # an error on purpose
    '{"jsonrpc": "2.0", "id": "0", "method": "ping"}',
]


@pytest.fixture(autouse=True)
def shown(monkeypatch):
    found = []
    monkeypatch.setattr(module, "show", found.append)
    return found


@pytest.mark.parametrize("id", goals())
def test_each_goal_is_ticked_by_a_message_of_its_own_and_kept(id, shown):
    found = provoke(id)
    assert shown == [found.bench]
    before = found.transcript()
    for raw in REACHES_NOTHING:
        found.bench.raw = raw
    assert found.reached == ()
    for number, (raw, part) in enumerate(REACHED_BY[id].items(), 1):
        found.bench.raw = raw
        found.bench.raw = raw
        assert len(found.reached) == number
        assert part in found.reached[-1]
    assert answers()[f"goals:{id}"].passed
    assert provoke(id).reached == found.reached
    assert found.transcript() == before
    assert before.count("[ ]") == len(REACHED_BY[id])


def test_unknown_goals_are_refused_with_the_near_ones():
    with pytest.raises(ValueError, match=r'There is no set of goals "silent". Is it "silence"'):
        provoke("silent")
