"""Help with an exercise: hints that stay, the solution, the starter code, and their buttons.

Covers buttons.
"""

import types

import pytest

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.cells import code_cell
from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.exercises.help import give_up, hint, solution, starter
from mini_rpc.classroom.progress import answers, gave_up


def legal(value):
    return type(value) in (str, int)


def test_hints_come_one_rung_at_a_time_and_none_replaces_those_before_it():
    hints = EXERCISES["valid_id"].hints
    said = [f"Hint {number} of {len(hints)}: {text}" for number, text in enumerate(hints, 1)]
    shown = [repr(hint("valid_id")) for _ in range(len(hints) + 1)]
    for number in range(1, len(hints) + 1):
        assert shown[number - 1].startswith("\n".join(said[:number]))
    assert shown[-1] == shown[-2]


def test_the_last_hint_says_the_way_on():
    last = [repr(hint("valid_id")) for _ in EXERCISES["valid_id"].hints][-1]
    assert 'or run `give_up("valid_id")` to see it now.' in last
    assert 'run `give_up("valid_id")` to see it now' in repr(solution("valid_id"))
    check("valid_id", legal)
    assert repr(hint("valid_id")).endswith('`solution("valid_id")` shows one way to write it.')


def test_the_solution_opens_after_a_pass():
    assert "isinstance" not in repr(solution("valid_id"))
    check("valid_id", legal)
    assert EXERCISES["valid_id"].solution.rstrip() in repr(solution("valid_id"))


def test_the_solution_opens_after_giving_up():
    assert EXERCISES["valid_id"].solution.rstrip() in repr(give_up("valid_id"))
    assert gave_up("valid_id")
    assert "<code>def valid_id" in solution("valid_id")._repr_html_()


def check_of(name):
    """Return a function of this name, as a learner has it."""
    return types.FunctionType(legal.__code__, {}, name)


@pytest.mark.parametrize("help", [hint, solution, give_up, starter])
def test_help_for_an_unknown_id_names_what_is_near(help):
    assert repr(help("valid")) == 'There is no exercise "valid". Is it "valid_id"?'
    name = help.__name__
    wants = f"{name} wants the name of an exercise first, as in {name}"
    assert repr(help()) == repr(help(7)) == f'{wants}("first_request").'
    assert repr(help('{"jsonrpc": "2.0"}')) == f'{wants}("first_request").'
    assert repr(help(check_of("fresh_id"))) == f'{wants}("fresh_id").'
    assert repr(help("ada")).startswith("Ada is a clerk, and no exercise")
    assert answers() == {}


def test_the_solution_comes_with_two_other_ways():
    one, two = EXERCISES["valid_id"].others
    assert give_up("valid_id").sources == (EXERCISES["valid_id"].solution, one, two)


@pytest.mark.parametrize(
    ("id", "later"),
    [
        ("handle_step_2", ("-32601", "-32602", "-32603", "methods[")),
        ("handle_step_3", ("-32601", "-32602", "-32603")),
        ("handle_step_5", ("-32603",)),
    ],
)
def test_other_ways_do_not_show_what_is_asked_later(id, later):
    others = EXERCISES[id].others
    assert others
    assert not any(word in one for one in others for word in later)


def test_the_courses_own_function_is_no_way_to_write_it():
    assert not any("import handle" in other for one in EXERCISES.values() for other in one.others)


def test_the_starter_code_is_that_of_the_cell():
    assert starter("valid_id").sources == (f"{code_cell(EXERCISES['valid_id'])}\n",)


def buttons_of(answer):
    pytest.importorskip("anywidget")
    from mini_rpc.classroom.exercises.buttons import Buttons

    return Buttons(check("valid_id", answer))


def names(buttons):
    return [one["name"] for one in buttons._buttons]


def test_a_button_is_there_while_it_has_something_to_do():
    buttons = buttons_of(lambda value: True)
    assert names(buttons) == ["hint", "bench", "starter"]
    for _ in EXERCISES["valid_id"].hints:
        buttons.press("hint")
    buttons.press("bench")
    assert names(buttons) == ["give_up", "starter"]
    buttons.press("give_up")
    buttons.press("starter")
    assert names(buttons) == []
    assert [piece["name"] for piece in buttons.pieces] == ["hint", "solution", "starter"]
    assert buttons.pieces[2]["lines"] == ["The starter code of valid_id."]  # in no new cell
    assert len(buttons.pieces[0]["lines"]) == len(EXERCISES["valid_id"].hints)
    assert buttons.bench.raw == '{"jsonrpc": "2.0", "id": null, "method": "ping"}'
    assert names(buttons_of(legal)) == ["solution"]


def test_what_fails_behind_a_button_is_said():
    buttons = buttons_of(lambda value: True)
    buttons._asked = {"ticket": "1", "name": "?"}
    assert buttons._answer == {"ticket": "1", "trouble": "The help itself failed: KeyError."}
