"""A pytest plugin: run the lessons without touching what the learner has done in them.

Each file under test gets a progress file of its own, and notebooks that are no lesson (Untitled,
copies) are left alone. It is a plugin and not a conftest.py so that it is there from whatever
folder pytest is started.
"""

from __future__ import annotations

import os
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from mini_rpc.classroom.workshop.lessons import is_lesson

OF_THE_TESTS = ("axe_playwright_python", "hypothesis", "playwright", "xdist")
PROGRESS = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Make a scratch folder for progress files, gone when pytest ends.

    Raises `pytest.UsageError` where only the lessons' packages are installed.
    """
    if missing := [name for name in OF_THE_TESTS if not find_spec(name)]:
        raise pytest.UsageError(
            f"The tests need more packages than the lessons ({', '.join(missing)}). "
            'In the course\'s folder, run: python -m pip install -e ".[tests]"'
        )
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    config.stash[PROGRESS] = Path(folder.name)
    os.environ["MINI_RPC_PROGRESS"] = str(config.stash[PROGRESS] / "progress.json")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Point to the file's own progress before nbval starts a kernel, which inherits it."""
    os.environ["MINI_RPC_PROGRESS"] = str(item.config.stash[PROGRESS] / f"{item.path.stem}.json")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out notebooks that are not named like a lesson; say nothing about other files."""
    return True if collection_path.suffix == ".ipynb" and not is_lesson(collection_path) else None
