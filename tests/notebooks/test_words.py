"""Plain words: no stumbling block comes back, each term is explained, and all is spelled right."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mini_rpc.classroom.glossary import Term, read
from mini_rpc.classroom.workshop import NOTEBOOKS, ROOT
from mini_rpc.classroom.workshop.lessons import Lesson, committed, lesson_paths

STUMBLED_OVER = [
    "Committed?",
    "call across the room",
    "a table of tickets",
    "does somebody wait",
    "does nobody wait",
    "is not looked at yet",
    "took batches",
    "batches left",
    "a protocol is believed",
    "a message a line in",
    "wet paint stays wet",
    "no call",
    "it is a call",
    "is it a call",
    "for a living",
    "walks out",
    "park bench",
    "lobster is out",
    "the call of the tool",
    "belong into",
    "belongs into",
    "cannot be an id",
]
"""What readers had to read twice."""

TEXTS = [
    *lesson_paths(),
    ROOT / "README.md",
    *sorted(path for path in (ROOT / "mini_rpc").rglob("*") if path.suffix in (".md", ".py")),
]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_has_to_be_read_twice(path: Path) -> None:
    text = " ".join(committed(path).split()).lower()
    assert [words for words in STUMBLED_OVER if words.lower() in text] == []


@pytest.mark.parametrize("term", read().values(), ids=lambda term: term.name)
def test_a_term_of_the_glossary_stands_in_bold_where_its_lesson_explains_it(term: Term) -> None:
    prose = "\n".join(cell.source for cell in _lesson(term.page).prose)
    assert re.search(rf"\*\*`?{re.escape(term.name)}(s|es)?`?\*\*", prose, re.IGNORECASE)


@pytest.mark.parametrize("path", lesson_paths(), ids=lambda path: path.stem)
def test_every_lesson_links_to_the_glossary(path: Path) -> None:
    if path.parent == NOTEBOOKS:
        assert "](glossary.md)" in Lesson(path, committed(path)).notebook.cells[0].source


@pytest.mark.parametrize("path", lesson_paths(), ids=lambda path: path.stem)
def test_every_lesson_shows_a_picture_with_words_for_it(path: Path) -> None:
    if path.parent == NOTEBOOKS:
        pictures = list(_pictures(Lesson(path, committed(path))))
        assert pictures
        for words, name in pictures:
            assert len(words) >= 20
            assert (NOTEBOOKS / name).is_file()


def test_all_is_spelled_right() -> None:
    pytest.importorskip("codespell_lib")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this copy has no history")
    files = [name for name in listed.stdout.split() if (ROOT / name).is_file()]
    command = [sys.executable, "-m", "codespell_lib", "--toml", "pyproject.toml", *files]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.stdout + found.stderr == ""


def _lesson(page: str) -> Lesson:
    return Lesson(NOTEBOOKS / page, committed(NOTEBOOKS / page))


def _pictures(lesson: Lesson) -> Iterator[tuple[str, str]]:
    for cell in lesson.prose:
        yield from re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", cell.source)
