"""The lessons of the course: their numbers, their pages and their names."""

from typing import NamedTuple

__all__ = ["LAST", "LESSONS", "Lesson"]


class Lesson(NamedTuple):
    """A lesson: the file of its page, beside the start page, and its name."""

    page: str
    title: str


LESSONS = {
    0: Lesson("00_start_here.ipynb", "Start here"),
    1: Lesson("01_four_shapes.ipynb", "The four shapes"),
    2: Lesson("02_error_codes.ipynb", "Error codes"),
    3: Lesson("03_mcp_rules.ipynb", "MCP's rules"),
    4: Lesson("04_dispatcher.ipynb", "The dispatcher"),
    5: Lesson("05_edge_cases.ipynb", "Edge cases"),
    6: Lesson("06_in_flight.ipynb", "In flight"),
    7: Lesson("07_real_peers.ipynb", "Real peers"),
}
"""The lessons by number, in order. The start page counts as lesson 0."""

LAST = max(LESSONS)
"""The lesson that the course ends with."""
