"""Reads the files that hold what the course teaches: Markdown with a few rules.

A file begins with its facts, a line each (`title: Place an order`), between two lines `---`. Then
come sections (`## Hints`), which may have parts (`### wrong`). Both hold paragraphs, lists, quotes
and fenced code. What breaks these rules is refused with the file's name, the line and one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Literal, NoReturn

from .text import Plain, near

__all__ = ["BadContent", "Block", "Page", "Section", "read_page"]

Kind = Literal["text", "code", "quote", "list", "heading"]

_FENCE = re.compile(r"(`{3,}|~{3,})\s*(\w*)\s*$")
_HEADING = re.compile(r"(###?) +(.*?)\s*$")
_BREAK = re.compile(rf"{_FENCE.pattern}|{_HEADING.pattern}")
_ITEM = re.compile(r"(?:[-*]|\d+\.) +(.*)$")


class BadContent(Plain, ValueError):
    """A file of the course that is wrong. Its text names the file, the line and what is wrong."""


@dataclass(frozen=True)
class Block:
    """A paragraph, a list, a quote, or code, and the line where it begins.

    Lines that were wrapped are joined again, except in code. A list has its `items`, and its `text`
    is all of them in lines. Code has the `language` of its fence, and ends in a line break. Only a
    heading has a `depth`: 2 where it begins a section, 3 where it begins a part.
    """

    kind: Kind
    text: str
    line: int
    language: str = ""
    items: tuple[str, ...] = ()
    depth: int = 0


@dataclass(frozen=True)
class Section:
    """What stands under one heading.

    `blocks` are those before the first of its `parts`; `source` is all of it, as it was written.
    """

    title: str
    line: int
    source: str
    blocks: tuple[Block, ...]
    parts: tuple[Section, ...] = ()

    def all_of(self, kind: Kind) -> tuple[Block, ...]:
        """Return the blocks of one kind."""
        return tuple(block for block in self.blocks if block.kind == kind)


@dataclass(frozen=True)
class Page:
    """A file: its facts, each with its line, and its sections in order."""

    path: Path
    facts: Mapping[str, str]
    sections: tuple[Section, ...] = ()

    @property
    def lines(self) -> dict[str, int]:
        return {name: line for line, name in enumerate(self.facts, 2)}

    def refuse(self, line: int, sentence: str) -> NoReturn:
        """Raise `BadContent` for this file, with a line and a sentence."""
        raise BadContent(f"{self.path.name}, line {line}: {sentence}")

    def expect(self, facts: Mapping[str, bool], sections: Mapping[str, bool] | None = None) -> None:
        """Refuse the file if it has other facts or sections than these, or lacks one that is true.

        A section may stand only once. Without `sections` they are free.
        """
        self._expect("fact", self.lines, facts)
        if sections is None:
            return
        seen: dict[str, int] = {}
        for section in self.sections:
            if section.title in seen:
                self.refuse(section.line, f'There is a second section "{section.title}".')
            seen[section.title] = section.line
        self._expect("section", seen, sections)

    def _expect(self, what: str, found: Mapping[str, int], known: Mapping[str, bool]) -> None:
        for name, line in found.items():
            if name not in known:
                self.refuse(line, f'There is no {what} called "{name}". {near(name, known)}')
        for name, needed in known.items():
            if needed and name not in found:
                self.refuse(1, f'The {what} "{name}" is missing.')

    def section(self, title: str) -> Section:
        """Return the section of this title; an empty one where there is none."""
        found = (section for section in self.sections if section.title == title)
        return next(found, Section(title, 1, "", ()))


def read_page(path: Path) -> Page:
    """Read a file of the course. Raises `BadContent` if it breaks the rules of this module."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise BadContent(f"{path.name}, line 1: The file is not UTF-8.") from None
    page = Page(path, facts := _facts(path, lines))
    begin = 2 + len(facts) if facts else 0
    blocks = [*_blocks(page, lines, begin)]
    if blocks and blocks[0].depth != 2:
        page.refuse(begin + 1, "There is text before the first section.")
    return Page(path, facts, tuple(_sections(lines, blocks, 2, len(lines))))


def _facts(path: Path, lines: list[str]) -> dict[str, str]:
    facts: dict[str, str] = {}
    if not lines or lines[0].strip() != "---":
        return facts
    for number, line in enumerate(lines[1:], 2):
        if line.strip() == "---":
            return facts
        name, colon, value = line.partition(": ")
        if not colon or not name.isidentifier() or name in facts or not value.strip():
            raise BadContent(f'{path.name}, line {number}: A fact is a line like "title: Ids".')
        facts[name] = value.strip()
    raise BadContent(f'{path.name}, line 1: The facts never end: a line "---" is missing.')


def _sections(lines: list[str], blocks: list[Block], depth: int, end: int) -> Iterator[Section]:
    """Yield the sections that headings of this depth begin; the last one goes on to line `end`."""
    heads = [at for at, block in enumerate(blocks) if block.depth == depth]
    for at, until in pairwise([*heads, len(blocks)]):
        head, inside = blocks[at], blocks[at + 1 : until]
        last = blocks[until].line - 1 if until < len(blocks) else end
        source = "\n".join(lines[head.line : last]).strip("\n")
        own = tuple(takewhile(lambda block: not block.depth, inside))
        parts = tuple(_sections(lines, inside, depth + 1, last))
        yield Section(head.text, head.line, source, own, parts)


def _blocks(page: Page, lines: list[str], at: int) -> Iterator[Block]:
    while at < len(lines):
        until = at + 1
        if _goes_on(lines[at]):
            while until < len(lines) and _goes_on(lines[until]):
                until += 1
            yield _written(lines[at:until], at + 1)
        elif fence := _FENCE.match(lines[at]):
            until = _end_of_code(page, lines, at, fence[1])
            code = "".join(f"{line}\n" for line in lines[at + 1 : until - 1])
            yield Block("code", code, at + 1, fence[2])
        elif heading := _HEADING.match(lines[at]):
            yield Block("heading", heading[2], at + 1, depth=len(heading[1]))
        at = until


def _goes_on(line: str) -> bool:
    return bool(line.strip()) and not (line[0] in "#`~" and _BREAK.match(line))


def _end_of_code(page: Page, lines: list[str], at: int, fence: str) -> int:
    """Return the line after the code. Refuse code that goes on into the next, or never ends."""
    for number, line in enumerate(lines[at + 1 :], at + 2):
        if line.startswith(fence) and (found := _FENCE.match(line)) and found[1] == fence:
            if not found[2]:
                return number
            break
    return page.refuse(at + 1, "This code is never closed by another fence.")


def _written(lines: list[str], line: int) -> Block:
    if lines[0].startswith(">"):
        return Block("quote", " ".join(one.lstrip(">").strip() for one in lines), line)
    if not _ITEM.match(lines[0]):
        return Block("text", " ".join(one.strip() for one in lines), line)
    items: list[str] = []
    for one in lines:
        if found := _ITEM.match(one):
            items.append(found[1].strip())
        else:
            items[-1] += f" {one.strip()}"
    return Block("list", "\n".join(items), line, items=tuple(items))
