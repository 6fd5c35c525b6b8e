"""A talk is lines: saved, loaded, shown, and handed to the bench.

Covers memory.
"""

import asyncio
import json

from mini_rpc import request, result_response
from mini_rpc.classroom.talks.memory import memory_pair
from mini_rpc.classroom.talks.talk import Line, Logged, Talk

ASKED = json.dumps(request(1, "ping"))
REPLY = json.dumps(result_response(1, {}))
TALK = Talk([(">", ASKED), ("<", REPLY), (">", "{nope <b>")])


def test_a_talk_is_saved_as_lines_for_ordinary_tools_and_comes_back(tmp_path):
    TALK.save(tmp_path / "talk.log")
    assert (tmp_path / "talk.log").read_text() == f"> {ASKED}\n< {REPLY}\n> {{nope <b>\n"
    assert list(Talk.load(tmp_path / "talk.log")) == list(TALK)


def test_it_shows_each_line_in_a_row_and_a_line_shows_itself_whole():
    assert repr(TALK).splitlines()[0] == f" 1 > ping                  {ASKED}"
    assert "result 1" in repr(TALK)
    assert "not JSON" in repr(TALK)
    assert repr(TALK[1]) == '< {\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": {}\n}'
    assert repr(TALK[2]) == "> {nope <b>"


def test_what_somebody_sent_is_text_and_goes_to_the_bench_and_a_part_of_a_talk_is_a_talk():
    assert "<b>" not in TALK._repr_html_()
    assert "{nope &lt;b&gt;" in TALK._repr_html_()
    assert TALK.messages == {"1. ping": ASKED, "3. not JSON": "{nope <b>"}
    assert isinstance(TALK[:2], Talk)
    assert list(TALK[:2]) == [Line(">", ASKED), Line("<", REPLY)]


def test_a_logged_transport_notes_both_directions_and_changes_nothing():
    async def talk():
        log = []
        ours, theirs = memory_pair()
        logged = Logged(ours, log)
        await logged.send(ASKED)
        assert await theirs.receive() == ASKED
        await theirs.send(REPLY)
        assert await logged.receive() == REPLY
        logged.close()
        assert await logged.receive() is None
        return log

    assert asyncio.run(talk()) == [(">", ASKED), ("<", REPLY)]


RUDE = "\ud800\x1b[2J\x9b\u202e\u2028\x85\r \x0b"


def test_a_line_ends_at_a_newline_and_nowhere_else(tmp_path):
    talk = Talk([(">", json.dumps({"text": RUDE[1:]}, ensure_ascii=False)), ("<", '{"a":\n 1}')])
    talk.save(tmp_path / "talk.log")
    again = Talk.load(tmp_path / "talk.log")
    assert again[0] == talk[0]
    assert again[1].message == {"a": 1}
    assert len(again) == 2


def test_what_is_invisible_is_shown_and_never_sent_to_a_terminal_or_a_page(tmp_path):
    message = {"jsonrpc": "2.0", "id": RUDE, "method": RUDE, "params": {"text": RUDE}}
    talk = Talk([(">", json.dumps(message)), ("<", RUDE), ("<", json.dumps(RUDE)[1:])])
    for text in (repr(talk), talk._repr_html_(), *map(repr, talk), *talk.messages):
        assert all(char.isprintable() or char in "\n\t" for char in text)
        text.encode("utf-8")
    talk.save(tmp_path / "talk.log")
    assert len(Talk.load(tmp_path / "talk.log")) == 3


def test_a_talk_of_many_lines_and_long_ones_is_shown_in_part():
    talk = Talk([("<", "x" * 50_000), *[("<", "{}")] * 2_000])
    for text in (repr(talk), talk._repr_html_()):
        assert len(text) < 500_000
        assert "The first 500 of 2,001 lines are shown." in text
    assert "The first 2,000 of 50,000 characters are shown." in talk._repr_html_()
