"""The acts of the live demo, read from one file an act, `act_0.md` and so on, and the plans.

`acts/format.md` shows the parts of an act, in the order in which they are played. `plans.md` has a
section for each plan, as "50 minutes", and in it a list of items such as "10: act 1" or "8: Your
turn: lesson 1". A file that is wrong is refused with `BadContent`: its name, line and one sentence.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...dispatcher import Methods
from ..content import Page, Section, read_page
from ..judging.break_clerks import CLERKS
from ..kitchen import MESSAGES, METHODS
from ..talks.peers import recorded
from ..text import NoSuchName
from .poll import find_poll

__all__ = ["ACTS", "Act", "Kind", "Part", "Plan", "read_acts", "read_plans"]

ACTS = Path(__file__).with_name("acts")
"""Where the course's own acts and plans are."""

Kind = Literal["message", "vote", "timeline", "text"]
_PARTS = re.compile(r"(message|vote|timeline|text): +(.+)")
_ITEM = re.compile(r"(\d+): +(.+)")
_ACT = re.compile(r"act (\d+)")


@dataclass(frozen=True)
class Part:
    """One part of an act: a message, a vote by its name, a log, or a text, and its title."""

    kind: Kind
    title: str
    text: str


@dataclass(frozen=True)
class Act:
    """An act; `script` is Markdown for the presenter, `beside` the name of a second dispatcher."""

    number: int
    title: str
    minutes: int
    script: str
    parts: tuple[Part, ...]
    beside: str = ""
    methods: Methods | None = None


@dataclass(frozen=True)
class Plan:
    """What fills so many `minutes`: for each item its own, and an act's number or words."""

    minutes: int
    about: str
    items: tuple[tuple[int, int | str], ...]


def read_acts(folder: Path = ACTS) -> dict[int, Act]:
    """Return the acts of a folder by number. Raises `BadContent` for a file that is wrong."""
    acts: dict[int, Act] = {}
    for path in sorted(folder.glob("act_*.md")):
        page = read_page(path)
        act = _act(page)
        if act.number in acts:
            page.refuse(page.lines["act"], f"There is another act {act.number}.")
        acts[act.number] = act
    return acts


def read_plans(acts: Mapping[int, Act], folder: Path = ACTS) -> dict[int, Plan]:
    """Return the plans by their minutes. Raises `BadContent` for one that does not add up."""
    path = folder / "plans.md"
    if not path.exists():
        return {}
    page = read_page(path)
    plans = [_plan(page, section, acts) for section in page.sections]
    return {plan.minutes: plan for plan in plans}


def _act(page: Page) -> Act:
    page.expect({"act": True, "title": True, "minutes": True, "beside": False})
    number, minutes = _number(page, "act"), _number(page, "minutes")
    beside = page.facts.get("beside", "")
    if beside and beside not in CLERKS:
        page.refuse(page.lines["beside"], f"There is no dispatcher {beside}.")
    parts = tuple(_parts(page))
    if len({part.title for part in parts}) < len(parts):
        page.refuse(1, "Two parts of an act have the same title.")
    if not parts:
        page.refuse(1, "An act needs a message, a vote, a timeline or a text.")
    script = page.section("script").source
    return Act(number, page.facts["title"], minutes, script, parts, beside, _methods(page))


def _number(page: Page, name: str) -> int:
    if not page.facts[name].isdecimal():
        page.refuse(page.lines[name], f"{name} is a whole number.")
    return int(page.facts[name])


def _parts(page: Page) -> Iterator[Part]:
    for section in page.sections:
        if section.title in ("script", "methods"):
            continue
        found = _PARTS.fullmatch(section.title)
        if found is None:
            page.refuse(section.line, f'"{section.title}" is no part of an act: see format.md.')
        kind, title = found[1], found[2]
        yield Part(kind, title, _content(page, section, kind, title))  # type: ignore[arg-type]


def _message(page: Page, section: Section, title: str) -> str:
    if code := section.all_of("code"):
        return code[0].text.removesuffix("\n")
    named = section.all_of("text")[0].text if section.all_of("text") else ""
    kind, _, name = named.partition(": ")
    if kind == "message" and name in MESSAGES:
        return MESSAGES[name]
    log, _, place = name.rpartition(" ")
    if kind == "recorded" and place.isdecimal():
        with suppress(NoSuchName, IndexError):
            return [*recorded(log).messages.values()][int(place) - 1]
    return page.refuse(section.line, f'"{title}" has no fenced text, and names no message.')


def _content(page: Page, section: Section, kind: str, title: str) -> str:
    if kind == "message":
        return _message(page, section, title)
    if kind == "vote":
        try:
            find_poll(title)
        except ValueError:
            page.refuse(section.line, f'The lessons have no question "{title}" to vote on.')
        return title
    code = section.all_of("code")
    if not code:
        page.refuse(section.line, f'"{title}" has no fenced text.')
    is_log = all(line.startswith(("> ", "< ")) for line in code[0].text.splitlines())
    if kind == "timeline" and not is_log:
        page.refuse(code[0].line, 'Each line of a log begins with "> " or "< ".')
    return code[0].text.removesuffix("\n")


def _methods(page: Page) -> Methods | None:
    """Return methods that give back what the section says, or None for the kitchen's."""
    code = page.section("methods").all_of("code")
    if not code:
        return None
    try:
        results = dict(json.loads(code[0].text))
    except ValueError:
        page.refuse(code[0].line, "The methods are no JSON object.")
    returning = {name: lambda params, it=result: it for name, result in results.items()}
    return {**METHODS, **returning}


def _plan(page: Page, section: Section, acts: Mapping[int, Act]) -> Plan:
    minutes = section.title.removesuffix(" minutes")
    lists = section.all_of("list")
    if not minutes.isdecimal() or not lists:
        page.refuse(section.line, 'A plan is called "50 minutes", and has a list.')
    items: list[tuple[int, int | str]] = []
    for line in lists[0].items:
        found = _ITEM.fullmatch(line)
        if found is None:
            page.refuse(lists[0].line, f'"{line}" is no item of a plan: "10: act 1" is one.')
        act = _ACT.fullmatch(found[2])
        if act and int(act[1]) not in acts:
            page.refuse(lists[0].line, f"There is no act {act[1]}.")
        items.append((int(found[1]), int(act[1]) if act else found[2]))
    if sum(taken for taken, _ in items) != int(minutes):
        page.refuse(section.line, f"The items take {sum(t for t, _ in items)} minutes.")
    about = " ".join(block.text for block in section.all_of("text"))
    return Plan(int(minutes), about, tuple(items))
