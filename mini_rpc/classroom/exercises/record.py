"""What an exercise is made of, and how its file is read."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, NoReturn, cast, get_args

from ..content import Block, Page, Section, read_page
from ..judging.answers import Judge, NotAttempted, Obeys
from ..judging.outcome import State
from ..lessons import LESSONS
from ..text import near
from .raw_text import shows_message

__all__ = ["Exercise", "Wrong", "read_exercise"]

_FACTS = {"title": True, "place": True, "where": True, "judge": False, "praise": False}
_SECTIONS = {
    **dict.fromkeys(("Prompt", "Stub", "Hints", "Solution", "Wrong"), True),
    **dict.fromkeys(("Cases", "Message", "Right"), False),
}
_WHERE = re.compile(r"[\w/]+\.ipynb(#\S+)?$")
_LINK = 'It links to a heading of a notebook, as in "01_four_shapes.ipynb#Request".'
_WRONG_STATES = tuple(state for state in get_args(State) if state != "correct")


class Wrong(NamedTuple):
    """A wrong answer, and what a check must say of it; `line` is where its file has it."""

    source: str
    state: State
    message: str
    misconception: str | None = None
    line: int = 0


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    `id` is the name of what is written. All answers are source texts that bind this name: the
    `stub` that the learner finds, the `solution`, other `right` answers, and `wrong` ones. `hints`
    are rungs, from a nudge to nearly all. `where` links to the place that teaches it. `place` is
    its number in the lesson. `page` is the file that says all this.
    """

    id: str
    lesson: int
    title: str
    prompt: str
    stub: str
    hints: tuple[str, ...]
    solution: str
    right: tuple[str, ...]
    wrong: tuple[Wrong, ...]
    where: str
    place: int
    page: Page = field(repr=False, compare=False)

    def is_untouched(self, answer: Any) -> bool:
        """Tell whether an answer is the text, or the function, that the stub holds."""
        text = answer
        if type(answer) is FunctionType:
            try:
                text = inspect.getsource(answer.__code__)  # its __wrapped__ may be anything
            except OSError:  # it was written nowhere
                return False
        return type(text) is str and text.split() == self._text_of_stub

    @cached_property
    def _text_of_stub(self) -> list[str] | None:
        first = ast.parse(self.stub).body[0]
        value = first.value if isinstance(first, ast.Assign) else None
        text = value.value if isinstance(value, ast.Constant) else self.stub
        return text.split() if isinstance(text, str) else None

    @cached_property
    def judge(self) -> Judge:
        """What judges an answer. It is looked up at the first use, with its lesson's module.

        The wrong answers that have a name are the known mistakes.
        """
        judge = _judge(self)
        if isinstance(judge, Obeys):
            return replace(judge, mistakes=lambda: self.mistakes)
        return judge

    def refuse_right_answer(self, wrong: Wrong) -> NoReturn:
        """Raise `BadContent`, with file and line, for a wrong answer that passes its check."""
        self.page.refuse(wrong.line, f"This wrong answer passes the check of {self.id}.")

    @property
    def others(self) -> tuple[str, ...]:
        """Two of the right answers, to be shown beside the solution. What imports the course's own
        function and writes nothing is none of them."""
        written = (one for one in self.right if not _imports_alone(one))
        return tuple(islice(written, 2))

    @cached_property
    def mistakes(self) -> list[tuple[str, Any]]:
        """The known mistakes: the name of each, and the function that makes it."""
        named = ((one.misconception, one.source) for one in self.wrong)
        return [(name, _function(self.id, source)) for name, source in named if name]


def _imports_alone(source: str) -> bool:
    return all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in ast.parse(source).body)


def _function(id: str, source: str) -> Any:
    names: dict[str, Any] = {"NotAttempted": NotAttempted}
    exec(compile(source, f"<{id}, a known mistake>", "exec"), names)
    return names[id]


def read_exercise(path: Path) -> Exercise:
    """Read the file of an exercise. Raises `BadContent` if something in it is wrong."""
    page = read_page(path)
    page.expect(_FACTS, _SECTIONS)
    _demand(page)
    solution = _code(page, page.section("Solution"))
    return Exercise(
        id=path.stem,
        lesson=int(path.parent.name.removeprefix("lesson_")),
        title=page.facts["title"],
        prompt=page.section("Prompt").source,
        stub=_code(page, page.section("Stub")),
        hints=page.section("Hints").blocks[0].items,
        solution=solution,
        right=tuple(_answers(page, page.section("Right").blocks, solution)),
        wrong=tuple(_wrong(page, part, solution) for part in page.section("Wrong").parts),
        where=page.facts["where"],
        place=int(page.facts["place"]),
        page=page,
    )


def _demand(page: Page) -> None:
    """Refuse a file in which one of these is not as it should be."""
    facts, lesson = page.facts, page.path.parent.name
    prompt, hints, wrong = map(page.section, ("Prompt", "Hints", "Wrong"))
    listed = [block.kind for block in hints.blocks] == ["list"] and len(hints.blocks[0].items) > 1
    lessons = {f"lesson_{number}" for number in LESSONS}
    demands: tuple[tuple[Any, int, str], ...] = (
        (facts["place"].isdigit(), page.lines["place"], "The place is a number: 1 is the first."),
        (_WHERE.match(facts["where"]), page.lines["where"], _LINK),
        (lesson in lessons, 1, f"There is no lesson {lesson}: lessons.py lists them."),
        (prompt.source, prompt.line, "The prompt is empty."),
        (listed, hints.line, "The hints are one list of two or more."),
        (wrong.parts, wrong.line, "There is no wrong answer."),
    )
    for _, line, sentence in (one for one in demands if not one[0]):
        page.refuse(line, sentence)


def _code(page: Page, section: Section, language: str = "python") -> str:
    if [(block.kind, block.language) for block in section.blocks] != [("code", language)]:
        one = f"one block of {language.replace('python', 'Python')}"
        page.refuse(section.line, f'"{section.title}" holds {one} and nothing else.')
    block = section.blocks[0]
    return _parsed(page, block, block.text) if language == "python" else block.text


def _parsed(page: Page, block: Block, source: str) -> str:
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        page.refuse(block.line + (error.lineno or 0), f"This is not Python: {error.msg}.")
    if page.path.stem not in {name for node in tree.body for name in _bound(node)}:
        page.refuse(block.line, f"Nothing in this code is called {page.path.stem}.")
    return source


def _bound(node: ast.stmt) -> Iterable[str]:
    """Return the names that a statement at the top of a source binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name for alias in node.names]
    stored = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return [one.id for one in stored if isinstance(one.ctx, ast.Store)]


def _answers(page: Page, blocks: Iterable[Block], solution: str) -> Iterable[str]:
    """Return the sources in these blocks; text between them is a note for readers of the file."""
    for block in blocks:
        if block.language == "diff":
            yield _parsed(page, block, _changed(page, block, solution))
        elif block.kind == "code":
            yield _parsed(page, block, block.text)


def _changed(page: Page, block: Block, source: str) -> str:
    """Return the solution with the lines of a diff changed; a blank line begins another change."""
    line = block.line + 1
    for change in block.text.rstrip("\n").split("\n\n"):
        rows = change.split("\n")
        if any(row[:1] not in ("-", "+", " ") for row in rows):
            page.refuse(line, 'A changed line begins with "-", "+" or a space.')
        old, new = (
            "".join(f"{row[1:]}\n" for row in rows if row[0] in signs) for signs in (" -", " +")
        )
        found = f"\n{source}".count(f"\n{old}")
        if found != 1:
            many = "not" if not found else f"{found} times"
            page.refuse(line, f"These lines stand {many} in the solution, and should once.")
        source = f"\n{source}".replace(f"\n{old}", f"\n{new}")[1:]
        line += len(rows) + 1
    return source


def _wrong(page: Page, part: Section, solution: str) -> Wrong:
    state, _, mistake = part.title.partition(": ")
    if state not in _WRONG_STATES:
        known = ", ".join(_WRONG_STATES)
        page.refuse(part.line, f'A wrong answer is one of {known}: "{state}" is none.')
    quotes = part.all_of("quote")
    sources = list(_answers(page, part.blocks, solution))
    if len(quotes) != 1 or len(sources) != 1:
        sentence = "A wrong answer has one sentence, as a quote, and one block of code."
        page.refuse(part.line, sentence)
    if sources[0] == solution:
        page.refuse(part.line, "This wrong answer is the solution.")
    return Wrong(sources[0], cast(State, state), quotes[0].text, mistake or None, part.line)


def _judge(exercise: Exercise) -> Judge:
    page, name = exercise.page, exercise.page.facts.get("judge", exercise.id)
    if name == "message":
        return _message_judge(page)
    module = f"lesson_{exercise.lesson}"
    judges: Mapping[str, Judge] = {}
    if Path(__file__).with_name(f"{module}.py").exists():
        judges = importlib.import_module(f"{__package__}.{module}").JUDGES
    if name not in judges:
        line = page.lines.get("judge", 1)
        page.refuse(line, f'{module}.py has no judge "{name}". {near(name, [*judges, "message"])}')
    for fact in ("praise", "Message"):
        if fact in page.facts or page.section(fact).source:
            page.refuse(1, f'"{fact}" goes with "judge: message" only.')
    judge: Any = judges[name]
    if (section := page.section("Cases")).source:
        judge = replace(judge, cases=tuple(map(judge.read, _cases(page, section))))
    return cast(Judge, judge)


def _cases(page: Page, section: Section) -> Iterator[Any]:
    """Return what stands in the lines of a block: raw texts, or values of JSON."""
    from ..judging.hostile_messages import read_message  # with all of the hostile mail

    codes = section.all_of("code")
    if len(codes) != 1 or codes[0].language not in ("json", "text"):
        page.refuse(section.line, "The cases are one block of JSON or of text, a line each.")
    for number, line in enumerate(codes[0].text.splitlines(), codes[0].line + 1):
        try:
            yield read_message(line) if codes[0].language == "text" else json.loads(line)
        except ValueError:
            page.refuse(number, "This case is not JSON: each stands in a line of its own.")


def _message_judge(page: Page) -> Judge:
    section = page.section("Message")
    wanted = _code(page, section, "json")
    try:
        return shows_message(wanted, page.facts.get("praise", "That is the message."))
    except ValueError as error:
        page.refuse(section.blocks[0].line, f"This is no message: {error}.")
