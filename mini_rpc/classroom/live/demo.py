"""The live demo: all acts as one flow that fills the screen, and what the presenter sees of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
import traitlets

from ..judging.break_clerks import clerk
from ..kitchen import METHODS
from ..talks.timeline import Timeline
from ..teacher import teacher
from ..text import Plain, visible
from ..widget import SCRIPT, STYLE, Widget, joined, module
from .acts import ACTS, Act, Part, Plan, read_acts, read_plans
from .poll import find_poll
from .stage import PROJECTOR, SIZES, present
from .tally import tally

__all__ = ["LiveDemo", "NoSuchPlan", "act_notes", "live_demo", "timeline_of"]

_HERE = Path(__file__).parent
_END = "Thank you. What will you try first?"
_kept: dict[str, dict[str, Any]] = {}
"""Where the demo of a name stands, so that running its cell twice loses nothing."""


class NoSuchPlan(Plain, ValueError):
    """There is no plan for so many minutes."""


@dataclass(frozen=True)
class Stop:
    """One stop of the flow: messages, a vote, a timeline, or a text, and how long it may take."""

    act: Act | None
    parts: tuple[Part, ...]
    minutes: float

    @property
    def kind(self) -> str:
        return self.parts[0].kind


def live_demo(
    minutes: int | None = None, *, folder: str | Path | None = None, name: str = "live demo"
) -> LiveDemo:
    """Return all acts as one flow, made for the projector; a plan for so many `minutes` if given.

    `folder` holds the acts and plans: those of `teacher.md` or the course's, unless it is given.
    A cell that runs again goes on where the demo of this `name` was.

    Raises `NoSuchPlan` with a sentence, and `BadContent` for a file that is wrong.
    """
    home = Path(folder or teacher().acts or ACTS)
    acts = read_acts(home)
    plans = read_plans(acts, home)
    if minutes is not None and minutes not in plans:
        known = ", ".join(map(str, plans)) or "none"
        raise NoSuchPlan(f"There is no plan for {minutes} minutes. There are plans for: {known}.")
    return LiveDemo(acts, plans[minutes] if minutes else None, name)


def act_notes(*acts: int, folder: str | Path | None = None) -> Any:
    """Return the scripts of these acts, or of all, and the plans: for your eyes, as Markdown."""
    from IPython.display import Markdown

    home = Path(folder or teacher().acts or ACTS)
    known = read_acts(home)
    plans = [] if acts else [*map(_plan_words, read_plans(known, home).values())]
    wanted = [act for number, act in known.items() if not acts or number in acts]
    scripts = [f"### Act {a.number}. {a.title} ({a.minutes} minutes)\n\n{a.script}" for a in wanted]
    return Markdown("\n\n".join([*plans, *scripts]))  # type: ignore[no-untyped-call]


def _plan_words(plan: Plan) -> str:
    rows = [f"| {n} | {f'act {it}' if isinstance(it, int) else it} |" for n, it in plan.items]
    head = f"### {plan.minutes} minutes\n\n{plan.about}\n\n| minutes | what |\n|---:|---|\n"
    return head + "\n".join(rows)


class LiveDemo(Widget):
    """The live flow. Where it stands is the browser's to say, and is kept here as `_place`."""

    _esm: Any = module(
        SCRIPT, PROJECTOR, _HERE / "presenter_view.js", _HERE / "demo.js", render="renderDemo"
    )
    _css = joined(STYLE, _HERE / "demo.css")
    _setup = traitlets.Dict().tag(sync=True)
    _parts: Any = traitlets.List().tag(sync=True, **ipywidgets.widget_serialization)
    _place = traitlets.Dict().tag(sync=True)

    def __init__(self, acts: Mapping[int, Act], plan: Plan | None, name: str) -> None:
        self.acts, self.plan, self.name = acts, plan, name
        self.stops = tuple(_stops(acts, plan))
        fresh = name not in _kept
        super().__init__(
            _setup={
                "name": name,
                "fresh": fresh,
                "sizes": SIZES,
                "acts": {f"{n}": [act.title, act.script] for n, act in acts.items()},
                "stops": [*map(_for_the_browser, self.stops)],
            },
            _parts=[self._make_part(at, stop) for at, stop in enumerate(self.stops)],
            _place=_kept.get(name, {"stop": 0, "size": SIZES[3], "began": None}),
        )
        self.observe(self._on_place, "_place")

    def _make_part(self, at: int, stop: Stop) -> Widget | None:
        name = f"{self.name}, stop {at}"
        if stop.kind == "vote":
            return tally(stop.parts[0].text, name=name, hidden=True)
        if stop.kind == "timeline":
            return timeline_of(stop.parts[0])
        if stop.kind == "text" or stop.act is None:
            return None
        return present(
            {part.title: part.text for part in stop.parts},
            name=name,
            beside=clerk(stop.act.beside) if stop.act.beside else None,
            methods=stop.act.methods or METHODS,
        )

    def _on_place(self, change: Any) -> None:
        _kept[self.name] = dict(change["new"])

    def transcript(self) -> str:
        """Return the flow as plain text, without script or answers: a class may read it."""
        lines = ["The live demo, as text. Run this cell to make it live."]
        for act, stops in groupby(self.stops, key=lambda stop: stop.act):
            parts = [part for stop in stops for part in stop.parts]
            if act is None:
                lines += [line for part in parts for line in ("", part.text)]
                continue
            lines += ["", f"Act {act.number}. {act.title}"]
            for kind, text in map(_in_words, parts):
                lines += [f"  {kind}", *(f"      {line}" for line in text.split("\n") if line)]
        return "\n".join(lines)


def timeline_of(part: Part) -> Timeline:
    """Return the timeline of a part that holds a log, with nothing shown yet."""
    log: list[tuple[Any, str]] = [(line[0], line[2:]) for line in part.text.splitlines()]
    return Timeline(log, from_start=True)


def _in_words(part: Part) -> tuple[str, str]:
    if part.kind == "vote":
        poll = find_poll(part.text)
        return f"vote: {poll.ask}", visible(poll.message)
    return f"{part.kind}: {part.title}", "" if part.kind == "timeline" else visible(part.text)


def _stops(acts: Mapping[int, Act], plan: Plan | None) -> Iterator[Stop]:
    """Yield the stops of a plan, an end, and the acts that are not in it; or of all acts."""
    items = plan.items if plan else tuple((act.minutes, n) for n, act in acts.items())
    for minutes, item in items:
        if isinstance(item, int):
            yield from _act_stops(acts[item], minutes)
        else:
            yield Stop(None, (Part("text", item, item),), minutes)
    if plan:
        yield Stop(None, (Part("text", "the end", _END),), 0)
    for number, act in acts.items():
        if number not in [item for _, item in items]:
            yield from _act_stops(act, 0)


def _act_stops(act: Act, minutes: float) -> Iterator[Stop]:
    """Yield the stops of an act: messages that follow each other are one."""
    numbered = enumerate(act.parts)
    for _, run in groupby(numbered, lambda one: "" if one[1].kind == "message" else one[0]):
        parts = tuple(part for _, part in run)
        yield Stop(act, parts, minutes * len(parts) / len(act.parts))


def _for_the_browser(stop: Stop) -> dict[str, Any]:
    return {
        "act": stop.act.number if stop.act else None,
        "kind": stop.kind,
        "title": stop.parts[0].title,
        "text": visible(stop.parts[0].text),
        "minutes": stop.minutes,
    }
