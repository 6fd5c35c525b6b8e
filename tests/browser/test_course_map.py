"""The map of the course in real JupyterLab, while another notebook goes on."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import expect

THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")
# JupyterLab's body has no height, which makes axe take everything in it for hidden.
VISIBLE_BODY = "body { overflow: visible !important; height: 100vh; width: 100vw }"
AXE = """async () => (await axe.run(".mrpc-map")).violations.map(
  each => `${each.id}: ${each.nodes.map(node => node.html).join(" ")}`)"""
ANOTHER_KERNEL = """import subprocess, sys
program = "from mini_rpc.classroom.progress import record; record('first_request', 'correct')"
subprocess.run([sys.executable, "-c", program], check=True)"""


@pytest.mark.long
def test_the_map_follows_another_kernel_and_is_readable_in_any_theme(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1280, "height": 2400})  # axe passes over what is out of sight
    reset = "from mini_rpc.classroom import progress, reset_all; reset_all()"
    lesson.open_cells(reset, "progress()", ANOTHER_KERNEL)
    lesson.run_all()
    course = page.locator(".mrpc-map")
    expect(course.get_by_role("status")).to_contain_text("1 of ", timeout=15_000)
    row = course.get_by_role("row", name="first_request")
    expect(row).to_contain_text("correct")

    page.add_style_tag(content=VISIBLE_BODY)
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    for theme in THEMES:
        lesson.set_theme(theme)
        assert page.evaluate(AXE) == [], theme
    page.add_style_tag(content=".mrpc-map td { color: #555 !important }")
    assert "color-contrast" in " ".join(page.evaluate(AXE)), "this check sees nothing"

    lesson.restart_kernel()
    course.get_by_role("button", name="Refresh the map").click()
    says = "No answer from Python. Run this cell again."
    expect(course.get_by_role("status")).to_have_text(says)
