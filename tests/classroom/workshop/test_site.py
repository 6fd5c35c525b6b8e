"""What the site and the slides fetch: pinned, known by its hash, and what the package asks for."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from mini_rpc.classroom.workshop import slides
from mini_rpc.classroom.workshop.site import HERE

WHEELS = HERE / "wheels.txt"


def pins() -> dict[str, str]:
    lines = [line for line in WHEELS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    pinned = [line.lower().partition(" --hash=sha256:")[0].replace("_", "-") for line in lines]
    return dict(line.split("==") for line in pinned)


def test_the_site_has_what_the_classroom_needs_in_a_version_it_allows() -> None:
    needed = [Requirement(line) for line in requires("mini_rpc") or ()]
    here = {"extra": "classroom", "sys_platform": "emscripten", "python_version": "3.14"}
    wanted = [each for each in needed if each.marker and each.marker.evaluate(here)]
    assert wanted
    for each in wanted:
        assert each.specifier.contains(pins()[each.name]), each


@pytest.mark.parametrize(
    "path",
    [HERE / "requirements.lock", WHEELS, slides.DECK / "requirements.txt"],
    ids=lambda path: path.name,
)
def test_everything_that_is_fetched_is_pinned_and_has_its_hash(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and line.strip()[0] != "#"]
    assert [line for line in lines if not re.match(r"\S+==\S+ .*--hash=sha256:\w{64}", line)] == []


def test_the_lock_has_what_the_requirements_name() -> None:
    lock = (HERE / "requirements.lock").read_text(encoding="utf-8")
    for line in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines():
        assert line[0] == "#" or line.replace("_", "-").lower() + " \\\n" in lock
