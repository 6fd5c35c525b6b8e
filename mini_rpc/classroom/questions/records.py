"""The questions of the lessons, read from one file a lesson, `lesson_1.md` and so on.

`format.md` shows the kinds of sections that a file has. Nothing is read before it is asked for. A
file that is wrong is refused with `BadContent`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from ...dispatcher import dispatch
from ..content import Block, Page, Section, read_page
from ..kitchen import MESSAGES, METHODS
from ..lessons import LAST, LESSONS
from ..teacher import or_else, teacher
from ..text import near
from .claims import NOTHING, Claim, find_claim

__all__ = [
    "TEMPLATE",
    "Goals",
    "Option",
    "Prediction",
    "Question",
    "Records",
    "goals",
    "predictions",
    "puzzles",
    "questions",
    "read_file",
]

TEMPLATE = Path(__file__).with_name("template.md")
"""A question to begin with: put another name for ID, and write it at the end of a lesson's file."""

_FACT = re.compile(r"(message|line|called|tells): (.+)")


@dataclass(frozen=True)
class Option:
    """One option of a question: its text, and why it is right or wrong.

    `misconception` names the mistake behind a wrong option; it is None for the right one.
    """

    text: str
    why: str
    misconception: str | None = None


@dataclass(frozen=True)
class Question:
    """A question of a lesson, with its options; `message` is a text that it is about, `tells` what
    would give the answer away. Of a puzzle, `line` is the number of the line that breaks a rule,
    and `called` its name on a page, which tells nothing."""

    id: str
    lesson: int
    ask: str
    options: Sequence[Option]
    message: str = ""
    tells: Sequence[str] = ()
    line: int = 0
    called: str = ""

    @property
    def talk(self) -> list[str]:
        return self.message.split("\n")


@dataclass(frozen=True)
class Prediction:
    """A raw message of a lesson, the claims about its verdict that can be chosen, and what `tells`
    which one holds."""

    id: str
    lesson: int
    raw: str
    claims: Sequence[Claim]
    tells: Sequence[str] = ()


@dataclass(frozen=True)
class Goals:
    """What a learner of a lesson is to bring about on the bench."""

    id: str
    lesson: int
    ask: str
    claims: Sequence[Claim]


@dataclass(frozen=True)
class Records:
    """What files hold, each kind by id, in the order of the files."""

    questions: dict[str, Question] = field(default_factory=dict)
    predictions: dict[str, Prediction] = field(default_factory=dict)
    puzzles: dict[str, Question] = field(default_factory=dict)
    goals: dict[str, Goals] = field(default_factory=dict)


def questions() -> Mapping[str, Question]:
    """Return the questions for `quiz`, by id, in the order of the lessons."""
    return _lessons().questions


def predictions() -> Mapping[str, Prediction]:
    """Return the messages for `predict`, by id, in the order of the lessons."""
    return _lessons().predictions


def puzzles() -> Mapping[str, Question]:
    """Return the talks for `puzzle`, by id, in the order of the lessons."""
    return _lessons().puzzles


def goals() -> Mapping[str, Goals]:
    """Return what `provoke` asks for, by id, in the order of the lessons."""
    return _lessons().goals


@cache
def _lessons() -> Records:
    found = Records()
    for number in LESSONS:
        read_file(Path(__file__).with_name(f"lesson_{number}.md"), found)
    own = teacher().questions
    if own is None:
        return found
    copy = Records(*map(dict, vars(found).values()))
    return or_else(partial(read_file, own, copy), found)


def read_file(path: Path, found: Records | None = None) -> Records:
    """Read a file of questions; return what it holds, together with what was `found` before.

    Raises `BadContent`, with the file's name, the line and a sentence, where the file is wrong.
    """
    found = found or Records()
    page = read_page(path)
    page.expect({"lesson": True})
    number = page.facts["lesson"]
    if not number.isdecimal() or int(number) not in LESSONS:
        page.refuse(page.lines["lesson"], f"There is no lesson {number}. There are 0 to {LAST}.")
    makers = {"question": _question, "prediction": _prediction, "puzzle": _puzzle, "goals": _goals}
    records: dict[str, Any] = dict(zip(makers, vars(found).values(), strict=True))
    for section in page.sections:
        kind, _, id = (part.strip() for part in section.title.partition(":"))
        if kind not in makers or not id:
            page.refuse(section.line, 'A heading is like "## question: id in msg".')
        if id in records[kind]:
            page.refuse(section.line, f'There is another {kind} with the name "{id}".')
        records[kind][id] = makers[kind](page, section, id, int(number))  # type: ignore[operator]
    return found


def _question(
    page: Page, section: Section, id: str, lesson: int, *, of_talk: bool = False
) -> Question:
    message = _message(page, section, needed=of_talk)
    options = [_option(page, part) for part in section.parts]
    many = [option.misconception for option in options].count(None)
    if many != 1:
        page.refuse(section.line, f"One option must be right, and here are {many or 'none'}.")
    _all_differ(page, section, [option.text for option in options])
    return Question(id, lesson, _asked(page, section), options, message, _tells(section))


def _puzzle(page: Page, section: Section, id: str, lesson: int) -> Question:
    found = _question(page, section, id, lesson, of_talk=True)
    facts = _facts(section.blocks)
    number, line = facts.get("line", ("", section.line))
    last = len(found.talk)
    if not number.isdecimal() or int(number) not in range(1, last + 1):
        page.refuse(line, f'The line that breaks a rule is missing: "line: 1" to "line: {last}".')
    return replace(found, line=int(number), called=facts.get("called", (id,))[0])


def _asked(page: Page, section: Section) -> str:
    return _text(section.blocks) or page.refuse(section.line, "What is asked is missing.")


def _tells(section: Section) -> tuple[str, ...]:
    tells, _ = _facts(section.blocks).get("tells", ("", 0))
    return tuple(filter(None, tells.split(" | ")))


def _goals(page: Page, section: Section, id: str, lesson: int) -> Goals:
    return Goals(id, lesson, _asked(page, section), _claims(page, section))


def _option(page: Page, part: Section) -> Option:
    kind, _, text = (piece.strip() for piece in part.title.partition(":"))
    if kind not in ("right", "wrong") or not text:
        page.refuse(part.line, 'An option is headed like "### right: False" or "### wrong: True".')
    why = _text(part.blocks)
    if not why:
        page.refuse(part.line, "The reason is missing: say why this option is right or wrong.")
    mistakes = part.all_of("quote")
    if kind == "wrong" and len(mistakes) != 1:
        names = 'A wrong option names its mistake, in a line like "> a bool is an id".'
        page.refuse(part.line, names)
    if kind == "right" and mistakes:
        page.refuse(mistakes[0].line, "The right option has no mistake to name.")
    return Option(text, why, mistakes[0].text if mistakes else None)


def _prediction(page: Page, section: Section, id: str, lesson: int) -> Prediction:
    raw = _message(page, section, needed=True)
    claims = _claims(page, section)
    texts = section.all_of("list")[0].items
    for part in section.parts:
        option = _option(page, part)
        if option.text not in texts or not option.misconception:
            page.refuse(part.line, "A part of a prediction explains one of its wrong claims.")
        at = texts.index(option.text)
        claims[at] = replace(claims[at], misconception=option.misconception, why=option.why)
    line = section.all_of("list")[0].line
    if NOTHING not in claims:
        page.refuse(line, f'"{NOTHING.text}" must be one of the claims.')
    verdict = dispatch(raw, METHODS)
    right = [claim.holds(verdict) for claim in claims].count(True)
    if right != 1:
        page.refuse(line, f"One claim must hold, and here {right or 'none'} would.")
    return Prediction(id, lesson, raw, claims, _tells(section))


def _claims(page: Page, section: Section) -> list[Claim]:
    lists = section.all_of("list")
    if len(lists) != 1:
        page.refuse(section.line, "One list is wanted here, of what can come back.")
    _all_differ(page, section, lists[0].items)
    return [
        find_claim(text) or page.refuse(line, f'There is no claim "{text}".')
        for line, text in enumerate(lists[0].items, lists[0].line)
    ]


def _message(page: Page, section: Section, *, needed: bool) -> str:
    codes = section.all_of("code")
    name, line = _facts(section.blocks).get("message", ("", section.line))
    if len(codes) + bool(name) not in ((1,) if needed else (0, 1)):
        page.refuse(section.line, "One message is wanted here, between two lines of ```.")
    if name and name not in MESSAGES:
        page.refuse(line, f'The kitchen has no message "{name}". {near(name, MESSAGES)}')
    return codes[0].text.removesuffix("\n") if codes else MESSAGES.get(name, "")


def _facts(blocks: Sequence[Block]) -> dict[str, tuple[str, int]]:
    """Return each line such as "message: a crash": its value, and where it stands."""
    found = ((_FACT.fullmatch(block.text), block) for block in blocks if block.kind == "text")
    return {fact[1]: (fact[2], block.line) for fact, block in found if fact}


def _text(blocks: Sequence[Block]) -> str:
    texts = (block.text for block in blocks if block.kind == "text")
    return "\n\n".join(text for text in texts if not _FACT.fullmatch(text))


def _all_differ(page: Page, section: Section, texts: Sequence[str]) -> None:
    if len(set(texts)) < max(2, len(texts)):
        page.refuse(section.line, "There must be two options or more, and no two may be the same.")
