"""A full act in real JupyterLab, on the screen a projector has: 1280 by 720."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

START = "from mini_rpc.classroom import present"
TITLES = ["request", "id is true", "notification", "a crash", "not JSON"]
ACT = f"p = present({TITLES}, name='act-1')\np"
HIDDEN_BY_SCROLLING = """box => {
  const panel = box.closest(".jp-WindowedPanel-outer, .jp-Notebook").getBoundingClientRect();
  const own = box.getBoundingClientRect();
  return Math.max(panel.top - own.top, own.bottom - panel.bottom);
}"""
BROKEN_WORDS = """() => [...document.querySelectorAll(".mrpc-step")].filter((step) => {
  const range = document.createRange();
  range.selectNodeContents(step);
  const { left, right } = step.closest("li").getBoundingClientRect();
  const rows = [...range.getClientRects()];
  return rows.length > step.textContent.split(" ").length || rows.some((r) => r.right > right);
}).map((step) => step.textContent)"""
TOO_TALL = "box => Math.max(box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth)"


PASTE = """(stage, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  stage.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""
SLOW = """import time
from pathlib import Path
for slow in (p, t):
    def wait(*given, take=slow._take):
        while not Path("go").exists():
            time.sleep(0.1)
        return take(*given)
    slow._take = wait"""  # Python does nothing that the browser wants until there is a file
REMEMBER_TITLES = """() => {
  const title = document.querySelector(".mrpc-stage-title");
  window.titles = [title.textContent];
  const remember = () => window.titles.push(title.textContent);
  new MutationObserver(remember).observe(title, { childList: true });
}"""
PING = '{"jsonrpc": "2.0", "id": 3, "method": "ping"}'
SHOUTED = {
    "id > Id": PING.replace("id", "Id"),
    "lowercase id!": PING,
    'id "3"': PING.replace("3", '"3"'),
    "id is 4": PING.replace("3", "4"),
    "lowercase the ID": PING.replace("3", "4"),
    'id = "3"': PING.replace("3", '"3"'),
    "nonsense": PING.replace("3", '"3"'),
    "no id": '{"jsonrpc": "2.0", "method": "ping"}',
}


def take_the_stage(lesson: Any, *cells: str) -> tuple[Page, Locator]:
    lesson.page.set_viewport_size({"width": 1280, "height": 720})
    lesson.open_cells(START, *cells)
    lesson.hide_left_area()
    lesson.run_all()
    stage = lesson.page.locator(".mrpc-stage").first
    stage.wait_for()
    lesson.page.locator(".mrpc-stage-title").first.click()  # a click anywhere wakes the keys
    return lesson.page, stage


def lit(page: Page) -> list[str]:
    """Return what the lights say, as far as they can be seen."""
    states = page.locator(".mrpc-light .mrpc-state")
    return [state.inner_text() for state in states.all() if state.is_visible()]


def test_an_act_from_the_first_message_to_the_last(lesson: Any) -> None:
    page, stage = take_the_stage(lesson, ACT, "'a cell below'")
    title, reply, verdict = (
        page.locator(f".mrpc-{name}") for name in ("stage-title", "reply", "verdict")
    )
    expect(title).to_have_text("1 of 5: request")
    expect(page.locator(".mrpc-stage-question")).to_have_text("What comes back?")
    expect(verdict).to_be_hidden()
    expect(page.locator(".mrpc-status")).to_be_hidden()

    # a clicker has two keys, and they are enough
    for count in range(1, 7):
        page.keyboard.press("PageDown")
        expect(stage).to_have_attribute("data-lights", str(count))
        assert lit(page) == ["passed"] * count
        expect(reply).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(reply).to_contain_text("cooking")
    page.keyboard.press("PageDown")
    expect(title).to_have_text("2 of 5: id is true")
    expect(verdict).to_be_hidden()
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(stage).to_have_attribute("data-lights", "6")
    assert lit(page) == ["passed", "stopped here", *["not reached"] * 4]
    expect(reply).to_be_hidden()
    for _ in range(3):
        page.keyboard.press("PageUp")
    expect(title).to_have_text("1 of 5: request")

    # at the largest size nothing is out of sight, in JupyterLab or on the full screen
    page.keyboard.press("+")
    expect(stage).to_have_css("font-size", "28px")
    for name in TITLES:
        expect(title).to_contain_text(name)
        page.keyboard.press("v")
        expect(reply).to_be_visible()
        expect(page.locator(".mrpc-why")).to_be_visible()
        stage.scroll_into_view_if_needed()
        if name != "not JSON" and name != "a crash":  # their private log needs the full screen
            assert stage.evaluate(HIDDEN_BY_SCROLLING) < 1, name
        page.keyboard.press("n")
    page.keyboard.press("f")
    expect(page.locator(".mrpc-stage:fullscreen")).to_have_count(1)
    for name in reversed(TITLES):
        expect(title).to_contain_text(name)
        if name != "not JSON":
            page.keyboard.press("v")
        expect(reply).to_be_visible()
        assert stage.evaluate(TOO_TALL) <= 0, name
        page.keyboard.press("Backspace")
    page.keyboard.press("f")

    # the keys were the stage's alone
    assert page.locator(".jp-CodeCell").count() == 3
    assert page.locator(".jp-CodeCell .cm-content").last.inner_text() == "'a cell below'"
    assert page.locator(".jp-Notebook.jp-mod-editMode .jp-mod-active .cm-focused").count() == 0


@pytest.mark.rest
def test_slow_motion_edits_and_a_cell_that_runs_twice(lesson: Any) -> None:
    page, stage = take_the_stage(lesson, ACT)
    title, reply = page.locator(".mrpc-stage-title"), page.locator(".mrpc-reply")
    editor = page.get_by_label("Raw message")
    page.keyboard.press("n")
    expect(title).to_have_text("2 of 5: id is true")
    page.get_by_role("button", name="Slow motion").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(stage).to_have_attribute("data-shown", "lights")
    expect(reply).to_contain_text("-32600", timeout=8_000)
    expect(page.get_by_role("button", name="Slow motion")).to_be_visible()

    # a text box takes letters as letters, and a hidden verdict stays hidden while one types
    page.get_by_role("button", name="Hide").click()
    editor.fill('{"jsonrpc": "2.0", "id": 2, "method": "pi')
    expect(page.locator(".mrpc-mistake")).to_be_hidden()
    expect(page.locator(".mrpc-wrong")).to_have_css("text-decoration-line", "none")
    editor.press("End")
    editor.press_sequentially('ng"}')
    editor.press("PageDown")
    expect(stage).to_have_attribute("data-lights", "1")

    lesson.run_all()
    expect(page.locator(".mrpc-stage-title")).to_have_text("2 of 5: id is true")
    expect(editor).to_have_value('{"jsonrpc": "2.0", "id": 2, "method": "ping"}')
    expect(page.locator(".mrpc-stage")).to_have_attribute("data-lights", "1")

    page.get_by_role("button", name="Start over").click()
    expect(title).to_have_text("1 of 5: request")
    expect(page.locator(".mrpc-verdict")).to_be_hidden()
    expect(page.locator(".mrpc-box")).to_contain_text("steak")

    # a dictated message is revealed from within the box, and is still there on the way back
    editor.fill('{"jsonrpc": "2.0", "id": 3, "method": "ping"}')
    editor.press("Control+Enter")
    expect(reply).to_contain_text('"id": 3')
    editor.press("PageDown")
    expect(title).to_have_text("2 of 5: id is true")
    editor.press("PageUp")
    expect(title).to_have_text("1 of 5: request")
    expect(editor).to_have_value('{"jsonrpc": "2.0", "id": 3, "method": "ping"}')
    assert page.locator(".jp-CodeCell").count() == 2


@pytest.mark.rest
def test_after_a_restart_the_stage_says_so_and_mixes_nothing_up(lesson: Any) -> None:
    page, stage = take_the_stage(lesson, ACT)
    title, alert = page.locator(".mrpc-stage-title"), page.get_by_role("alert")
    page.keyboard.press("n")
    page.keyboard.press("v")
    expect(page.locator(".mrpc-reply")).to_contain_text("-32600")
    lesson.restart_kernel()
    title.click()
    for key in "nnv":
        page.keyboard.press(key)
        expect(title).to_have_text("2 of 5: id is true")
    expect(alert).to_contain_text("choose Run → Run All Cells")
    expect(alert).to_contain_text("The last 3 keys were dropped.")
    expect(page.locator(".mrpc-older")).to_be_visible()
    expect(stage).to_have_attribute("data-state", "older")
    expect(title).to_have_text("2 of 5: id is true")
    expect(page.locator(".mrpc-box")).to_contain_text('"id": true')
    page.keyboard.press("m")  # slow motion wishes faster than silence is noticed, and stops too
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.get_by_role("button", name="Slow motion")).to_be_visible()
    lesson.run_all()
    expect(title).to_have_text("2 of 5: id is true")  # it comes back where it was, verdict and all
    expect(page.locator(".mrpc-reply")).to_contain_text("-32600")
    page.locator(".mrpc-stage-title").click()
    page.keyboard.press("n")
    expect(title).to_have_text("3 of 5: notification")
    expect(alert).to_be_hidden()


@pytest.mark.rest
def test_keys_work_after_a_click_on_the_rules_and_clickers_of_any_kind_do(lesson: Any) -> None:
    page, stage = take_the_stage(lesson, ACT, "'a cell below'")
    title = page.locator(".mrpc-stage-title")
    page.get_by_label("plain JSON-RPC").check()
    page.keyboard.press("n")
    expect(title).to_have_text("2 of 5: id is true")
    title.click()
    expect(page.get_by_label("MCP")).to_be_checked()
    page.keyboard.press("j")
    expect(page.get_by_label("plain JSON-RPC")).to_be_checked()
    page.keyboard.press("j")
    expect(page.get_by_label("MCP")).to_be_checked()
    top = page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop")
    for key, count in (("ArrowRight", 1), ("ArrowDown", 6)):  # it stops at the second light
        page.keyboard.press(key)
        expect(stage).to_have_attribute("data-lights", str(count))
    page.keyboard.press("Space")
    expect(stage).to_have_attribute("data-shown", "all")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text("1 of 5: request")
    assert page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop") == top
    page.get_by_role("button", name="Reveal").focus()
    page.keyboard.press("Space")  # the button's own key
    expect(stage).to_have_attribute("data-shown", "all")
    assert page.locator(".jp-CodeCell").count() == 3


@pytest.mark.rest
def test_a_class_sends_and_shouts_and_the_place_is_kept(lesson: Any) -> None:
    page, stage = take_the_stage(lesson, ACT)
    title, editor = page.locator(".mrpc-stage-title"), page.get_by_label("Raw message")
    page.keyboard.press("N")  # a capital counts as its letter
    expect(title).to_have_text("2 of 5: id is true")
    card = "open_card('card1-bWFkZSB1cA')"
    for count, text in enumerate((PING, f"[9:41] Ana (Guest): {PING} ok?", f"Bo: {card}")):
        stage.evaluate(PASTE, text)
        expect(title).to_have_text(f"{3 + min(count, 1)} of {6 + min(count, 1)}: from the class")
        expect(editor).to_have_value(PING)
    expect(page.get_by_role("alert")).to_contain_text("cut off or changed")
    page.keyboard.press("e")
    for words, expected in SHOUTED.items():
        page.get_by_label("A change, or a message").fill(words)
        page.keyboard.press("Enter")
        expect(editor).to_have_value(expected)
        page.keyboard.press("e")
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    expect(page.locator(".mrpc-reply")).to_contain_text("SILENCE")
    page.keyboard.press("Backspace")
    expect(title).to_have_text("3 of 7: from the class")

    page.get_by_role("button", name="Full screen").click()  # the keys are the stage's again
    expect(page.locator(".mrpc-stage:fullscreen")).to_have_count(1)
    page.keyboard.press("Space")
    expect(stage).to_have_attribute("data-lights", "1")
    expect(page.locator(".mrpc-stage:fullscreen")).to_have_count(1)
    page.keyboard.press("f")


@pytest.mark.rest
def test_keys_that_were_dropped_stay_dropped_when_they_arrive_late(lesson: Any) -> None:
    go = lesson.lab.folder / "go"
    go.touch()
    tally = "from mini_rpc.classroom import tally\nt = tally('a crash')\nt"
    page, stage = take_the_stage(lesson, ACT, tally, SLOW)
    title, alert = page.locator(".mrpc-stage-title"), stage.get_by_role("alert")
    votes = page.locator(".mrpc-tally").get_by_role("status")
    go.unlink()
    page.keyboard.press("v")
    page.keyboard.press("n")
    expect(alert).to_contain_text("The last 2 keys were dropped.")
    stage.evaluate(PASTE, PING)
    expect(alert).to_contain_text("The last key was dropped.")
    page.get_by_role("button", name="One hand more").first.click()
    expect(page.locator(".mrpc-tally-notice")).to_contain_text("The last key was dropped.")
    page.evaluate(REMEMBER_TITLES)
    go.touch()
    for notice in (alert, page.locator(".mrpc-tally-notice")):
        expect(notice).to_be_hidden()
    expect(title).to_have_text("1 of 5: request")
    expect(page.locator(".mrpc-verdict")).to_be_hidden()
    assert set(page.evaluate("window.titles")) == {"1 of 5: request"}
    expect(votes).to_have_text("0 votes")
    title.click()
    page.keyboard.press("n")
    expect(title).to_have_text("2 of 5: id is true")
    page.get_by_role("button", name="One hand more").first.click()
    expect(votes).to_have_text("1 vote")


@pytest.mark.rest
def test_other_keys_of_a_clicker_begin_and_darken_and_leave_the_place(lesson: Any) -> None:
    page, stage = take_the_stage(lesson, ACT)
    page.keyboard.press("F5")
    expect(page.locator(".mrpc-stage:fullscreen")).to_have_count(1)
    for key in ("b", "."):
        page.keyboard.press(key)
        expect(stage).to_have_css("opacity", "0")
        page.keyboard.press("PageDown")  # it brings the screen back, and does nothing else
        expect(stage).to_have_css("opacity", "1")
        expect(stage).to_have_attribute("data-lights", "0")
    page.keyboard.press("F5")
    page.keyboard.press("PageDown")
    expect(stage).to_have_attribute("data-lights", "1")
    expect(page.locator(".mrpc-stage:fullscreen")).to_have_count(1)
    page.keyboard.press("f")


@pytest.mark.rest
def test_no_word_of_the_lights_is_broken_at_any_size_and_two_dispatchers_fit(lesson: Any) -> None:
    two = "from mini_rpc.classroom import clerk\n"
    two += """present(['{"jsonrpc": "2.0", "id": 0, "method": "ping"}'], beside=clerk('Bo'))"""
    page, stage = take_the_stage(lesson, two)
    page.keyboard.press("v")
    page.keyboard.press("+")
    expect(stage).to_have_css("font-size", "28px")
    page.keyboard.press("f")
    expect(page.locator(".mrpc-stage:fullscreen")).to_have_count(1)
    assert stage.evaluate(TOO_TALL) <= 0
    page.keyboard.press("f")
    for width in (1280, 1000, 800, 600):
        page.set_viewport_size({"width": width, "height": 720})
        for size in (16, 20, 24, 28, 36, 44):
            stage.evaluate(
                "(box, px) => box.style.setProperty('--mrpc-font-size', px)", f"{size}px"
            )
            assert page.evaluate(BROKEN_WORDS) == [], (width, size)


@pytest.mark.rest
def test_axe_finds_nothing_in_any_theme_and_two_dispatchers_fit(lesson: Any) -> None:
    two = "from mini_rpc.classroom import clerk\npresent(['notification'], beside=clerk('Ada'))"
    page, _ = take_the_stage(lesson, ACT, two)
    page.set_viewport_size({"width": 1280, "height": 2200})  # axe sees what is in view
    for stage in page.locator(".mrpc-stage").all():
        stage.get_by_role("button", name="Reveal").click()
    expect(page.locator(".mrpc-difference")).to_contain_text("stays silent")
    (seeded,) = lesson.axe(".mrpc-stage", ".mrpc-stage-title { color: #444 !important }")
    assert seeded.startswith("color-contrast")
