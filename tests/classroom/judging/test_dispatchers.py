"""Forty wrong dispatchers that a learner would write, and right ones in different styles."""

import pytest
from corpus import bound, read_answers

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.judging.clauses import is_taught
from mini_rpc.classroom.judging.clerks import FAULTS
from mini_rpc.classroom.judging.hostile_messages import HOSTILE, LEFT_OPEN

SECONDS = 10.0
WHOLE = EXERCISES["handle"].solution
ID_OF = '    id = message["id"]\n'
CALL = '        return result_response(id, methods[message["method"]](params))\n'
WRONG, RIGHT = read_answers("named_mistakes.md"), read_answers("right_answers.md")


def checked(source):
    return check("handle", bound(source, "handle"), seconds=SECONDS)


def changed(old, new):
    assert old in WHOLE
    return WHOLE.replace(old, new)


@pytest.mark.sample(8)
@pytest.mark.parametrize("answer", WRONG, ids=lambda answer: answer.title)
def test_a_wrong_dispatcher_is_named_correctly_or_honestly_unnamed(answer):
    outcome = checked(answer.source)
    assert outcome.state in ("wrong", "crashed")
    assert outcome.misconception == answer.mistake, outcome
    assert outcome.pattern, outcome
    assert outcome.pattern in outcome.message
    assert 0 <= outcome.right < outcome.total
    assert len(outcome.case.sent) <= 310


@pytest.mark.sample(8)
@pytest.mark.parametrize("answer", RIGHT, ids=lambda answer: answer.title)
def test_a_right_dispatcher_is_accepted_whatever_its_style(answer):
    outcome = checked(answer.source)
    assert outcome.passed, outcome
    assert "Lesson 5 asks for more" in outcome.message


@pytest.mark.sample(8)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_dispatcher_is_recognized_as_itself_and_the_bench_shows_it(fault):
    outcome = check("handle", fault.behave, seconds=SECONDS)
    if not is_taught(fault.exposed_by) or fault.name == "a refusal forgets its id":  # it may
        assert outcome.passed, outcome
        return
    assert outcome.misconception == fault.name, outcome
    # The calls may be what differs, and who gives one dict shows it over two messages only.
    if "; called: " not in outcome.case.came_back and fault.name != "one dict for all replies":
        pytest.importorskip("anywidget")
        course, own = outcome.bench().verdicts
        assert own.failure or own.reply != course.reply, outcome


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("never looks at params", "Steps 1 to 3 are right. "),
        (
            "answers what cannot be read under the id 0",
            "Step 1, parse, is not right yet. Its reply has an id that is not null where null is",
        ),
    ],
)
def test_the_first_failing_step_is_named_and_what_holds_before_it(title, message):
    (answer,) = [one for one in WRONG if one.title == title]
    assert checked(answer.source).message.startswith(message)


@pytest.mark.parametrize(
    ("reads", "step", "said"),
    [
        (
            "ValueError",
            1,
            "Step 1, parse, is not right yet: it crashes with RecursionError in line 5.",
        ),
        ("Exception", 2, "Step 1 is right. It accepts the message where -32600"),
    ],
)
def test_the_step_that_is_named_is_told_of_and_shown(reads, step, said):
    stub = EXERCISES["repaired"].stub.replace("json.JSONDecodeError", reads)
    source = f"import json\nfrom mini_rpc import *\n{stub.replace('repaired', 'handle')}"
    outcome = checked(source)
    assert outcome.message.startswith(said)
    assert outcome.case.topic == f"step {step}"


def test_the_shortest_message_of_that_step_is_shown():
    case = checked(changed("(params, dict):", "(params, (dict, list)):")).case
    assert case.raw == '{"jsonrpc": "2.0", "method": "ping", "id": 1, "params": []}'


def test_steps_that_are_not_there_yet_are_no_mistake():
    source = WHOLE[: WHOLE.index("    # 4.")]
    for end in ("", "    raise NotAttempted\n"):
        outcome = checked(source + end)
        assert (outcome.state, outcome.misconception) == ("wrong", None)
        assert outcome.message == "Steps 1 to 3 are right. Step 4, params, is not written yet."


def test_a_loop_late_in_the_mail_is_stopped_and_never_a_pass():
    source = changed(CALL, f'        while message["method"] == "add": pass\n{CALL}')
    outcome = check("handle", bound(source, "handle"), seconds=0.5)
    assert outcome.state == "out of time"
    assert "add" in outcome.line


def test_a_mistake_beyond_the_fixed_messages_is_found_by_inventing():
    odd = '    if {"result", "params"} <= set(message):\n        return None\n'
    outcome = checked(changed(ID_OF, ID_OF + odd))
    assert outcome.state == "wrong"
    assert '"result"' in outcome.case.sent


def test_what_the_six_steps_leave_open_is_never_asked_and_most_of_the_hostile_mail_is():
    assert not any(map(is_taught, LEFT_OPEN))
    assert sum(map(is_taught, HOSTILE)) >= 400
