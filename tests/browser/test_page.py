"""How a page behaves: on day two, after Run All, and when a kernel is gone."""

from __future__ import annotations

import json
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Locator, expect

TALL = {"width": 1366, "height": 12_000}  # JupyterLab draws what is near the view
ASLEEP = "asleep: choose Run → Run All Cells"
LIVE_PARTS = [
    "from mini_rpc.classroom import MESSAGES, bench, predict, progress, quiz, timeline",
    "bench(MESSAGES['request'])",
    "quiz('id in msg')",
    "predict('a crash')",
    "progress()",
    """timeline([("→", '{"jsonrpc": "2.0", "id": 1, "method": "cook"}')])""",
]
SCROLLED = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"


def save(lesson: Any) -> None:
    lesson.command("docmanager:save")


def parts_of(lesson: Any) -> Locator:
    found: Locator = lesson.page.locator(".jp-OutputArea-output .mrpc-asleep")
    return found


def open_again(lesson: Any, name: str) -> None:
    """Close every page, end every kernel, and open this page: the next day."""
    lesson.open(name)
    expect(parts_of(lesson)).to_have_count(len(LIVE_PARTS) - 1)
    for number in range(len(LIVE_PARTS) - 1):
        expect(parts_of(lesson).nth(number)).to_be_visible()
        expect(parts_of(lesson).nth(number)).to_have_text(ASLEEP)
    expect(lesson.page.get_by_text("model not found")).to_have_count(0)


def saved(lesson: Any, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((lesson.lab.folder / name).read_text("utf-8"))
    return data


@pytest.mark.rest
def test_on_day_two_each_part_shows_what_it_showed_and_says_that_it_is_asleep(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size(TALL)
    name = lesson.open_cells(*LIVE_PARTS)
    lesson.run_all()
    page.get_by_label("False", exact=True).check()
    page.get_by_role("button", name="Check", exact=True).click()
    told = page.locator(".mrpc-question").first.get_by_role("status")
    expect(told).to_contain_text("Right.")
    for _ in range(2):  # what is no longer shown is not saved either
        lesson.run_all()
    expect(told).to_contain_text("Right.")
    expect(parts_of(lesson).first).to_be_hidden()
    save(lesson)
    size = len(json.dumps(saved(lesson, name)["metadata"]["widgets"]))

    open_again(lesson, name)
    expect(told).to_contain_text("Right.")
    expect(page.locator(".mrpc-reply").first).to_contain_text('"id": 7')
    page.locator(".jp-Cell").first.click()
    lesson.command("notebook:insert-cell-below")
    save(lesson)  # asleep: JupyterLab alone would drop all of them here
    assert len(json.dumps(saved(lesson, name)["metadata"]["widgets"])) >= size * 0.9

    open_again(lesson, name)
    lesson.run_all()
    for number in range(len(LIVE_PARTS) - 1):
        expect(parts_of(lesson).nth(number)).to_be_hidden()
    expect(told).to_contain_text("Right.")
    assert len(json.dumps(saved(lesson, name)["metadata"]["widgets"])) <= size * 1.2

    lesson.restart_kernel()  # and when the kernel goes while somebody looks
    for number in range(len(LIVE_PARTS) - 1):
        expect(parts_of(lesson).nth(number)).to_be_visible()


def broken_lesson(lesson: Any) -> str:
    """Write a copy of lesson 1 in which a learner has forgotten to end a string."""
    notebook = nbformat.read(lesson.lab.folder / "01_four_shapes.ipynb", as_version=4)
    (cell,) = (cell for cell in notebook.cells if cell.source.startswith("first_request ="))
    cell.source = "first_request = '{\n\n" + cell.source.splitlines()[-1]
    nbformat.write(notebook, lesson.lab.folder / "broken_lesson.ipynb")
    return "broken_lesson.ipynb"


@pytest.mark.rest
def test_run_all_comes_back_to_the_reader_and_passes_over_a_broken_exercise(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1366, "height": 768})
    lesson.open(broken_lesson(lesson))
    lesson.run_all()
    page.wait_for_function(f"() => ({SCROLLED})() < 100")
    page.wait_for_timeout(2500)  # JupyterLab goes on scrolling for a while
    assert page.evaluate(SCROLLED) < 100
    expect(page.locator(".jp-Cell.jp-mod-active")).to_contain_text("The four shapes")
    page.set_viewport_size(TALL)
    expect(page.locator(".jp-OutputArea-output", has_text="SyntaxError")).to_have_count(1)
    expect(page.locator(".jp-CodeCell").last.locator(".mrpc-question")).to_have_count(1)

    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("heading", name="On the bench").click()
    middle = page.evaluate(SCROLLED)
    assert middle > 500
    page.click('.lm-MenuBar-itemLabel:text-is("Run")')
    page.click('.lm-Menu-itemLabel:text-is("Run All Cells")')
    page.wait_for_timeout(1000)
    lesson.wait_until_idle()
    page.wait_for_timeout(2500)
    assert abs(page.evaluate(SCROLLED) - middle) < 400
    expect(page.locator(".jp-Cell.jp-mod-active")).to_contain_text("On the bench")
