"""The presenter: the wire bench as a stage, with a queue of messages and the verdict held back."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import traitlets

from ...dispatcher import Methods
from ...rules import MCP, Rules
from ..bench.answers import Handle
from ..bench.widget import BENCH_SCRIPT, BENCH_STYLE, RULES, Bench
from ..kitchen import MESSAGES, METHODS
from ..text import type_name, visible
from ..widget import SCRIPT, STYLE, Widget, joined, module
from .cards import CardError, read_card

__all__ = ["PROJECTOR", "SIZES", "STAGE", "Item", "Presenter", "Scene", "present"]

_HERE = Path(__file__).parent
PROJECTOR = _HERE / "projector.js"
"""What the stage and the tally share."""
SIZES = (16, 20, 24, 28, 36, 44)
STAGE = (_HERE / "shout.js", _HERE / "stage.js")
_ALL_SHOWN = 7
_CARD = re.compile(r"\W*(open_card\W*)?card\d+-")


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


Text = tuple[str, Rules]


_kept: dict[str, Presenter] = {}
"""The latest stage of each name, so that running a cell twice loses nothing."""


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
    return bool(_CARD.match(text))


class Presenter(Bench):
    """The live stage. Its `scene` can be set from Python too.

    The browser sends the scene it wants as `_wanted`, and shows the one that comes back as
    `_scene`. The bench below it asks and answers as ever. With `_scene`, `_queue` and `_edited` the
    browser can bring all of it `back` to another kernel, when this one is gone.
    """

    _esm: Any = module(SCRIPT, BENCH_SCRIPT, PROJECTOR, *STAGE, render="renderStage")
    _css = joined(STYLE, BENCH_STYLE, _HERE / "stage.css")
    _queue: Any = traitlets.List().tag(sync=True)
    _edited = traitlets.Dict().tag(sync=True)
    _sizes: Any = traitlets.List(list(SIZES)).tag(sync=True)
    _wanted = traitlets.Dict().tag(sync=True, echo_update=False)
    _scene = traitlets.Dict().tag(sync=True)

    def __init__(
        self, queue: tuple[Item, ...], name: str, handles: list[Handle | None], methods: Methods
    ) -> None:
        before = _kept.get(name)
        self.queue = self._prepared = queue  # `queue` will have what a class sends besides
        self.name = name
        self._place = Scene()
        self._texts: dict[int, Text] = {}  # as they were left, by place in the queue
        self._fresh = before is None or before._prepared != queue
        super().__init__(queue[0].text, handles, methods, queue[0].rules, {})
        if before and not self._fresh:
            self._come_back(before.queue, before._texts, before._place)
        _kept[name] = self
        self._show("")
        self.observe(self._on_wanted, "_wanted")

    @property
    def scene(self) -> Scene:
        """Where the stage stands. Going to another message hides its verdict if you say so."""
        return self._place

    @scene.setter
    def scene(self, scene: Scene) -> None:
        self._go(scene, "")

    def insert(self, text: str, ticket: str = "") -> None:
        """Put a raw message or a card behind the message that is shown, and go to it.

        Raises `CardError` for a card that is not whole.
        """
        with self._lock:
            item = _item("from the class", text, self._rules)
            at = self._place.at + 1
            self._texts = {n + (n >= at): left for n, left in self._texts.items()}
            self.queue = (*self.queue[:at], item, *self.queue[at:])
            self._go(replace(self._place, at=at, shown=0), ticket)

    def start_over(self, ticket: str = "") -> None:
        """Go back to the first message, and to all of them as they were prepared."""
        with self._lock:
            self._place = Scene(size=self._place.size)
            self._texts = {}
            self.queue = self._prepared
            self._show(ticket)
            self.reset()

    def transcript(self) -> str:
        """Return the queue as plain text, without what comes back: a class may read it."""
        lines = [f'Stage "{self.name}". Run this cell to make it live.']
        for number, item in enumerate(self.queue, 1):
            lines += ["", f"{number}. {item.title} ({item.rules.source})"]
            lines += [f"    {line}".rstrip() for line in visible(item.text).split("\n")]
        return "\n".join(lines)

    _as_html = Widget._as_html  # the queue, and not what the bench says of it

    def _go(self, scene: Scene, ticket: str) -> None:
        with self._lock:
            before, self._place = self._place, _within(scene, len(self.queue))
            self._show(ticket)  # first, so that a title never waits for a slow dispatcher
            if before.at != self._place.at:
                self._ask(*self._left(self._place.at))

    def _left(self, at: int) -> Text:
        return self._texts.get(at, (self.queue[at].text, self.queue[at].rules))

    def _come_back(self, queue: tuple[Item, ...], texts: Mapping[int, Text], scene: Scene) -> None:
        self.queue, self._texts = queue, dict(texts)
        self._place = _within(scene, len(queue))
        self._ask(*self._left(self._place.at))

    def _on_wanted(self, change: Any) -> None:
        """Take a scene from the browser. An exception here would vanish unseen."""
        wanted = change["new"]
        try:
            self._take(wanted, wanted["ticket"])
        except CardError as error:
            self._show(wanted["ticket"], f"{error}")
        except Exception as error:
            self._show(wanted["ticket"], f"The stage itself failed. {type_name(error)}.")

    def _take(self, wanted: dict[str, Any], ticket: str) -> None:
        if wanted.get("again"):
            return self.start_over(ticket)
        if wanted.get("insert"):
            return self.insert(json.loads(wanted["insert"]), ticket)
        scene = Scene(wanted["at"], wanted["shown"], wanted["size"])
        if back := wanted.get("back"):
            queue = tuple(Item(title, *_unpacked(text)) for title, *text in back["queue"])
            texts = {int(at): _unpacked(text) for at, text in back["texts"].items()}
            self._come_back(queue, texts, scene)
            return self._show(ticket)
        return self._go(scene, ticket)

    def _judge(self, ticket: str, raw: str, rules: Rules) -> None:
        item = self.queue[self._place.at]
        self._texts[self._place.at] = (raw, rules)
        if (raw, rules) == (item.text, item.rules):
            del self._texts[self._place.at]
        self._edited = {f"{at}": _packed(text) for at, text in self._texts.items()}
        super()._judge(ticket, raw, rules)

    def _make_setup(self, messages: Mapping[str, str]) -> dict[str, Any]:
        print_of_queue = zlib.crc32(repr(self._prepared).encode("utf-8", "replace"))
        name = f"{self.name} {print_of_queue:x}"
        return {**super()._make_setup(messages), "name": name, "fresh": self._fresh}

    def _show(self, ticket: str, broken: str = "") -> None:
        self._queue = [[item.title, *_packed((item.text, item.rules))] for item in self.queue]
        place = {"ticket": ticket, **asdict(self._place)}
        self._scene = {**place, "broken": broken} if broken else place


def _packed(text: Text) -> list[str]:
    """Return a text and its rules as the browser keeps them: ASCII carries lone surrogates."""
    return [json.dumps(text[0]), text[1].source]


def _unpacked(packed: Sequence[str]) -> Text:
    return json.loads(packed[0]), RULES[packed[1]]


def _within(scene: Scene, length: int) -> Scene:
    return Scene(
        min(max(scene.at, 0), length - 1),
        min(max(scene.shown, 0), _ALL_SHOWN),
        min(SIZES, key=lambda size: abs(size - scene.size)),
    )
