"""`check` and its outcome: nothing an answer does breaks it, and every outcome reads well."""

import os
import types
from functools import partial

import pytest
from evil import Evil, EvilDict, EvilText, deep

from mini_rpc import shape_of
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.checking import NotAttempted, Outcome, check
from mini_rpc.classroom.exercises.help import hint
from mini_rpc.classroom.judging import answers as judging_answers
from mini_rpc.classroom.judging.break_clerks import break_clerk
from mini_rpc.classroom.judging.outcome import Case
from mini_rpc.classroom.judging.values import same, show
from mini_rpc.classroom.progress import answers, passed

SHORT = 0.3


def legal(value):
    return type(value) in (str, int)


# --- the five states ---------------------------------------------------------------------------


def _crash(value):
    return value.dish


def _loop(value):
    while True:
        continue


def _stub(value):
    raise NotAttempted


def _right_but_once(value):
    while value == {"id": 7}:
        continue
    return legal(value)


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (..., "not attempted"),
        (_stub, "not attempted"),
        (lambda value: True, "wrong"),
        (lambda value: None, "wrong"),
        (_crash, "crashed"),
        (_loop, "out of time"),
        (_right_but_once, "out of time"),
        (legal, "correct"),
    ],
)
def test_each_state_is_reached_and_only_correct_passes(answer, state):
    outcome = check("valid_id", answer, seconds=SHORT)
    assert outcome.state == state
    assert outcome.passed is (state == "correct")
    assert "Traceback" not in repr(outcome)


def test_the_outcome_goes_into_the_progress():
    check("valid_id", ...)
    assert "valid_id" not in answers()
    check("valid_id", lambda value: True)
    assert not passed("valid_id")
    check("valid_id", legal)
    assert passed("valid_id")


# --- nothing breaks it -------------------------------------------------------------------------


def _hanging_text():
    class Hanging:
        def __repr__(self):
            while True:
                continue

    return Hanging()


EVIL = {
    "evil": Evil,
    "evil text": lambda: EvilText("{}"),
    "evil dict": lambda: EvilDict({"result": "{}", "error": "{}"}),
    "hanging": _hanging_text,
    "mixed keys": lambda: {1: ..., None: 2, "result": Evil(), "error": 3},
    "pairs": lambda: [Evil(), deep()],
}
"""Values that fight back; those that are plain data stand in test_any_answer."""


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", EVIL)
@pytest.mark.parametrize("id", ["first_request", "two_responses", "read_the_stamps", "valid_id"])
def test_nothing_that_is_passed_or_returned_breaks_the_check(id, name):
    for answer in (EVIL[name](), lambda *args: EVIL[name]()):
        outcome = check(id, answer, seconds=SHORT)
        assert not outcome.passed
        assert repr(outcome)
        assert outcome._repr_html_()


async def _asynchronous(value):
    return True


def _noted(answer):
    answer.note = "hot"
    return answer


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (True, "check wants the function valid_id itself: its name, without parentheses."),
        (
            lambda: True,
            "valid_id must be callable as valid_id(value); yours takes other arguments.",
        ),
        (lambda value: (yield value), "valid_id is a generator: it has a yield. Write return."),
        (len, "valid_id(7) crashed: TypeError: object of type 'int' has no len()."),
        (lambda value: legal, "valid_id(7) gives <a function>, and should give True."),
        (lambda value: os._exit(1), "valid_id(7) crashed: it ended the process."),
        (
            _asynchronous,
            "valid_id is an async function: it returns a coroutine. Write def alone.",
        ),
        (
            _noted(lambda: True),  # of a decorator
            "valid_id must be callable as valid_id(value); yours takes other arguments.",
        ),
    ],
)
def test_an_answer_of_the_wrong_kind_gets_clear_words(answer, sentence):
    assert check("valid_id", answer).message == sentence


def test_methods_partial_functions_and_objects_that_can_be_called_are_answers():
    class Judge:
        def legal(self, value):
            return legal(value)

        __call__ = legal

    for answer in (Judge().legal, Judge(), partial(lambda more, value: legal(value), 1)):
        assert check("valid_id", answer).passed


def test_shadowed_names_in_the_notebook_do_not_matter():
    names = dict.fromkeys(
        ("list", "dict", "type", "print", "len", "json", "isinstance", "check", "request"), None
    )
    exec("def valid_id(value):\n    return value.__class__ in (str, int)\n", names)
    assert check("valid_id", names["valid_id"]).passed


def test_what_an_answer_does_to_its_arguments_is_lost():
    def spoil(message):
        if type(message) is dict:
            message.clear()
        return "invalid"

    check("shape_of", spoil)
    assert check("shape_of", shape_of).passed


# --- the id ------------------------------------------------------------------------------------


def test_an_unknown_id_names_what_is_near():
    outcome = check("valid-id", legal)
    assert outcome.state == "not attempted"
    assert outcome.message == 'There is no exercise "valid-id". Is it "valid_id"?'
    assert "first_request" in check("§", legal).message
    assert answers() == {}


@pytest.mark.parametrize("id", [lambda: None, list, Evil, lambda: EvilText("valid_id")])
def test_an_id_that_is_no_text_gets_clear_words(id):
    wants = "check wants the name of an exercise first, as in check"
    assert check(id(), "valid_id").message == f'{wants}("first_request", first_request).'
    assert check().message.startswith(wants)


def test_without_an_answer_the_check_asks_for_one_and_records_nothing():
    outcome = check("valid_id")
    assert outcome.state == "not attempted"
    assert outcome.message == 'check wants your answer as well: check("valid_id", valid_id).'
    assert answers() == {}


# --- how it shows itself -----------------------------------------------------------------------


def test_the_first_thing_shown_is_one_sentence_then_the_case_then_the_way_on():
    outcome = check("valid_id", lambda value: isinstance(value, (str, int)))
    assert repr(outcome).splitlines() == [
        "✗ valid_id: wrong. It gives True where False is due, whenever the value is a boolean.",
        "   how far        26 of 28 right",
        "   sent           valid_id(True)",
        "   came back      True",
        "   should have    False",
        "   known mistake  true as an id",
        f"   read           {EXERCISES['valid_id'].where}",
        '   stuck?         hint("valid_id")',
    ]
    assert outcome.misconception == "true as an id"


def test_prints_reach_the_cell_with_the_case_they_belong_to():
    def answer(value):
        print("asked for", value)
        return legal(value) or value == 1.5

    outcome = check("valid_id", answer)
    assert outcome.printed == "asked for 1.5\n"
    assert "   printed      asked for 1.5" in repr(outcome)


def test_what_a_learner_writes_is_never_markup():
    def answer(value):
        print("<script>alert(1)</script>")
        return "<b>&"

    html = check("valid_id", lambda value: answer(value) if value == 7 else 1)._repr_html_()
    html += check("first_request", "<i onload=x>")._repr_html_()
    html += check("<img>", 1)._repr_html_()
    for tag in ("<script", "<b>", "<i ", "<img"):
        assert tag not in html
    assert "&lt;script&gt;" in html


def test_the_deciding_message_goes_into_the_bench_with_one_call():
    pytest.importorskip("anywidget")
    outcome = check("valid_id", lambda value: isinstance(value, (str, int)))
    assert outcome.bench().raw == '{"jsonrpc": "2.0", "id": true, "method": "ping"}'
    assert check("valid_id", legal).bench().raw
    assert Outcome("x", "wrong", "", Case("", "", "", b"\xff{}")).bench().raw == "\\xff{}"


# --- comparing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((1, True), (1, 1.0), (0, False), (0.0, -0.0), ("1", 1), (None, False), ([1], (1,))),
        *(([1, [2]], [1, [True]]), ({"a": 1}, {"a": 1.0}), ({1: "a"}, {True: "a"})),
        *(({"a": 1}, {"a": 1, "b": 2}), ("é", b"\xc3\xa9")),
    ],
)
def test_values_of_different_types_differ_all_the_way_down(one, other):
    assert not same(one, other)
    assert same(one, one)
    assert same(other, other)


def test_order_of_keys_is_free_nan_is_nan_and_whatever_it_is_fits_a_line():
    assert same({"a": 1, "b": [2]}, {"b": [2], "a": 1})
    assert same([float("nan")], [float("nan")])
    assert not same(deep(), deep())
    assert all(len(show(value)) <= 300 for value in (10**5000, deep(), "x" * 10**6))


def test_a_reply_that_is_very_large_is_called_that():
    outcome = check("handle", lambda raw, methods: {"result": ["x" * 10**6] * 100})
    assert outcome.state == "wrong"
    assert outcome.message.startswith("Step 1, parse, is not right yet. Its reply is very large")


# --- in a real kernel --------------------------------------------------------------------------

_CELLS = """\
from IPython.display import display
from mini_rpc.classroom import check
import threading, warnings
warnings.simplefilter("error")
def valid_id(value):
    display("looking")
    print("print", value)
    if value == "7":
        while True: pass
    return True
found = []
thread = threading.Thread(target=lambda: found.append(check("valid_id", valid_id, seconds=1)))
thread.start(); thread.join()
found.append(check("valid_id", valid_id, seconds=1))
found.append(check("valid_id", lambda value: input("id? "), seconds=1))
found.append(check("valid_id", lambda value: exit(), seconds=1))
print([(one.state, one.line) for one in found])
"""


@pytest.mark.rest
def test_the_kernel_lives_through_it_in_a_cell_and_in_a_thread(tmp_path):
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel(
        kernel_name="python3", env={**os.environ, "MINI_RPC_PROGRESS": str(tmp_path / "p.json")}
    )
    try:
        outputs = []
        client.execute_interactive(
            _CELLS, timeout=60, output_hook=lambda message: outputs.append(message["content"])
        )
        text = "".join(content.get("text", "") for content in outputs)
        hung = "('out of time', 'line 9: while True: pass')"
        assert text.count(hung) == 2, outputs
        assert "('crashed', 'line 15: found.append" in text
        client.execute_interactive("print('alive')", timeout=10, output_hook=outputs.append)
        assert outputs[-2]["content"]["text"] == "alive\n"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


# --- what is said is true ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message", "mistake"),
    [
        (None, "None: nothing is written in it. It must be text.", None),
        ("", "empty. Write the message between the quotes.", None),
        (7, "a Python int. What goes over the wire is text: put it in quotes.", None),
        (
            {"id": 7},
            "a Python dict. What goes over the wire is text: put it in quotes.",
            "a dict is not yet text",
        ),
    ],
)
def test_what_is_no_text_is_called_what_it_is(answer, message, mistake):
    outcome = check("first_request", answer)
    assert (outcome.message, outcome.misconception) == (f"first_request is {message}", mistake)
    assert "a int" not in repr(outcome)


def test_what_an_answer_says_can_always_be_shown():
    def surrogate(value):
        print("\ud800")
        raise ValueError("\ud800")

    outcome = check("valid_id", surrogate)
    for text in (repr(outcome), outcome._repr_html_(), outcome.message, outcome.printed):
        assert text.encode()
    assert "crashed in line" in outcome.message
    assert repr(check("\ud800", legal)).encode()
    assert repr(hint("\ud800")).encode()


class _Liar(Evil):
    def __call__(self, *args):
        return True

    __code__ = property(Evil._fight)


def test_a_signature_or_a_method_that_fights_back_never_runs_in_the_kernel():
    def valid_id(value):
        return True

    valid_id.__signature__ = _Liar()
    for inner in (valid_id, 5, _Liar()):
        valid_id.__wrapped__ = inner  # type: ignore[attr-defined]
        assert check("valid_id", valid_id).state == "wrong"
    answer = types.MethodType(_Liar(), 1)
    assert check("valid_id", answer, seconds=SHORT).state in ("wrong", "crashed")


def test_where_no_process_can_be_started_the_check_says_why(monkeypatch):
    def refuse(*args, **options):
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(judging_answers, "run_each", refuse)
    assert check("valid_id", len).message == (
        "valid_id could not be judged: the check itself failed with OSError (Too many open files)."
    )


def test_the_bench_of_a_clerk_has_the_methods_of_the_check():
    pytest.importorskip("anywidget")
    raw = '{"jsonrpc": "2.0", "id": 1, "method": "tables"}'
    outcome = break_clerk("Mina", raw, {"tables": lambda params: {6, 2}})
    course, own = outcome.bench().verdicts
    assert course.reply["error"]["code"] == -32603
    assert "a set" in own.failure


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("error_response", "is not defined. First run: from mini_rpc import error_response"),
        ("fresh_id", "is not defined. It belongs to lesson 3: copy it into a cell of this page."),
        ("nobody", "name 'nobody' is not defined."),
    ],
)
def test_a_name_that_this_page_lacks_is_said_where_to_get(name, said):
    assert check("valid_id", eval(f"lambda value: {name}")).message.endswith(said)
