"""The stage driven from Python, and as the browser drives it, without a browser."""

import pytest

from mini_rpc import JSON_RPC, MCP
from mini_rpc.classroom import MESSAGES, METHODS, bench, card, clerk, present
from mini_rpc.classroom.live.stage import Item, Presenter, Scene

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
QUEUE = ["request", "notification", "a crash"]


def want(p, **changes):
    """Ask for a scene as the browser does; return the one that comes back."""
    p.set_state({"_wanted": {**p._scene, "ticket": "view-1", **changes}})
    return p._scene


def test_a_queue_takes_names_texts_titles_and_cards():
    listed = present(["a crash", PING, card(bench("[]", rules=JSON_RPC)).token])
    assert [item.title for item in listed.queue] == ["a crash", "message 2", "a card, number 3"]
    assert [item.rules for item in listed.queue] == [MCP, MCP, JSON_RPC]
    assert present({"a ping": PING}, rules=JSON_RPC).queue == (Item("a ping", PING, JSON_RPC),)
    assert present(PING).queue[0].text == PING
    named = present({"from Bob": card(bench("[]", rules=JSON_RPC)).token, "a ping": PING})
    assert named.queue == (Item("from Bob", "[]", JSON_RPC), Item("a ping", PING, MCP))
    with pytest.raises(ValueError, match="at least one message"):
        present([])


def test_going_on_brings_the_next_message_under_its_own_rules():
    p = present(["request", card(bench("[]", rules=JSON_RPC)).token])
    order = []
    p.observe(lambda change: order.append(change["name"]), ["_scene", "_asked"])
    assert want(p, at=1, shown=0)["ticket"] == "view-1"
    assert order == ["_scene", "_asked"], "a title does not wait for a slow dispatcher"
    assert (p.raw, p.rules) == ("[]", JSON_RPC)
    p.scene = Scene(0, 7)
    assert (p.raw, p.rules) == (MESSAGES["request"], MCP)


def test_it_starts_with_the_verdict_held_back_and_nothing_leads_out_of_the_queue():
    p = present(QUEUE)
    assert (p.raw, p.scene.at, p.scene.shown) == (MESSAGES["request"], 0, 0)
    last = {"ticket": "view-1", "at": 2, "shown": 7, "size": 44}
    assert want(p, at=99, shown=99, size=99) == last
    assert want(p, at=-1, shown=-1, size=1)["at"] == 0


def test_an_edit_survives_a_second_run_of_the_cell_and_so_does_the_place():
    p = present(QUEUE, name="act")
    want(p, at=1, shown=3, size=28)
    p.raw = PING
    again = present(QUEUE, name="act")
    assert (again.raw, again.scene) == (PING, Scene(1, 3, 28))
    assert present(QUEUE, name="another").scene == Scene()
    assert present(QUEUE[:2], name="act").scene == Scene()


def test_an_edited_text_waits_where_it_was_until_the_class_starts_over():
    p = present(QUEUE, name="act")
    want(p, at=1)
    p.raw = PING
    want(p, shown=7)
    assert p.raw == PING
    want(p, at=2)
    assert p.raw == MESSAGES["a crash"]
    want(p, at=1)
    assert p.raw == PING
    want(p, at=0)
    again = present(QUEUE, name="act")
    want(again, at=1)
    assert again.raw == PING
    want(again, again=True)
    want(again, at=1)
    assert again.raw == MESSAGES["notification"]


def test_starting_over_is_one_action_and_keeps_the_size_of_the_font():
    p = present(QUEUE)
    want(p, at=2, shown=7, size=28)
    p.raw = PING
    want(p, again=True)
    assert (p.raw, p.scene) == (MESSAGES["request"], Scene(size=28))
    p.scene = Scene(1, 7)
    p.start_over()
    assert p.scene.at == 0


def test_text_and_html_hold_the_messages_and_give_no_answer_away():
    p = present(QUEUE, name="act", beside=clerk("Ada"))
    before = p._repr_mimebundle_()[0]
    shown = before["text/plain"] + before["text/html"]
    assert "3. a crash (MCP 2026-07-28)" in shown
    assert "kitchen/burn" in shown
    assert "Run this cell to make it live." in shown
    assert "&quot;kitchen/burn&quot;" in before["text/html"]
    assert not any(word in shown for word in ("-32603", "SILENCE", "Stops at", "Passes"))
    want(p, at=2, shown=7)
    after = p._repr_mimebundle_()[0]
    assert {**before, **{k: v for k, v in after.items() if "widget" in k}} == after


def test_the_page_gets_one_program_with_one_entrance():
    assert str(Presenter._esm).count("export default") == 1
    assert "renderStage" in str(Presenter._esm)


def test_methods_of_ones_own_are_called():
    p = present(PING, methods={**METHODS, "ping": lambda params: "hot"})
    assert '"hot"' in str(p._answer)
