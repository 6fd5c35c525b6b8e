"""A question before the run, and one misconception behind each wrong option."""

from __future__ import annotations

from functools import partial

from ..text import NoSuchName, near, visible
from .choice import Choice, Feedback
from .records import Question, puzzles, questions

__all__ = ["ask", "puzzle", "quiz"]


def quiz(id: str) -> Choice:
    """Return the question of this id, to be answered by hand or with `choose`.

    An answer counts in the progress file under "quiz:" and the id. Raises `ValueError` for an
    unknown id.
    """
    if type(id) is not str:
        raise NoSuchName('quiz wants the name of a question in quotes, as in quiz("id in msg").')
    if id not in questions():
        raise NoSuchName(f'There is no question "{visible(id[:40])}". {near(id, questions())}')
    return ask(questions()[id], f"quiz:{id}", hides="recap" if "self-check" in id else "below")


def ask(question: Question, key: str, *, hides: str = "") -> Choice:
    """Return a question whose answer counts in the progress file under this key."""

    def judge(number: int) -> Feedback:
        option = question.options[number - 1]
        right = option.misconception is None
        heading = "Right." if right else "Not right."
        return Feedback(right, heading, option.why, option.misconception)

    texts = [option.text for option in question.options]
    about = question.message
    return Choice(
        "Question", question.ask, texts, judge, id=key, message=about, shuffled=True, hides=hides
    )


def puzzle(id: str, key: str = "") -> Choice:
    """Return a recorded talk, one line of which breaks a rule: which line, and which rule?

    An answer counts in the progress file under "puzzle:" and the id, or under the key. Raises
    `ValueError` for an unknown id.
    """
    if type(id) is not str or id not in puzzles():
        name = visible(id[:40]) if type(id) is str else "puzzle"
        raise NoSuchName(f'There is no puzzle "{name}". {near(name, puzzles())}')
    found = puzzles()[id]

    return Choice(
        "Read",
        found.ask,
        [option.text for option in found.options],
        partial(_judge_line, found),
        id=key or f"puzzle:{id}",
        shuffled=True,
        lines=found.talk,
        second="Which rule does it break?",
    )


def _judge_line(found: Question, number: int, line: int) -> Feedback:
    option = found.options[number - 1]
    if line != found.line:
        why = f"Line {line} breaks no rule. Another line does."
        return Feedback(False, "Not this line.", why, "a line that breaks no rule")
    if option.misconception:
        heading = "The line is right, the rule is not."
        return Feedback(False, heading, option.why, option.misconception)
    return Feedback(True, "Right.", option.why)
