"""A class votes in real JupyterLab: a learner's code, pasted into the tally, and hands."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from playwright.sync_api import expect

START = "from mini_rpc.classroom import tally, vote"
THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")
# JupyterLab's body has no height, which makes axe take everything in it for hidden.
VISIBLE_BODY = "body { overflow: visible !important; height: 100vh; width: 100vw }"
AXE = """async () => (await axe.run(".mrpc-tally")).violations.map(
  each => `${each.id}: ${each.nodes.map(node => node.html).join(" ")}`)"""


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

    box = teacher.get_by_label("Paste the codes, one a line")
    box.press_sequentially(f"{code.lower()}\nnonsense\n{code}")
    expect(total).to_have_text("1 vote")
    notes = teacher.get_by_role("list", name="Codes that do not count").get_by_role("listitem")
    expect(notes).to_have_count(2)
    expect(notes.first).to_contain_text("nonsense: no code")

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

    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    page.add_style_tag(content=VISIBLE_BODY)
    for theme in THEMES:
        lesson.set_theme(theme)
        assert page.evaluate(AXE) == [], theme
    page.add_style_tag(
        content=".mrpc-tally-ask { color: #bbb !important; background: #fff !important }"
    )
    (seeded,) = page.evaluate(AXE)
    assert seeded.startswith("color-contrast")

    lesson.restart_kernel()
    more.click()
    expect(total).to_have_text("No answer from Python. Run this cell again.")
