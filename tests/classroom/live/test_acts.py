"""Acts and plans are files: the course's are right, and a wrong one is refused in a sentence."""

import re
import tomllib
from pathlib import Path

import pytest

from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.live.acts import ACTS, read_acts, read_plans

DATA = Path(__file__).parents[2] / "data" / "acts"
ACT = (DATA / "sound.md").read_text("utf-8")
WRONG = tomllib.loads((DATA / "wrong.toml").read_text("utf-8"))


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


@pytest.mark.parametrize(("part", "instead", "sentence"), WRONG["acts"])
def test_a_wrong_act_is_refused_with_its_file_and_a_sentence(tmp_path, part, instead, sentence):
    assert part in ACT
    with pytest.raises(BadContent, match=r"act_1\.md") as refused:
        read_acts(write(tmp_path, ACT.replace(part, instead)))
    assert sentence in str(refused.value)


def test_two_acts_of_one_number_are_refused(tmp_path):
    write(tmp_path, ACT)
    with pytest.raises(BadContent, match="another act 1"):
        read_acts(write(tmp_path, ACT, "act_2.md"))


@pytest.mark.parametrize(("plan", "sentence"), WRONG["plans"])
def test_a_wrong_plan_is_refused(tmp_path, plan, sentence):
    acts = read_acts(write(tmp_path, ACT))
    with pytest.raises(BadContent, match=r"plans\.md") as refused:
        read_plans(acts, write(tmp_path, plan, "plans.md"))
    assert sentence in str(refused.value)


def test_the_format_is_shown_by_an_act_that_is_read(tmp_path):
    act = read_acts(write(tmp_path, (ACTS / "format.md").read_text()))[5]
    assert [part.kind for part in act.parts] == [*["message"] * 3, "vote", "timeline", "text"]
