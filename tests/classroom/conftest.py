"""What the classroom's tests share: a progress file of its own for each."""

import pytest


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    """Where the progress of this test goes."""
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "progress.json"))
    return tmp_path / "progress.json"
