"""The live demo: one flow of stops, what a class may read of it, and where it stands."""

import pytest

from mini_rpc.classroom import act_notes, live_demo
from mini_rpc.classroom.live.demo import NoSuchPlan
from mini_rpc.classroom.live.stage import Presenter
from mini_rpc.classroom.live.tally import Tally
from mini_rpc.classroom.talks.timeline import Timeline


def test_messages_that_follow_each_other_are_one_stop_and_votes_begin_hidden():
    demo = live_demo()
    stops = [stop for stop in demo.stops if stop.act and stop.act.number == 1]
    assert [(stop.kind, len(stop.parts)) for stop in stops] == [
        ("message", 2), ("vote", 1), ("message", 2)
    ]  # fmt: skip
    kinds = {"message": Presenter, "vote": Tally, "timeline": Timeline, "text": type(None)}
    for stop, part in zip(demo.stops, demo._parts, strict=True):
        assert isinstance(part, kinds[stop.kind])
        assert not isinstance(part, Tally) or part._answer["hidden"]


def test_a_plan_takes_its_minutes_and_leaves_every_act_within_reach():
    for minutes in (20, 50, 90):
        stops = live_demo(minutes).stops
        assert sum(stop.minutes for stop in stops) == pytest.approx(minutes)
        assert {stop.act.number for stop in stops if stop.act} == set(range(8))
    with pytest.raises(
        NoSuchPlan, match=r"no plan for 7 minutes\. There are plans for: 20, 50, 90"
    ):
        live_demo(7)


def test_what_a_class_may_read_has_the_messages_and_neither_script_nor_answers():
    demo = live_demo(50)
    for shown in (demo.transcript(), demo._as_html()):
        assert "Act 2. Error codes" in shown
        assert "kitchen/burn" in shown
        for hidden in ("they say", "-32603", "stopped here", "cooking"):
            assert hidden not in shown, hidden
    assert "<script" not in demo._as_html()


def test_a_cell_that_runs_again_goes_on_where_the_demo_was():
    demo = live_demo()
    demo.set_state({"_place": {"stop": 5, "size": 36, "began": 1}})
    again = live_demo()
    assert again._place == {"stop": 5, "size": 36, "began": 1}
    assert not again._setup["fresh"]
    assert live_demo(name="second class")._place["stop"] == 0


def test_acts_of_ones_own_are_played_from_a_folder(tmp_path):
    act = "---\nact: 1\ntitle: Ours\nminutes: 5\n---\n\n## script\n\nSay hello.\n\n"
    (tmp_path / "act_1.md").write_text(f"{act}## message: one\n\n```json\n[]\n```\n")
    demo = live_demo(folder=tmp_path)
    assert "Act 1. Ours" in demo.transcript()
    assert "Say hello." in act_notes(folder=tmp_path).data


def test_the_notes_have_every_script_and_plan_or_those_that_are_named():
    notes = act_notes().data
    assert notes.count("**The one sentence.**") == 8
    assert "### 50 minutes" in notes
    assert act_notes(3).data.startswith("### Act 3. MCP's rules (10 minutes)")
