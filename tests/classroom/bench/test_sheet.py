"""The sheet: everything the bench shows, cut where it is long, and never without saying so."""

import json

from mini_rpc import JSON_RPC, MCP, handle
from mini_rpc.classroom import bench
from mini_rpc.classroom.bench.answers import ask
from mini_rpc.classroom.bench.sheet import ENVELOPE, make_sheet
from mini_rpc.classroom.eras import META
from mini_rpc.classroom.kitchen import METHODS


def sheet_of(raw, rules=MCP):
    return make_sheet(raw, rules, [ask(None, raw, METHODS, rules)])


def test_a_place_is_counted_as_a_browser_counts():
    mistake, windows = sheet_of('{"🍋": 🍋}').mistake, sheet_of('{\r\n"a": x}').mistake
    assert (mistake.line, mistake.column, mistake.offset) == (1, 7, 7)
    assert (windows.line, windows.offset) == (2, 7), "a line's end is one character in a text box"


def test_a_long_text_and_a_long_reply_are_cut_and_say_so():
    sheet = sheet_of(json.dumps({"jsonrpc": "2.0", "id": "x" * 10_000, "method": "ping"}))
    assert sheet.size == "10,046 characters"
    assert len(sheet.judged) == 2_000
    assert sheet.cut == "The first 2,000 of 10,046 characters are shown."
    assert sheet.panels[0].cut.startswith("The first 2,000 of 10,")


def test_invisible_characters_are_spelled_out():
    assert sheet_of("\u00a0\0\ud800\tok\n").judged == "⟨U+00A0⟩⟨U+0000⟩⟨U+D800⟩\tok\n"


def test_hostile_sizes_give_a_small_sheet():
    for raw in ("[" * 100_000, '{"id": ' + "1" * 5_000 + "}", "x" * 2**20, "\0" * 2**20):
        assert len(repr(sheet_of(raw))) < 60_000


def test_a_batch_has_a_row_for_each_part_and_counts_the_rest():
    ping = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    (panel,) = sheet_of(f"[{', '.join([ping] * 50)}]", JSON_RPC).panels
    assert panel.lights == ()
    assert [part.number for part in panel.parts] == list(range(1, 21))
    assert panel.parts[0].stopped == "passed all six"
    assert panel.more_parts == "30 more messages are judged and not shown."


def test_an_own_dispatcher_gets_no_invented_lights():
    raw = "nonsense"
    sheet = make_sheet(raw, MCP, [ask(lambda raw, methods: None, raw, METHODS, MCP)])
    assert sheet.panels[0].lights == ()
    assert sheet.panels[0].shape == ""
    assert sheet.rules == ""
    assert sheet.mistake is not None, "the place is a fact of the text, whoever reads it"


def test_what_differs_is_marked_on_both_sides():
    raw = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    mine = ask(lambda raw, methods: {"id": True}, raw, METHODS, MCP)
    left, right = make_sheet(raw, MCP, [mine, ask(handle, raw, METHODS, MCP)]).panels
    assert [left.reply[start:end] for start, end in left.marks] == ['"id": true']
    assert [right.reply[start:end] for start, end in right.marks] == [
        '"jsonrpc": "2.0"',
        '"id": 1',
        '"result": {}',
    ]


def test_both_halves_of_the_bench_explain_broken_json_in_the_same_words():
    for text in ('{"jsonrpc": "2.0", "id": 7', '{"id": "2.0, "a": 1}', "{“id”: 1}"):
        sheet = bench(text)._sheet
        assert sheet.mistake is not None
        assert sheet.mistake.hint
        assert sheet.panels[0].reason.endswith(sheet.mistake.hint)
    assert "A { is still open." in bench('{"id": 7')._sheet.panels[0].reason


def test_a_method_that_nobody_has_met_is_told_with_what_it_does():
    def mute(params):
        """Raises an error whose text cannot be read.

        More.
        """

    text = '{"jsonrpc": "2.0", "id": 1, "method": "crash/mute"}'
    b = bench(text, methods={"crash/mute": mute})
    assert "Method: crash/mute: Raises an error whose text cannot be read.\n" in b.transcript()
    assert bench(text)._sheet.method == ""
    assert bench('{"jsonrpc": "2.0", "id": 1, "method": ["a"]}')._sheet.method == ""


def test_the_envelope_is_a_third_place_of_the_switch_and_judges_what_mcp_asks_besides():
    b = bench('{"jsonrpc": "2.0", "id": 1, "method": "ping"}', envelope=True)
    assert [name for name, _ in b._setup["rules"]] == [
        "MCP 2026-07-28", "JSON-RPC 2.0", "MCP 2026-07-28, envelope"
    ]  # fmt: skip
    assert '"result": {}' in b.transcript()
    b.rules = ENVELOPE
    assert '"_meta\\" must be an object' in b.transcript()
    meta = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"_meta": META}})
    b.raw = meta
    assert '"result"' in b.transcript()
    b.raw = meta.replace("echo", "ping")
    assert "-32601" in b.transcript()
    assert len(bench()._setup["rules"]) == 2
