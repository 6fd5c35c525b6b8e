"""Each common mistake gets its own sentence, the same one under every version of Python."""

import tomllib
from pathlib import Path

import pytest

from mini_rpc import dispatch
from mini_rpc.classroom.bench.broken_json import explain

CASES = (Path(__file__).parents[2] / "data" / "bench" / "broken_json.toml").read_text("utf-8")


@pytest.mark.parametrize(("text", "expected"), tomllib.loads(CASES).items())
def test_the_hint_names_the_mistake(text, expected):
    place = dispatch(text, {}).place
    assert place is not None
    assert expected in explain(text, place)


def test_each_word_of_the_complaint_comes_once():
    assert " at at " not in dispatch('{"id": "a', {}).reason
