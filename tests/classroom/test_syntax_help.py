"""What an error of Python means for JSON text, said below the cell."""

import tomllib
from pathlib import Path

import pytest

from mini_rpc.classroom.syntax_help import explain_error

CASES = (Path(__file__).parents[1] / "data" / "syntax_errors.toml").read_text("utf-8")


def failure(source):
    try:
        exec(compile(source, "<cell>", "exec"), {})
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize(("source", "said"), tomllib.loads(CASES)["cases"])
def test_json_without_the_right_quotes_is_explained(source, said):
    assert said in explain_error(source, failure(source))


@pytest.mark.parametrize("source", ["x = 1", "def f(:", "name", "'''{", 'x = {"a": 1}["b"]'])
def test_other_errors_are_left_to_python(source):
    assert explain_error(source, failure(source)) == ""
