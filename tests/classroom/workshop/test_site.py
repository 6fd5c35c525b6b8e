"""The pins of the site against what the package asks for."""

from __future__ import annotations

from importlib.metadata import requires

from packaging.requirements import Requirement

from mini_rpc.classroom.workshop.site import HERE

WHEELS = HERE / "wheels.txt"


def pins() -> dict[str, str]:
    lines = [line for line in WHEELS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return dict(line.lower().replace("_", "-").split("==") for line in lines)


def test_the_site_has_what_the_classroom_needs_in_a_version_it_allows() -> None:
    needed = [Requirement(line) for line in requires("mini_rpc") or ()]
    here = {"extra": "classroom", "sys_platform": "emscripten", "python_version": "3.14"}
    wanted = [each for each in needed if each.marker and each.marker.evaluate(here)]
    assert wanted
    for each in wanted:
        assert each.specifier.contains(pins()[each.name]), each
