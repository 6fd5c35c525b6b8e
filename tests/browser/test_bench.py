"""The wire bench in real JupyterLab: a few scenarios, each a broad one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

START = "from mini_rpc.classroom import MESSAGES, bench"
TYPED = '{"jsonrpc": "2.0", "id": "🍋", "method": ping}'
MARKUP = '{"jsonrpc": "2.0", "id": "<img src=x onerror=document.title=1>", "method": "ping"}'
LARGE = '{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"a": "' + "x" * 2**20 + '"}}'
HOSTILE = {
    "[" * 100_000: "nested too deep",
    '{"jsonrpc": "2.0", "id": ' + "1" * 5_000 + "}": "too long to read",
    '{"a": "\0"}': "An invisible character (U+0000)",
}
TWO = "bench(MESSAGES['id is true'], handle=lambda raw, methods: {'id': 1}, beside=mini_rpc.handle)"
# No keyboard, and no message to the browser, has half a character: it is put there from inside.
PUT = """box => {
  box.value = '{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}';
  box.dispatchEvent(new Event("input"));
}"""


def open_bench(lesson: Any, *cells: str) -> tuple[Page, Locator]:
    """Run the cells in JupyterLab; return the page and the raw message's text box."""
    lesson.open_cells(START, *cells)
    lesson.run_all()
    editor = lesson.page.get_by_label("Raw message").first
    editor.wait_for()
    return lesson.page, editor


def light(page: Page, name: str) -> Locator:
    return page.locator(".mrpc-light", has_text=name).locator(".mrpc-state")


def test_jupyterlab_has_loaded_the_course_s_part_of_its_server(lab: Any) -> None:
    assert "mini_rpc_jupyter | extension was successfully loaded" in lab.log.read_text("utf-8")


def test_it_judges_what_is_typed_and_no_text_makes_it_fall_over(lesson: Any) -> None:
    page, editor = open_bench(lesson, "b = bench()\nb", "b.raw = MESSAGES['request']")
    reply, why = page.locator(".mrpc-reply"), page.locator(".mrpc-why")
    expect(reply).to_contain_text('"status": "cooking"')

    editor.press("Control+a")
    editor.press_sequentially(TYPED)
    expect(light(page, "parse")).to_have_text("stopped here")
    expect(light(page, "shape")).to_have_text("not reached")
    expect(page.locator(".mrpc-wrong")).to_have_text("ping")
    expect(page.locator(".mrpc-mistake")).to_contain_text("between double quotes")

    page.get_by_label("Prepared messages").select_option("notification")
    expect(reply).to_contain_text("SILENCE")
    editor.press("Control+z")
    expect(editor).to_have_value(TYPED)

    page.get_by_label("Prepared messages").select_option("a batch")
    expect(why).to_contain_text("Invalid Request")
    page.get_by_label("plain JSON-RPC 2.0").check()
    expect(page.locator(".mrpc-parts li")).to_have_count(2)
    page.get_by_role("button", name="Reset").click()
    expect(light(page, "call")).to_have_text("passed")
    expect(page.get_by_label("JSON-RPC as MCP narrows it")).to_be_checked()

    editor.fill(MARKUP)
    expect(reply).to_contain_text("<img src=x")
    assert page.locator(".mrpc-outer img").count() == 0
    for text, reason in HOSTILE.items():
        editor.fill(text)
        expect(why).to_contain_text(reason)
    editor.evaluate(PUT)
    expect(page.locator(".mrpc-judged")).to_contain_text("⟨U+D800⟩")

    editor.fill("")
    page.keyboard.insert_text(LARGE)
    judged = page.locator(".mrpc-outer summary")
    expect(judged).to_contain_text(f"{len(LARGE):,} characters")
    expect(page.locator(".mrpc-cut").first).to_contain_text("characters are shown")
    page.keyboard.type(" ")
    expect(judged).to_contain_text(f"{len(LARGE) + 1:,} characters")

    page.locator(".jp-Cell").nth(2).click()
    lesson.command("notebook:run-cell")
    expect(editor).to_have_value(re.compile("orders/place"))
    expect(reply).to_contain_text("cooking")


def test_the_keyboard_is_enough(lesson: Any) -> None:
    page, editor = open_bench(lesson, "n = 0", "n += 1\nprint('runs', n)\nbench()")
    editor.focus()
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Escape")
    for key in ("a", "d", "d", "z"):
        page.keyboard.press(key)
    expect(editor).to_have_value(re.compile("addz"))
    assert page.locator(".jp-CodeCell").count() == 3
    expect(page.locator(".jp-OutputArea-output", has_text="runs")).to_have_text("runs 1")

    page.keyboard.press("Tab")
    expect(page.locator(".mrpc-outer summary")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Reset")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".mrpc-reply")).to_contain_text("cooking")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("plain JSON-RPC 2.0")).to_be_checked()
    expect(page.locator(".mrpc-status")).to_contain_text("A reply is sent.")


@pytest.mark.rest
def test_axe_finds_nothing_in_any_theme_and_nothing_is_cut_off(lesson: Any) -> None:
    lesson.page.set_viewport_size({"width": 1280, "height": 2600})  # axe sees what is in view
    batch = "import mini_rpc\nbench(MESSAGES['a batch'], rules=mini_rpc.JSON_RPC)"
    page, _ = open_bench(lesson, "bench(MESSAGES['not JSON'])", batch, TWO)
    expect(page.locator(".mrpc-reply")).to_have_count(4)
    (seeded,) = lesson.axe(".mrpc-outer", ".mrpc-why { color: #555 !important }")
    assert seeded.startswith("color-contrast")
    assert seeded.count("<p ") == 4, "this check does not see all of it"

    lesson.hide_left_area()
    page.set_viewport_size({"width": 640, "height": 480})
    too_wide = "boxes => boxes.some(box => box.scrollWidth > box.clientWidth + 1)"
    assert not page.locator(".mrpc-outer").evaluate_all(too_wide)


TOP = "box => box.scrollIntoView({ block: 'start' })"
NOTEBOOK = range(85, 741)
"""From where to where a window of 768 pixels shows the notebook."""


def seen_together(page: Page, *parts: Locator) -> bool:
    """Scroll the bench to the top, until JupyterLab has stopped scrolling as well."""
    for _ in range(20):
        page.locator(".mrpc-outer").first.evaluate(TOP)
        page.wait_for_timeout(300)
        boxes = [part.bounding_box() or {"y": 0, "height": 0} for part in parts]
        ends = [end for box in boxes for end in (box["y"], box["y"] + box["height"])]
        if all(int(end) in NOTEBOOK for end in ends):
            return True
    return False


@pytest.mark.rest
def test_at_1366x768_bench_list_and_replies_are_seen_together(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1366, "height": 768})
    lesson.open("00_start_here.ipynb")
    lesson.run_all()
    tries = page.locator(".jp-MarkdownCell", has_text="Try these on the bench above")
    assert seen_together(page, page.locator(".mrpc-outer").first, tries.locator("ul"))
    names = page.locator(".jp-DirListing-itemName").all_inner_texts()
    assert "05_edge_cases.ipynb" in names
    cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).length"
    assert page.locator(".jp-DirListing-itemText").evaluate_all(cut) == 0

    page, editor = open_bench(lesson, "import mini_rpc", TWO)
    replies = page.locator(".mrpc-reply")
    expect(replies).to_have_count(2)
    assert seen_together(page, editor, *replies.all())
    box, below = editor.bounding_box(), page.locator(".mrpc-difference").bounding_box()
    assert box["height"] < 60
    assert below["y"] - box["y"] - box["height"] < 20


@pytest.mark.rest
def test_ctrl_s_in_the_editor_saves_the_notebook(lesson: Any) -> None:
    page = lesson.page
    lesson.open_cells("from mini_rpc.classroom import bench\nbench()")
    lesson.run_all()
    editor = page.get_by_label("Raw message")
    editor.fill("[]")
    dirty = "window.jupyterapp.shell.currentWidget.context.model.dirty"
    page.wait_for_function(dirty)
    editor.press("Control+s")
    page.wait_for_function(f"!{dirty}")
    expect(editor).to_have_value("[]")
