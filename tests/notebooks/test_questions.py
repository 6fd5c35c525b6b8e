"""Every question and every prediction is asked in its lesson, once."""

from __future__ import annotations

import re
from collections import Counter

from mini_rpc.classroom.questions.records import predictions, questions
from mini_rpc.classroom.workshop.lessons import Lesson, committed, lesson_paths

ASKED = re.compile(r'^(quiz|predict)\("([^"]+)"\)$', re.MULTILINE)


def test_each_is_asked_once_in_the_lesson_of_its_record() -> None:
    asked: Counter[tuple[str, str, str]] = Counter()
    for path in lesson_paths():
        for cell in Lesson(path, committed(path)).code:
            asked.update((path.name[:2], *found) for found in ASKED.findall(cell.source))
    records = [
        *((f"{question.lesson:02}", "quiz", id) for id, question in questions().items()),
        *((f"{one.lesson:02}", "predict", id) for id, one in predictions().items()),
    ]
    assert asked == Counter(records)
