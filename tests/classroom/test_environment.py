import re
from pathlib import Path

import pytest

from mini_rpc.classroom import environment

ROOT = Path(__file__).resolve().parents[2]
ALL_IS_WELL = "Everything the lessons need is here. Read on.\n"


def test_when_all_is_well_one_stable_sentence_is_printed(capsys):
    environment.check_environment()
    assert capsys.readouterr().out == ALL_IS_WELL


def test_every_problem_is_printed_with_what_to_do(monkeypatch, capsys):
    monkeypatch.setitem(environment.NEEDED, "jupyterlab", "99.0")
    monkeypatch.setitem(environment.NEEDED, "no-such-package", "1.0")
    environment.check_environment()
    printed = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"- jupyterlab is 4\.\S+; the course needs 99\.0 or newer\.", printed[0])
    assert printed[1] == "- no-such-package is not installed."
    assert printed[2] == environment.INSTALL


def test_an_old_python_and_a_missing_widget_manager_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(environment, "PYTHON", (9, 0))
    monkeypatch.setattr(environment, "_extension_folders", lambda: [tmp_path])
    python, manager, anywidget = environment.problems()
    assert "the course needs 9.0 or newer" in python
    assert "(@jupyter-widgets/jupyterlab-manager)" in manager
    assert "(anywidget)" in anywidget


@pytest.mark.parametrize(
    ("older", "newer"), [("4.9", "4.10"), ("3.99.9", "4.0"), ("4", "4.1"), ("4.4rc1", "4.5")]
)
def test_versions_are_compared_as_numbers(older, newer):
    assert environment._numbers(older) < environment._numbers(newer)


def test_progress_that_cannot_be_saved_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "missing" / "progress.json"))
    assert environment.problems() == [
        "Your progress cannot be saved in this folder: it will be lost with the kernel."
    ]


def test_the_versions_needed_are_those_of_the_requirements():
    stated = "\n".join((ROOT / name).read_text() for name in ("requirements.txt", "pyproject.toml"))
    for name, least in environment.NEEDED.items():
        assert f"{name}>={least}," in stated
    assert f'requires-python = ">={".".join(map(str, environment.PYTHON))}"' in stated
