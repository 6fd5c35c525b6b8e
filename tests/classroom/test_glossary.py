"""The glossary explains a term in place, and each term in the lesson that uses it first."""

import pytest

from mini_rpc.classroom import glossary
from mini_rpc.classroom.glossary import read
from mini_rpc.classroom.text import NoSuchName


@pytest.mark.parametrize("asked", ["stray", "Stray", " strays ", "`stray`"])
def test_a_term_is_found_however_it_is_written(asked):
    term = glossary(asked)
    assert repr(term).startswith("stray: A reply that nobody waits for")
    assert "[Lesson 6: in flight](06_in_flight.ipynb)" in term._repr_markdown_()


def test_without_a_term_all_are_named_lesson_by_lesson():
    assert repr(glossary()).startswith("JSON, protocol, ")
    assert len(glossary()) == len(read()) > 50
    pages = [term.page for term in read().values()]
    assert pages == sorted(pages)

    assert [term.name for term in read().values() if not 5 <= len(term.meaning.split()) <= 45] == []


def test_an_unknown_term_gets_one_sentence_with_what_is_near():
    with pytest.raises(NoSuchName, match=r'The glossary has no "capabilites"\. Is it "capabil'):
        glossary("capabilites")
