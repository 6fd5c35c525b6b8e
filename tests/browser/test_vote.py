"""A class votes in real JupyterLab: a learner's code, pasted into the tally, and hands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .test_presenter import PASTE, TOO_TALL

START = "from mini_rpc.classroom import tally, vote"


def test_a_vote_travels_as_a_code_and_the_tally_reveals_what_stands_behind_it(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1280, "height": 1600})  # axe sees what is in view
    lesson.open_cells(START, "vote('a crash')", "tally('a crash')")
    lesson.run_all()
    learner, teacher = page.locator(".mrpc-question"), page.locator(".mrpc-tally")
    status, total = learner.get_by_role("status"), teacher.get_by_role("status")
    learner.get_by_label("An error with the text of the exception").check()
    learner.get_by_role("button").click()
    expect(status).to_contain_text("Your code: ")
    expect(status).to_have_attribute("data-state", "noted")
    code = status.inner_text().removeprefix("Your code: ")[:9]

    box = teacher.get_by_label("Paste the codes, or the whole chat")
    box.press_sequentially(f"{code.lower()}\nnonsense\n{code}")
    expect(total).to_have_text("1 vote")
    notes = teacher.get_by_role("list", name="What does not count").get_by_role("listitem")
    expect(notes).to_have_count(2)
    expect(notes.first).to_have_text("1 line holds no code.")

    more = teacher.get_by_role("button", name="One hand more: Nothing is sent")
    for _ in range(3):
        more.click()
    expect(total).to_have_text("4 votes")
    page.keyboard.press("Enter")  # the button has the focus: one hand more, and no cell is run
    expect(total).to_have_text("5 votes")
    teacher.get_by_role("button", name="One hand fewer: Nothing is sent").click()
    expect(total).to_have_text("4 votes")
    expect(teacher).not_to_contain_text("needs to know what broke")
    teacher.get_by_role("button", name="Reveal").click()
    expect(teacher.locator(".mrpc-tally-behind")).to_contain_text("needs to know what broke")

    fault = ".mrpc-tally-ask { color: #bbb !important; background: #fff !important }"
    (seeded,) = lesson.axe(".mrpc-tally", fault)
    assert seeded.startswith("color-contrast")

    # run again, it has lost nothing; with no Python, it says that what it shows is from before
    lesson.run_all()
    expect(total).to_have_text("4 votes")
    expect(box).to_have_value(f"{code.lower()}\nnonsense\n{code}")
    lesson.restart_kernel()
    more.click()
    expect(teacher.get_by_role("alert")).to_contain_text("Run All Cells")
    expect(total).to_have_text("4 votes")
    lesson.run_all()  # the votes come back
    expect(total).to_have_text("4 votes")


@pytest.mark.rest
def test_the_tally_fills_the_screen_at_the_size_of_the_stage_and_has_keys(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1280, "height": 720})
    lesson.open_cells(START, "tally('a crash', hands=[14, 9, 3])", "'a cell below'")
    lesson.run_all()
    teacher = page.locator(".mrpc-tally")
    page.locator(".mrpc-tally-ask").click()
    page.keyboard.press("+")
    expect(page.locator(".mrpc-tally-message")).to_have_css("font-size", "28px")
    page.keyboard.press("f")
    expect(page.locator(".mrpc-tally:fullscreen")).to_have_count(1)
    assert teacher.evaluate(TOO_TALL) <= 0
    page.keyboard.press("v")
    expect(teacher.locator(".mrpc-tally-behind")).to_contain_text("needs to know what broke")
    expect(teacher.get_by_role("button", name=re.compile("^Hidev?$"))).to_be_in_viewport()
    expect(teacher.locator(".mrpc-tally-behind li").last).to_be_in_viewport(ratio=1)
    page.keyboard.press("v")
    expect(teacher).not_to_contain_text("needs to know what broke")
    box = teacher.get_by_label("Paste the codes, or the whole chat")
    box.press_sequentially("vf")  # letters are letters here
    expect(box).to_have_css("-webkit-text-security", "disc")  # and names are nobody's business
    expect(teacher.get_by_role("list", name="What does not count")).to_contain_text("1 line")
    expect(page.locator(".mrpc-tally:fullscreen")).to_have_count(1)
    teacher.get_by_role("button", name="One hand more: Nothing is sent").click()
    expect(teacher.get_by_role("status")).to_have_text("27 votes")
    teacher.get_by_role("spinbutton", name="Hands: Nothing is sent").fill("30")  # one number typed
    page.keyboard.press("Enter")
    expect(teacher.get_by_role("status")).to_have_text("53 votes")
    teacher.get_by_role("button", name="Undo").click()
    expect(teacher.get_by_role("status")).to_have_text("27 votes")
    teacher.get_by_role("button", name="Start over").click()
    expect(teacher.get_by_role("status")).to_have_text("26 votes")
    expect(box).to_have_value("")
    for count in (1, 2):  # wherever the keys go, a chat that is pasted counts
        teacher.evaluate(PASTE, "no code")
        expect(teacher.get_by_role("list", name="What does not count")).to_contain_text(
            f"{count} l"
        )
    teacher.get_by_role("button", name="Undo").click()
    expect(box).to_have_value("no code")
    assert page.locator(".jp-CodeCell").count() == 3
