"""What all tests share: the option for long tests, and for a long proof of the core."""

from contextlib import suppress

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long",
        action="store_true",
        help="run the long tests, too, and try the core on 100 times as many generated messages",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Short and the same at every run by default; long, and with new messages, on demand."""
    config.addinivalue_line("markers", "long: it takes long, and pytest --long -m long runs it")
    with suppress(ImportError):
        from hypothesis import settings

        settings.register_profile("short", max_examples=100, deadline=None, derandomize=True)
        settings.register_profile("long", max_examples=10_000, deadline=None)
        settings.load_profile("long" if config.getoption("--long") else "short")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a plain pytest short. `.ci/run` runs the long tests after it."""
    if not config.getoption("--long"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="takes long: pytest --long -m long"))
