"""The map of the course in real JupyterLab, while another notebook goes on."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

ANOTHER_KERNEL = """import subprocess, sys
program = "from mini_rpc.classroom.progress import record; record('first_request', 'correct')"
subprocess.run([sys.executable, "-c", program], check=True)"""


def test_the_map_follows_another_kernel_and_is_readable_in_any_theme(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1280, "height": 2400})  # axe passes over what is out of sight
    reset = "from mini_rpc.classroom import progress, start_over_all; start_over_all()"
    lesson.open_cells(reset, "progress()", ANOTHER_KERNEL)
    lesson.run_all()
    course = page.locator(".mrpc-map")
    expect(course.get_by_role("status")).to_contain_text("1 of ", timeout=15_000)
    row = course.get_by_role("row", name="first_request")
    expect(row).to_contain_text("correct")

    (seeded,) = lesson.axe(".mrpc-map", ".mrpc-map td { color: #555 !important }")
    assert seeded.startswith("color-contrast")

    lesson.restart_kernel()
    course.get_by_role("button", name="Refresh the map").click()
    says = "No answer from Python. Run this cell again."
    expect(course.get_by_role("status")).to_have_text(says)
