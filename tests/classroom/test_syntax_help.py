"""What an error of Python means for JSON text, said below the cell."""

import pytest

from mini_rpc.classroom.syntax_help import explain_error


def failure(source):
    try:
        exec(compile(source, "<cell>", "exec"), {})
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('first_request = "{"jsonrpc": "2.0"}"', "put three quotes before and after it"),
        ('first_request = "{"jsonrpc": "2.0"}"', "as in first_request = '''{...}'''"),
        ('x = b"{"a"}"', "The text holds double quotes"),
        ('x = \'{"a": 1,\n"b": 2}\'', "none closes it in the same line"),
        ('x = \'{"a": 1}', "none closes it in the same line"),
        ('x = {\n  "result": "{"id": 7}"}', """as in "result": \'\'\'{...}\'\'\'"""),
        ("x = −32700", "− only looks like -"),
        ("print（1）", "（ only looks like ("),
        ("check('valid_id')", "or no longer. This brings it: from mini_rpc.classroom import check"),
        ('x = {"jsonrpc": "2.0" "id": 1}', "text stands between quotes"),
        ('x = {"id": true}', "true is a word of JSON, and Python says True."),
        ('x = {"id": null}', "null is a word of JSON, and Python says None."),
        ("x = “{}”", "straight quotes"),
    ],
)
def test_json_without_the_right_quotes_is_explained(source, said):
    assert said in explain_error(source, failure(source))


@pytest.mark.parametrize("source", ["x = 1", "def f(:", "name", "'''{", 'x = {"a": 1}["b"]'])
def test_other_errors_are_left_to_python(source):
    assert explain_error(source, failure(source)) == ""
