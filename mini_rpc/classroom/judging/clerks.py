"""Planted-fault dispatchers: each falls over, or answers wrongly, in one known way.

Each is a `Clerk`, who does as the core's dispatcher does, with one piece replaced.
"""

from __future__ import annotations

import json
from asyncio import CancelledError
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from ...codes import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR
from ...dispatcher import Methods, RpcError, handle
from ...messages import classify, error_response, is_response, result_response
from ...rules import MCP
from ...wire import NotJSON, decode, encode

__all__ = ["FAULTS", "Clerk", "Fault"]


class Fault(NamedTuple):
    """One planted fault: its name, what it does in words, the faulty dispatcher, and a message
    that exposes it."""

    name: str
    does: str
    behave: Clerk
    exposed_by: str | bytes


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


# --- lenses: a message, seen in a way that hides something -------------------------------------


def _with_member(name: str, value: Any, *kinds: type) -> Callable[[Any], Any]:
    """Return a lens that sees this value wherever the member is there, of one of these types."""

    def lens(message: Any) -> Any:
        hides = isinstance(message, dict) and name in message
        hides = hides and (not kinds or type(message[name]) in kinds)
        return {**message, name: value} if hides else message

    return lens


def _with_version(message: Any) -> Any:
    """See the right jsonrpc on every object."""
    return {**message, "jsonrpc": "2.0"} if isinstance(message, dict) else message


_planted: list[Fault] = []


def _plant(name: str, does: str, exposed_by: str | bytes) -> Callable[[type[Clerk]], type[Clerk]]:
    def plant(clerk: type[Clerk]) -> type[Clerk]:
        _planted.append(Fault(name, does, clerk(), exposed_by))
        return clerk

    return plant


def _call(method: str, id: str = '"id": 1, ', params: str = "") -> str:
    more = f', "params": {params}' if params else ""
    return f'{{"jsonrpc": "2.0", {id}"method": "{method}"{more}}}'


_LOBSTER = _call("orders/place", params='{"table": 6, "dish": "lobster"}')


# --- steps 1 and 2 -----------------------------------------------------------------------------


@_plant("Python's JSON", "reads NaN, which is not JSON", _call("echo", params='{"n": NaN}'))
class _ReadsNaN(Clerk):
    def parse(self, raw: Any) -> Any:
        try:
            return json.loads(raw if isinstance(raw, str) else raw.decode())
        except (ValueError, RecursionError) as error:
            raise NotJSON(str(error)) from None


@_plant("only JSONDecodeError", "crashes where a text fails to parse in another way", "[" * 100_000)
class _CatchesOneParseError(Clerk):
    def parse(self, raw: Any) -> Any:
        with suppress(json.JSONDecodeError):
            json.loads(raw)
        return decode(raw)


@_plant("everything is an object", "trusts every message to be an object", "[1]")
class _TrustsObjects(Clerk):
    def has_shape(self, message: Any) -> bool:
        message.get("id")
        return super().has_shape(message)


@_plant("jsonrpc unread", "never looks at jsonrpc", '{"id": 1, "method": "ping"}')
class _NeverReadsVersion(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(_with_version(message))


@_plant(
    "method of any type",
    "takes a method that is no string for one that is unknown",
    '{"jsonrpc": "2.0", "id": 1, "method": 7}',
)
class _TakesAnyMethod(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(_with_member("method", "ping")(message))

    def answer(self, message: Any, methods: Methods) -> Any:
        known = isinstance(message["method"], str)
        return super().answer(message if known else {**message, "method": "no such"}, methods)


@_plant("empty method", "takes an empty method name for none", _call(""))
class _RefusesEmptyMethod(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(message) and bool(message["method"])


@_plant("true as an id", "accepts `true` as an id", _call("ping", '"id": true, '))
class _LetsTrueThrough(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(_with_member("id", 1, bool)(message))


@_plant("fraction as an id", "accepts a fraction as an id", _call("ping", '"id": 1.5, '))
class _LetsFractionsThrough(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(_with_member("id", 1, float)(message))


@_plant("null as an id", "accepts `null` as an id", _call("ping", '"id": null, '))
class _LetsNullThrough(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(_with_member("id", 1, type(None))(message))


@_plant("ids unread", "never looks at the id", _call("ping", '"id": [1], '))
class _NeverReadsIds(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(_with_member("id", 1)(message))


@_plant("null is no id", "takes an id of `null` for a missing id", _call("ping", '"id": null, '))
class _TakesNullForMissing(Clerk):
    def has_shape(self, message: Any) -> bool:
        return super().has_shape(_with_member("id", 1, type(None))(message))

    def is_notification(self, message: Any) -> bool:
        return message.get("id") is None


@_plant("falsy is no id", 'takes the ids 0 and "" for a missing id', _call("ping", '"id": 0, '))
class _TakesFalsyForMissing(Clerk):
    def is_notification(self, message: Any) -> bool:
        return not message.get("id")


@_plant("id as text", "turns the id into text", _call("ping"))
class _TurnsIdsIntoText(Clerk):
    def answer(self, message: Any, methods: Methods) -> Any:
        return super().answer({**message, "id": str(message["id"])}, methods)


@_plant(
    "silence for an error in the shape",
    "takes an error in the shape without an id for a notification",
    "{}",
)
class _SilentOnShape(Clerk):
    def refuse_shape(self, message: Any) -> Any:
        if isinstance(message, dict) and "id" not in message:
            return None
        return super().refuse_shape(message)


@_plant("batches", "answers a batch", f"[{_call('ping')}]")
class _AnswersBatches(Clerk):
    def __call__(self, raw: Any, methods: Methods) -> Any:
        return handle(raw, methods, rules=MCP._replace(batches=True))


# --- step 3 ------------------------------------------------------------------------------------


@_plant("answers a notification", "answers a notification", _call("ping", ""))
class _AnswersNotifications(Clerk):
    def notify(self, message: Any, methods: Methods) -> Any:
        return self.answer({**message, "id": None}, methods)


@_plant(
    "reports a failed notification",
    "sends an error for a notification that fails",
    _call("kitchen/juggle", ""),
)
class _ReportsFailedNotifications(Clerk):
    def notify(self, message: Any, methods: Methods) -> Any:
        reply = self.answer({**message, "id": None}, methods)
        return reply if "error" in reply else None


@_plant(
    "a notification may crash",
    "crashes when a notification crashes",
    _call("kitchen/burn", ""),
)
class _FallsOverNotifications(Clerk):
    def notify(self, message: Any, methods: Methods) -> Any:
        params, method = self.params(message), methods.get(message["method"])
        if method and self.has_params(params):
            method(params)


@_plant("a notification is not run", "never runs the method of a notification", _call("ping", ""))
class _NeverRunsNotifications(Clerk):
    def notify(self, message: Any, methods: Methods) -> Any:
        return None


@_plant(
    "a refusal forgets its id",
    "refuses every message with the id null, even where a legal id can be read",
    '{"jsonrpc": "2.0", "id": 5}',
)
class _ForgetsIds(Clerk):
    def id_of_refusal(self, message: Any) -> Any:
        return None


@_plant(
    "a refusal echoes true",
    "refuses an id of `true`, and then sends it back",
    _call("ping", '"id": true, '),
)
class _EchoesTrue(Clerk):
    def id_of_refusal(self, message: Any) -> Any:
        id = message.get("id") if isinstance(message, dict) else None
        return id if isinstance(id, bool) else super().id_of_refusal(message)


@_plant(
    "a notification with bad params is run",
    "runs a notification whose params are no object",
    _call("ping", "", "[]"),
)
class _RunsBadNotifications(Clerk):
    def notify(self, message: Any, methods: Methods) -> Any:
        params = self.params(message)
        self.answer({**message, "id": None, "params": {}}, _with(methods, params))


def _with(methods: Methods, params: Any) -> Methods:
    """Return the methods, each called with these params whatever it is given."""

    def given(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda ignored: method(params)

    return {name: given(method) for name, method in methods.items()}


# --- steps 4 and 5 -----------------------------------------------------------------------------


@_plant(
    "no params are null params",
    "calls the method with None when params are missing",
    _call("echo"),
)
class _PassesNone(Clerk):
    def params(self, message: Any) -> Any:
        return message.get("params")

    def has_params(self, params: Any) -> bool:
        return params is None or super().has_params(params)


@_plant(
    "falsy params",
    'takes `null`, [] and "" for missing params',
    _call("ping", params="null"),
)
class _TakesFalsyParams(Clerk):
    def params(self, message: Any) -> Any:
        return message.get("params") or {}


@_plant(
    "params unread",
    "never looks at what kind of thing params are",
    _call("echo", params="[1]"),
)
class _NeverReadsParams(Clerk):
    def has_params(self, params: Any) -> bool:
        return True


@_plant(
    "method before params",
    "looks the method up before it looks at params",
    _call("kitchen/juggle", params="[]"),
)
class _MethodBeforeParams(Clerk):
    def answer(self, message: Any, methods: Methods) -> Any:
        known = message["method"] in methods
        return super().answer(message if known else {**message, "params": {}}, methods)


# --- step 6 ------------------------------------------------------------------------------------


@_plant("a crash ends it", "crashes when a method crashes", _call("kitchen/burn"))
class _FallsOver(Clerk):
    def surprise(self, id: Any, error: BaseException) -> Any:
        if id is None:  # a notification
            return None
        raise error


@_plant("only Exception", "crashes with an exception that is no Exception", _call("crash/fire"))
class _CatchesException(Clerk):
    def surprise(self, id: Any, error: BaseException) -> Any:
        if not isinstance(error, Exception):
            raise error
        return super().surprise(id, error)


@_plant("a method may leave", "ends when a method exits", _call("open/exit"))
class _LetsExit(Clerk):
    def surprise(self, id: Any, error: BaseException) -> Any:
        if isinstance(error, SystemExit):
            raise error
        return super().surprise(id, error)


@_plant("the text leaks", "sends the text of an exception to the other side", _call("kitchen/burn"))
class _Leaks(Clerk):
    def surprise(self, id: Any, error: BaseException) -> Any:
        try:
            text = f"{INTERNAL_ERROR.name}: {error}"
        except BaseException:
            text = INTERNAL_ERROR.name
        return error_response(id, INTERNAL_ERROR.number, text)


@_plant(
    "every KeyError is a missing param",
    "calls every KeyError and TypeError of a method Invalid params",
    _call("orders/get", params='{"ticket": 7}'),
)
class _BlamesParams(Clerk):
    def surprise(self, id: Any, error: BaseException) -> Any:
        if isinstance(error, (KeyError, TypeError)):
            return error_response(id, INVALID_PARAMS.number, INVALID_PARAMS.name)
        return super().surprise(id, error)


@_plant("errors on purpose are hidden", "turns an error raised on purpose into -32603", _LOBSTER)
class _HidesExpected(Clerk):
    def expected(self, id: Any, error: RpcError) -> Any:
        return self.surprise(id, error)


@_plant("data is dropped", "leaves out the data of an error raised on purpose", _LOBSTER)
class _DropsData(Clerk):
    def expected(self, id: Any, error: RpcError) -> Any:
        return super().expected(id, RpcError(error.code, error.message))


@_plant("a result of null is none", "stays silent when a method returns None", _call("fine/null"))
class _SilentOnNull(Clerk):
    def reply(self, id: Any, result: Any) -> Any:
        return None if result is None else super().reply(id, result)


@_plant("an empty result is none", "stays silent when a result is 0, {} or empty", _call("ping"))
class _SilentOnEmpty(Clerk):
    def reply(self, id: Any, result: Any) -> Any:
        return super().reply(id, result) if result else None


@_plant("results unread", "sends results that are not JSON", _call("unsendable/set"))
class _SendsAnything(Clerk):
    def reply(self, id: Any, result: Any) -> Any:
        return result_response(id, result)


@_plant(
    "one dict for all replies",
    "gives the same dict for each reply, and changes what it gave before",
    _call("echo", params='{"table": 6}'),
)
class _SharesReplies(Clerk):
    def __init__(self) -> None:
        self.sheet: dict[str, Any] = {}

    def __call__(self, raw: Any, methods: Methods) -> Any:
        reply = super().__call__(raw, methods)
        if reply is None:
            return None
        self.sheet.clear()
        self.sheet.update(reply)
        return self.sheet


# --- whole dispatchers -------------------------------------------------------------------------


@_plant(
    "the first naive dispatcher",
    "trusts whatever parses, and blames every KeyError on params",
    '{"jsonrpc": "2.0", "id": 1}',
)
class _FirstNaive(Clerk):
    """Checks neither shape nor id, runs a notification bare, and knows no crash but two."""

    def __call__(self, raw: Any, methods: Methods) -> Any:
        try:
            message = json.loads(raw)
        except json.JSONDecodeError:
            return error_response(None, PARSE_ERROR.number, PARSE_ERROR.name)
        if "id" not in message:
            if message["method"] in methods:
                methods[message["method"]](message.get("params"))
            return None
        if message["method"] not in methods:
            return error_response(message["id"], METHOD_NOT_FOUND.number, METHOD_NOT_FOUND.name)
        try:
            result = methods[message["method"]](message.get("params"))
        except (KeyError, TypeError):
            return error_response(message["id"], INVALID_PARAMS.number, INVALID_PARAMS.name)
        return result_response(message["id"], result)


@_plant(
    "the second naive dispatcher",
    "trusts whatever parses, and catches nothing",
    _call("kitchen/burn"),
)
class _SecondNaive(Clerk):
    """Checks neither shape nor id nor params, and lets every crash out."""

    def __call__(self, raw: Any, methods: Methods) -> Any:
        try:
            message = json.loads(raw)
        except json.JSONDecodeError:
            return error_response(None, PARSE_ERROR.number, PARSE_ERROR.name)
        method = methods.get(message.get("method"))
        if "id" not in message:
            if method:
                method(message.get("params", {}))
            return None
        if method is None:
            return error_response(message["id"], METHOD_NOT_FOUND.number, METHOD_NOT_FOUND.name)
        return result_response(message["id"], method(message.get("params", {})))


FAULTS = tuple(_planted)
"""Faulty dispatchers: each is called as `handle(raw, methods)`."""
