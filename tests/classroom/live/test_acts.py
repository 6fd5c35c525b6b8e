"""Acts and plans are files: the course's are right, and a wrong one is refused in a sentence."""

import re

import pytest

from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.live.acts import ACTS, read_acts, read_plans

HEAD = "---\nact: 1\ntitle: Ours\nminutes: 5\n---\n\n"
MESSAGE = '## message: one\n\n```json\n{"id": 1}\n```\n'


def write(folder, text, name="act_1.md"):
    (folder / name).write_text(text)
    return folder


def test_there_is_an_act_for_each_lesson_and_each_has_a_script_and_parts():
    acts = read_acts()
    assert [*acts] == [*range(8)]
    assert all("**The one sentence.**" in act.script for act in acts.values())
    kinds = {part.kind for act in acts.values() for part in act.parts}
    assert kinds == {"message", "vote", "timeline", "text"}
    assert acts[7].methods["tools/list"]({})["tools"][0]["name"] == "place_order"


def test_no_title_of_an_act_or_a_message_gives_an_answer_away():
    telling = re.compile(
        r"not json|no \w+|invalid|unknown|missing|true|list|batch|crash|fault|silen|error|zero"
        r"|notification|burn|parse|-3\d{4}|null id|empty"
    )
    for act in read_acts().values():
        titles = [part.title for part in act.parts if part.kind != "vote"]
        assert [title for title in titles if telling.search(title.lower())] == []


@pytest.mark.parametrize("minutes", [20, 50, 90])
def test_the_plans_add_up_and_name_acts_and_exercises_that_there_are(minutes):
    plan = read_plans(read_acts())[minutes]
    assert sum(taken for taken, _ in plan.items) == plan.minutes == minutes
    words = " ".join(item for _, item in plan.items if isinstance(item, str))
    named = re.findall(r"\b[a-z]+_[a-z_]+\b", words)
    assert set(named) <= set(EXERCISES)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEAD.replace("act: 1", "act: one"), "line 2: act is a whole number"),
        (HEAD.replace("minutes: 5\n", ""), 'The fact "minutes" is missing'),
        (HEAD, "An act needs a message"),
        (HEAD + "## joke: one\n", '"joke: one" is no part of an act'),
        (HEAD + "## message: one\n\nmessage: nowhere\n", 'line 7: "one" has no fenced text'),
        (HEAD + "## message: one\n\nrecorded: nowhere 1\n", "has no fenced text"),
        (HEAD + "## vote: nowhere\n", 'no question "nowhere"'),
        (HEAD + "## timeline: a\n\n```text\n{}\n```\n", 'begins with "> "'),
        (HEAD + "## methods\n\n```json\n[\n```\n" + MESSAGE, "no JSON object"),
        (HEAD + MESSAGE + MESSAGE, "same title"),
        (HEAD.replace("5\n", "5\nbeside: Nobody\n") + MESSAGE, "no dispatcher Nobody"),
    ],
)
def test_a_wrong_act_is_refused_with_its_file_and_a_sentence(tmp_path, text, sentence):
    with pytest.raises(BadContent, match=r"act_1\.md") as refused:
        read_acts(write(tmp_path, text))
    assert sentence in str(refused.value)


def test_two_acts_of_one_number_are_refused(tmp_path):
    write(tmp_path, HEAD + MESSAGE)
    with pytest.raises(BadContent, match="another act 1"):
        read_acts(write(tmp_path, HEAD + MESSAGE, "act_2.md"))


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ("## 9 minutes\n\n- 5: act 1\n", "The items take 5 minutes"),
        ("## 5 minutes\n\n- 5: act 3\n", "no act 3"),
        ("## 5 minutes\n\n- five: act 1\n", "no item of a plan"),
        ("## soon\n\n- 5: act 1\n", "A plan is called"),
    ],
)
def test_a_wrong_plan_is_refused(tmp_path, plan, sentence):
    acts = read_acts(write(tmp_path, HEAD + MESSAGE))
    with pytest.raises(BadContent, match=r"plans\.md") as refused:
        read_plans(acts, write(tmp_path, plan, "plans.md"))
    assert sentence in str(refused.value)


def test_the_format_is_shown_by_an_act_that_is_read(tmp_path):
    act = read_acts(write(tmp_path, (ACTS / "format.md").read_text()))[5]
    assert [part.kind for part in act.parts] == [*["message"] * 3, "vote", "timeline", "text"]
