"""The class on the command line: as text, as CSV, and for a gradebook.

Covers class_.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mini_rpc.classroom.workshop.class_ import main


def test_it_prints_the_class_and_writes_both_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    entry = {"state": "correct", "tries": 1}
    data = {"course": "mini_rpc", "answers": {"valid_id": entry}}
    (folder / "ada.json").write_text(json.dumps(data))
    (folder / "cut.json").write_text("{")
    wanted = ["--csv", f"{tmp_path / 'all.csv'}", "--gradebook", f"{tmp_path / 'points.csv'}"]
    assert main([f"{folder}", *wanted]) == 0
    assert "Skipped cut.json" in capsys.readouterr().out
    assert "ada,exercise,3,valid_id,solved,correct,1," in (tmp_path / "all.csv").read_text()
    assert "ada,0,0,1," in (tmp_path / "points.csv").read_text()


def test_a_missing_folder_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([f"{tmp_path / 'nowhere'}"]) == 2
    assert capsys.readouterr().err == (
        "there is no folder nowhere: collect the progress files in it\n"
    )
