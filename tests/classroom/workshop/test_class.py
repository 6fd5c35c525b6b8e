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
    answers = {"valid_id": {"state": "correct", "tries": 1}}
    (tmp_path / "ada.json").write_text(json.dumps({"course": "mini_rpc", "answers": answers}))
    (tmp_path / "cut.json").write_text("{")
    wanted = ["--csv", f"{tmp_path / 'all.csv'}", "--gradebook", f"{tmp_path / 'points.csv'}"]
    assert main([f"{tmp_path}", *wanted]) == 0
    assert "Skipped cut.json" in capsys.readouterr().out
    assert "ada,exercise,3,valid_id,solved,correct,1," in (tmp_path / "all.csv").read_text()
    assert "ada,0,0,1," in (tmp_path / "points.csv").read_text()
    assert main([f"{tmp_path / 'nowhere'}"]) == 2
    said = "there is no folder nowhere: collect the progress files in it\n"
    assert capsys.readouterr().err == said
