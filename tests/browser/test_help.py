"""The help under a verdict, in real JupyterLab: hints, bench, starter code, solution."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

WRONG = """from mini_rpc.classroom import check, starter
check("valid_id", lambda value: isinstance(value, (str, int)))"""


def test_each_kind_of_help_is_one_press_away_and_stays(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1366, "height": 1900})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lesson.open_cells(WRONG, 'starter("valid_id")')
    lesson.run_all()
    help = page.locator(".mrpc-help").first
    first = help.get_by_role("button", name="Hint 1 of 3")
    first.focus()
    page.keyboard.press("Enter")
    expect(help.locator(".mrpc-piece")).to_contain_text("Hint 1 of 3: Ask for the type")
    expect(help.get_by_role("button", name="Hint 2 of 3")).to_be_focused()
    help.get_by_role("button", name="Hint 2 of 3").dblclick()
    expect(help.locator(".mrpc-piece")).to_contain_text("Hint 1 of 3: Ask for the type")
    expect(help.locator(".mrpc-piece")).to_contain_text("Hint 2 of 3")
    expect(help.locator(".mrpc-piece code").first).to_have_text("isinstance(True, int)")

    help.get_by_role("button", name="This message on the bench").click()
    box = help.get_by_role("textbox")
    expect(box).to_have_value('{"jsonrpc": "2.0", "id": true, "method": "ping"}')
    expect(help.locator(".mrpc-bench")).to_contain_text("-32600")

    help.get_by_role("button", name="Hint 3 of 3").click()  # the double click asked for one
    help.get_by_role("button", name="Give up, and show the solution").click()
    source = help.locator(".mrpc-source").first
    expect(source).to_contain_text("def valid_id(value):")
    source.get_by_role("button", name="Copy").click()
    expect(source.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("def valid_id(value):\n")

    new_cell = page.locator(".jp-CodeCell", has_text="raise NotAttempted")
    expect(new_cell.first).to_be_visible()
    lesson.axe(".mrpc-help", ".mrpc-help { color: #777 !important }")


PAGE = (
    "from mini_rpc.classroom import check",
    """first_request = '{"jsonrpc": "2.0" "id": "$x$"}'\ncheck("first_request", first_request)""",
    """def valid_id(value):
    print("line " * 3, *range(1000), sep="\\n")
    return "$a$ and $b$"
check("valid_id", valid_id).bench()""",
    """valid_id = lambda value: type(value) in (str, int)\ncheck("valid_id", valid_id)""",
    'first_request = "{"jsonrpc": "2.0"}"',  # the last one, as Run All stops here
)


@pytest.mark.rest
def test_a_verdict_reads_as_it_should(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1366, "height": 1900})
    lesson.open_cells(*PAGE)
    lesson.run_all()
    said = page.locator(".jp-OutputArea-output")
    expect(said.filter(has_text="put three quotes before and after it")).to_be_visible()
    outcomes = page.locator(".mini-rpc-outcome")
    text, printing, right = (outcomes.nth(number) for number in range(3))
    expect(text).to_contain_text("A comma or a colon is missing before this")
    caret = text.locator("td").first.inner_text().split("\n")
    assert caret[1].index("^") == caret[0].index('"id"')
    for label in ("you wrote", "it is", "wanted", "read"):
        expect(text.get_by_role("rowheader", name=label)).to_be_visible()
    expect(printing).to_contain_text("… and 981 more lines")
    expect(printing).to_contain_text("$a$ and $b$")
    expect(page.locator("mjx-container")).to_have_count(0)
    expect(page.locator(".mrpc-bench")).to_have_count(1)
    right.get_by_text("Others solved it in other ways").click()
    expect(right.locator("pre").first).to_contain_text("def valid_id(value):")
