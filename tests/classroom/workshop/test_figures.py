"""The figures beside the notebooks are up to date, and read in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mini_rpc import codes
from mini_rpc.classroom.workshop import NOTEBOOKS, figures
from mini_rpc.classroom.workshop.figures import DRAWINGS, draw, main, out_of_date

NAMES = sorted(path.stem for path in DRAWINGS.glob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}"


def test_the_figures_of_the_lessons_are_up_to_date() -> None:
    assert list(out_of_date(NOTEBOOKS)) == [], "run: python -m mini_rpc.classroom figures"
    assert sorted(path.stem for path in (NOTEBOOKS / "figures").iterdir()) == NAMES


def test_a_figure_is_out_of_date_when_its_data_change(monkeypatch: pytest.MonkeyPatch) -> None:
    more = codes.Code(-32050, "Kitchen closed", "Come back tomorrow.", "method", "MCP")
    monkeypatch.setattr(codes, "CODES", (*codes.CODES, more))
    monkeypatch.setattr(figures, "STEPS", tuple(s._replace(asks="Why?") for s in figures.STEPS))
    assert list(out_of_date(NOTEBOOKS)) == ["figures/codes.svg", "figures/six_lights.svg"]


def test_the_command_makes_every_file_and_then_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 0
    files = [*(f"figures/{name}.svg" for name in NAMES), "glossary.md"]
    assert capsys.readouterr().out.splitlines() == [f"{name}: written" for name in files]
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""
    assert main([str(tmp_path / "nowhere")]) == 1
    assert "There is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_says_what_it_shows_fetches_nothing_and_stays_on_its_card(name: str) -> None:
    text = draw(name)
    assert text.isascii()
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img"
    assert len(root.findtext(f"{SVG}title") or "") > 10
    assert len(root.findtext(f"{SVG}desc") or "") > 80
    fetched = r"https?://(?!www\.w3\.org/2000/svg\")|href|url\(|@import|<script|\$"
    assert re.findall(fetched, text) == []
    for part in root.iter():
        x, y = float(part.get("x", 0)), float(part.get("y", 0))
        inner = part.tag == f"{SVG}rect"
        assert 0 <= x <= x + inner * float(part.get("width", 0)) <= float(root.attrib["width"])
        assert 0 <= y <= y + inner * float(part.get("height", 0)) <= float(root.attrib["height"])


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["card", "paper"])
@pytest.mark.parametrize("text", ["ink", "quiet", "asks", "good", "bad"])
def test_text_stands_out_from_its_ground(scheme: int, ground: str, text: str) -> None:
    style = (DRAWINGS / "style.css").read_text("utf-8")
    colors = dict(re.findall(r"--(\w+): (#\w{6});", style.split("@media")[scheme]))
    low, high = sorted([_luminance(colors[ground]), _luminance(colors[text])])
    assert (high + 0.05) / (low + 0.05) >= 4.5
