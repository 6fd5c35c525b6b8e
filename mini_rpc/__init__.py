"""JSON-RPC 2.0 the way MCP uses it, small enough to read in one sitting.

>>> handle('{"jsonrpc": "2.0", "id": 1, "method": "ping"}', {"ping": lambda params: {}})
{'jsonrpc': '2.0', 'id': 1, 'result': {}}

The modules, in reading order: `codes`, `rules`, `messages`, `wire`, `dispatcher`; then `in_flight`,
`transport`, `connection`, `stdio`. They import the standard library only. What teaches is in
`mini_rpc.classroom`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .dispatcher import RpcError, Verdict, dispatch, handle
from .messages import error_response, notification, request, result_response, shape_of
from .rules import JSON_RPC, MCP

if TYPE_CHECKING:
    from .connection import Connection
    from .stdio import serve

__version__ = "0.1.0"

__all__ = [
    "JSON_RPC",
    "MCP",
    "Connection",
    "RpcError",
    "Verdict",
    "dispatch",
    "error_response",
    "handle",
    "notification",
    "request",
    "result_response",
    "serve",
    "shape_of",
]


def __getattr__(name: str) -> Any:
    """Load what needs asyncio when it is asked for: nothing else here takes longer to import."""
    if name == "Connection":
        from .connection import Connection

        return Connection
    if name == "serve":
        from .stdio import serve

        return serve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
