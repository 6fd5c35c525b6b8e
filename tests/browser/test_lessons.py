"""The lessons in real JupyterLab, the way a learner meets them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

COLOR = "node => getComputedStyle(node).color"


def test_lesson_1_lives_follows_the_theme_and_marks_what_is_stale(lesson: Any) -> None:
    page = lesson.page
    lesson.open("01_four_shapes.ipynb")
    lesson.run_all()
    errors = page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']")
    expect(errors).to_have_count(0)

    bench: Locator = page.locator(".mrpc-outer", has=page.get_by_label("Raw message")).first
    editor, reply = bench.get_by_label("Raw message"), bench.locator(".mrpc-reply")
    expect(reply).to_contain_text('"id": 7')
    editor.fill('{"jsonrpc": "2.0", "method": "notifications/table_leaving"}')
    expect(reply).to_contain_text("SILENCE")
    editor.press("Control+End")
    editor.press_sequentially("}")
    expect(reply).to_contain_text("-32700")
    expect(bench.locator(".mrpc-why")).to_contain_text("Parse error")

    light = bench.evaluate(COLOR)
    lesson.set_theme("JupyterLab Dark")
    assert bench.evaluate(COLOR) != light, "the bench did not follow the theme"

    older = bench.locator(".mrpc-older")
    expect(older).to_be_hidden()
    lesson.restart_kernel()
    editor.fill('{"jsonrpc": "2.0", "id": 7, "method": "ping"}')
    expect(older).to_be_visible()
    expect(bench.get_by_role("alert")).to_contain_text("choose Run → Run All Cells")
    lesson.run_all()
    expect(older).to_be_hidden()
    expect(reply).to_contain_text('"id": 7')

    picture = page.get_by_alt_text("MCP in five parts").first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 760
    page.get_by_role("link", name="Glossary").first.click()
    expect(
        page.locator(".jp-MarkdownViewer").get_by_role("heading", name="wire bench")
    ).to_be_visible()
