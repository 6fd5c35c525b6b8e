"""A pytest plugin: a plain `pytest` runs three files at a time, as many tests wait for a clock.

Whoever names a file, or wants a debugger, gets one process. `pytest -n0` does the same for all.
"""

from __future__ import annotations

from typing import Any

import pytest

PROCESSES = 3
BROWSER = "tests/browser"


def pytest_cmdline_main(config: pytest.Config) -> None:
    """Let pytest-xdist take over where nothing says otherwise."""
    option = config.option
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    undecided = getattr(option, "numprocesses", 0) is None and not option.usepdb
    is_a_worker = hasattr(config, "workerinput")  # it comes along here, too
    if everything and undecided and not is_a_worker:
        option.dist, option.tx = "loadscope", ["popen"] * PROCESSES
        option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the browser tests, which take longest."""
    items.sort(key=lambda item: not item.nodeid.startswith(BROWSER))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a file's tests together, and the browser tests in two halves, each with a JupyterLab."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            is_late = file >= f"{BROWSER}/test_m"
            return f"{BROWSER} {is_late}" if file.startswith(BROWSER) else file

    return ByFile(config, log)
