"""The two eras of MCP: how a talk opens, and what each request carries.

A legacy revision (2025-11-25 and earlier) opens with `initialize`. In a modern one (2026-07-28)
every request names its version and the client's capabilities in `params._meta`. The words and the
rules are those of MCP 2026-07-28, pages basic/versioning and basic/index.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..codes import INVALID_PARAMS, METHOD_NOT_FOUND, REVISION, UNSUPPORTED_PROTOCOL_VERSION
from ..dispatcher import Methods, RpcError
from ..wire import NotJSON, decode

__all__ = [
    "CAPABILITIES",
    "LEGACY",
    "META",
    "MODERN",
    "VERSION",
    "check_envelope",
    "check_meta",
    "in_envelope",
    "initialize",
]

MODERN = (REVISION,)
"""The versions that a request may name in `_meta`."""
LEGACY = ("2025-06-18", "2025-11-25")
"""The versions that `initialize` may agree on, oldest first. (2025-03-26 demands batches.)"""

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META: dict[str, Any] = {VERSION: REVISION, CAPABILITIES: {}}
"""What every request of revision 2026-07-28 carries in `params._meta`."""

_REMOVED = (
    "initialize",
    "logging/setLevel",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
)
"""What MCP 2025-11-25 has and 2026-07-28 has not (changelog, major changes 2, 4 and 5)."""


def initialize(params: dict[str, Any]) -> dict[str, Any]:
    """Answer the handshake of a legacy client (MCP 2025-11-25, basic/lifecycle).

    The version asked for comes back where it is known, otherwise the newest. Raises `RpcError`
    -32602 where none is asked for: the client must name one.
    """
    asked = params.get("protocolVersion")
    if not isinstance(asked, str):
        raise _invalid('"protocolVersion" must be text')
    return {
        "protocolVersion": asked if asked in LEGACY else LEGACY[-1],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "kitchen", "version": "1.0"},
    }


def check_meta(params: dict[str, Any]) -> None:
    """Let a request of 2026-07-28 pass, or raise the `RpcError` that the revision demands.

    -32602 without a version or capabilities (basic/index); -32022 for a version that is not
    supported, with `supported` and `requested` (basic/versioning).
    """
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        raise _invalid('"_meta" must be an object')
    for key, kind, words in ((VERSION, str, "text"), (CAPABILITIES, dict, "an object")):
        if not isinstance(meta.get(key), kind):
            raise _invalid(f'"{key}" in "_meta" must be {words}')
    if meta[VERSION] not in MODERN:
        data = {"supported": list(MODERN), "requested": meta[VERSION]}
        raise RpcError(UNSUPPORTED_PROTOCOL_VERSION.number, "Unsupported protocol version", data)


def _invalid(detail: str) -> RpcError:
    return RpcError(INVALID_PARAMS.number, f"{INVALID_PARAMS.name}: {detail}")


def check_envelope(method: str, params: dict[str, Any]) -> None:
    """Let a request pass that may be sent in 2026-07-28, or raise the `RpcError` that it earns.

    It must carry what `check_meta` asks for, and its method must not be one that the revision has
    removed. A name that MCP never had is the server's own affair.
    """
    check_meta(params)
    if method in _REMOVED:
        detail = f"{method} belongs to 2025-11-25 and earlier, and this is {REVISION}"
        raise RpcError(METHOD_NOT_FOUND.number, f"{METHOD_NOT_FOUND.name}: {detail}")


def in_envelope(methods: Methods, raw: str | bytes = b"") -> Methods:
    """Return the same methods, each behind `check_envelope`: the layer above the dispatcher.

    The envelope comes first: a method of the message `raw` that is not among them is there all the
    same where `check_envelope` refuses the message, and refuses it.
    """
    known = {name: _behind(name, method) for name, method in methods.items()}
    try:
        message = decode(raw)
        name, params = message["method"], message.get("params", {})
        if name not in known:
            check_envelope(name, params)
    except RpcError:
        known[name] = partial(check_envelope, name)
    except (NotJSON, LookupError, TypeError, AttributeError):
        pass  # no request: the dispatcher says what is wrong with it
    return known


def _behind(name: str, method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def checked(params: dict[str, Any]) -> Any:
        check_envelope(name, params)
        return method(params)

    return checked
