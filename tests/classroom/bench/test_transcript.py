"""The transcripts, word for word: notebooks are compared with them."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from mini_rpc import JSON_RPC, handle
from mini_rpc.classroom import bench
from mini_rpc.classroom.kitchen import MESSAGES

DATA = Path(__file__).parents[2] / "data" / "bench"


def chatty(raw, methods):
    print("hello")
    return {"jsonrpc": "2.0", "id": True, "result": {}}


@pytest.mark.parametrize(
    ("file", "make"),
    [
        ("crash", lambda: bench(MESSAGES["a crash"])),
        ("curly", lambda: bench("{“id”: 9}")),
        ("silence", lambda: bench(MESSAGES["notification"])),
        ("batch", lambda: bench(MESSAGES["a batch"], rules=JSON_RPC)),
        ("two", lambda: bench('{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
                              handle=chatty, beside=handle)),
    ],
)  # fmt: skip
def test_a_verdict_reads_from_top_to_bottom(file, make):
    assert make().transcript() == (DATA / f"{file}.txt").read_text("utf-8").removesuffix("\n")


def test_a_failure_is_the_verdict():
    def broken(raw, methods):
        return 1 / 0

    text = bench(MESSAGES["request"], handle=broken).transcript()
    assert "Reply: NO ANSWER: it failed\nWhy: broken crashed. ZeroDivisionError" in text
    assert text.endswith(": return 1 / 0")


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], set(), ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)
        assert {name for name, _ in attrs} <= {"align", "valign", "colspan"}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", MESSAGES)
def test_the_html_says_what_the_text_says_without_style_or_script(name):
    b = bench(MESSAGES[name])
    tags = Tags()
    tags.feed(b._repr_mimebundle_()[0]["text/html"])
    assert not tags.open
    assert tags.seen <= {"p", "table", "tbody", "tr", "th", "td", "pre", "strong"}
    words = b.transcript().replace("Reply: ", "Reply").split()
    assert all(word.strip(":") in tags.text for word in words if word != "---")


def test_what_a_learner_types_is_no_markup():
    html = bench("<script>alert(1)</script>")._repr_mimebundle_()[0]["text/html"]
    assert "<script" not in html
    assert "&lt;script&gt;" in html
