"""What the classroom's tests share: each has a progress file of its own."""

from __future__ import annotations

from itertools import count

import pytest

_NUMBERS = count()


@pytest.fixture(autouse=True)
def _own_progress(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path_factory.getbasetemp() / f"progress-{next(_NUMBERS)}.json"
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(path))
