"""The wire bench: a raw message on one side, what a dispatcher makes of it on the other."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...dispatcher import STEPS, Methods, Verdict
from ...rules import JSON_RPC, MCP, Rules
from ..eras import in_envelope
from ..kitchen import MESSAGES, METHODS
from ..teacher import teacher
from ..text import NotText, type_name
from ..widget import SCRIPT, STYLE, Asked, joined, module
from .answers import SECONDS, Answer, Handle, ask, is_course, is_quick
from .sheet import ENVELOPE, RULES_IN_WORDS, Sheet, make_sheet
from .transcript import as_html, as_text

__all__ = ["BENCH_SCRIPT", "BENCH_STYLE", "RULES", "Bench", "bench"]

BENCH_SCRIPT = Path(__file__).with_name("bench.js")
BENCH_STYLE = Path(__file__).with_name("bench.css")
"""What a widget that is more than a bench goes on from."""
RULES = {rules.source: rules for rules in (MCP, JSON_RPC, ENVELOPE)}


def bench(
    raw: str | None = None,
    *,
    handle: Handle | None = None,
    beside: Handle | None = None,
    methods: Methods = METHODS,
    rules: Rules = MCP,
    messages: Mapping[str, str] = MESSAGES,
    envelope: bool = False,
) -> Bench:
    """Return a `Bench` that starts with this raw text, or else with the first of the messages.

    `handle` is the dispatcher that judges, the course's unless another is given; with `beside`
    a second one judges the same text, and the difference is marked. A dispatcher is a function
    of the raw text and the methods that returns the reply as a dict, or None for silence.
    `rules` and the switch between them concern the course's dispatcher. With `envelope` the switch
    has a third place: what MCP asks of `_meta`, of versions and of methods' names, too.

    Raises `TypeError` if `raw` is not text, `ValueError` for rules other than MCP and JSON_RPC.
    """
    if messages is MESSAGES:
        messages = {**MESSAGES, **teacher().messages}
    start = next(iter(messages.values()), "") if raw is None else raw
    handles = [handle] if beside is None else [handle, beside]
    return Bench(start, handles, methods, rules, messages, envelope)


class Bench(Asked):
    """The live bench. Set `raw` or `rules`, read `verdict`: from Python, with or without a browser.

    `handles` are the dispatchers from left to right, None meaning the course's, `methods` what
    they call.

    The text in a question is encoded as JSON once more, so that it stays ASCII: the comm cannot
    carry lone surrogates.
    """

    _esm: Any = module(SCRIPT, BENCH_SCRIPT)
    _css = joined(STYLE, BENCH_STYLE)
    _called = "bench"

    def __init__(
        self,
        start: str,
        handles: list[Handle | None],
        methods: Methods,
        rules: Rules,
        messages: Mapping[str, str],
        envelope: bool = False,
    ) -> None:
        self._switch = (MCP, JSON_RPC, *([ENVELOPE] if envelope else []))
        self._start = (_checked_text(start), _checked_rules(rules))
        self.handles, self.methods = tuple(handles), methods
        self._lock = threading.RLock()  # JupyterLab's messages come in on a thread of their own
        self._count = 0
        super().__init__(**self._make_setup(messages))
        self.reset()

    @property
    def raw(self) -> str:
        """The raw message. Setting it judges it."""
        return self._raw

    @raw.setter
    def raw(self, text: str) -> None:
        self._ask(_checked_text(text), self._rules)

    @property
    def rules(self) -> Rules:
        """The rules of the course's dispatcher: `MCP` or `JSON_RPC`. Setting them judges again."""
        return self._rules

    @rules.setter
    def rules(self, rules: Rules) -> None:
        self._ask(self._raw, _checked_rules(rules))

    @property
    def verdict(self) -> Verdict | Answer:
        """The `Verdict` of the course's dispatcher, or the `Answer` of any other one."""
        return self.verdicts[0]

    @property
    def verdicts(self) -> tuple[Verdict | Answer, ...]:
        """The verdicts from left to right: one, or two with `beside`."""
        return tuple(answer.verdict or answer for answer in self._answers)

    def reset(self) -> None:
        """Go back to the text and the rules that the bench started with."""
        self._ask(*self._start)

    def transcript(self) -> str:
        """Return everything that the bench shows now as plain text."""
        return as_text(self._sheet)

    def _as_html(self) -> str:
        return as_html(self._sheet)

    def _make_setup(self, messages: Mapping[str, str]) -> dict[str, Any]:
        has_course = any(is_course(handle) for handle in self.handles)
        return {
            "steps": [step._asdict() for step in STEPS],
            "rules": [(rules.source, RULES_IN_WORDS[rules.source]) for rules in self._switch]
            if has_course
            else [],
            "messages": [[name, json.dumps(text)] for name, text in messages.items()],
            "start": {"text": json.dumps(self._start[0]), "rules": self._start[1].source},
            "patience": 3 * SECONDS * len(self.handles),
        }

    def _ask(self, raw: str, rules: Rules) -> None:
        """Judge a text that comes from Python, and tell the browser of both text and answer."""
        with self._lock:
            self._count += 1
            ticket = f"python-{self._count}"
            self._asked = {"ticket": ticket, "text": json.dumps(raw), "rules": rules.source}
            self._judge(ticket, raw, rules)

    def _reply(self, asked: dict[str, Any]) -> None:
        if not asked["ticket"].startswith("python-"):
            with self._lock:
                self._judge(asked["ticket"], json.loads(asked["text"]), RULES[asked["rules"]])

    def _judge(self, ticket: str, raw: str, rules: Rules) -> None:
        if not all(is_quick(handle, self.methods) for handle in self.handles):
            self._answer = {"ticket": ticket, "running": True}
        self._raw, self._rules = raw, rules
        methods = in_envelope(self.methods, raw) if rules == ENVELOPE else self.methods
        self._answers = [ask(handle, raw, methods, rules) for handle in self.handles]
        self._sheet: Sheet = make_sheet(raw, rules, self._answers, self.methods)
        self._answer = {"ticket": ticket, "sheet": asdict(self._sheet)}


def _checked_text(text: Any) -> str:
    if not isinstance(text, str):
        raise NotText(
            f"the bench takes a raw message as text, not {type_name(text)}: put it in quotes"
        )
    return text


def _checked_rules(rules: Any) -> Rules:
    if rules not in RULES.values():
        raise ValueError("the bench knows the rules MCP and JSON_RPC")
    return next(known for known in RULES.values() if known == rules)
