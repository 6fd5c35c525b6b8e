"""The exercises of the course: one Markdown file each, and the judges in Python, a module a lesson.

A file is read when its exercise is asked for, and not before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path

from ..teacher import or_else, teacher
from .record import Exercise, Wrong, read_exercise

__all__ = ["EXERCISES", "Exercise", "Exercises", "Wrong"]


class Exercises(Mapping[str, Exercise]):
    """The exercises in a folder, by id, in the order of the course."""

    def __init__(self, folder: Path, *, with_the_teachers: bool = False) -> None:
        self._folder = folder
        self._with_the_teachers = with_the_teachers
        self._read: dict[str, Exercise] = {}

    @cached_property
    def _paths(self) -> dict[str, Path]:
        paths = {path.stem: path for path in sorted(self._folder.glob("lesson_*/*.md"))}
        if self._with_the_teachers and (folder := teacher().exercises):
            paths |= {one.id: one.page.path for one in Exercises(folder)._sound()}
        return paths

    def _sound(self) -> Iterator[Exercise]:
        for path in self._paths.values():
            if found := or_else(partial(read_exercise, path), None):
                yield found

    @cached_property
    def _order(self) -> tuple[str, ...]:
        def place(id: str) -> tuple[int, int, str]:
            return self[id].lesson, self[id].place, id

        return tuple(sorted(self._paths, key=place))

    def __getitem__(self, id: str) -> Exercise:
        if id not in self._read:
            self._read[id] = read_exercise(self._paths[id])
        return self._read[id]

    def __contains__(self, id: object) -> bool:
        return id in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._paths)


EXERCISES = Exercises(Path(__file__).parent, with_the_teachers=True)
"""The exercises of this course, and those of its teacher."""
