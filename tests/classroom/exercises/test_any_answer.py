"""Every check returns an outcome for every answer there is: never an error, never a novel.

The answers run under the clock, as in a browser tab: they harm nobody, and a hundred kinds of them
at each exercise would fork for minutes. They come in parts, of which a plain run tries one at each
exercise, and another at the next one.
"""

import ast
import random
import signal
import sys
import warnings
from contextlib import contextmanager
from decimal import Decimal
from time import monotonic
from typing import Any

import pytest
from evil import deep

from mini_rpc.classroom import sandbox
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.checking import NotAttempted, check
from mini_rpc.classroom.sandbox import clock
from mini_rpc.classroom.sandbox.report import Room, attempt, make_run

MOST = 20_000  # bytes of a verdict, as text and as HTML
MUTANTS = 90  # of each exercise: 2,000 of all together
SECONDS = 0.5
PARTS = 20

TEXTS = [
    *("", " ", "\n", "...", "[]", "{}", "[1]", "[{}]", "null", "true", "7", "1.5", "-0", '"x"'),
    *("1e999", "NaN", "[NaN]", "{'a': 1}", "{“a”: 1}", "｛｝", '{"a" 1}', '{"id": 7, "id": 8}'),
    *("\ufeff{}", '"\ud800"', "\x00", "\x1b[31m", "\u202e{}", "\u3164", "<script>", "$x$ `y`"),
    *('{"jsonrpc": "2.0"}', '{"jsonrpc": "2.0", "id": 7}', '{"jsonrpc": [], "method": {}}'),
    *(f'{{"jsonrpc": "2.0", "id": {id}, "method": "x"}}' for id in ("null", "[]", "9" * 4_000)),
    *(f'{{"jsonrpc": "2.0", "method": "x", "params": {value}}}' for value in ("[]", "null", "7")),
    *(
        f'{{"jsonrpc": "2.0", "id": 8, "error": {error}}}'
        for error in ("null", "[]", '{"code": []}')
    ),
    *("[" * 100_000, '{"a":' * 50_000, "9" * 5_000, "x" * 17_000_000, f'"{"x" * 5_000_000}"'),
]


class Lying(dict[str, Any]):
    """Says other things than it holds."""

    def get(self, key, default=None):
        return 1

    def __getitem__(self, key):
        return {"code": 1}


def circular():
    value = {}
    value.update(result=value, error=value, id=value)
    return value


CONSTANTS = (None, True, False, 0, 1, -32600, "", "invalid", (), [], {}, {"error": {}}, object())
VALUES = [
    *CONSTANTS,
    *(7, -32700, 1.5, float("nan"), float("inf"), 1j, 10**5000, Decimal(1)),
    *(b"", b"{}", b"\xff", bytearray(b"{}"), memoryview(b"{}"), range(3), iter([])),
    *(set(), frozenset({1}), {1, "a"}, [[]], [{}], ["a", "b"], (1, 2), ("{}", "[]")),
    *(deep(), circular(), Lying(a=1), len, print, type, RuntimeError, RuntimeError("no")),
    *({"result": ...}, {1: ..., None: 2}, {"result": "{}", "error": "[]"}, [...], NotImplemented),
    {"result": {"a": {1, 2}}, "error": [object()]},
    *(
        {"jsonrpc": "2.0", "id": 7, "error": error}
        for error in ([], {"code": []}, {"code": -32022})
    ),
    {"jsonrpc": [], "id": {}, "error": {"code": -32022, "message": {}, "data": []}},
    *({"resultType": "complete", "content": content} for content in (7, [7], [{"type": "text"}])),
    *({"_meta": meta} for meta in ([], 7, {"x": object})),
    *({name: [] for name in ("the text is not JSON", "sent")}, {"sent": [(1, 2)]}),
]
KINDS = [*TEXTS, *VALUES]
each_part = pytest.mark.parametrize("part", range(PARTS))
each_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda one: one.id)


@pytest.fixture(autouse=True)
def _under_the_clock(monkeypatch):
    monkeypatch.setattr(sandbox, "strategy_here", lambda: "clock")
    if sys.version_info < (3, 12):
        if not hasattr(signal, "setitimer"):
            pytest.skip("nothing stops a loop here")
        monkeypatch.setattr(clock, "run_calls", _run_with_an_alarm)


def _run_with_an_alarm(function, calls, seconds):
    """Take the place of the clock, which needs Python 3.12."""

    room, end = Room(), monotonic() + seconds

    @contextmanager
    def alarm():
        signal.setitimer(signal.ITIMER_REAL, max(0.01, end - monotonic()), 0.01)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def ring(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        return [make_run(attempt(function, args, alarm(), room), "") for args in calls]
    finally:
        signal.signal(signal.SIGALRM, before)


def judged(exercise, answer):
    """Check an answer; whatever is found can be shown, is short, and was found by the judge."""
    outcome = check(exercise.id, answer, seconds=SECONDS)
    assert "the check itself failed" not in outcome.message
    assert 0 < len(repr(outcome).encode()) < MOST
    assert len(outcome._repr_html_().encode()) < MOST
    return outcome


@pytest.fixture
def some(part, exercise):
    """Which answers this part tries at this exercise."""
    return slice((list(EXERCISES).index(exercise.id) + part) % PARTS, None, PARTS)


def test_a_hundred_kinds_of_answers_are_tried():
    assert len(KINDS) >= 100
    assert judged(EXERCISES["valid_id"], lambda value: type(value) in (int, str)).passed


@each_part
@each_exercise
@pytest.mark.sample(PARTS)
def test_whatever_is_passed_or_returned_there_is_an_outcome(exercise, some):
    is_function = exercise.stub.startswith(("def ", "async def "))
    for kind in KINDS[some]:
        answer = (lambda *args, kind=kind: kind) if is_function else kind
        state = judged(exercise, answer).state
        assert state != "correct", str(kind)[:100]
        assert state == "wrong" or not any(kind is one for one in CONSTANTS), (kind, state)
    for kind in VALUES[some] if is_function else ():
        judged(exercise, kind)


class _Mutant(ast.NodeTransformer):
    """Changes one place in a source: a constant, a comparison, a condition, a name of a member."""

    def __init__(self, dice, at):
        self.dice, self.at, self.seen = dice, at, 0

    def visit(self, node):
        node = self.generic_visit(node)
        change = next((how for kind, how in _CHANGES.items() if isinstance(node, kind)), None)
        if change is None:
            return node
        self.seen += 1
        return change(node, self.dice) if self.seen == self.at else node


def _other_constant(node, dice):
    values = ("", "id", 0, None, True, -32600, 1.5, [], {"error": {}})
    return ast.copy_location(ast.parse(repr(dice.choice(values))).body[0].value, node)


def _other_comparison(node, dice):
    node.ops[0] = dice.choice([ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.Lt])()
    return node


def _without(node, dice):
    return ast.copy_location(ast.Pass(), node)


_CHANGES = {
    ast.Constant: _other_constant,
    ast.Compare: _other_comparison,
    (ast.Return, ast.Expr, ast.If): _without,
}


def mutants(source, seed):
    """Yield what changed versions of a source bind: most are wrong, and some fall over."""
    dice = random.Random(seed)
    places = _Mutant(dice, -1)
    places.visit(ast.parse(source))
    for _ in range(MUTANTS):
        tree = _Mutant(dice, dice.randint(1, places.seen)).visit(ast.parse(source))
        names = {"NotAttempted": NotAttempted}
        try:
            with warnings.catch_warnings(action="ignore"):
                code = compile(ast.fix_missing_locations(tree), "<mutant>", "exec")
            exec(code, names)
        except Exception:  # it does not even begin
            continue
        yield names.get(seed, ...)


@each_part
@each_exercise
@pytest.mark.sample(PARTS)
def test_whatever_a_solution_is_changed_into_there_is_an_outcome(exercise, some):
    for answer in [*mutants(exercise.solution, exercise.id)][some]:
        judged(exercise, answer)
