"""Predictions: the verdict is the core's, and it stays hidden until an answer is given.

Covers claims.
"""

import json

import pytest

from mini_rpc import JSON_RPC, MCP, dispatch
from mini_rpc.classroom.bench.broken_json import parse_error
from mini_rpc.classroom.kitchen import MESSAGES, METHODS
from mini_rpc.classroom.progress import Answer, answers
from mini_rpc.classroom.questions.claims import ERROR, NOTHING, RESULT, code, mistake
from mini_rpc.classroom.questions.prediction import predict
from mini_rpc.classroom.questions.records import predictions

REQUEST = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
every_prediction = pytest.mark.parametrize("id", predictions())


@every_prediction
def test_the_verdict_is_hidden_until_an_answer_and_is_the_core_s(id):
    verdict = dispatch(predictions()[id].raw, METHODS)
    p = predict(id)
    assert "Nothing is sent" in p.options
    assert len(set(p.options)) == len(p.options)
    shown = p.transcript()
    for text in (shown, p._as_html(), json.dumps(p.get_state(), default=str)):
        assert verdict.reason not in text
        assert verdict.sent is None or verdict.sent not in text
    rows = dict(p.choose(1).reveal)
    assert rows["Shape"] == verdict.shape
    reason = parse_error(predictions()[id].raw, verdict.place) or verdict.reason  # as on the bench
    assert rows["Why"] == f"{reason} ({verdict.rule})"
    assert rows.get("Reply, as sent") == verdict.sent
    assert p.transcript() == shown


@every_prediction
def test_each_wrong_claim_names_its_own_mistake(id):
    p = predict(id)
    feedback = [p.choose(number) for number in range(1, len(p.options) + 1)]
    assert [given.right for given in feedback].count(True) == 1
    wrong = [given for given in feedback if not given.right]
    assert len({given.misconception for given in wrong}) == len(wrong)
    assert all(given.misconception and given.why for given in wrong)
    assert answers()[f"predict:{id}"].passed


def test_the_first_prediction_that_holds_is_kept():
    p = predict("an unknown notification")
    p.choose(2)
    p.choose(3)
    p.choose(1)
    choices, mistakes = ("An error", "Nothing is sent"), ("a notification gets errors",)
    expected = Answer("correct", tries=2, choices=choices, mistakes=mistakes)
    assert answers() == {"predict:an unknown notification": expected}


def test_a_commitment_is_there_again_after_a_restart():
    predict("a crash").choose(1)
    again = predict("a crash")
    assert again._answer["number"] == 1
    assert dict(again.feedback.reveal)["Your prediction"] == again.options[0]
    assert predict(REQUEST)._answer == {}


def test_an_unknown_method_in_a_notification_is_silence():
    p = predict("an unknown notification")
    feedback = p.choose(p.options.index("An error") + 1)
    assert not feedback.right
    assert feedback.misconception == "a notification gets errors"
    assert ("Reply", "SILENCE: nothing is sent") in feedback.reveal
    assert "Private log, never sent" in dict(feedback.reveal)


CLAIMS = [RESULT, ERROR, NOTHING, *map(code, (-32700, -32600, -32601, -32602, -32603, 86))]


@pytest.mark.parametrize("rules", [MCP, JSON_RPC], ids=["MCP", "JSON-RPC"])
@pytest.mark.parametrize("name", MESSAGES)
def test_whatever_is_claimed_about_a_message_gets_a_sentence(name, rules):
    verdict = dispatch(MESSAGES[name], METHODS, rules=rules)
    for claim in CLAIMS:
        if not claim.holds(verdict):
            misconception, why = mistake(claim, verdict)
            assert misconception
            assert why.endswith(".")


def test_the_sentence_follows_the_steps():
    for name, claim, sentence in (
        (
            "id is true",
            code(-32602),
            "The message never gets to step 4. It stops at step 2, shape.",
        ),
        (
            "unknown method",
            code(-32600),
            "Step 2 lets the message pass. It stops at step 5, method.",
        ),
        ("a crash", code(-32602), "Step 4 lets the message pass. It stops at step 6, call."),
        ("a crash", RESULT, "The method was run, and it failed."),
        ("request", ERROR, "Every one of the six steps lets this message pass."),
    ):
        assert mistake(claim, dispatch(MESSAGES[name], METHODS))[1] == sentence


def test_a_raw_text_of_ones_own_is_not_counted_and_other_rules_are_named():
    assert predict(REQUEST).choose(1).right
    assert answers() == {}
    assert predict(REQUEST).ask == "What comes back?"
    assert predict(REQUEST, rules=JSON_RPC).ask == "What comes back under JSON-RPC 2.0?"


@pytest.mark.parametrize("claims", [[RESULT, ERROR], [ERROR, NOTHING], [ERROR, code(-32601)]])
def test_claims_that_cannot_be_judged_are_refused(claims):
    with pytest.raises(ValueError, match="exactly one claim must hold"):
        predict(REQUEST, claims)


def test_a_message_is_shown_whatever_is_in_it():
    p = predict('{"jsonrpc": "2.0", "id": 1, "method": "\ud800"}')
    assert "⟨U+D800⟩" in repr(p.choose(2))
    p._repr_mimebundle_()[0]["text/html"].encode("utf-8")
    json.dumps(p._answer, ensure_ascii=False).encode("utf-8")


def test_a_word_that_is_no_name_gets_the_near_names_and_json_is_a_message():
    with pytest.raises(ValueError, match=r'There is no prediction "a crsh". Is it "a crash"'):
        predict("a crsh")
    with pytest.raises(ValueError, match="There are "):
        predict("nope")
    with pytest.raises(TypeError, match="raw message as text"):
        predict({"jsonrpc": "2.0"})
    assert predict("null").message == "null"
    assert predict("{").message == "{"
