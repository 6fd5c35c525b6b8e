"""The dispatcher: six steps, always in this order, and nothing else decides.

Data flows one way: raw text → message → call → reply. What came out is a `Verdict`.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Callable, Mapping
from traceback import format_exception
from typing import Any, NamedTuple

from . import codes
from .codes import Code
from .messages import Shape, classify, error_response, is_response, kind_of, result_response
from .rules import MCP, Rules
from .wire import NotJSON, Place, decode, encode

__all__ = [
    "STEPS",
    "Call",
    "Methods",
    "RpcError",
    "Step",
    "Verdict",
    "dispatch",
    "handle",
    "read_call",
]

Methods = Mapping[str, Callable[[Any], Any]]
"""From a method's name to the function of one dict that does the work."""

_log = logging.getLogger("mini_rpc")
_log.addHandler(logging.NullHandler())  # private: silent until an application sets logging up

_ERRORS = "JSON-RPC 2.0 section 5.1"


class Step(NamedTuple):
    """One of the six steps: its number, its name, and what it asks."""

    number: int
    name: str
    asks: str


STEPS = (
    Step(1, "parse", "Is it JSON?"),
    Step(2, "shape", "Is it a request or a notification?"),
    Step(3, "notification", "Does nobody wait for an answer?"),
    Step(4, "params", "Are the params an object, or missing?"),
    Step(5, "method", "Is the method known?"),
    Step(6, "call", "Does the call succeed?"),
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


def read_call(message: Any, methods: Methods, rules: Rules = MCP) -> Call | Verdict:
    """Take a parsed JSON value through steps 2 to 5; return a `Call`, or else the `Verdict`."""
    # 2. Shape.
    shape, fault = classify(message, rules)
    if shape not in ("request", "notification"):
        return _no_call(message, shape, fault, rules)
    # 3. Notification? Whatever becomes of it from here on, `Call` answers with silence.
    call = Call(message, shape, rules)
    # 4. Params.
    if type(call.params) not in rules.params:
        detail = f'"params" must be {rules.named}, not {kind_of(call.params)}'
        return call.refused(4, codes.INVALID_PARAMS, detail)
    # 5. Method.
    name = message["method"]
    if name not in methods:
        return call.refused(5, codes.METHOD_NOT_FOUND, call.name)
    call.method = methods[name]
    return call


def _dispatch_message(message: Any, methods: Methods, rules: Rules) -> Verdict:
    call = read_call(message, methods, rules)
    if isinstance(call, Verdict):
        return call
    # 6. Call. Expected errors pass, surprises are caught and hidden.
    try:
        result = call.method(call.params)
    except RpcError as error:
        return call.raised(error)
    except BaseException as error:
        return call.crashed(_let_pass(error))
    return call.finished(result)


def _dispatch_batch(messages: list[Any], methods: Methods, rules: Rules) -> Verdict:
    """Answer an array of messages with an array of replies (JSON-RPC 2.0 section 6)."""
    rule = "JSON-RPC 2.0 section 6"
    if not messages:
        reply = error_response(None, codes.INVALID_REQUEST.number, codes.INVALID_REQUEST.name)
        return Verdict(2, "batch", reply, encode(reply), "An empty batch is no batch.", rule)
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


class Call:
    """A message that got through steps 1 to 5 and is ready for step 6."""

    __slots__ = ("message", "method", "params", "rules", "shape")

    def __init__(self, message: dict[str, Any], shape: Shape, rules: Rules) -> None:
        self.message = message
        self.shape = shape
        self.rules = rules
        self.params = message.get("params", {})
        self.method: Callable[[Any], Any]

    @property
    def name(self) -> str:
        """Return the method's name, shortened where it is long."""
        return _clip(self.message["method"], 80)

    def finished(self, result: Any) -> Verdict:
        """Return the verdict once the method has returned. The reply is encoded here, in step 6."""
        if self.shape == "notification":
            return self._silence()
        reply = result_response(self.message["id"], result)
        try:
            sent = encode(reply)
        except BaseException as error:
            return self.crashed(_let_pass(error), "returned what JSON cannot carry")
        reason = "The method returned, and its result goes back under the same id."
        return Verdict(6, self.shape, reply, sent, reason, "JSON-RPC 2.0 section 5")

    def raised(self, error: RpcError) -> Verdict:
        """Return the verdict once the method has raised an error on purpose."""
        if self.shape == "notification":
            return self._silence(_note(f"{self.name} raised {_describe(error)}"))
        try:
            reply = error_response(self.message["id"], error.code, error.message, error.data)
            sent = encode(reply)
        except BaseException as broken:
            return self.crashed(_let_pass(broken), "raised an RpcError that JSON cannot carry")
        reason = "The method raised this error on purpose: code, message and data go back."
        return Verdict(6, self.shape, reply, sent, reason, _ERRORS)

    def refused(self, step: int, code: Code, detail: str) -> Verdict:
        """Return the verdict of step 4 or 5: an error, or silence for a notification."""
        if self.shape == "notification":
            return self._silence(_note(f"{code.name}: {detail}"))
        reply = _error(self.message["id"], code, detail, self.rules)
        rule = self.rules.source if step == 4 else _ERRORS
        return Verdict(step, self.shape, reply, encode(reply), f"{code.name}: {detail}.", rule)

    def crashed(self, error: BaseException, how: str = "crashed") -> Verdict:
        """Hide a surprise: the details go to the private log, never into the reply."""
        log = _note(f"{self.name} {how}: {_describe(error)}", error)
        if self.shape == "notification":
            return self._silence(log)
        reply = _error(self.message["id"], codes.INTERNAL_ERROR)
        reason = f"The method {how}. The details stay in the private log."
        return Verdict(6, self.shape, reply, encode(reply), reason, _ERRORS, log)

    def _silence(self, log: tuple[str, ...] = ()) -> Verdict:
        """Return the verdict on a notification, whatever came of it."""
        reason = "No id: nobody waits, so nothing is sent"
        reason += ", not even an error." if log else "."
        return Verdict(3, self.shape, None, None, reason, "JSON-RPC 2.0 section 4.1", log)


def _not_json(error: NotJSON) -> Verdict:
    """Return the verdict of step 1. No id could be read, so the reply's id is null."""
    where = f" at line {error.place.line}, column {error.place.column}" if error.place else ""
    line = f"{codes.PARSE_ERROR.name}: {error.why}{where}"
    reply = _error(None, codes.PARSE_ERROR)
    sent, log = encode(reply), _note(line)
    return Verdict(1, "not JSON", reply, sent, f"{line}.", _ERRORS, log, error.place)


def _no_call(message: Any, shape: Shape, fault: str, rules: Rules) -> Verdict:
    """Return the verdict of step 2: it is JSON, but no request."""
    if shape in ("result", "error"):
        fault = "this is a response, and a dispatcher takes requests and notifications"
    reply = _error(_readable_id(message, rules), codes.INVALID_REQUEST, fault, rules)
    is_batch = isinstance(message, list) and not rules.batches
    rule = f"{rules.source}: batches left in 2025-06-18" if is_batch else rules.source
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


def _note(line: str, error: BaseException | None = None) -> tuple[str, ...]:
    """Write one line to the private log, with the traceback of a crash, indented."""
    line = _visible(line)
    try:
        trace = [] if error is None else "".join(format_exception(error)).splitlines()[-100:]
        _log.warning("%s", "\n  ".join([line, *map(_visible, trace)]))
    except BaseException as broken:  # an exception can hide a trap even in its traceback
        _let_pass(broken)
    return (line,)


def _visible(line: str) -> str:
    """Shorten a line and escape what a terminal would obey: others chose names and texts."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in _clip(line, 1000))


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
    if issubclass(type(error), (KeyboardInterrupt, GeneratorExit, CancelledError)):
        raise error
    return error
