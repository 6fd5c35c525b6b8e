"""Questions: one right option, a named mistake behind each wrong one, and no answer given away.

Covers choice.
"""

import json
import re
from collections import Counter

import pytest

from mini_rpc import MCP, dispatch, shape_of
from mini_rpc.classroom.kitchen import METHODS
from mini_rpc.classroom.progress import Answer, answers, record
from mini_rpc.classroom.questions.choice import Choice
from mini_rpc.classroom.questions.quiz import quiz
from mini_rpc.classroom.questions.records import questions
from mini_rpc.classroom.text import NoSuchName

every_question = pytest.mark.parametrize("id", questions())


@every_question
def test_one_option_is_right_and_each_wrong_one_names_its_own_mistake(id):
    options = questions()[id].options
    misconceptions = [option.misconception for option in options]
    assert misconceptions.count(None) == 1
    assert len(set(misconceptions)) == len(options) == len({option.text for option in options})
    assert all(option.why.endswith(".") for option in options)
    if "What comes back" in questions()[id].ask:
        assert "Nothing is sent" in [option.text for option in options]


@every_question
def test_choosing_explains_and_counts(id):
    q = quiz(id)
    for number, option in enumerate(questions()[id].options, start=1):
        feedback = q.choose(number)
        assert q.feedback is feedback
        assert feedback.right is (option.misconception is None)
        assert feedback.misconception == option.misconception
        assert repr(feedback) == f"{'Right.' if feedback.right else 'Not right.'} {option.why}"
    tried = questions()[id].options
    tried = tried[: [option.misconception for option in tried].index(None) + 1]
    texts, mistakes = zip(*((option.text, option.misconception) for option in tried), strict=True)
    expected = Answer("correct", len(tried), choices=texts, mistakes=mistakes[:-1])
    assert answers() == {f"quiz:{id}": expected}
    again = quiz(id)
    assert again.feedback.right, "it is there again after a restart"
    assert again._answer["ticket"] == "before"
    assert answers() == {f"quiz:{id}": expected}


def test_an_option_that_the_question_no_longer_has_is_not_shown_again():
    record("quiz:id in msg", "wrong", choice="Perhaps")
    assert quiz("id in msg").feedback is None


def test_each_learner_sees_the_options_in_an_order_that_stays(file, monkeypatch):
    quiz("id in msg").choose(1)
    orders = {id: quiz(id)._setup["order"] for id in questions()}
    assert orders == {id: quiz(id)._setup["order"] for id in questions()}
    assert all(sorted(order) == [*range(1, len(order) + 1)] for order in orders.values())
    seen = set()
    for number in range(40):
        text = file.read_text("utf-8")
        file.write_text(re.sub(r'"seed": \d+', f'"seed": {number}', text), "utf-8")
        seen.add(tuple(quiz("id in msg")._setup["order"]))
    assert len(seen) == 6, "every order comes about"


def test_the_right_option_stands_everywhere_and_is_not_told_by_its_length():
    """Counted over all questions, as they are written: place of the right one, and its length."""
    places, longest = Counter(), 0
    for question in questions().values():
        (right,) = (option for option in question.options if option.misconception is None)
        places[question.options.index(right)] += 1
        lengths = [len(option.text) for option in question.options]
        longest += len(right.text) == max(lengths) and lengths.count(max(lengths)) == 1
    assert max(places[at] for at in range(4)) <= len(questions()) * 0.4, places
    assert min(places[at] for at in range(3)) >= len(questions()) * 0.15, places
    assert longest <= len(questions()) / 3, longest


@every_question
def test_text_and_html_give_nothing_away_and_do_not_change(id):
    q = quiz(id)
    before = q.transcript(), q._as_html()
    q.choose(1)
    assert (q.transcript(), q._as_html()) == before
    assert all("Run this cell to answer." in shown for shown in before)
    for option in questions()[id].options:
        assert option.text in before[0]
        assert not any(option.why in shown for shown in (*before, json.dumps(q._setup)))


def test_the_text_reads_well():
    first, *message, one, two, three, last = quiz("id in msg").transcript().split("\n")
    assert first == (
        'Question: This text is parsed into the dict msg. What is the value of "id" in msg?'
    )
    raw = questions()["id in msg"].message.split("\n")
    assert message == ["", *(f"    {line}" for line in raw), ""]
    assert (one, two, three) == ("  1. True", "  2. False", "  3. It raises KeyError")
    assert last == "Run this cell to answer."


@pytest.mark.parametrize("number", [0, 4, -1, True, "1", 1.5, None])
def test_an_option_that_is_not_there_is_refused_in_words(number):
    with pytest.raises(ValueError, match="choose one of the options 1 to 3"):
        quiz("id in msg").choose(number)
    assert answers() == {}


def test_an_unknown_question_is_refused_with_the_near_ones_or_all():
    wrong = r'There is no question "id in mgs". Is it "id in msg"'
    with pytest.raises(NoSuchName, match=wrong) as raised:
        quiz("id in mgs")
    assert raised.value._render_traceback_() == [str(raised.value)], "and no traceback"
    with pytest.raises(ValueError, match=r"There are start self-check 1, .*id in msg, "):
        quiz("nope")
    with pytest.raises(ValueError, match="in quotes"):
        quiz(quiz)


def test_the_browser_gets_feedback_under_its_ticket():
    q = quiz("id in msg")
    q._asked = {"ticket": "t1", "number": 2}
    assert (q._answer["ticket"], q._answer["right"]) == ("t1", True)
    q._asked = {"ticket": "t2", "number": 9}
    assert q._answer["ticket"] == "t2"
    assert "choose one of the options 1 to 3" in q._answer["broken"]
    q._asked = {"ticket": "t3", "number": 0}
    assert (q._answer, q.feedback) == ({"ticket": "t3"}, None), "all views start over"
    assert answers()["quiz:id in msg"].passed, "and a pass is kept"


def test_what_a_question_is_about_is_data_and_never_markup():
    q = Choice("Question", "<b>?", ["<i>"], lambda number: None, message="<img>\u202e\ud800")
    assert not any(tag in q._as_html() for tag in ("<b>", "<i>", "<img>"))
    assert all("⟨U+202E⟩⟨U+D800⟩" in shown for shown in (q._as_html(), q.transcript()))


# One truth: where the core can decide a question, the right option is what the core says.


def error_of(raw, words="An error with the code {code}"):
    reply = dispatch(raw, METHODS).reply
    return words.format(id=json.dumps(reply["id"]), **reply["error"])


NULL = "One error with the code {code} and the id {id}"
ORDER = '{"jsonrpc": "2.0", "id": 1, "method": "orders/place", "params": {"table": 6}}'
SAID = {
    "id in msg": lambda found: str("id" in json.loads(found.message)),
    "lesson 1 self-check 3": lambda found: shape_of(json.loads(found.message)),
    "lesson 2 self-check 1": lambda found: error_of(ORDER),
    "lesson 2 self-check 2": lambda found: error_of(ORDER[:20], "{id}"),
    "lesson 3 self-check 1": lambda found: next(
        option.text
        for option in found.options
        if isinstance(value := json.loads(option.text), (str, int)) and not MCP.legal_id(value)
    ),
    "lesson 3 self-check 2": lambda found: error_of(f"[{ORDER}, {ORDER}]", NULL),
    "lesson 5 self-check 1": lambda found: error_of(found.message, NULL.replace("One", "An")),
}


@pytest.mark.parametrize("id", SAID)
def test_the_right_option_is_what_the_core_says(id):
    found = questions()[id]
    (right,) = (option.text for option in found.options if option.misconception is None)
    assert right == SAID[id](found)
