"""The outcomes of checks in real JupyterLab: each of the five states, and the kernel after them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

CELLS = {
    "not attempted": 'from mini_rpc.classroom import check\ncheck("valid_id", ...)',
    "wrong": 'check("valid_id", lambda value: isinstance(value, (str, int)))',
    "crashed": 'def valid_id(value):\n    return value["id"]\ncheck("valid_id", valid_id)',
    "out of time": (
        'def valid_id(value):\n    print("<b>looking</b>")\n    while True:\n        try:\n'
        "            while True: pass\n        except:\n            pass\n"
        'check("valid_id", valid_id, seconds=1)'
    ),
    "correct": 'check("valid_id", lambda value: type(value) in (str, int))',
}


def test_each_state_is_seen_and_the_kernel_lives(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1280, "height": 1900})  # axe sees what is in view
    lesson.open_cells(*CELLS.values(), 'print("al" + "ive")')
    lesson.run_all()
    outcomes = page.locator(".mini-rpc-outcome")
    for number, state in enumerate(CELLS):
        expect(outcomes.nth(number).locator("strong")).to_contain_text(f"valid_id: {state}.")
    expect(outcomes.nth(1)).to_contain_text("whenever the value is a boolean.")
    expect(outcomes.nth(2)).to_contain_text('line 2: return value["id"]')
    expect(outcomes.nth(3)).to_contain_text("<b>looking</b>")
    expect(page.locator(".jp-OutputArea-output", has_text="alive")).to_be_visible()

    link = outcomes.nth(1).get_by_role("link")
    expect(link).to_have_text("Ids (03_mcp_rules.ipynb)")
    (seeded,) = lesson.axe(".mini-rpc-outcome", ".mini-rpc-outcome { color: #555 !important }")
    assert seeded.startswith("color-contrast")
