"""Questions and predictions in real JupyterLab: few scenarios, each a broad one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

START = """from mini_rpc.classroom import predict, puzzle, provoke, quiz, start_over_all
from mini_rpc.classroom.questions import choice
choice.seed = lambda: 5  # the options of "id in msg" in the order of the file
start_over_all()"""
AGAIN = "Otherwise choose Run → Run All Cells."


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

    form.get_by_role("button", name="Check").focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("Choose one of the options first.")
    page.keyboard.press("Shift+Tab")  # to the last option, as none is chosen yet
    page.keyboard.press("ArrowDown")
    expect(form.get_by_role("radio", name="True")).to_be_checked()
    page.keyboard.press("Enter")
    expect(status).to_contain_text("Not right. progressToken says which request makes progress.")
    page.keyboard.press("ArrowDown")
    expect(form.get_by_role("radio", name="False")).to_be_checked()
    expect(status).to_be_empty()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(status).to_contain_text("Right. The message has a method and no member id.")
    for key in ("d", "d", "a", "b", "Escape"):
        page.keyboard.press(key)
    expect(page.locator(".jp-CodeCell")).to_have_count(3)  # they are not for JupyterLab's cells
    expect(form.get_by_role("button", name="Check")).to_be_focused()

    lesson.restart_kernel()
    page.get_by_label("True").check()
    form.get_by_role("button", name="Check").click()
    expect(form.locator("..").locator(".mrpc-asleep")).to_be_visible()
    expect(status).to_contain_text(AGAIN)


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
    form.get_by_role("button", name="Decide").click()
    expect(form.get_by_role("status")).to_contain_text("Not as you predicted.")
    expect(form).to_contain_text("-32603")
    expect(form).to_contain_text("Private log, never sent")
    for radio in form.get_by_role("radio").all():
        expect(radio).to_be_disabled()
    expect(button).to_be_focused()


@pytest.mark.rest
def test_one_answer_is_given_once_in_all_views_and_is_there_after_a_restart(lesson: Any) -> None:
    page, _ = open_question(
        lesson, "q = quiz('id in msg')\nq", "q", "p = predict('a crash')\np", "print('the answer')"
    )
    forms, patience = page.locator(".mrpc-question"), 3_500
    status = forms.nth(0).get_by_role("status")
    forms.nth(0).get_by_label("False").check()
    forms.nth(0).get_by_role("button", name="Check").dblclick()
    expect(status).to_contain_text("Right.")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_timeout(patience)
    expect(status).to_contain_text("Right.")
    expect(forms.nth(1).get_by_role("status")).to_contain_text("Right.")

    guess = forms.nth(2)
    below = page.locator(".jp-Cell", has_text="print('the answer')").locator("pre").last
    expect(guess).to_contain_text("It stays hidden until you answer.")
    expect(below).to_be_hidden()
    guess.get_by_label("Nothing is sent").check()
    guess.get_by_role("button", name="Decide").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_timeout(patience)
    expect(guess.get_by_role("status")).to_contain_text("Not as you predicted.")
    expect(below).to_be_visible()


@pytest.mark.rest
def test_the_recap_and_what_follows_a_warm_up_wait_for_the_answers(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1366, "height": 20_000})
    lesson.open("01_four_shapes.ipynb")
    lesson.run_all()
    first = page.locator(".jp-Cell", has=page.locator("h2", has_text="Tickets in a kitchen"))
    recap = page.locator(".jp-Cell", has=page.locator("h2", has_text="Recap"))
    for told in (first, recap):
        told.wait_for(state="attached")  # JupyterLab draws a long page bit by bit
        expect(told).to_have_class(re.compile("mrpc-hidden-cell"))
        expect(told.locator("p").first).to_be_hidden()
    page.get_by_role("button", name="Show it now").first.click()
    expect(first.locator("p").first).to_be_visible()
    forms = page.locator(".mrpc-question")
    for number in (-3, -2, -1):
        expect(recap.locator("p").first).to_be_hidden()
        form = forms.nth(number)
        form.get_by_role("radio").first.check()
        form.get_by_role("button", name="Check").click()
        expect(form.get_by_role("status")).to_contain_text("ight.")
    expect(recap.locator("p").first).to_be_visible()


@pytest.mark.rest
def test_start_over_is_for_all_views_and_an_answer_outlives_the_kernel(lesson: Any) -> None:
    cells = [START.replace("start_over_all()", ""), "p = predict('a batch')\np", "p"]
    lesson.open_cells(*cells)
    lesson.run_all()
    page = lesson.page
    one, other = page.locator(".mrpc-question").nth(0), page.locator(".mrpc-question").nth(1)
    one.get_by_label("A result").check()
    one.get_by_role("button", name="Decide").click()
    expect(other.get_by_role("button", name="Start over")).to_be_visible()
    lesson.restart_kernel()
    lesson.run_all()
    expect(one.get_by_role("status")).to_contain_text("Not as you predicted.")
    expect(one.get_by_role("radio", name="A result", exact=True)).to_be_checked()
    other.get_by_role("button", name="Start over").click()
    expect(one.get_by_role("button", name="Decide")).to_be_visible()
    expect(one.get_by_role("status")).to_be_empty()


def test_a_talk_is_read_and_goals_tick_themselves(lesson: Any) -> None:
    lesson.page.set_viewport_size({"width": 1366, "height": 2400})
    page, form = open_question(lesson, "puzzle('the server asks')", "provoke('five codes')")
    form.get_by_role("button", name="Check").click()
    expect(form.get_by_role("status")).to_have_text("Choose the line first.")
    form.get_by_label('server: {"jsonrpc": "2.0", "id": 1, "method": "ping"}').check()
    form.get_by_label("A server sends no requests").check()
    form.get_by_role("button", name="Check").click()
    expect(form.get_by_role("status")).to_contain_text("Right.")
    editor, list_ = page.get_by_label("Raw message"), page.locator(".mrpc-goals")
    expect(list_.get_by_role("status")).to_have_text("0 of 5 reached.")
    for raw in ("{", "[]"):
        editor.fill(raw)
    expect(list_.get_by_role("status")).to_have_text("2 of 5 reached.")
    (seeded,) = lesson.axe(".mrpc-goals", ".mrpc-goals li { color: #777 !important }")
    assert seeded.startswith("color-contrast")


@pytest.mark.rest
def test_axe_finds_nothing_in_any_theme_and_nothing_is_cut_off_at_any_width(lesson: Any) -> None:
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
    (seeded,) = lesson.axe(".mrpc-question", ".mrpc-question dd { color: #555 !important }")
    assert seeded.startswith("color-contrast")

    too_wide = "forms => forms.some(box => box.scrollWidth > box.clientWidth + 1)"
    for width in (1280, 500):
        page.set_viewport_size({"width": width, "height": 900})
        assert not page.locator(".mrpc-question").evaluate_all(too_wide), width
