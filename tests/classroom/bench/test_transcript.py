"""The transcripts, word for word: notebooks are compared with them."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from mini_rpc import JSON_RPC, handle
from mini_rpc.classroom import bench
from mini_rpc.classroom.kitchen import MESSAGES

CRASH = """\
Rules: JSON-RPC as MCP narrows it
Judged text (54 characters):
    {"jsonrpc": "2.0", "id": 15, "method": "kitchen/burn"}
Steps:
    1 parse        passed
    2 shape        passed
    3 notification passed
    4 params       passed
    5 method       passed
    6 call         stopped here
Shape: request
Reply, as sent:
    {"jsonrpc": "2.0", "id": 15, "error": {"code": -32603, "message": "Internal error"}}
Why: The method crashed. The details stay in the private log. (JSON-RPC 2.0 section 5.1)
Private log, never sent:
    kitchen/burn crashed: RuntimeError: the oven at /srv/kitchen/oven.py is on fire, \
password 1234"""

CURLY = """\
Rules: JSON-RPC as MCP narrows it
Judged text (9 characters):
    {“id”: 9}
Not JSON from here on: line 1, column 2. “ is a curly quote, as word processors make them. \
JSON wants the straight "."""

SILENCE = """\
Shape: notification
Reply: SILENCE: nothing is sent
Why: There is no id, so nobody waits for an answer. Nothing is sent. (JSON-RPC 2.0 section 4.1)"""

BATCH = """\
Shape: batch
Reply, as sent:
    [{"jsonrpc": "2.0", "id": 16, "result": {}}]
Messages of the batch:
    1. request, passed all six: {"jsonrpc": "2.0", "id": 16, "result": {}} \
(The method returned, and its result goes back under the same id.)
    2. notification, stopped at 3 notification: SILENCE \
(There is no id, so nobody waits for an answer. Nothing is sent.)
Why: A batch of 2: each message is judged by itself. (JSON-RPC 2.0 section 6)"""

TWO = """\
Rules: JSON-RPC as MCP narrows it
Judged text (45 characters):
    {"jsonrpc": "2.0", "id": 1, "method": "ping"}

--- Left: chatty ---
Reply, as sent:
    {"jsonrpc": "2.0", "id": true, "result": {}}
Why: chatty returned it.
Printed, never sent:
    hello

--- Right: the course's dispatcher ---
Steps:
    1 parse        passed
    2 shape        passed
    3 notification passed
    4 params       passed
    5 method       passed
    6 call         passed
Shape: request
Reply, as sent:
    {"jsonrpc": "2.0", "id": 1, "result": {}}
Why: The method returned, and its result goes back under the same id. (JSON-RPC 2.0 section 5)

--- Left and right compared ---
Difference:
    id: true (a boolean) on the left, 1 (an integer) on the right."""


def chatty(raw: str, methods: object) -> object:
    print("hello")
    return {"jsonrpc": "2.0", "id": True, "result": {}}


def broken(raw: str, methods: object) -> object:
    return 1 / 0


def test_a_verdict_reads_from_top_to_bottom() -> None:
    assert bench(MESSAGES["a crash"]).transcript() == CRASH


def test_a_mistake_is_placed_and_explained() -> None:
    assert bench("{“id”: 9}").transcript().startswith(CURLY)


def test_silence_is_written_out() -> None:
    assert bench(MESSAGES["notification"]).transcript().endswith(SILENCE)


def test_a_batch_is_a_line_for_each_message() -> None:
    assert bench(MESSAGES["a batch"], rules=JSON_RPC).transcript().endswith(BATCH)


def test_two_dispatchers_are_told_apart_and_compared() -> None:
    raw = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    assert bench(raw, handle=chatty, beside=handle).transcript() == TWO


def test_a_failure_is_the_verdict() -> None:
    text = bench(MESSAGES["request"], handle=broken).transcript()
    assert "Reply: NO ANSWER: it failed\nWhy: broken crashed. ZeroDivisionError" in text
    assert text.endswith(": return 1 / 0")


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)
        assert {name for name, _ in attrs} <= {"align", "valign", "colspan"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", MESSAGES)
def test_the_html_says_what_the_text_says_without_style_or_script(name: str) -> None:
    b = bench(MESSAGES[name])
    bundle = b._repr_mimebundle_()
    assert bundle is not None
    tags = Tags()
    tags.feed(bundle[0]["text/html"])
    assert not tags.open
    assert tags.seen <= {"p", "table", "tbody", "tr", "th", "td", "pre", "strong"}
    words = b.transcript().replace("Reply: ", "Reply").split()
    assert all(word.strip(":") in tags.text for word in words if word != "---")


def test_what_a_learner_types_is_no_markup() -> None:
    bundle = bench("<script>alert(1)</script>")._repr_mimebundle_()
    assert bundle is not None
    assert "<script" not in bundle[0]["text/html"]
    assert "&lt;script&gt;" in bundle[0]["text/html"]
