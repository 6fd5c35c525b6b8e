"""The presenter: the wire bench as a stage, with a queue of messages and the verdict held back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

import traitlets

from ...dispatcher import Methods
from ...rules import MCP, Rules
from ..bench import Bench
from ..bench.answers import Handle
from ..bench.widget import BENCH_SCRIPT, BENCH_STYLE
from ..kitchen import MESSAGES, METHODS
from ..text import visible
from ..widget import SCRIPT, STYLE, joined, module
from .cards import read_card

__all__ = ["PROJECTOR", "SIZES", "Item", "Presenter", "Scene", "present"]

_HERE = Path(__file__).parent
PROJECTOR = _HERE / "projector.js"
"""What the stage and the tally share."""
SIZES = (16, 20, 24, 28, 36, 44)
_ALL_SHOWN = 7


@dataclass(frozen=True)
class Item:
    """One message of a queue: its title, its raw text, and the rules it is judged by."""

    title: str
    text: str
    rules: Rules


@dataclass(frozen=True)
class Scene:
    """Where a presenter stands: at which message, counted from 0, and how much of it is `shown`:
    nothing (0), so many lights (1 to 6), or all (7). `size` is the font's, in pixels."""

    at: int = 0
    shown: int = 0
    size: int = SIZES[2]


@dataclass(frozen=True)
class _Kept:
    """What a name remembers, so that running a cell twice loses nothing."""

    queue: tuple[Item, ...]
    scene: Scene
    texts: Mapping[int, tuple[str, Rules]]


_kept: dict[str, _Kept] = {}


def present(
    queue: Mapping[str, str] | Sequence[str] = tuple(MESSAGES),
    *,
    name: str = "stage",
    handle: Handle | None = None,
    beside: Handle | None = None,
    methods: Methods = METHODS,
    rules: Rules = MCP,
) -> Presenter:
    """Return the bench as a stage for a class.

    `queue` holds raw texts and message cards by their titles, or is a list of texts, names of
    prepared messages, and cards; a card brings its own rules. A cell that runs again goes on where
    the stage of this `name` was, as long as its queue is the same. The rest is as for `bench`.

    Raises `ValueError` for an empty queue, and `CardError` for a card that is not whole.
    """
    items = tuple(_items(queue, rules))
    if not items:
        raise ValueError("a stage needs at least one message in its queue")
    handles = [handle] if beside is None else [handle, beside]
    return Presenter(items, name, handles, methods)


def _items(queue: Mapping[str, str] | Sequence[str], rules: Rules) -> Iterator[Item]:
    if isinstance(queue, Mapping):
        yield from (_item(title, text, rules) for title, text in queue.items())
        return
    for number, entry in enumerate([queue] if isinstance(queue, str) else queue, 1):
        if entry in MESSAGES:
            yield Item(entry, MESSAGES[entry], rules)
        else:
            kind = "a card, number" if _is_card(entry) else "message"
            yield _item(f"{kind} {number}", entry, rules)


def _item(title: str, text: str, rules: Rules) -> Item:
    if not _is_card(text):
        return Item(title, text, rules)
    card = read_card(text)
    return Item(title, card.message, card.rules)


def _is_card(text: str) -> bool:
    return text.lstrip().startswith("card")


class Presenter(Bench):
    """The live stage. Its `scene` can be set from Python too.

    The browser sends the scene it wants as `_wanted`, and shows the one that comes back as
    `_scene`. The bench below it asks and answers as ever.
    """

    _esm: Any = module(SCRIPT, BENCH_SCRIPT, PROJECTOR, _HERE / "stage.js", render="renderStage")
    _css = joined(STYLE, BENCH_STYLE, _HERE / "stage.css")
    _titles: Any = traitlets.List().tag(sync=True)
    _sizes: Any = traitlets.List(list(SIZES)).tag(sync=True)
    _wanted = traitlets.Dict().tag(sync=True, echo_update=False)
    _scene = traitlets.Dict().tag(sync=True)

    def __init__(
        self, queue: tuple[Item, ...], name: str, handles: list[Handle | None], methods: Methods
    ) -> None:
        kept = _kept.get(name)
        self.queue, self.name = queue, name
        self._place = Scene()
        self._texts: dict[int, tuple[str, Rules]] = {}  # as they were left, by place in the queue
        super().__init__(queue[0].text, handles, methods, queue[0].rules, {})
        self._titles = [item.title for item in queue]
        if kept and kept.queue == queue:
            self._place = kept.scene
            self._texts = dict(kept.texts)
            self._ask(*self._texts[kept.scene.at])
        self._show("")
        self.observe(self._on_wanted, "_wanted")

    @property
    def scene(self) -> Scene:
        """Where the stage stands. Going to another message hides its verdict if you say so."""
        return self._place

    @scene.setter
    def scene(self, scene: Scene) -> None:
        self._go(scene, "")

    def _go(self, scene: Scene, ticket: str) -> None:
        with self._lock:
            before, self._place = self._place, _within(scene, len(self.queue))
            self._show(ticket)  # first, so that a title never waits for a slow dispatcher
            if before.at != self._place.at:
                item = self.queue[self._place.at]
                self._ask(*self._texts.get(self._place.at, (item.text, item.rules)))
            self._keep()

    def start_over(self) -> None:
        """Go back to the first message, and to all of them as they were prepared."""
        self._start_over("")

    def _start_over(self, ticket: str) -> None:
        with self._lock:
            self._place = Scene(size=self._place.size)
            self._texts = {}
            self._show(ticket)
            self.reset()

    def transcript(self) -> str:
        """Return the queue as plain text, without what comes back: a class may read it."""
        lines = [f'Stage "{self.name}". Run this cell to make it live.']
        for number, item in enumerate(self.queue, 1):
            lines += ["", f"{number}. {item.title} ({item.rules.source})"]
            lines += [f"    {line}".rstrip() for line in visible(item.text).split("\n")]
        return "\n".join(lines)

    def _as_html(self) -> str:
        items = "\n".join(
            f"<li>{escape(item.title)}<pre>{escape(visible(item.text))}</pre></li>"
            for item in self.queue
        )
        return (
            f"<p>The stage “{escape(self.name)}”, as text. Run this cell to make it live.</p>\n"
            f"<ol>\n{items}\n</ol>"
        )

    def _on_wanted(self, change: Any) -> None:
        """Take a scene from the browser."""
        wanted = change["new"]
        if wanted.get("again"):
            self._start_over(wanted["ticket"])
        else:
            scene = Scene(wanted["at"], wanted["shown"], wanted["size"])
            self._go(scene, wanted["ticket"])

    def _judge(self, ticket: str, raw: str, rules: Rules) -> None:
        self._texts[self._place.at] = (raw, rules)
        super()._judge(ticket, raw, rules)
        self._keep()

    def _keep(self) -> None:
        _kept[self.name] = _Kept(self.queue, self._place, dict(self._texts))

    def _show(self, ticket: str) -> None:
        self._scene = {"ticket": ticket, **asdict(self._place)}


def _within(scene: Scene, length: int) -> Scene:
    return Scene(
        min(max(scene.at, 0), length - 1),
        min(max(scene.shown, 0), _ALL_SHOWN),
        min(SIZES, key=lambda size: abs(size - scene.size)),
    )
