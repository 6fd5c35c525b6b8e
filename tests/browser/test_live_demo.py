"""The whole live demo on a projector of 1280 by 720: one flow, one clicker, never out of view."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

STATE = """() => {
  const demo = document.querySelector(".mrpc-demo");
  const stop = [...demo.querySelectorAll(".mrpc-stop")].find((each) => !each.hidden);
  const stage = stop.querySelector(".mrpc-stage");
  const said = stop.querySelector(".mrpc-said, .mrpc-tally");
  return {
    act: demo.querySelector(".mrpc-demo-title").textContent,
    at: stage ? stage.querySelector(".mrpc-stage-title").textContent : stop.dataset.kind,
    step: stage ? `${stage.dataset.shown} ${stage.dataset.lights}` : said?.textContent ?? "",
    over: Math.max(demo.scrollHeight - demo.clientHeight, demo.scrollWidth - demo.clientWidth),
    full: document.fullscreenElement === demo,
    text: demo.innerText,
  };
}"""


def open_demo(lesson: Any, call: str = "live_demo()") -> tuple[Page, Locator]:
    lesson.page.set_viewport_size({"width": 1280, "height": 720})
    lesson.open_cells("from mini_rpc.classroom import live_demo", call)
    lesson.hide_left_area()
    lesson.run_all()
    demo = lesson.page.locator(".mrpc-demo")
    demo.locator(".mrpc-stage-title, .mrpc-stop-text").first.click()
    return lesson.page, demo


@pytest.mark.rest
def test_a_clicker_plays_every_act_in_full_screen_and_all_of_it_fits_at_36_pixels(
    lesson: Any,
) -> None:
    page, demo = open_demo(lesson)
    page.keyboard.press("+")
    page.keyboard.press("f")
    expect(page.locator(".mrpc-demo:fullscreen")).to_have_count(1)
    before: dict[str, Any] = page.evaluate(STATE)
    seen = {before["act"]}
    for _ in range(300):
        page.keyboard.press("PageDown")
        for _ in range(100):
            page.wait_for_timeout(20)
            now = page.evaluate(STATE)
            if {**now, "text": ""} != {**before, "text": ""}:
                break
        else:
            break  # the last stop of all: a key changes nothing there
        assert now["over"] <= 0, now
        assert now["full"], now
        assert "they say" not in now["text"]
        seen.add(now["act"])
        before = now
    assert len(seen) == 8
    assert before["act"].startswith("Act 7")
    assert before["step"].startswith("all")
    assert len(demo.locator(".mrpc-stop").all()) >= 15

    for number in (4, 0, 6):  # any act is one key away
        page.keyboard.press(f"{number}")
        expect(demo.locator(".mrpc-demo-title")).to_contain_text(f"Act {number}.")
    page.keyboard.press("n")  # from the vote to the timeline, which has the same keys
    picture = demo.locator(".mrpc-timeline")
    page.keyboard.press("r")
    expect(picture.locator(".mrpc-said")).to_have_text("Nothing is sent yet.")
    page.keyboard.press("s")
    expect(picture.locator(".mrpc-said")).to_contain_text("Message 1 of 6")
    page.keyboard.press("v")
    expect(picture.locator(".mrpc-said")).to_have_text("All 6 messages.")
    page.keyboard.press("A")
    expect(demo.locator(".mrpc-demo-title")).to_contain_text("Act 7.")
    page.keyboard.press("f")


@pytest.mark.rest
def test_a_kernel_dies_and_the_talk_goes_on_where_it_was_with_its_votes(lesson: Any) -> None:
    page, demo = open_demo(lesson)
    page.keyboard.press("1")
    tally = demo.locator(".mrpc-tally")
    expect(demo.locator(".mrpc-demo-title")).to_contain_text("Act 1.")
    expect(demo.locator(".mrpc-stage:visible .mrpc-stage-title")).to_contain_text("1 of 2")
    page.keyboard.press("n")
    expect(demo.locator(".mrpc-stage:visible .mrpc-stage-title")).to_contain_text("2 of 2")
    page.keyboard.press("n")
    tally.get_by_role("spinbutton").first.fill("12")
    page.keyboard.press("Enter")
    expect(tally.get_by_role("status")).to_have_text("12 votes")
    expect(tally.locator(".mrpc-tally-number").first).to_be_hidden()  # until the vote is closed
    lesson.restart_kernel()
    tally.get_by_role("button", name="One hand more").first.click()
    expect(tally.get_by_role("alert")).to_contain_text("choose Run → Run All Cells")
    lesson.run_all()
    expect(demo.locator(".mrpc-demo-title")).to_contain_text("Act 1.")
    expect(demo.locator(".mrpc-tally").get_by_role("status")).to_have_text("12 votes")

    # also straight after a restart, when this tab still knows where act 0 was
    demo.locator(".mrpc-tally-ask").click()
    page.keyboard.press("0")
    expect(demo.locator(".mrpc-stage:visible .mrpc-stage-title")).to_contain_text("1 of 2")
    page.keyboard.press("n")
    expect(demo.locator(".mrpc-stage:visible .mrpc-stage-title")).to_contain_text("2 of 2")
    page.keyboard.press("1")
    expect(demo.locator(".mrpc-demo-title")).to_contain_text("Act 1.")
    lesson.restart_kernel()
    lesson.run_all()
    demo.get_by_role("button", name="New class").click()
    expect(demo.locator(".mrpc-demo-title")).to_contain_text("Act 0.")
    expect(demo.locator(".mrpc-stage:visible .mrpc-stage-title")).to_contain_text("1 of 2")
    page.keyboard.press("1")
    expect(demo.locator(".mrpc-stage:visible .mrpc-stage-title")).to_contain_text("1 of 2")
    page.keyboard.press("n")
    expect(demo.locator(".mrpc-stage:visible .mrpc-stage-title")).to_contain_text("2 of 2")
    page.keyboard.press("n")
    expect(demo.locator(".mrpc-tally").get_by_role("status")).to_have_text("0 votes")


def test_the_presenter_has_a_window_with_script_clock_and_what_comes_next(lesson: Any) -> None:
    page, demo = open_demo(lesson, "live_demo(50)")
    expect(demo.locator(".mrpc-stop-text")).to_contain_text("Laptops open")
    expect(page.locator(".mrpc-demo-script table")).to_have_count(0)
    page.keyboard.press("1")
    demo.get_by_role("button", name="A+").first.click()  # the keys are the stage's again
    expect(demo.locator(".mrpc-stage-title")).to_contain_text("1 of 2")
    page.keyboard.press("n")
    expect(demo.locator(".mrpc-stage-title")).to_contain_text("2 of 2")
    page.keyboard.press("Backspace")
    expect(demo.locator(".mrpc-stage-title")).to_contain_text("1 of 2")
    expect(page.locator(".mrpc-demo-script table")).to_be_hidden()  # folded away
    with page.context.expect_page() as opened:
        page.keyboard.press("p")
    view = opened.value
    expect(view.locator("body")).to_contain_text("ask before revealing")
    expect(view.locator(".clock")).to_contain_text("of 50 min")
    expect(view.locator(".clock")).to_contain_text("5 min ahead")
    expect(view.locator("body")).to_contain_text("table 6 leaves")
    expect(view.locator("body")).to_contain_text('"status": "cooking"')
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 40 * 60_000; }")
    expect(view.locator(".clock")).to_contain_text("min behind")
    view.keyboard.press("n")  # the keys work in either window
    expect(demo.locator(".mrpc-stage-title")).to_contain_text("2 of 2")
    view.close()


@pytest.mark.rest
def test_axe_finds_nothing_in_any_theme(lesson: Any) -> None:
    page, _ = open_demo(lesson)
    page.set_viewport_size({"width": 1280, "height": 1600})
    (seeded,) = lesson.axe(".mrpc-demo", ".mrpc-stage-title { color: #444 !important }")
    assert seeded.startswith("color-contrast")
