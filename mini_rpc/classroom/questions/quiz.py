"""A question before the run, and one misconception behind each wrong option."""

from functools import partial

from ..text import known
from .choice import Choice, Feedback
from .records import Question, puzzles, questions

__all__ = ["ask", "puzzle", "quiz"]


def quiz(id: str) -> Choice:
    """Return the question of this id, to be answered by hand or with `choose`.

    An answer counts in the progress file under "quiz:" and the id. Raises `ValueError` for an
    unknown id.
    """
    question = known(id, questions(), "question")
    return ask(question, f"quiz:{id}", hides="recap" if "self-check" in id else "below")


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

    It goes by its id, or by what it is called on a page. An answer counts in the progress file
    under "puzzle:" and the id, or under the key. Raises `ValueError` for an unknown name.
    """
    named = {one.called: one for one in puzzles().values()}
    found = puzzles()[id] if isinstance(id, str) and id in puzzles() else known(id, named, "puzzle")
    texts, second = [option.text for option in found.options], "Which rule does it break?"
    judge, key = partial(_judge_line, found), key or f"puzzle:{found.id}"
    return Choice(
        "Read", found.ask, texts, judge, id=key, shuffled=True, lines=found.talk, second=second
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
