"""A class begins anew with each test: nothing is kept of what cells showed before."""

import pytest

from mini_rpc.classroom.live import demo, stage, tally


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    for module in (demo, stage, tally):
        monkeypatch.setattr(module, "_kept", {})
