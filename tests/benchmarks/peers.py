"""Published dispatchers, each used as its manual says, with the methods of the hostile messages.

pip install -r tests/benchmarks/requirements.txt
"""

import asyncio
from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature, signature
from io import BytesIO
from typing import Any

from mini_rpc import JSON_RPC, RpcError, dispatch
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS

Answer = Callable[[Any], Any]
"""From a raw message to the raw reply; "" or None is silence."""


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


def installed() -> dict[str, Answer]:
    """Return what answers, by name, and print which of them are not installed."""
    answers = {}
    for name, (use, _) in DISPATCHERS.items():
        try:
            answers[name] = use()
        except ImportError:
            print(f"Skipped, not installed: {name}.")
    return answers
