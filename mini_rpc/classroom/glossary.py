"""The words of the course: `glossary("stray")` explains one in place.

They stand in `glossary.md` beside this module, which is also a page beside the notebooks.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from .text import NoSuchName, near

__all__ = ["PAGE", "Term", "glossary"]

PAGE = Path(__file__).with_name("glossary.md")
"""The page: a heading for each term, what it means, and a link to the lesson that teaches it."""


class Term(NamedTuple):
    """A word, what it means, the page that teaches it, and that page's title."""

    name: str
    meaning: str
    page: str
    title: str

    def __repr__(self) -> str:
        return f"{self.name}: {self.meaning} ({self.title})"

    def _repr_markdown_(self) -> str:
        return f"**{self.name}**: {self.meaning} [{self.title}]({self.page})"


class Words(tuple[str, ...]):
    """The names of all terms. They show themselves as one line."""

    def __repr__(self) -> str:
        return ", ".join(self)


def glossary(term: str | None = None) -> Term | Words:
    """Return what a term means; without one, the names of all terms.

    Raises `NoSuchName` for a term that the glossary does not have; it names those that are near.
    """
    terms = read()
    if term is None:
        return Words(found.name for found in terms.values())
    wanted = str(term).strip().strip("`").lower()
    for name in (wanted, wanted.removesuffix("s"), f"{wanted}s"):
        if name in terms:
            return terms[name]
    raise NoSuchName(f'The glossary has no "{term}". {near(wanted, terms)}')


@cache
def read() -> dict[str, Term]:
    """Return the terms by their names in small letters, in the order of the page."""
    terms = {}
    for entry in PAGE.read_text("utf-8").split("\n## ")[1:]:
        name, meaning, link = entry.strip().split("\n\n")
        title, page = link.strip("[)").split("](")
        term = Term(name.strip("`"), meaning.replace("\n", " "), page, title)
        terms[term.name.lower()] = term
    return terms
