"""The dispatcher: six steps, always in this order, and nothing else decides.

Data flows one way: raw text → message → call → reply. What came out is a `Verdict`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from traceback import format_exception
from typing import Any, Literal, NamedTuple

from . import codes
from .codes import Code
from .messages import Shape, classify, error_response, is_response, kind_of, result_response
from .rules import MCP, Rules
from .wire import NotJSON, Place, decode, encode

__all__ = [
    "STEPS",
    "Methods",
    "RpcError",
    "Step",
    "Verdict",
    "crashed",
    "dispatch",
    "find_method",
    "finished",
    "handle",
    "raised",
    "refused",
]

Methods = Mapping[str, Callable[[Any], Any]]
"""From a method's name to the function of one dict that does the work."""

_log = logging.getLogger("mini_rpc")
_log.addHandler(logging.NullHandler())  # private: silent until an application sets logging up

_ERRORS = "JSON-RPC 2.0 section 5.1"
_RETURNED = "The method returned, and its result goes back under the same id."
_ON_PURPOSE = "The method raised this error on purpose: code, message and data go back."
_NOBODY_WAITS = "There is no id, so nobody waits for an answer. Nothing is sent"


class Step(NamedTuple):
    """One of the six steps: its number, its name, and what it asks."""

    number: int
    name: str
    asks: str


STEPS = (
    Step(1, "parse", "Is it JSON?"),
    Step(2, "shape", "Is it a request or a notification?"),
    Step(3, "notification", "Is there an id?"),
    Step(4, "params", "Are the params an object, or missing?"),
    Step(5, "method", "Is the method known?"),
    Step(6, "call", "Does the method succeed?"),
)


class RpcError(Exception):
    """An error that a method raises on purpose: code, message and data go into the reply."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(code, message, data)
        self.code = code
        self.message = message
        self.data = data

    def __str__(self) -> str:
        return f"{self.code} {self.message}"


class Verdict(NamedTuple):
    """What came out of the dispatcher for one message.

    `step` is the step that decided, 1 to 6. `shape` is one of the four shapes, "invalid", or
    "not JSON", or "batch". `reply` is what goes back, None for silence, and `sent` the same as
    one line of text. `reason` says why in a sentence, `rule` where that is written. `place` is
    where a parse error is, as far as that is known. `log` holds the private log's lines, which
    are never sent. `parts` holds the verdicts on a batch's messages.
    """

    step: int
    shape: str
    reply: Any
    sent: str | None
    reason: str
    rule: str
    log: tuple[str, ...] = ()
    place: Place | None = None
    parts: tuple[Verdict, ...] = ()

    @property
    def lights(self) -> tuple[str, ...]:
        """Return six words, one a step: "passed", "stopped here" or "not reached"."""
        passed = 6 if isinstance(self.reply, dict) and "result" in self.reply else self.step - 1
        words = ["passed"] * passed + ["stopped here"] + ["not reached"] * 6
        return tuple(words[:6])


_SILENCE = Verdict(3, "notification", None, None, f"{_NOBODY_WAITS}.", "JSON-RPC 2.0 section 4.1")


def handle(raw: str | bytes, methods: Methods, *, rules: Rules = MCP) -> Any:
    """Take one raw message; return the reply as a dict, or None for silence.

    Under `rules=JSON_RPC` the reply to a batch is a list of dicts. What the private log gets goes
    to the logger "mini_rpc". Raises `TypeError` if `raw` is neither text nor bytes.
    """
    return dispatch(raw, methods, rules=rules).reply


def dispatch(raw: str | bytes, methods: Methods, *, rules: Rules = MCP) -> Verdict:
    """Take one raw message through the six steps; return the `Verdict`.

    Raises `TypeError` if `raw` is neither text nor bytes.
    """
    # 1. Parse.
    try:
        message = decode(raw)
    except NotJSON as error:
        return _not_json(error)
    if rules.batches and isinstance(message, list):
        return _dispatch_batch(message, methods, rules)
    return _dispatch_message(message, methods, rules)


def find_method(message: Any, methods: Methods, rules: Rules = MCP) -> tuple[Any, Verdict | None]:
    """Take a parsed JSON value through steps 2 to 5; return the method to call and None.

    Where a step stops the message, return None and the `Verdict`.
    """
    # 2. Shape.
    shape, fault = classify(message, rules)
    if shape not in ("request", "notification"):
        return None, _no_call(message, shape, fault, rules)
    # 3. Notification? It goes on like a request, but whatever comes of it ends in silence: `_end`.

    # 4. Params.
    params = message.get("params", {})
    if type(params) not in rules.params:
        detail = f'"params" must be {rules.named}, not {kind_of(params)}'
        return None, refused(message, 4, codes.INVALID_PARAMS, detail, rules)
    # 5. Method.
    name = message["method"]
    try:
        if name in methods:
            return methods[name], None
    except BaseException as error:  # a mapping may run code of its own
        return None, crashed(message, _let_pass(error), "could not be looked up")
    return None, refused(message, 5, codes.METHOD_NOT_FOUND, _name(message), rules)


def _dispatch_message(message: Any, methods: Methods, rules: Rules) -> Verdict:
    method, verdict = find_method(message, methods, rules)
    if verdict is not None:
        return verdict
    # 6. Call. Expected errors pass, surprises are caught and hidden.
    try:
        result = method(message.get("params", {}))
    except RpcError as error:
        return raised(message, error)
    except BaseException as error:
        return crashed(message, _let_pass(error))
    return finished(message, result)


def _dispatch_batch(messages: list[Any], methods: Methods, rules: Rules) -> Verdict:
    """Answer an array of messages with an array of replies (JSON-RPC 2.0 section 6)."""
    rule = "JSON-RPC 2.0 section 6"
    if not messages:
        reply = error_response(None, codes.INVALID_REQUEST.number, codes.INVALID_REQUEST.name)
        reason = "A batch must hold at least one message."
        return Verdict(2, "batch", reply, encode(reply), reason, rule)
    parts = tuple(_dispatch_message(message, methods, rules) for message in messages)
    sent = [part.sent for part in parts if part.sent is not None]
    return Verdict(
        2,
        "batch",
        [part.reply for part in parts if part.reply is not None] or None,
        f"[{', '.join(sent)}]" if sent else None,
        f"A batch of {len(parts)}: each message is judged by itself.",
        rule,
        tuple(line for part in parts for line in part.log),
        None,
        parts,
    )


def finished(message: dict[str, Any], result: Any) -> Verdict:
    """Return the verdict on a call whose method has returned."""
    return _end(message, 6, "result", result, _RETURNED, "JSON-RPC 2.0 section 5")


def raised(message: dict[str, Any], error: RpcError) -> Verdict:
    """Return the verdict on a call whose method has raised an error on purpose."""
    line = f"{_name(message)} raised {_describe(error)}"
    return _end(message, 6, "error", error, _ON_PURPOSE, _ERRORS, unheard=line)


def crashed(message: dict[str, Any], error: BaseException, how: str = "crashed") -> Verdict:
    """Return the verdict on a surprise: what it was stays in the private log."""
    log = _note(f"{_name(message)} {how}: {_describe(error)}", error)
    hidden = RpcError(codes.INTERNAL_ERROR.number, codes.INTERNAL_ERROR.name)
    reason = f"The method {how}. The details stay in the private log."
    return _end(message, 6, "error", hidden, reason, _ERRORS, log)


def refused(
    message: dict[str, Any], step: int, code: Code, detail: str, rules: Rules = MCP
) -> Verdict:
    """Return the verdict on a call that has not passed a step."""
    line = f"{code.name}: {detail}"
    error = RpcError(code.number, line if rules.details else code.name)
    rule = _ERRORS if step == 5 else rules.source
    return _end(message, step, "error", error, f"{line}.", rule, unheard=line)


def _end(
    message: dict[str, Any],
    step: int,
    member: Literal["result", "error"],
    value: Any,
    reason: str,
    rule: str,
    log: tuple[str, ...] = (),
    unheard: str = "",
) -> Verdict:
    """Return the verdict on a call: all of them end here, and a notification ends in silence.

    `unheard` is what the private log gets where nobody will hear of an error. The reply is encoded
    here: that belongs to step 6.
    """
    if "id" not in message:  # step 3
        if not log and not unheard:
            return _SILENCE
        reason = f"{_NOBODY_WAITS}, not even an error."
        return _SILENCE._replace(reason=reason, log=log or _note(unheard))
    try:
        reply = _reply(message["id"], member, value)
        sent = encode(reply)
    except BaseException as error:
        did = "returned" if member == "result" else "raised an RpcError with"
        return crashed(message, _let_pass(error), f"{did} what JSON cannot carry")
    return Verdict(step, "request", reply, sent, reason, rule, log)


def _reply(id: Any, member: str, value: Any) -> dict[str, Any]:
    if member == "result":
        return result_response(id, value)
    return error_response(id, value.code, value.message, value.data)


def _name(message: dict[str, Any]) -> str:
    return _clip(message["method"], 80)


def _not_json(error: NotJSON) -> Verdict:
    """Return the verdict of step 1. No id could be read, so the reply's id is null."""
    where = f" at line {error.place.line}, column {error.place.column}" if error.place else ""
    line = f"{codes.PARSE_ERROR.name}: {error.why}{where}"
    reply = _error(None, codes.PARSE_ERROR)
    log = _note(line)
    return Verdict(1, "not JSON", reply, _PARSE_ERROR, f"{line}.", _ERRORS, log, error.place)


def _no_call(message: Any, shape: Shape, fault: str, rules: Rules) -> Verdict:
    """Return the verdict of step 2: it is JSON, but no request."""
    if shape in ("result", "error"):
        fault = "this is a response, and a dispatcher takes requests and notifications"
    reply = _error(_readable_id(message, rules), codes.INVALID_REQUEST, fault, rules)
    is_batch = isinstance(message, list) and not rules.batches
    rule = f"{rules.source}: no batches since 2025-06-18" if is_batch else rules.source
    return Verdict(2, shape, reply, encode(reply), f"{codes.INVALID_REQUEST.name}: {fault}.", rule)


def _readable_id(message: Any, rules: Rules) -> Any:
    """Return the id to answer to, or None. The id of a response is the other side's business."""
    if not isinstance(message, dict) or is_response(message):
        return None
    id = message.get("id")
    return id if rules.legal_id(id) else None


def _error(id: Any, code: Code, detail: str = "", rules: Rules = MCP) -> dict[str, Any]:
    """Return an error response that starts with the specification's words."""
    message = f"{code.name}: {detail}" if detail and rules.details else code.name
    return error_response(id, code.number, message)


_PARSE_ERROR = encode(_error(None, codes.PARSE_ERROR))


def _note(line: str, error: BaseException | None = None) -> tuple[str, ...]:
    """Write one line to the private log, with the traceback of a crash, indented."""
    line = _visible(line)
    if _is_heard():  # a traceback costs more than the call
        try:
            trace = [] if error is None else "".join(format_exception(error)).splitlines()[-100:]
            _log.warning("%s", "\n  ".join([line, *map(_visible, trace)]))
        except BaseException as broken:  # an exception can hide a trap even in its traceback
            _let_pass(broken)
    return (line,)


def _is_heard() -> bool:
    """Tell whether an application has set logging up."""
    logger: logging.Logger | None = _log
    while logger is not None:
        for handler in logger.handlers:
            if type(handler) is not logging.NullHandler:
                return True
        logger = logger.parent if logger.propagate else None
    return False


def _visible(line: str) -> str:
    """Shorten a line and escape what a terminal would obey: others chose names and texts."""
    line = _clip(line, 1000)
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


def _clip(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _describe(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException as broken:
        _let_pass(broken)
        return "an exception whose own text crashes"


def _let_pass(error: BaseException) -> BaseException:
    """Return a crash; raise what is none: Ctrl-C, a generator's end, a task that is canceled."""
    # Where asyncio was never loaded, which takes its time, no task was canceled.
    canceled = getattr(sys.modules.get("asyncio"), "CancelledError", GeneratorExit)
    if issubclass(type(error), (KeyboardInterrupt, GeneratorExit, canceled)):
        raise error
    return error
