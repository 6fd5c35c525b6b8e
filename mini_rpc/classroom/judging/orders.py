"""What comes out differently the second time: which message before it makes another go wrong."""

from __future__ import annotations

from typing import NamedTuple

from .differences import Compared, compare, say
from .hostile_messages import Raw
from .runs import Handle, due, run_dispatcher

__all__ = ["Order", "what_came_before"]


class Order(NamedTuple):
    """Two messages, the second of which goes wrong after the first, and a sentence on that."""

    sentence: str
    first: Raw
    second: Compared


def _call(method: str, id: str = "", params: str = "") -> str:
    members = ['"jsonrpc": "2.0"', *([f'"id": {id}'] if id else []), f'"method": "{method}"']
    members += [f'"params": {params}'] if params else []
    return f"{{{', '.join(members)}}}"


_ECHO = _call("echo", "11", '{"table": 4}')
_PROBES: tuple[tuple[str, tuple[Raw, ...]], ...] = (
    ("another message came before", (_call("ping", "10"), _ECHO)),
    ("the message before had another id", (_call("echo", '"k"', '{"table": 4}'), _ECHO)),
    ("its id has been used before", (_call("ping", "11"), _ECHO)),
    ("the same text comes a second time", (_ECHO, _ECHO)),
    ("the same method has run before", (_call("echo", '"m"'), _ECHO)),
    ("the same method has run before", (_call("fine/text", "12"), _call("fine/text", '"m"'))),
    ("the message before had params", (_ECHO, _call("echo", '"n"'))),
    ("a notification came before", (_call("echo"), _ECHO)),
    ("a method has crashed before", (_call("crash/value", "13"), _ECHO)),
    ("a method has raised an RpcError before", (_call("note/own", "14"), _ECHO)),
    ("an unknown method was asked for before", (_call("menu/read", "15"), _ECHO)),
    ("params were refused before", (_call("echo", "16", "[1]"), _ECHO)),
    ("a message was refused before", ('{"jsonrpc": "2.0", "id": 17}', _ECHO)),
    ("a text that is not JSON came before", ("{", _ECHO)),
    ("a message came before whose id could be read", (_ECHO, "{")),
    ("a message came before whose id could be read", (_ECHO, '{"jsonrpc": "2.0", "id": null}')),
)


def what_came_before(handle: Handle, strict: bool) -> Order | None:
    """Send two messages at a time; return the first pair whose second one goes wrong although it
    goes well alone, None where no pair does."""
    for clause, sent in _PROBES:
        *_, alone = run_dispatcher(handle, sent[-1:])
        *_, did = run_dispatcher(handle, sent)
        (should,) = due(sent[-1:], strict=strict)
        compared = compare(sent[-1], should, did)
        if compared.difference and not compare(sent[-1], should, alone).difference:
            does = say([compared.difference])
            when = "" if did.spoiled else f", whenever {clause}"
            return Order(f"{does[:1].upper()}{does[1:]}{when}.", sent[0], compared)
    return None
