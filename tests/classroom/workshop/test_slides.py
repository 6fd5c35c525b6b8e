"""Slides: one file a lesson that loads nothing, with the answers behind a key."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from mini_rpc.classroom.workshop import slides
from mini_rpc.classroom.workshop.lessons import committed_lessons

STAND_IN = {"dist/theme/white.css": "@import url(fonts.css);", "dist/reveal.js": "var Reveal;"}


def show(html: str) -> list[object]:
    return [new_output("display_data", {"text/html": html, "text/plain": "…"})]


QUESTION = show("<p>Run this cell to answer.</p>")


def test_what_a_cell_is_on_the_slides_follows_from_what_it_is() -> None:
    bench = show("<p>The wire bench, as text.</p>")
    cells = {
        "title": ("slide", new_markdown_cell("# Title")),
        "imports": ("skip", new_code_cell("import json")),
        "claim": ("slide", new_markdown_cell("## Claim")),
        "ask": ("subslide", new_code_cell("predict('x')", outputs=QUESTION)),
        "then": ("fragment", new_markdown_cell("Now run it.")),
        "run": ("-", new_code_cell("1 + 1")),
        "bench": ("subslide", new_code_cell("bench()", outputs=bench)),
        "mine": ("skip", new_code_cell('a = ...\n\ncheck("a", a)')),
        "script-1": ("notes", new_markdown_cell("Ask first.")),
        "more": ("notes", new_markdown_cell("", metadata={"slideshow": {"slide_type": "notes"}})),
    }
    for id, (_, cell) in cells.items():
        cell.id = id
    slides.prepare(new_notebook(cells=[cell for _, cell in cells.values()]), {"a"})
    for id, (kind, cell) in cells.items():
        assert cell.metadata["slideshow"]["slide_type"] == kind, id


def slides_of(*cells: object) -> list[tuple[str, str, str]]:
    notebook = new_notebook(cells=list(cells))
    slides.prepare(notebook, set())
    return [
        (
            cell.metadata["slideshow"]["slide_type"],
            "" if cell.metadata.get("transient") else cell.source,
            "".join(output.get("text", "") for output in cell.get("outputs", [])),
        )
        for cell in notebook.cells
    ]


def test_what_does_not_fit_goes_on_below_and_nothing_of_it_is_lost() -> None:
    lines = [f"line {number}\n" for number in range(40)]
    printed = [new_output("stream", text="".join(lines))]
    found = slides_of(
        new_markdown_cell("## A long one"),
        new_code_cell("show()", outputs=printed),
        new_markdown_cell("word " * 200),
    )
    assert [kind for kind, *_ in found] == ["slide", "-", *["subslide"] * 4]
    assert "".join(text for *_, text in found) == "".join(lines)
    assert [source for _, source, _ in found if source] == [
        "## A long one",
        "show()",
        "word " * 200,
    ]
    tall = {**QUESTION[0]["data"], "text/plain": "line\n" * 10}
    questions = new_code_cell("ask()", outputs=[new_output("display_data", tall)] * 3)
    found = slides_of(new_markdown_cell("## Final"), questions)
    assert [kind for kind, *_ in found] == ["slide", *["subslide"] * 3]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", committed_lessons())
def test_a_deck_of_every_notebook_loads_nothing(name: str) -> None:
    deck = slides.make_deck(committed_lessons()[name], lambda path: STAND_IN.get(path, ""))
    body = deck[deck.index("<body") :]
    assert deck.count("<section>") > 5
    assert "var Reveal;" in deck
    assert not re.findall(r"""<(?:script|img|iframe)[^>]* src=["'](?!data:)|<link|@import""", deck)
    assert "Run this cell" not in body
    if name == "01_four_shapes":
        assert "The wire bench, as text." in deck
        assert "stopped here" in deck
        assert "not attempted" not in deck
        assert ">quiz<" not in deck, "the call that makes a live part is no part of the slide"
        assert 'href="02_error_codes.html"' in deck


def test_reveal_itself_is_fetched_and_fits(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not request.config.getoption("--long"):
        pytest.skip("it fetches a package: pytest --long")
    monkeypatch.setattr(slides, "OUT", tmp_path)
    part = slides.reveal()
    assert "Reveal" in part("dist/reveal.js")
    assert "</script>" not in part("dist/reveal.js") + part("plugin/notes/notes.js")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as player:
        chromium = shutil.which("chromium") or pytest.skip("no Chromium on this machine")
        page = player.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page(
            viewport={"width": 1280, "height": 720}
        )
        for path in slides.DECKS:
            deck = tmp_path / f"{path.stem}.html"
            deck.write_text(slides.make_deck(committed_lessons()[path.stem], part), "utf-8")
            page.goto(deck.as_uri())
            page.wait_for_function("window.Reveal && Reveal.isReady()")
            for name, zoom, hidden in page.evaluate(EACH_SLIDE):
                assert hidden <= 1, f"{path.stem}, {name}: hides text"
                assert zoom > 0.6, f"{path.stem}, {name}: is too small to read"


EACH_SLIDE = """() => Reveal.getSlides().map((slide) => {
  const at = Reveal.getIndices(slide);
  Reveal.slide(at.h, at.v);
  const zoom = Number(slide.style.zoom || 1);
  return [`${at.h}/${at.v}`, zoom, slide.scrollHeight - slide.clientHeight];
})"""
