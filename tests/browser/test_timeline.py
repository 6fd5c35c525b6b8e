"""The timeline in real JupyterLab: message by message, shuffled, in any theme."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

LOG = """import json
from mini_rpc import request, result_response
from mini_rpc.classroom import timeline
tables = {"steak": 6, "salad": 2}
asked = [request(i, "cook", {"dish": d, "table": tables[d]}) for i, d in enumerate(tables, 1)]
served = [result_response(i, d) for i, d in enumerate(tables, 1)]
log = [(">", json.dumps(m)) for m in asked] + [("<", json.dumps(m)) for m in served[::-1]]
class NextReply(list):
    def open(self, id, waiter): self.append(waiter)
    def match(self, id): return self.pop(0)"""


def test_it_goes_message_by_message_shuffles_and_is_readable_in_any_theme(lesson: Any) -> None:
    page = lesson.page
    page.set_viewport_size({"width": 1280, "height": 2000})  # axe passes over what is out of sight
    lesson.open_cells(LOG, "timeline(log, NextReply)")
    lesson.run_all()
    diagram = page.locator(".mrpc-timeline")
    status = diagram.get_by_role("status")
    expect(status).to_have_text("All 4 messages.")
    expect(diagram.locator(".mrpc-wrong .mrpc-note").first).to_contain_text(
        "table 6 gets it, and ordered steak: WRONG"
    )

    diagram.get_by_role("button", name="From the start").click()
    expect(diagram.locator(".mrpc-row:not(.mrpc-hidden)")).to_have_count(0)
    diagram.get_by_role("button", name="Next message").click()
    expect(status).to_contain_text("Message 1 of 4. Client: request 1: cook")
    expect(diagram.locator(".mrpc-row:not(.mrpc-hidden)")).to_have_count(1)

    diagram.get_by_role("button", name="Shuffle the replies").click()
    expect(status).to_have_text("All 4 messages.")
    expect(diagram.locator(".mrpc-wrong")).to_have_count(0)  # now they come in order

    diagram.get_by_role("button", name="Shuffle the replies").click()
    expect(diagram.locator(".mrpc-wrong")).to_have_count(2)
    (seeded,) = lesson.axe(".mrpc-timeline", ".mrpc-timeline * { color: #555 !important }")
    assert seeded.startswith("color-contrast")

    lesson.restart_kernel()
    diagram.get_by_role("button", name="Shuffle the replies").click()
    expect(status).to_contain_text("Run → Run All Cells")


@pytest.mark.rest
def test_for_a_class_it_begins_empty(lesson: Any) -> None:
    lesson.open_cells(LOG, "timeline(log, from_start=True)")
    lesson.run_all()
    diagram = lesson.page.locator(".mrpc-timeline")
    expect(diagram.get_by_role("status")).to_have_text("Nothing is sent yet.")
    expect(diagram.locator(".mrpc-row:not(.mrpc-hidden)")).to_have_count(0)
    diagram.get_by_role("button", name="Next message").click()
    expect(diagram.get_by_role("status")).to_contain_text("Message 1 of 4.")
