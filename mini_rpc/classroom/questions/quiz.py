"""A question before the run, and one misconception behind each wrong option."""

from __future__ import annotations

from ..progress import record
from ..text import NoSuchName, near, visible
from .choice import Choice, Feedback
from .records import questions

__all__ = ["quiz"]


def quiz(id: str) -> Choice:
    """Return the question of this id, to be answered by hand or with `choose`.

    An answer counts in the progress file under "quiz:" and the id. Raises `ValueError` for an
    unknown id.
    """
    if type(id) is not str:
        raise NoSuchName('quiz wants the name of a question in quotes, as in quiz("id in msg").')
    if id not in questions():
        raise NoSuchName(f'There is no question "{visible(id[:40])}". {near(id, questions())}')
    question = questions()[id]

    def judge(number: int) -> Feedback:
        option = question.options[number - 1]
        right = option.misconception is None
        record(f"quiz:{id}", "correct" if right else "wrong")
        heading = "Right." if right else "Not right."
        return Feedback(right, heading, option.why, option.misconception)

    texts = [option.text for option in question.options]
    return Choice("Question", question.ask, texts, judge, message=question.message)
