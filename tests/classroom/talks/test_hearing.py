"""Lines sent as they are: silence is only what a living server does not say."""

import asyncio

import pytest

from mini_rpc.classroom.talks import hearing, programs


def hear(lines, server):
    return asyncio.run(asyncio.wait_for(hearing.hear(lines, server), 60))


ANSWERS = """
import json, sys
for number, line in enumerate(sys.stdin):
    try:
        id = json.loads(line)["id"]
    except ValueError:
        id = None
    if str(id).startswith("after"):
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {}}), flush=True)
    else:
        ODD
"""


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("1 / 0", "it ended with exit status 1: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "it ended with exit status 0: without a word on stderr"),
        ("input()\nraise SystemExit('bye')", "it ended with exit status 1: bye"),
        ("def", "it ended with exit status 1: SyntaxError: invalid syntax"),
        ("print('ready')", "its stdout carries more than messages: 'ready'"),
        ("print([1])", "its stdout carries more than messages: '[1]'"),
        ('print(\'{"id": 1, "result": 1}\')', "its stdout carries a stray reply: '{"),
        ("print('x' * 3_000_000)", "its stdout carries more than messages: 'xxxxx"),
        (ANSWERS.replace("ODD", "pass"), "SILENCE"),
        (ANSWERS.replace("ODD", "sys.exit('enough')"), "it ended with exit status 1: enough"),
        (ANSWERS.replace("ODD", "print('what?', flush=True)"), "no response: 'what?'"),
        (ANSWERS.replace("ODD", "print('{}', flush=True)"), "no response: '{}'"),
    ],
)
def test_silence_is_only_what_a_living_server_does_not_say(tmp_path, source, sentence):
    path = tmp_path / "odd.py"
    path.write_text(source)
    heard = hear(["not json", "not json"], path)
    assert [one.sent for one in heard] == ["not json"] * 2
    assert all(repr(one).startswith(sentence) and "\n" not in repr(one) for one in heard)


def test_a_server_that_never_answers_an_odd_message_is_a_sentence(monkeypatch):
    monkeypatch.setattr(hearing, "_LONGEST_TALK", 0.2)
    heard = hear(["not json"], "import sys\nfor line in sys.stdin: pass\n")
    assert [repr(one) for one in heard] == ["it did not answer within 0.2 seconds"]


FLOOD = "import os\nfor line in iter(lambda: os.write(2, b'x' * 60_000), 0): pass"


@pytest.mark.parametrize("where", [1, 2])
def test_a_program_that_floods_is_heard_without_growing(monkeypatch, where):
    monkeypatch.setattr(hearing, "_LONGEST_TALK", 0.5)
    monkeypatch.setattr(programs, "_PATIENCE", 0.1)
    (heard,) = hear(["not json"], FLOOD.replace("write(2", f"write({where}"))
    said = "it did not answer" if where == 2 else "its stdout carries more than messages"
    assert heard.fault.startswith(said)
    assert len(heard.fault) < 200


def test_last_words_are_visible_and_bounded():
    (heard,) = hear(["not json"], "raise SystemExit('\\x1b[2J\\x9b\\u202e' + 'x' * 9_000)")
    assert heard.fault.isprintable()
    assert len(heard.fault) < 300
