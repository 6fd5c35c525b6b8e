"""The live demo's deck: each message, then what comes back, and the script for the speaker."""

from __future__ import annotations

from nbformat.v4 import new_markdown_cell

from mini_rpc.classroom.live.acts import read_acts
from mini_rpc.classroom.workshop.demo_deck import demo_notebook


def test_a_message_comes_before_what_comes_back_and_scripts_are_notes() -> None:
    cells = demo_notebook(new_markdown_cell("# Live demo", id="title")).cells
    kinds = {cell.id: cell.metadata.get("slideshow", {}).get("slide_type") for cell in cells}
    for number, act in read_acts().items():
        assert kinds[f"act-{number}"] == "slide"
        assert kinds[f"script-{number}"] == "notes"
        for place, part in enumerate(act.parts, 1):
            assert kinds[f"act-{number}-{place}"] == "subslide"
            if part.kind == "message":
                assert kinds[f"act-{number}-{place}-reply"] == "fragment"
    shown = next(cell for cell in cells if cell.id == "act-2-1-reply")
    assert "-32700" in shown.outputs[0].data["text/html"]
    assert len({cell.id for cell in cells}) == len(cells)
