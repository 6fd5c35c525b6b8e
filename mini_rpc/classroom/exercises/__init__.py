"""The exercises of the course: a record for each, one module a lesson."""

from __future__ import annotations

from . import lesson_1, lesson_2, lesson_3, lesson_4, lesson_5, lesson_6, lesson_7
from .record import Exercise, Wrong

__all__ = ["EXERCISES", "Exercise", "Wrong"]

EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise
    for lesson in (lesson_1, lesson_2, lesson_3, lesson_4, lesson_5, lesson_6, lesson_7)
    for exercise in lesson.EXERCISES
}
"""The records by id, in the order of the course."""
