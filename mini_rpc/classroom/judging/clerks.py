"""Planted-fault dispatchers, read from `clerks.md`: each falls over, or answers wrongly, in one
known way.

There a heading names a fault. Below it stand what it does, who has it and what colleagues say, a
message that exposes it, and the pieces of a `Clerk` that it replaces.
"""

from __future__ import annotations

import json
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from textwrap import indent
from typing import Any

from ...codes import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR
from ...dispatcher import Methods, RpcError, handle
from ...messages import classify, error_response, is_response, result_response
from ...rules import MCP
from ...wire import NotJSON, decode, encode
from ..content import Block, Page, Section, read_page
from ..text import near
from .hostile_messages import Raw, read_message

__all__ = ["FAULTS", "Clerk", "Fault", "read_faults"]


class Clerk:
    """A dispatcher like the core's, in pieces, so that one piece can be replaced by a fault."""

    def __call__(self, raw: Any, methods: Methods) -> Any:
        try:
            message = self.parse(raw)
        except NotJSON:
            return error_response(None, PARSE_ERROR.number, PARSE_ERROR.name)
        if not self.has_shape(message):
            return self.refuse_shape(message)
        if self.is_notification(message):
            return self.notify(message, methods)
        return self.answer(message, methods)

    def parse(self, raw: Any) -> Any:
        return decode(raw)

    def has_shape(self, message: Any) -> bool:
        return classify(message)[0] in ("request", "notification")

    def refuse_shape(self, message: Any) -> Any:
        return error_response(
            self.id_of_refusal(message), INVALID_REQUEST.number, INVALID_REQUEST.name
        )

    def id_of_refusal(self, message: Any) -> Any:
        if not isinstance(message, dict) or is_response(message):
            return None
        return message.get("id") if MCP.legal_id(message.get("id")) else None

    def is_notification(self, message: Any) -> bool:
        return "id" not in message

    def notify(self, message: Any, methods: Methods) -> Any:
        self.answer({**message, "id": None}, methods)

    def answer(self, message: Any, methods: Methods) -> Any:
        params, method = self.params(message), message["method"]
        if not self.has_params(params):
            return error_response(message["id"], INVALID_PARAMS.number, INVALID_PARAMS.name)
        if method not in methods:
            return error_response(message["id"], METHOD_NOT_FOUND.number, METHOD_NOT_FOUND.name)
        return self.call(message["id"], methods[method], params)

    def params(self, message: Any) -> Any:
        return message.get("params", {})

    def has_params(self, params: Any) -> bool:
        return isinstance(params, dict)

    def call(self, id: Any, method: Callable[[Any], Any], params: Any) -> Any:
        try:
            return self.reply(id, method(params))
        except RpcError as error:
            return self.expected(id, error)
        except (KeyboardInterrupt, GeneratorExit, CancelledError):
            raise
        except BaseException as error:
            return self.surprise(id, error)

    def reply(self, id: Any, result: Any) -> Any:
        reply = result_response(id, result)
        try:
            encode(reply)
        except Exception as unsendable:
            return self.surprise(id, unsendable)
        return reply

    def expected(self, id: Any, error: RpcError) -> Any:
        try:
            reply = error_response(id, error.code, error.message, error.data)
            encode(reply)
        except Exception as unsendable:
            return self.surprise(id, unsendable)
        return reply

    def surprise(self, id: Any, error: BaseException) -> Any:
        return error_response(id, INTERNAL_ERROR.number, INTERNAL_ERROR.name)


# --- the file ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Fault:
    """One planted fault: its name, what it does in words, a message that exposes it, and the clerk
    who has it, if there is one, with what colleagues say."""

    name: str
    does: str
    exposed_by: Raw
    person: str
    says: str
    page: Page = field(repr=False)
    code: Block = field(repr=False)

    @cached_property
    def behave(self) -> Clerk:
        """The faulty dispatcher. Raises `BadContent` if its pieces are no Python, or no pieces."""
        above = "\n" * (self.code.line - 1)  # so that a line has the number that it has in the file
        source = f"{above}class Planted(Clerk):\n{indent(self.code.text, '    ')}"
        names = dict(_NAMES)
        try:
            exec(compile(source, str(self.page.path), "exec"), names)
        except SyntaxError as error:
            self.page.refuse(error.lineno or self.code.line, f"This is not Python: {error.msg}.")
        planted: type[Clerk] = names["Planted"]
        for piece in vars(planted).keys() - vars(Clerk).keys() - {"__init__"}:
            sentence = f'A clerk has no piece "{piece}". {near(piece, vars(Clerk))}'
            self.page.refuse(self.code.line, sentence)
        return planted()


def read_faults(path: Path) -> Iterator[Fault]:
    """Read the planted faults of a file. Raises `BadContent` if something in it is wrong."""
    page, seen = read_page(path), set[str]()
    for section in page.sections:
        if section.title in seen:
            page.refuse(section.line, f'There is a second fault "{section.title}".')
        seen.add(section.title)
        yield _fault(page, section)


def _fault(page: Page, section: Section) -> Fault:
    kinds = [block.language or block.kind for block in section.blocks]
    if [kind for kind in kinds if kind != "list"] != ["quote", "text", "python"]:
        sentence = "A fault has what it does, as a quote, a message as text, and a block of Python."
        page.refuse(section.line, sentence)
    does, message, code = (block for block in section.blocks if block.kind != "list")
    people = [item.partition(": ") for one in section.all_of("list") for item in one.items]
    if len(people) > 1 or not all(colon for _, colon, _ in people):
        page.refuse(section.line, 'One clerk has a fault, as in "- Ada: She is polite.".')
    person, _, says = people[0] if people else ("", "", "")
    exposed_by = read_message(message.text.removesuffix("\n"))
    return Fault(section.title, does.text, exposed_by, person, says, page, code)


def _seen(message: Any, name: str, value: Any, *kinds: type) -> Any:
    """Return a message as one sees it who takes a member that is there, of one of these types or of
    any, to have another value."""
    is_there = isinstance(message, dict) and name in message
    hides = is_there and (not kinds or type(message[name]) in kinds)
    return {**message, name: value} if hides else message


_PIECES = Clerk, NotJSON, RpcError, decode, error_response, handle, json, result_response, suppress
_NAMES: dict[str, Any] = {piece.__name__: piece for piece in _PIECES} | {"MCP": MCP, "seen": _seen}

FAULTS = tuple(read_faults(Path(__file__).with_suffix(".md")))
"""Faulty dispatchers: the `behave` of each is called as `handle(raw, methods)`."""
