"""Practice that comes back: warm-ups, the final, talks to read. Covers quiz."""

import json

import pytest

from mini_rpc import MCP, shape_of
from mini_rpc.classroom.kitchen import METHODS
from mini_rpc.classroom.lessons import LAST, LESSONS
from mini_rpc.classroom.progress import answers, record, start_over_all
from mini_rpc.classroom.questions import practice
from mini_rpc.classroom.questions.practice import final_round, warm_up
from mini_rpc.classroom.questions.quiz import puzzle
from mini_rpc.classroom.questions.records import puzzles, questions

every_puzzle = pytest.mark.parametrize("id", puzzles())
OF_MCP = {"server/discover", "tools/list", "tools/call", "notifications/cancelled"}


@pytest.fixture(autouse=True)
def shown(monkeypatch):
    """What is shown under the cell, in order."""
    found = []
    monkeypatch.setattr(practice, "show", found.append)
    return found


def drawn(shown, show, *given):
    shown.clear()
    show(*given)
    return [widget._id.partition(":")[2] for widget in shown]


@pytest.mark.parametrize("lesson", [number for number in LESSONS if number])
def test_a_warm_up_asks_two_questions_from_the_lessons_before_it(shown, lesson):
    ids = drawn(shown, warm_up, lesson)
    assert len(set(ids)) == 2
    assert all(questions()[id].lesson < lesson for id in ids)
    assert drawn(shown, warm_up, lesson) == ids, "what was drawn stays"


def test_what_was_never_answered_or_answered_wrongly_comes_first(shown):
    ids = [id for id, question in questions().items() if question.lesson < 4]
    for id in ids[2:]:
        record(f"quiz:{id}", "correct")
    record(f"quiz:{ids[1]}", "wrong")
    assert set(drawn(shown, warm_up, 4)) == set(ids[:2])
    shown[0].choose(1)
    shown[1].choose(1)
    assert sum("warm-up 4 quiz:" in key for key in answers()) == 2


def test_an_answer_of_a_warm_up_is_there_again_and_a_wrong_one_comes_back_later(shown):
    (first, _) = drawn(shown, warm_up, 2)
    wrong = [option.misconception is None for option in questions()[first].options].index(False)
    record(f"quiz:{first}", "correct")
    shown[0].choose(wrong + 1)
    drawn(shown, warm_up, 2)
    assert shown[0].feedback.right is False
    for id in questions():
        record(f"quiz:{id}", "correct")
    assert first in drawn(shown, warm_up, 5)
    start_over_all()
    drawn(shown, warm_up, 2)
    assert shown[0].feedback is None


@pytest.mark.parametrize("lesson", [0, LAST + 1, True, "2", None])
def test_a_lesson_without_any_before_it_is_refused_in_a_sentence(lesson):
    with pytest.raises(ValueError, match=f"the number of a lesson, from 1 to {LAST}"):
        warm_up(lesson)


def test_the_final_mixes_twelve_questions_and_three_tasks(shown, monkeypatch):
    from mini_rpc.classroom.questions import provoke

    monkeypatch.setattr(provoke, "show", lambda bench: None)
    final_round()
    kinds = [getattr(widget, "kind", "Provoke") for widget in shown]
    assert kinds == ["Question"] * 12 + ["Read"] * 2 + ["Provoke"]
    asked = [questions()[widget._id.partition(":")[2]].lesson for widget in shown[:12]]
    assert len(set(asked)) >= 4, "from all over the course"


# --- talks to read -------------------------------------------------------------------------------


def broken_lines(talk):
    """Return the numbers of the lines that break a rule, found without the file's answer."""
    waiting, forgiven, progress, found = {}, [], {}, []
    for number, line in enumerate(talk, 1):
        who, _, text = line.partition(": ")
        message = json.loads(text)
        shape = shape_of(message)
        judge = _client if who == "client" else _server
        if not judge(message, shape, waiting, forgiven, progress):
            found.append(number)
    return found


def _key(id):
    return (type(id), id)


def _client(message, shape, waiting, forgiven, progress):
    named = isinstance(message.get("params", {}), dict)
    if shape not in ("request", "notification") or not named:
        id = message.get("id")
        forgiven.append(_key(id if MCP.legal_id(id) else None))
        return False
    if shape == "notification":
        return True
    progress[message.get("params", {}).get("_meta", {}).get("progressToken")] = -1
    known = _key(message["id"]) in waiting
    waiting[_key(message["id"])] = message["method"]
    return not known


def _server(message, shape, waiting, forgiven, progress):
    if shape == "notification":
        params = message["params"]
        before = progress.get(params["progressToken"])  # None: nobody has given this token
        progress[params["progressToken"]] = params["progress"]
        return before is not None and params["progress"] > before
    key = _key(message.get("id"))
    if shape == "error" and key in forgiven:
        return True
    if shape not in ("result", "error") or key not in waiting:
        waiting.pop(key, None)
        return False
    known = waiting.pop(key) in {*METHODS, *OF_MCP}
    return known or message.get("error", {}).get("code") == -32601


@every_puzzle
def test_ten_lines_of_which_one_breaks_a_rule_and_it_is_the_one_that_the_file_names(id):
    found = puzzles()[id]
    assert found.lesson == 7 or found.called == f"talk {found.lesson}"  # its name tells nothing
    assert len(found.talk) == 10
    assert broken_lines(found.talk) == [found.line]
    assert all(option.why.endswith(".") for option in found.options)
    names = [option.misconception for option in found.options]
    assert len(set(names)) == len(names) == 4


def test_there_are_at_least_eight_and_their_rules_differ():
    options = [option for found in puzzles().values() for option in found.options]
    rights = [option.text for option in options if option.misconception is None]
    assert len(set(rights)) == len(rights) >= 8


@every_puzzle
def test_the_line_and_the_rule_must_both_be_right(id):
    found = puzzles()[id]
    right = [option.misconception for option in found.options].index(None) + 1
    p = puzzle(id)
    shown = p.transcript(), p._as_html()
    assert p.choose(right, found.line % 10 + 1).heading == "Not this line."
    assert p.choose(right % 4 + 1, found.line).heading == "The line is right, the rule is not."
    assert p.choose(right, found.line).right
    assert answers()[f"puzzle:{id}"].passed
    again = puzzle(found.called)  # as its page does
    assert again._answer == {**p._answer, "ticket": "before"}
    assert (again.transcript(), again._as_html()) == shown


def test_a_puzzle_reads_well_and_wants_a_line_and_a_known_name():
    p = puzzle("the server asks")
    assert '     5  server: {"jsonrpc": "2.0", "id": 1, "method": "ping"}' in p.transcript()
    assert "Which rule does it break?\n  1. " in p.transcript()
    for line in (0, 11, -1):
        with pytest.raises(ValueError, match="choose one of the lines 1 to 10"):
            p.choose(1, line)
    with pytest.raises(ValueError, match=r'no puzzle "the server ask". Is it "the server asks"'):
        puzzle("the server ask")
    p._asked = {"ticket": "t", "number": 1, "line": 5}
    assert (p._answer["number"], p._answer["line"]) == (1, 5)
