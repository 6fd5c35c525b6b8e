"""How many hostile messages published Python dispatchers answer right, and what each costs.

    pip install -r tests/benchmarks/requirements.txt
    python tests/benchmarks/dispatchers.py              # the table
    python tests/benchmarks/dispatchers.py tinyrpc      # and what tinyrpc gets wrong

Each is used as its manual says, with the same methods behind it. These libraries speak plain
JSON-RPC 2.0, so right is whatever the course's dispatcher does under `rules=JSON_RPC` or under
`rules=MCP`, and whatever `room` and `agrees` allow beyond that. What the six steps leave open is
not asked at all. The row of mini_rpc is the yardstick itself: it is right by definition. And
python-lsp-jsonrpc is made for editors: that it answers no broken message is what it wants.
"""

import asyncio
import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from inspect import Parameter, Signature, signature
from io import BytesIO
from typing import Any

from speed import echo_request, ratio

from mini_rpc import JSON_RPC, MCP, RpcError, dispatch, error_response
from mini_rpc.classroom.judging.differences import agrees
from mini_rpc.classroom.judging.hostile_messages import GROUPS
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS
from mini_rpc.wire import NotJSON, decode

Answer = Callable[[Any], Any]
"""From a raw message to the raw reply; "" or None is silence."""


# --- the dispatchers ---------------------------------------------------------------------------


def unpacked(
    on_error: Callable[[RpcError], Any], on_result: Callable[[Any], Any] = lambda result: result
) -> dict[str, Callable[..., Any]]:
    """Return the methods for a library that passes params as arguments."""

    def unpack(method: Callable[[Any], Any]) -> Callable[..., Any]:
        def unpacking(*args: Any, **kwargs: Any) -> Any:
            try:
                return on_result(method(list(args) or kwargs))
            except RpcError as error:
                return on_error(error)

        return unpacking

    return {name: unpack(method) for name, method in HOSTILE_METHODS.items()}


def with_names(methods: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Give methods an ordinary signature, for libraries that look at it when a call crashes."""
    names = ("a", "b", "table", "dish", "wine", "ticket", "progressToken", "progress")
    by_name = partial(Parameter, kind=Parameter.POSITIONAL_OR_KEYWORD, default=None)
    for method in methods.values():
        method.__signature__ = Signature([by_name(name) for name in names])  # type: ignore[attr-defined]
    return methods


def use_mini_rpc() -> Answer:
    return lambda raw: dispatch(raw, HOSTILE_METHODS, rules=JSON_RPC).sent


def use_ajsonrpc() -> Answer:
    from ajsonrpc.core import JSONRPC20DispatchException
    from ajsonrpc.dispatcher import Dispatcher
    from ajsonrpc.manager import AsyncJSONRPCResponseManager

    def on_error(error: RpcError) -> None:
        raise JSONRPC20DispatchException(error.code, error.message, error.data)

    manager = AsyncJSONRPCResponseManager(Dispatcher(with_names(unpacked(on_error))))
    loop = asyncio.new_event_loop()
    return lambda raw: loop.run_until_complete(manager.get_payload_for_payload(raw))


def use_json_rpc() -> Answer:
    from jsonrpc import Dispatcher, JSONRPCResponseManager
    from jsonrpc.exceptions import JSONRPCDispatchException

    def on_error(error: RpcError) -> None:
        raise JSONRPCDispatchException(error.code, error.message, error.data)

    methods = Dispatcher(with_names(unpacked(on_error)))

    def answer(raw: Any) -> Any:
        response = JSONRPCResponseManager.handle(raw, methods)
        return response and response.json

    return answer


def use_jsonrpclib() -> Answer:
    from jsonrpclib import Fault
    from jsonrpclib.SimpleJSONRPCServer import SimpleJSONRPCDispatcher

    server = SimpleJSONRPCDispatcher()
    on_error = lambda error: Fault(error.code, error.message, data=error.data)  # noqa: E731
    for name, method in unpacked(on_error).items():
        server.register_function(method, name)
    return server._marshaled_dispatch


def use_jsonrpcserver() -> Answer:
    from jsonrpcserver import Error, Success, dispatch

    def on_error(error: RpcError) -> Any:
        more = () if error.data is None else (error.data,)
        return Error(error.code, error.message, *more)

    return partial(dispatch, methods=unpacked(on_error, Success))


def use_pjrpc() -> Answer:
    from pjrpc.server import Dispatcher, JsonRpcError

    def on_error(error: RpcError) -> None:
        more = () if error.data is None else (error.data,)
        raise JsonRpcError(error.code, error.message, *more)

    def bound(method: Callable[..., Any]) -> Callable[..., Any]:
        """It calls a method with what `Signature.bind` made of the params."""

        def call(args: Any = (), kwargs: Any = None) -> Any:
            return method(*args, **(kwargs or {}))

        call.__signature__ = signature(method)  # type: ignore[attr-defined]
        return call

    server = Dispatcher()
    for name, method in unpacked(on_error).items():
        server.registry.add(name)(bound(method))

    def answer(raw: Any) -> Any:
        text_and_codes = server.dispatch(raw, None)
        return text_and_codes and text_and_codes[0]

    return answer


def use_pylsp() -> Answer:
    from pylsp_jsonrpc.endpoint import Endpoint
    from pylsp_jsonrpc.exceptions import JsonRpcException
    from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

    def translating(method: Callable[[Any], Any], params: Any) -> Any:
        try:
            return method({} if params is None else params)
        except RpcError as error:
            raise JsonRpcException(error.message, error.code, error.data) from None

    methods = {name: partial(translating, method) for name, method in HOSTILE_METHODS.items()}

    def answer(raw: Any) -> Any:
        body = raw if isinstance(raw, bytes) else raw.encode()
        out = BytesIO()
        endpoint = Endpoint(methods, JsonRpcStreamWriter(out).write)
        header = b"Content-Length: %d\r\n\r\n" % len(body)
        JsonRpcStreamReader(BytesIO(header + body)).listen(endpoint.consume)
        endpoint.shutdown()
        return out.getvalue().partition(b"\r\n\r\n")[2]

    return answer


def use_tinyrpc() -> Answer:
    from tinyrpc.dispatch import RPCDispatcher
    from tinyrpc.exc import RPCError
    from tinyrpc.protocols.jsonrpc import JSONRPCProtocol

    class Raised(Exception):
        def __init__(self, error: RpcError) -> None:
            super().__init__(error.message)
            self.jsonrpc_error_code = error.code
            if error.data is not None:
                self.data = error.data

    def on_error(error: RpcError) -> None:
        raise Raised(error)

    protocol, server = JSONRPCProtocol(), RPCDispatcher()
    for name, method in unpacked(on_error).items():
        server.add_method(method, name)

    def answer(raw: Any) -> Any:
        try:
            request = protocol.parse_request(raw if isinstance(raw, bytes) else raw.encode())
        except RPCError as error:
            response = error.error_respond()
        else:
            response = server.dispatch(request, protocol._caller)
        return response and response.serialize()

    return answer


DISPATCHERS: dict[str, tuple[Callable[[], Answer], bool]] = {
    "mini_rpc": (use_mini_rpc, True),
    "ajsonrpc": (use_ajsonrpc, False),
    "json-rpc": (use_json_rpc, True),
    "jsonrpclib-pelix": (use_jsonrpclib, True),
    "jsonrpcserver": (use_jsonrpcserver, False),
    "pjrpc": (use_pjrpc, False),
    "python-lsp-jsonrpc": (use_pylsp, True),
    "tinyrpc": (use_tinyrpc, True),
}
"""By name on the package index: how to use it, and whether it takes bytes. The others take text:
for them bytes are decoded first, and bytes that are no text are left out."""


# --- what counts as right ----------------------------------------------------------------------


def is_right(raw: str | bytes, reply: Any) -> bool:
    """Tell whether JSON-RPC 2.0 or MCP, in their own words, allow this reply."""
    for rules in (JSON_RPC, MCP):
        expected = dispatch(raw, HOSTILE_METHODS, rules=rules).reply
        if any(agrees(raw, allowed, reply) for allowed in (expected, *room(raw, expected))):
            return True
    return False


def room(raw: str | bytes, expected: Any) -> Iterator[Any]:
    """Go through the replies that JSON-RPC 2.0 leaves room for, where the course decides."""
    message = _message(raw)
    invalid = error_response(message.get("id"), -32600, "")
    if not isinstance(message.get("params", {}), (dict, list)):
        yield invalid  # to blame the whole object, even one without an id, is as good
        if "id" in message:
            yield {**invalid, "error": {"code": -32601, "message": ""}}  # and so is another order
    if set(message) - {"jsonrpc", "id", "method", "params"}:
        yield invalid  # nothing says what becomes of other members
    if str(message.get("method")).startswith("rpc."):
        yield invalid  # these names are reserved
    yield _as_server_error(expected)


def _as_server_error(expected: Any) -> Any:
    """Return the same with -32000, a code for errors of the server, for a crash."""
    if isinstance(expected, list):
        return [_as_server_error(one) for one in expected]
    if expected is None or expected.get("error", {}).get("code") != -32603:
        return expected
    return {**expected, "error": {"code": -32000, "message": ""}}


def _message(raw: str | bytes) -> dict[str, Any]:
    try:
        message = decode(raw)
    except NotJSON:
        return {}
    return message if isinstance(message, dict) else {}


def outcome(answer: Answer, raw: str | bytes) -> tuple[Any, str]:
    """Return the reply and its text; a crash, or what is no strict JSON, is no reply at all."""
    try:
        text = answer(raw)
        return (decode(text) if text else None), str(text)
    except KeyboardInterrupt:
        raise
    except NotJSON as error:
        return NotImplemented, f"sent what is no JSON: {error}"
    except BaseException as error:
        return NotImplemented, f"fell over: {type(error).__name__}"


def messages(takes_bytes: bool) -> Iterator[tuple[str, str | bytes]]:
    for group, raws in GROUPS.items():
        for raw in raws:
            if takes_bytes or isinstance(raw, str):
                yield group, raw
            else:
                try:
                    yield group, raw.decode()
                except UnicodeDecodeError:
                    continue


# --- the table ---------------------------------------------------------------------------------


def measure(name: str, show_wrong: bool) -> tuple[float, str]:
    """Return the share of right replies and the row of the table."""
    use, takes_bytes = DISPATCHERS[name]
    answer = use()
    asked = list(messages(takes_bytes))
    wrong = []
    for group, raw in asked:
        reply, text = outcome(answer, raw)
        if not is_right(raw, reply):
            wrong.append(f"- {group}: {raw[:100]!r} -> {text[:200]}")
    if show_wrong:
        print(*wrong, sep="\n")
    share = 1 - len(wrong) / len(asked)
    right = f"{len(asked) - len(wrong)} of {len(asked)}"
    cost = ratio(answer, echo_request(90))
    return share, f"| {name} | {metadata.version(name)} | {right} | {share:.0%} | {cost:.1f} |"


def main(shown: list[str]) -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    rows, skipped = [], []
    for name in DISPATCHERS:
        try:
            rows.append(measure(name, name in shown))
        except ImportError:
            skipped.append(name)
    print("| dispatcher | version | right | | time for a 90-byte echo, JSON alone = 1 |")
    print("|---|---|---:|---:|---:|")
    print(*(row for _, row in sorted(rows, reverse=True)), sep="\n")
    if skipped:
        print(f"\nSkipped, not installed: {', '.join(skipped)}.")


if __name__ == "__main__":
    main(sys.argv[1:])
