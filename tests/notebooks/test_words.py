"""Plain words: no stumbling block comes back, each term is explained, and all is spelled right."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from mini_rpc.classroom.glossary import Term, read
from mini_rpc.classroom.workshop import NOTEBOOKS, ROOT
from mini_rpc.classroom.workshop.lessons import Lesson, committed_lessons

LESSONS = [*committed_lessons().values()]
PAGES = [lesson for lesson in LESSONS if lesson.path.parent == NOTEBOOKS]


def test_nothing_has_to_be_read_twice() -> None:
    """What readers stumbled over is in no text of the course."""
    stumbled_over = (ROOT / "tests/data/stumbled_over.txt").read_text("utf-8").splitlines()
    texts = {lesson.path: lesson.text for lesson in LESSONS}
    paths = [path for path in (ROOT / "mini_rpc").rglob("*") if path.suffix in (".md", ".py")]
    texts |= {path: path.read_text("utf-8") for path in (ROOT / "README.md", *paths)}
    found = [
        f"{path.relative_to(ROOT)}: {words}"
        for path, text in texts.items()
        for words in stumbled_over
        if words in " ".join(text.split()).lower()
    ]
    assert found == []


@pytest.mark.parametrize("term", read().values(), ids=lambda term: term.name)
def test_a_term_of_the_glossary_stands_in_bold_where_its_lesson_explains_it(term: Term) -> None:
    cells = committed_lessons()[term.page.removesuffix(".ipynb")].prose
    prose = "\n".join(cell.source for cell in cells)
    assert re.search(rf"\*\*`?{re.escape(term.name)}(s|es)?`?\*\*", prose, re.IGNORECASE)


@pytest.mark.parametrize("lesson", PAGES, ids=lambda lesson: lesson.path.stem)
def test_every_lesson_links_to_the_glossary_and_shows_a_picture_with_words_for_it(
    lesson: Lesson,
) -> None:
    assert "](glossary.md)" in lesson.notebook.cells[0].source
    prose = "\n".join(cell.source for cell in lesson.prose)
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", prose)
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
