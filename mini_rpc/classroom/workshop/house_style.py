"""How a lesson reads, as far as a machine can judge: each rule yields a sentence for each fault."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from urllib.parse import unquote

from nbformat import NotebookNode

from . import NOTEBOOKS
from .lessons import (
    CHECK,
    KEPT_OF_A_CELL,
    LIVE_WIDGET,
    METADATA,
    OF_AN_EXERCISE,
    SELF_CHECKS,
    Lesson,
    lesson_paths,
)
from .minutes import OFF, SAID, minutes

__all__ = ["RULES", "faults", "prose_faults", "unresolved_links"]

NUMBER_OF_CELLS = range(30, 61)
MOST_LINES_OF_CODE = 15
MOST_WORDS = 110
MOST_EXERCISES = 5

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RANDOM_ID = re.compile(r"[0-9a-f]{8,}(-[0-9a-f]{4,})*")
OF_ONE_MACHINE = re.compile(
    r"(?<![\w.])/(?:home|root|tmp|Users|usr|opt|var|work|private)/|[A-Z]:\\|site-packages"
    r"|ipykernel_\d|0x[0-9a-f]{6,}|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"
)
_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
UNWANTED = [re.compile(one, re.IGNORECASE) for kind in _WORDS.values() for one in kind]
"""Matches of what no prose of the course holds: words that talk down, British spelling, emoji."""
WRAPPED_IMPORT = re.compile(r"^from \S+ import \([^)]*\)", re.MULTILINE)
CODE_IN_PROSE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)|\b(?:href|src)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


def has_run_in_order(lesson: Lesson) -> Iterator[str]:
    """Every code cell was run, from the first to the last, by one kernel."""
    for number, cell in enumerate(lesson.code, start=1):
        if cell.execution_count != number:
            yield f"{cell.id}: runs as number {number}, but says [{cell.execution_count}]"


def is_clean(lesson: Lesson) -> Iterator[str]:
    """Nothing of a live widget, an editor or a clock is in the file."""
    if lesson.notebook.metadata != METADATA:
        yield f"the notebook's metadata is {lesson.notebook.metadata}"
    for cell in lesson.notebook.cells:
        if extra := set(cell.metadata) - KEPT_OF_A_CELL:
            yield f"{cell.id}: has metadata {sorted(extra)}"
    for cell in lesson.code:
        if any(LIVE_WIDGET in output.get("data", {}) for output in cell.outputs):
            yield f"{cell.id}: holds a live widget"


def ids_are_readable(lesson: Lesson) -> Iterator[str]:
    """Each cell has a slug of its own as id, which stays when the cell changes."""
    ids = [cell["id"] for cell in json.loads(lesson.text)["cells"]]  # nbformat replaces doubles
    for id in sorted(set(ids)):
        if not SLUG.fullmatch(id) or RANDOM_ID.fullmatch(id):
            yield f"{id}: is no readable id"
        if ids.count(id) > 1:
            yield f"{id}: is the id of {ids.count(id)} cells"


def links_resolve(lesson: Lesson) -> Iterator[str]:
    """Links lead to files and headings that exist, within the folder that JupyterLab shows."""
    for cell in lesson.prose:
        for fault in unresolved_links(cell.source, lesson.path, lesson.text, NOTEBOOKS):
            yield f"{cell.id}: {fault}"


def outputs_are_of_no_machine(lesson: Lesson) -> Iterator[str]:
    """Outputs hold no path, address or random id, no warning, and no error but a wanted one."""
    for cell in lesson.code:
        for output in cell.outputs:
            if found := OF_ONE_MACHINE.search(_text(output)):
                yield f"{cell.id}: the output holds {found[0]!r}"
            if output.get("name") == "stderr":
                yield f"{cell.id}: writes to stderr"
            if output.output_type == "error" and not _may_raise(cell):
                yield f"{cell.id}: ends in {output.ename}"


def only_exercises_go_uncompared(lesson: Lesson) -> Iterator[str]:
    """An exercise's output is the learner's; every other output is compared, or says why not."""
    for id, cell in lesson.exercises.items():
        yield from (
            f"{cell.id}: exercise {id} needs the tag {tag}" for tag in OF_AN_EXERCISE - _tags(cell)
        )
    for cell in lesson.code:
        if "nbval-ignore-output" in _tags(cell) and not cell.metadata.get("reason"):
            yield f"{cell.id}: metadata 'reason' must say why its output is not compared"
        if "nbval-skip" in _tags(cell):
            yield f"{cell.id}: is never run"


def has_a_good_size(lesson: Lesson) -> Iterator[str]:
    """30 to 60 cells (fewer in 00 and for teachers), code of 15 lines, short prose, 5 exercises.

    An import is one line, however it is wrapped, and an empty line is none.
    """
    count = len(lesson.notebook.cells)
    if count > max(NUMBER_OF_CELLS) or (_is_lesson(lesson) and count not in NUMBER_OF_CELLS):
        yield f"has {count} cells"
    if len(lesson.exercises) > MOST_EXERCISES:
        yield f"has {len(lesson.exercises)} exercises"
    for cell in lesson.code:
        lines = len(re.findall(r"^.*\S", WRAPPED_IMPORT.sub("import", cell.source), re.MULTILINE))
        if lines > MOST_LINES_OF_CODE:
            yield f"{cell.id}: has {lines} lines of code"
    for cell in lesson.prose[1:]:
        if (words := _number_of_words(cell.source)) > MOST_WORDS:
            yield f"{cell.id}: has {words} words of prose"


def prose_comes_between_code(lesson: Lesson) -> Iterator[str]:
    """Never three code cells in a row."""
    for kind, run in groupby(lesson.notebook.cells, lambda cell: cell.cell_type):
        ids = [cell.id for cell in run]
        if kind == "code" and len(ids) > 2:
            yield f"{ids[0]}: begins {len(ids)} code cells without prose"


def opens_well(lesson: Lesson) -> Iterator[str]:
    """Title, one sentence of promise, minutes, needs, three abilities, links back and on."""
    first = lesson.notebook.cells[0]
    if first.cell_type != "markdown":
        yield f"{first.id}: the first cell is code"
        return
    blocks = re.split(r"\n\s*\n", first.source)
    promise = CODE_IN_PROSE.sub("", blocks[1]) if len(blocks) > 1 else ""
    wanted = {
        "a title": re.match(r"# \S", first.source),
        "one sentence of promise": re.fullmatch(r"[^.?]+\.", promise.strip("_* \n")),
        "its minutes": re.search(r"\bMinutes:\W*\d+|\b\d+ minutes\b", first.source),
        "what it needs": re.search(r"\bneeds?\b", first.source, re.IGNORECASE),
        "three abilities": len(re.findall(r"^(?:[-*]|\d\.) ", first.source, re.MULTILINE)) == 3,
    }
    yield from (f"{first.id}: lacks {what}" for what, found in wanted.items() if not found)
    for neighbor in _neighbors(lesson.path):
        if f"]({neighbor.name})" not in first.source:
            yield f"{first.id}: lacks a link to {neighbor.name}"


def tells_its_minutes(lesson: Lesson) -> Iterator[str]:
    """A lesson takes the minutes that it says."""
    said = SAID.search(lesson.notebook.cells[0].source)
    counted = minutes(lesson.notebook.cells)
    if said and lesson.path.parent == NOTEBOOKS and abs(int(said[2]) - counted) > OFF:
        yield f"says {said[2]} minutes, and {counted:.0f} are counted"


def closes_well(lesson: Lesson) -> Iterator[str]:
    """Three self-checks, then the recap with a table, which they hide, and the way on."""
    sources = [cell.source for cell in lesson.notebook.cells]
    for neighbor in _neighbors(lesson.path):
        if neighbor > lesson.path and f"]({neighbor.name})" not in sources[-1]:
            yield f"does not end in a link to {neighbor.name}"
    if not _is_lesson(lesson):
        return
    checks, recap = (lesson.headings.get(name, -1) for name in (SELF_CHECKS, "Recap"))
    if recap < 0 or "|---" not in sources[recap].replace(" ", ""):
        yield "lacks a cell '## Recap' with a table"
    if not 0 <= checks < recap:
        yield "lacks a cell '## Three self-checks' before the recap"
        return
    asked = "\n".join(sources[checks:recap])
    questions = re.findall(r"^(?:\d\. |quiz\()", asked, re.MULTILINE)
    if len(questions) != 3:
        yield f"has {len(questions)} self-checks (numbered items or calls of quiz), not 3"


def reads_well(lesson: Lesson) -> Iterator[str]:
    """Plain American prose."""
    for cell in lesson.prose:
        yield from (f"{cell.id}: {fault}" for fault in prose_faults(cell.source))


RULES: list[Callable[[Lesson], Iterator[str]]] = [
    has_run_in_order,
    is_clean,
    ids_are_readable,
    links_resolve,
    outputs_are_of_no_machine,
    only_exercises_go_uncompared,
    has_a_good_size,
    prose_comes_between_code,
    opens_well,
    tells_its_minutes,
    closes_well,
    reads_well,
]


def faults(lesson: Lesson) -> list[str]:
    """Return a sentence for every place where the lesson breaks a rule."""
    if not lesson.notebook.cells:
        return ["the notebook has no cells"]
    return [fault for rule in RULES for fault in rule(lesson)]


def prose_faults(markdown: str) -> Iterator[str]:
    """Yield what is no plain American prose: "simply", "just", "!", emoji, British spelling."""
    text = re.sub(r"\]\([^)]*\)|<[^>]*>", "]", CODE_IN_PROSE.sub("", markdown))
    yield from (f"says {found!r}" for pattern in UNWANTED for found in pattern.findall(text))


def unresolved_links(markdown: str, path: Path, text: str, shown: Path) -> Iterator[str]:
    """Yield each link that leads nowhere, or out of the folder `shown`.

    The links are those of `markdown`, a part of the file `path`, whose whole text is `text`.
    """
    for found in LINK.finditer(CODE_IN_PROSE.sub("", markdown)):
        link = unquote(found[1] or found[2])
        if re.match(r"(https?|mailto):", link):
            if found[0].startswith("src"):
                yield f"{link} is fetched from another machine"
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if name and not (target.exists() and target.is_relative_to(shown)):
            yield f"{link} leads to no file in {shown.name}"
        elif anchor and anchor not in _anchors(target, target.read_text("utf-8") if name else text):
            yield f"{link} leads to no heading or cell"


def _anchors(path: Path, text: str) -> set[str]:
    """Return what a link may name: a cell of a notebook, a heading the way its viewer writes it."""
    if path.suffix == ".ipynb":
        lesson = Lesson(path, text)
        headings = [found for cell in lesson.prose for found in HEADING.findall(cell.source)]
        cells = {f"cell-id={cell.id}" for cell in lesson.notebook.cells}
        return cells | {heading.replace(" ", "-") for heading in headings}
    found = HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", name).lower().replace(" ", "-") for name in found}


def _is_lesson(lesson: Lesson) -> bool:
    """Tell a lesson from the first page and from the pages for teachers, which only inform."""
    return not lesson.path.name.startswith("00_") and lesson.path.parent.name != "instructor"


def _neighbors(path: Path) -> list[Path]:
    """Return the lesson before and the lesson after, where there are such."""
    row = [other for other in lesson_paths() if other.parent == path.parent]
    return [one for one, other in [*pairwise(row), *pairwise(row[::-1])] if other == path]


def _may_raise(cell: NotebookNode) -> bool:
    """Tell whether an error is wanted here. An exercise may raise, and is committed unsolved."""
    return "raises-exception" in _tags(cell) and not CHECK.search(cell.source)


def _tags(cell: NotebookNode) -> set[str]:
    return set(cell.metadata.get("tags", []))


def _text(output: NotebookNode) -> str:
    parts = [output.get("text", ""), output.get("evalue", ""), *output.get("traceback", [])]
    return "\n".join(map(str, [*parts, *output.get("data", {}).values()]))


def _number_of_words(markdown: str) -> int:
    """Count the words of prose: no code, headings, tables, lists, pictures or HTML."""
    lines = CODE_IN_PROSE.sub("code", markdown).splitlines()
    prose = [line for line in lines if not re.match(r"\s*(#|\||[-*>] |\d+\. |<|!\[)", line)]
    return len(" ".join(prose).split())
