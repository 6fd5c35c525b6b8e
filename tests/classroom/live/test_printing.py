"""Cards on paper: eight to a sheet, the whole message on each, nothing loaded, data as data."""

import re

import pytest

from mini_rpc.classroom import card, open_card, print_cards
from mini_rpc.classroom.kitchen import MESSAGES
from mini_rpc.classroom.live.cards import CardError
from mini_rpc.rules import JSON_RPC


def printed(messages, folder):
    file = folder / "cards.html"
    print_cards(messages, file)
    return file.read_text(encoding="utf-8")


def test_thirteen_prepared_messages_are_two_sheets_of_at_most_eight(tmp_path):
    said = print_cards(file=tmp_path / "cards.html")
    page = (tmp_path / "cards.html").read_text(encoding="utf-8")
    sheets = page.split("<main>")[1:]
    assert [sheet.count("<article>") for sheet in sheets] == [8, len(MESSAGES) - 8]
    assert said.startswith(f"cards.html has {len(MESSAGES)} cards. Open it in a browser and print")
    assert not re.search(r"<(link|script|img)|@import|url\(", page)


def test_a_card_on_paper_opens_in_a_bench(tmp_path):
    page = printed({"a crash": MESSAGES["a crash"]}, tmp_path)
    token = re.search(r"<code>(card1-[\w-]+)</code>", page)
    assert token
    assert open_card(token[1]).raw == MESSAGES["a crash"]


def test_a_card_keeps_its_own_rules_and_what_is_on_it_is_data(tmp_path):
    other = card('["<b>&"]')
    page = printed({"<i>": other, "text": "\u202e<script>", "token": other.token}, tmp_path)
    assert "<i>" not in page
    assert "<b>" not in page
    assert "⟨U+202E⟩&lt;script&gt;" in page
    assert page.count("[&quot;&lt;b&gt;&amp;&quot;]") == 2
    assert JSON_RPC.source not in page.replace(other.rules.source, "")


def test_what_cannot_be_printed_is_refused_in_a_sentence(tmp_path):
    for messages in ({}, {"long": "[" * 1_999 + "\n" * 60 + "]"}, {"cut": "card1-x"}):
        with pytest.raises(CardError, match=r"\.$"):
            print_cards(messages, tmp_path / "cards.html")
    with pytest.raises(CardError, match=r"^cards.html cannot be written \(No such file"):
        print_cards(file=tmp_path / "nowhere" / "cards.html")
