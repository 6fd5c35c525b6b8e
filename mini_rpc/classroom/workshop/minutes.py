"""How long a lesson takes, from what is in it. The basis stands in `SECONDS`, for all to see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from nbformat import NotebookNode

from ..exercises import EXERCISES
from ..judging.break_clerks import CLERKS
from ..questions.practice import FINAL, WARM_UP
from .lessons import CHECK

__all__ = ["IN_CLASS", "OFF", "SAID", "SECONDS", "minutes", "with_minutes"]

OFF = 4
"""How many minutes a page may be off, as they are rounded."""

SAID = re.compile(r"(\bMinutes:\W*)(\d+)")
"""Where a page says its minutes: they are the second group."""

IN_CLASS = 30
"""How many minutes of a lesson a class does in one go."""

_IN_MAP = re.compile(r"^(\| \[(\d+)\. .* \| )\d+((?:, [^|]+)? \|)$", re.MULTILINE)
_IN_CLASSES = re.compile(r"^(\| (\d+) \| )\d+( \| (\d+) \| )\d+(: .* \|)$", re.MULTILINE)

SECONDS = {
    "word": 1 / 3,  # 180 words in a minute
    "line": 2,
    "run": 20,
    "bench": 120,
    "quiz": 45,
    "puzzle": 180,
    "goals": 240,
    "clerk": 90,
    "exercise": 180,
    "new line": 30,  # of a solution, where no exercise before it in the lesson has this line
}
"""Seconds for each thing: to read a word or a line of code, to run a cell and look, and so on.

Most adults read 175 to 300 words of English non-fiction a minute (Brysbaert 2019, Journal of Memory
and Language 109). Here it is the slow end: the text is technical, and English may be a second
language. A line of a solution has 33 characters on average. To compose so many takes 20 seconds
(19 words of five characters a minute: Karat and others 1999, CHI), and code takes longer than
prose. The other figures are estimates.
"""

_ASKED = {
    r"^(quiz|predict)\(": {"quiz": 1},
    r"^warm_up\(": {"quiz": WARM_UP},
    r"^puzzle\(": {"puzzle": 1},
    r"^provoke\(": {"goals": 1},
    r"^final_round\(": FINAL,
    r"^bench\(": {"bench": 1},
    r"^scoreboard\(": {"clerk": len(CLERKS)},
}


def minutes(cells: Iterable[NotebookNode]) -> float:
    """Return how many minutes these cells of a lesson take."""
    seconds, written = 0.0, set[str]()
    for cell in cells:
        if cell.cell_type == "markdown":
            seconds += len(re.sub(r"\]\([^)]*\)", "", cell.source).split()) * SECONDS["word"]
        elif (found := CHECK.search(cell.source)) and found[1] in EXERCISES:
            lines = {line.strip() for line in EXERCISES[found[1]].solution.splitlines()} - {""}
            seconds += SECONDS["exercise"] + len(lines - written) * SECONDS["new line"]
            written |= lines
        else:
            seconds += _of_code(cell.source)
    return seconds / 60


def with_minutes(text: str, said: Mapping[int, int]) -> str:
    """Return the text of a cell in which each table of lessons has these minutes.

    Such a table ends its rows in the minutes, or has them behind the lesson's number, and then the
    number of classes and what is left for home.
    """

    def in_classes(row: re.Match[str]) -> str:
        all_of_it = said[int(row[2])]
        return f"{row[1]}{all_of_it}{row[3]}{all_of_it - int(row[4]) * IN_CLASS}{row[5]}"

    text = _IN_MAP.sub(lambda row: f"{row[1]}{said[int(row[2])]}{row[3]}", text)
    return _IN_CLASSES.sub(in_classes, text)


def _of_code(source: str) -> float:
    asked = (found for start, found in _ASKED.items() if re.search(start, source, re.MULTILINE))
    found = [SECONDS[what] * many for one in asked for what, many in one.items()]
    return sum(found) or SECONDS["run"] + len(source.splitlines()) * SECONDS["line"]
