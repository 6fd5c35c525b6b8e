"""The ranges of versions, and the exact ones that are known to work: they fit together."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
Requirement = pytest.importorskip("packaging.requirements").Requirement


def ranges():
    """Return a requirement for each package that the course, its extras or its tests name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [line for extra in project["optional-dependencies"].values() for line in extra]
    lines += (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if re.match(r"\w", line)]


@pytest.mark.parametrize("wanted", ranges(), ids=lambda wanted: wanted.name)
def test_a_range_has_two_ends_and_the_known_version_lies_between(wanted):
    assert {one.operator for one in wanted.specifier} == {">=", "<"}
    text = (ROOT / "tests" / "known_to_work.txt").read_text("utf-8")
    known = re.search(rf"^{wanted.name}==(\S+)$", text, re.MULTILINE)
    assert known, f"{wanted.name} is missing: run python tests/ranges.py highest --write"
    assert wanted.specifier.contains(known[1])
