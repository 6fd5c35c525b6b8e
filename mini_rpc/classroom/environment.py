"""Is all here that the lessons need? It says in plain words what is missing or too old."""

import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .progress import can_be_saved
from .sandbox import run

__all__ = ["check_environment", "problems"]

PYTHON = (3, 11)

NEEDED = {"jupyterlab": "4.4.8", "ipywidgets": "8.1", "anywidget": "0.9"}
"""The oldest version of each package that the course was tested with, as in requirements.txt."""

EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget")
"""What JupyterLab loads in the browser to show a widget."""

INSTALL = "In the course's folder, run: python -m pip install -r requirements.txt"


def check_environment() -> None:
    """Print that all is in place, or one sentence for each thing that is not.

    The text is the same on every machine where nothing is missing.
    """
    found = problems()
    for problem in found:
        print(f"- {problem}")
    if found:
        print(f"{INSTALL}\nThen start JupyterLab again, and run this cell again.")
    else:
        print("Everything the lessons need is here. Read on.")


def problems() -> list[str]:
    """Return a sentence for each thing that is missing, too old or not working; [] if none is."""
    return [*_found()]


def _found() -> Iterator[str]:
    in_a_browser_tab = sys.platform == "emscripten"  # JupyterLite brings its own JupyterLab
    if sys.version_info[:2] < PYTHON:
        need = ".".join(map(str, PYTHON))
        yield f"Python is {platform.python_version()}; the course needs {need} or newer."
    yield from _missing_packages({"jupyterlab"} if in_a_browser_tab else set())
    folders = [] if in_a_browser_tab else _extension_folders()
    for name in [] if in_a_browser_tab else EXTENSIONS:
        if not any((folder / name / "package.json").exists() for folder in folders):
            yield f"JupyterLab's part of the widgets ({name}) is missing: benches stay text."
    ran = run(len, "")  # the way a check runs a learner's function
    if ran.state != "returned":
        why = f"{ran.state} {ran.error}"
        yield f"No function could be run with a time limit ({why}): checks will fail."
    if not can_be_saved():
        yield "Your progress cannot be saved in this folder: it will be lost with the kernel."


def _missing_packages(not_asked: set[str]) -> Iterator[str]:
    for name, least in NEEDED.items():
        if name in not_asked:
            continue
        try:
            found = version(name)
        except PackageNotFoundError:
            yield f"{name} is not installed."
        else:
            if _numbers(found) < _numbers(least):
                yield f"{name} is {found}; the course needs {least} or newer."


def _numbers(version: str) -> list[int]:
    """Return the first three numbers of a version: [4, 10, 2] for "4.10.2"."""
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


def _extension_folders() -> list[Path]:
    try:
        from jupyter_core.paths import jupyter_path
    except ImportError:
        return []
    return [Path(folder) for folder in jupyter_path("labextensions")]
