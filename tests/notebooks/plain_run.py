"""A pytest plugin: what a plain `pytest` runs, so that it takes two minutes on two cores.

It runs three files at a time, as many tests wait for a clock. It leaves out what is marked `rest`,
and of the cases of a test that is marked `sample(n)` it runs one in n. `pytest --rest` runs exactly
what that leaves out, as CI does in a second step. Whoever names a file gets all of its tests, in
one process. `pytest -n0` gives one process for a plain run, too.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest

# jsonschema can do without it, and its grammar takes each process a second to build.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

PROCESSES = 3
BROWSER = "tests/browser"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the other half of a plain run."""
    parser.addoption("--rest", action="store_true", help="run what a plain pytest leaves out")


def pytest_cmdline_main(config: pytest.Config) -> None:
    """Let pytest-xdist take over where nothing says otherwise."""
    option = config.option
    if hasattr(config, "workerinput"):  # it comes along here, too
        option.names_no_file = config.workerinput["names_no_file"]
        return
    option.names_no_file = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    undecided = getattr(option, "numprocesses", 0) is None and not option.usepdb
    if option.names_no_file and undecided:
        option.dist, option.tx = "loadscope", ["popen"] * PROCESSES
        option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker what was asked for."""
    node.workerinput["names_no_file"] = node.config.option.names_no_file


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose, and begin with the browser tests, which take longest."""
    if config.option.names_no_file or config.option.rest:
        cases: Counter[str] = Counter()
        halves: tuple[list[pytest.Item], list[pytest.Item]] = ([], [])
        for item in items:
            halves[_is_left_out(item, cases)].append(item)
        items[:] = halves[config.option.rest]
        config.hook.pytest_deselected(items=halves[not config.option.rest])
    items.sort(key=lambda item: not item.nodeid.startswith(BROWSER))


def _is_left_out(item: pytest.Item, cases: Counter[str]) -> bool:
    """Tell it of one test; `cases` counts how many of each parametrized one there were."""
    sample = item.get_closest_marker("sample")
    name = item.nodeid.partition("[")[0]
    cases[name] += 1
    is_in_sample = sample is None or cases[name] % sample.args[0] == 1
    return item.get_closest_marker("rest") is not None or not is_in_sample


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a file's tests together, and the browser's in one part, or two where there are many."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            is_second = config.option.rest and file >= f"{BROWSER}/test_m"
            return f"{BROWSER} {is_second}" if file.startswith(BROWSER) else file

    return ByFile(config, log)
