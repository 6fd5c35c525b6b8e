"""Questions and predictions in real JupyterLab: few scenarios, each a broad one."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

START = "from mini_rpc.classroom import predict, quiz"
THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")
# JupyterLab's body has no height, which makes axe take everything in it for hidden.
VISIBLE_BODY = "body { overflow: visible !important; height: 100vh; width: 100vw }"
AXE = """async () => (await axe.run(".mrpc-question")).violations.map(
  each => `${each.id}: ${each.nodes.map(node => node.html).join(" ")}`)"""


def open_question(lesson: Any, *cells: str) -> tuple[Page, Locator]:
    """Run the cells in JupyterLab; return the page and the first question's form."""
    lesson.open_cells(START, *cells)
    lesson.run_all()
    form = lesson.page.locator(".mrpc-question").first
    form.wait_for()
    return lesson.page, form


def test_a_question_is_answered_by_keyboard_and_explained(lesson: Any) -> None:
    page, form = open_question(lesson, "quiz('id in msg')", "'a cell below'")
    status = form.get_by_role("status")
    group = form.get_by_role("group", name="Question: This text is parsed into the dict msg.")
    expect(group).to_be_visible()
    expect(group).to_have_accessible_description(
        '{"jsonrpc": "2.0", "method": "notifications/progress", '
        '"params": {"progressToken": "t1", "progress": 5}}'
    )

    form.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("Choose one of the options first.")
    page.keyboard.press("Shift+Tab")  # to the last option, as none is chosen yet
    page.keyboard.press("ArrowDown")
    expect(form.get_by_role("radio", name="True")).to_be_checked()
    page.keyboard.press("Enter")
    expect(status).to_contain_text("Not right. progressToken names a piece of work")
    page.keyboard.press("ArrowDown")
    expect(form.get_by_role("radio", name="False")).to_be_checked()
    expect(status).to_be_empty()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(status).to_contain_text("Right. The message has a method and no member id.")
    for key in ("d", "d", "a", "b", "Escape"):
        page.keyboard.press(key)
    expect(page.locator(".jp-CodeCell")).to_have_count(3)  # they are not for JupyterLab's cells
    expect(form.get_by_role("button")).to_be_focused()


def test_a_prediction_hides_the_verdict_until_an_answer_and_can_start_over(lesson: Any) -> None:
    page, form = open_question(lesson, "p = predict('a crash')\np", "p.choose(2)")
    # the second cell has answered from Python
    expect(form.get_by_role("status")).to_contain_text("As you predicted.")
    expect(form.get_by_role("radio", name="nothing of the exception")).to_be_checked()
    button = form.get_by_role("button", name="Start over")
    button.click()
    expect(form.get_by_role("status")).to_be_empty()
    expect(form).not_to_contain_text("Internal error")
    page.get_by_label("An error with the text of the exception").check()
    form.get_by_role("button", name="Commit").click()
    expect(form.get_by_role("status")).to_contain_text("Not as you predicted.")
    expect(form).to_contain_text("-32603")
    expect(form).to_contain_text("Private log, never sent")
    for radio in form.get_by_role("radio").all():
        expect(radio).to_be_disabled()
    expect(button).to_be_focused()


@pytest.mark.long
def test_after_a_restart_a_question_says_that_nobody_answers(lesson: Any) -> None:
    page, form = open_question(lesson, "quiz('id in msg')")
    lesson.restart_kernel()
    page.get_by_label("False").check()
    form.get_by_role("button", name="Check").click()
    expect(form.get_by_role("status")).to_have_text("No answer from Python. Run this cell again.")


@pytest.mark.long
def test_axe_finds_nothing_in_any_theme_but_a_seeded_fault(lesson: Any) -> None:
    lesson.page.set_viewport_size(
        {"width": 1280, "height": 2400}
    )  # axe passes over what is not in view
    page, _ = open_question(
        lesson,
        "quiz('lesson 1 self-check 1')",
        "q = quiz('lesson 1 self-check 3')\nq.choose(1)\nq",
        "p = predict('an unknown notification')\np.choose(3)\np",
        "w = predict('params in a list')\nw.choose(1)\nw",
    )
    expect(page.locator(".mrpc-question")).to_have_count(4)
    expect(page.locator("[data-state=right]")).to_have_count(1)
    page.add_style_tag(content=VISIBLE_BODY)
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    for theme in THEMES:
        lesson.set_theme(theme)
        assert page.evaluate(AXE) == [], theme
    page.add_style_tag(content=".mrpc-question dd { color: #555 !important }")
    assert "color-contrast" in " ".join(page.evaluate(AXE)), "this check sees nothing"


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 500])
def test_nothing_is_cut_off_at_any_width(lesson: Any, width: int) -> None:
    lesson.page.set_viewport_size({"width": width, "height": 900})
    _, form = open_question(lesson, "p = predict('a crash')\np.choose(1)\np")
    expect(form.get_by_role("status")).to_contain_text("oven")
    too_wide = "box => box.scrollWidth > box.clientWidth + 1"
    assert not form.evaluate(too_wide)
