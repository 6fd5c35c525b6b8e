"""The figures beside the notebooks are up to date, and read in light and in dark.

Covers drawing, figures.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mini_rpc import codes
from mini_rpc.classroom.workshop import figures
from mini_rpc.classroom.workshop.drawing import DARK, LIGHT, WIDTH
from mini_rpc.classroom.workshop.figures import FIGURES, main, out_of_date

FOLDER = Path(__file__).resolve().parents[3] / "notebooks"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_figures_of_the_lessons_are_up_to_date() -> None:
    assert list(out_of_date(FOLDER)) == [], "run: python -m mini_rpc.classroom figures"
    assert {path.stem for path in (FOLDER / "figures").iterdir()} == set(FIGURES)


def test_a_figure_is_out_of_date_when_its_data_change(monkeypatch: pytest.MonkeyPatch) -> None:
    more = codes.Code(-32050, "Kitchen closed", "Come back tomorrow.", "method", "MCP")
    monkeypatch.setattr(codes, "CODES", (*codes.CODES, more))
    monkeypatch.setattr(figures, "STEPS", tuple(s._replace(asks="Why?") for s in figures.STEPS))
    assert list(out_of_date(FOLDER)) == ["figures/six_lights.svg", "figures/codes.svg"]


def test_the_command_draws_every_figure_and_then_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        *(f"figures/{name}.svg: written" for name in FIGURES),
        "glossary.md: written",
    ]
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""
    assert main([str(tmp_path / "nowhere")]) == 1
    assert "There is no folder" in capsys.readouterr().out


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_says_what_it_shows_and_fetches_nothing(name: str) -> None:
    text = FIGURES[name]().svg()
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img"
    assert len(root.findtext(f"{SVG}title") or "") > 10
    assert len(root.findtext(f"{SVG}desc") or "") > 80
    assert (
        re.findall(r"https?://(?!www\.w3\.org/2000/svg\")|href|url\(|@import|<script", text) == []
    )


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_is_drawn_beside_the_card(name: str) -> None:
    sheet = FIGURES[name]()
    for part in ElementTree.fromstring(sheet.svg()).iter():
        x, y = float(part.get("x", 0)), float(part.get("y", 0))
        right = x + float(part.get("width", 0)) if part.tag == f"{SVG}rect" else x
        bottom = y + float(part.get("height", 0)) if part.tag == f"{SVG}rect" else y
        assert x >= 0 <= y
        assert right <= WIDTH
        assert bottom <= sheet.height


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["card", "paper"])
@pytest.mark.parametrize("text", ["ink", "quiet", "asks", "good", "bad"])
def test_text_stands_out_from_its_ground(colors: dict[str, str], ground: str, text: str) -> None:
    low, high = sorted([_luminance(colors[ground]), _luminance(colors[text])])
    assert (high + 0.05) / (low + 0.05) >= 4.5
