"""A question before the run, and one misconception behind each wrong option."""

from __future__ import annotations

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
        heading = "Right." if right else "Not right."
        return Feedback(right, heading, option.why, option.misconception)

    return Choice(
        "Question",
        question.ask,
        [option.text for option in question.options],
        judge,
        id=f"quiz:{id}",
        message=question.message,
        shuffled=True,
        hides="self-check" not in id,  # those stand at the end of a page
    )
