"""What all tests share: the option for a long proof of the core, and for what needs a network."""

import asyncio
import gc
import inspect
from contextlib import suppress

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long",
        action="store_true",
        help="try the core on 100 times as many generated messages, and fetch what slides need",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Short and the same at every run by default; long, and with new messages, on demand."""
    config.addinivalue_line("markers", "rest: left out of a plain run")
    config.addinivalue_line("markers", "sample(n): a plain run takes one case in n")
    with suppress(ImportError):
        from hypothesis import settings

        settings.register_profile("short", max_examples=100, deadline=None, derandomize=True)
        settings.register_profile("long", max_examples=10_000, deadline=None)
        settings.load_profile("long" if config.getoption("--long") else "short")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test in an event loop of its own; one that hangs fails instead of lasting."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    asyncio.run(asyncio.wait_for(test, 60))
    return True


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over some thousand tests: they stay to the end."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests have noted, such as how much of what is wrong is described."""
    for report in terminalreporter.stats.get("passed", []):
        for name, figures in report.user_properties:
            if name == "figures":
                terminalreporter.write_line(f"{report.head_line}: {figures}")
