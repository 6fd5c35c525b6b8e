"""The presenter: the wire bench as a stage, with a queue of messages and the verdict held back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

import traitlets

from ...dispatcher import STEPS, Methods, Verdict
from ...rules import MCP, Rules
from ..kitchen import MESSAGES, METHODS
from ..live.cards import read_card
from . import Answer, Bench
from .answers import Handle, ask
from .showing import visible

__all__ = ["Item", "Presenter", "Scene", "present"]

_HERE = Path(__file__).parent
_SIZES = (16, 20, 24, 28)
_ALL_SHOWN = 7
_EXPORT = "export default { render };"  # the stage exports its own


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
    size: int = _SIZES[-2]


@dataclass(frozen=True)
class _Kept:
    """What a name remembers, so that running a cell twice loses nothing."""

    queue: tuple[Item, ...]
    scene: Scene
    raw: str
    rules: Rules


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

    `queue` holds raw texts by their titles, or a list of texts, names of prepared messages, and
    message cards; a card brings its own rules. A cell that runs again goes on where the stage of
    this `name` was, as long as its queue is the same. The rest is as for `bench`.

    Raises `ValueError` for an empty queue, and `CardError` for a card that is not whole.
    """
    items = tuple(_items(queue, rules))
    if not items:
        raise ValueError("a stage needs at least one message in its queue")
    handles = [handle] if beside is None else [handle, beside]
    return Presenter(items, name, handles, methods)


def _items(queue: Mapping[str, str] | Sequence[str], rules: Rules) -> Iterator[Item]:
    if isinstance(queue, Mapping):
        for title, text in queue.items():
            yield Item(title, text, rules)
        return
    for number, entry in enumerate([queue] if isinstance(queue, str) else queue, 1):
        if entry in MESSAGES:
            yield Item(entry, MESSAGES[entry], rules)
        elif entry.startswith("card"):
            card = read_card(entry)
            yield Item(f"a card, number {number}", card.message, card.rules)
        else:
            yield Item(f"message {number}", entry, rules)


def _joined(of_the_bench: str, own: str) -> str:
    """Return a file of the bench with the one that goes on where it ends."""
    files = (_HERE / of_the_bench, _HERE / own)
    return "".join(file.read_text(encoding="utf-8") for file in files)


class Presenter(Bench):
    """The live stage. Its `scene` can be set from Python too.

    The browser sends the scene it wants as `_wanted`, and shows the one that comes back as
    `_scene`. The bench below it asks and answers as ever.
    """

    _esm: Any = _joined("bench.js", "presenter.js").replace(_EXPORT, "")
    _css: Any = _joined("bench.css", "presenter.css")
    _titles: Any = traitlets.List().tag(sync=True)
    _sizes: Any = traitlets.List(list(_SIZES)).tag(sync=True)
    _wanted = traitlets.Dict().tag(sync=True, echo_update=False)
    _scene = traitlets.Dict().tag(sync=True)

    def __init__(
        self, queue: tuple[Item, ...], name: str, handles: list[Handle | None], methods: Methods
    ) -> None:
        kept = _kept.get(name)
        self.queue, self.name = queue, name
        self._place = Scene()
        super().__init__(queue[0].text, handles, methods, queue[0].rules, {})
        self._titles = [item.title for item in queue]
        if kept and kept.queue == queue:
            self._place = kept.scene
            self._ask(kept.raw, kept.rules)
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
            moved = scene.at != self._place.at
            self._place = _within(scene, len(self.queue))
            if moved:
                item = self.queue[self._place.at]
                self._ask(item.text, item.rules)
            self._keep()
            self._show(ticket)

    def start_over(self) -> None:
        """Go back to the first message as it was prepared, with its verdict hidden."""
        self._start_over("")

    def _start_over(self, ticket: str) -> None:
        with self._lock:
            self._place = Scene(size=self._place.size)
            self.reset()
            self._show(ticket)

    def transcript(self) -> str:
        """Return the queue as plain text: each message, and what comes back."""
        lines = [f'Stage "{self.name}". Run this cell to make it live.']
        for number, (item, answers) in enumerate(self._answers_to_all(), 1):
            lines += ["", f"{number}. {item.title} ({item.rules.source})"]
            lines += [f"    {line}" for line in visible(item.text).split("\n")]
            lines += [f"  → {line}" for line in map(self._in_words, answers)]
        return "\n".join(lines)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/plain"] = self.transcript()
            bundle[0]["text/html"] = self._as_html()
        return bundle

    def _as_html(self) -> str:
        rows = []
        for number, (item, answers) in enumerate(self._answers_to_all(), 1):
            words = "".join(f"<p>{escape(line)}</p>" for line in map(self._in_words, answers))
            rows.append(
                f'<tr><th align="left" valign="top">{number}. {escape(item.title)}</th>'
                f'<td align="left"><pre>{escape(visible(item.text))}</pre>{words}</td></tr>'
            )
        body = "\n".join(rows)
        return (
            f"<p>The stage “{escape(self.name)}”, as text. Run this cell to make it live.</p>\n"
            f"<table>\n<tbody>\n{body}\n</tbody>\n</table>"
        )

    def _answers_to_all(self) -> Iterator[tuple[Item, list[Answer]]]:
        for item in self.queue:
            yield item, [ask(h, item.text, self._methods, item.rules) for h in self._handles]

    def _in_words(self, answer: Answer) -> str:
        who = f"{answer.name}: " if len(self._handles) > 1 else ""
        if answer.failure:
            return f"{who}NO ANSWER. {visible(answer.failure)}"
        sent = visible(answer.sent or "SILENCE")
        return f"{who}{sent} ({_stop(answer.verdict)}{visible(answer.reason)})"

    def _on_wanted(self, change: Any) -> None:
        """Take a scene from the browser."""
        wanted = change["new"]
        if wanted.get("again"):
            self._start_over(wanted["ticket"])
        else:
            scene = Scene(wanted["at"], wanted["shown"], wanted["size"])
            self._go(scene, wanted["ticket"])

    def _judge(self, ticket: str, raw: str, rules: Rules) -> None:
        super()._judge(ticket, raw, rules)
        self._keep()

    def _keep(self) -> None:
        _kept[self.name] = _Kept(self.queue, self._place, self._raw, self._rules)

    def _show(self, ticket: str) -> None:
        self._scene = {"ticket": ticket, **asdict(self._place)}


def _stop(verdict: Verdict | None) -> str:
    """Say which light stops a message, as far as that is known."""
    if verdict is None or verdict.parts:
        return ""
    step = STEPS[verdict.step - 1]
    stops = "stopped here" in verdict.lights
    return f"Stops at {step.number} {step.name}. " if stops else "Passes all six. "


def _within(scene: Scene, length: int) -> Scene:
    return Scene(
        min(max(scene.at, 0), length - 1),
        min(max(scene.shown, 0), _ALL_SHOWN),
        min(_SIZES, key=lambda size: abs(size - scene.size)),
    )
