"""The map of the course in real JupyterLab, while another notebook goes on."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

ANOTHER_KERNEL = """import subprocess, sys
program = "from mini_rpc.classroom.progress import record; record('first_request', 'correct')"
subprocess.run([sys.executable, "-c", program], check=True)"""


@pytest.mark.rest
def test_the_map_follows_another_kernel_and_is_readable_in_any_theme(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1280, "height": 2400})  # axe passes over what is out of sight
    reset = "from mini_rpc.classroom import progress, start_over_all; start_over_all()"
    lesson.open_cells(reset, "progress()", ANOTHER_KERNEL)
    lesson.run_all()
    course = page.locator(".mrpc-map")
    expect(course.get_by_role("status")).to_contain_text("1 of ", timeout=15_000)
    expect(course.get_by_role("link", name="Place an order: correct, 1 try")).to_have_text("✓")
    assert course.bounding_box()["height"] < 560, "it fits a screen of 1366x768"

    (seeded,) = lesson.axe(".mrpc-map", ".mrpc-map-words { color: #777 !important }")
    assert seeded.startswith("color-contrast")

    course.get_by_role("link", name="1. The four shapes").click()
    tab = page.locator(".lm-TabBar-tab.jp-mod-current", has_text="01_four_shapes")
    expect(tab).to_have_count(1)  # in JupyterLab itself, not in a page of its own
    lesson.command("application:activate-previous-tab")
    lesson.restart_kernel()
    expect(course.locator("..").locator(".mrpc-asleep")).to_be_visible()
    course.get_by_role("button", name="Refresh the map").click()
    says = "Otherwise choose Run → Run All Cells."
    expect(course.get_by_role("status")).to_contain_text(says)
