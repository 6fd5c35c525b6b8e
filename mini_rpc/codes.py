"""The error codes: the stamps on returned mail.

Facts of JSON-RPC 2.0 (section 5.1) and of the Model Context Protocol, revision 2026-07-28.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "CODES",
    "HEADER_MISMATCH",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "MISSING_REQUIRED_CLIENT_CAPABILITY",
    "PARSE_ERROR",
    "RANGES",
    "RESOURCE_NOT_FOUND",
    "REVISION",
    "UNSUPPORTED_PROTOCOL_VERSION",
    "URL_ELICITATION_REQUIRED",
    "Code",
    "Range",
    "find_code",
    "owner_of",
]

REVISION = "2026-07-28"
"""The MCP revision whose facts this package states."""


class Code(NamedTuple):
    """One error code: its number, its name, what it means, who sends it, and since when."""

    number: int
    name: str
    meaning: str
    sent_by: str
    since: str


class Range(NamedTuple):
    """The codes from `first` to `last`, both included, and who may give them a meaning."""

    first: int
    last: int
    owner: str


_JSON_RPC = "JSON-RPC 2.0"
_MCP = f"MCP {REVISION}"

# fmt: off
PARSE_ERROR = Code(-32700, "Parse error", "The text is not JSON.", "dispatcher", _JSON_RPC)
INVALID_REQUEST = Code(-32600, "Invalid Request", "It is JSON, but no request or notification.", "dispatcher", _JSON_RPC)
METHOD_NOT_FOUND = Code(-32601, "Method not found", "No such method here.", "dispatcher", _JSON_RPC)
INVALID_PARAMS = Code(-32602, "Invalid params", "The params do not fit.", "dispatcher or method", _JSON_RPC)
INTERNAL_ERROR = Code(-32603, "Internal error", "The method crashed.", "dispatcher", _JSON_RPC)
RESOURCE_NOT_FOUND = Code(-32002, "Resource not found",
    "Replaced by -32602. It must not be sent any more.", "nobody", "MCP up to 2025-11-25")
URL_ELICITATION_REQUIRED = Code(-32042, "URLElicitationRequired",
    "It must not be sent any more.", "nobody", "MCP 2025-11-25 only")
HEADER_MISMATCH = Code(-32020, "HeaderMismatch", "A header contradicts the message.", "HTTP server", _MCP)
MISSING_REQUIRED_CLIENT_CAPABILITY = Code(-32021, "MissingRequiredClientCapability",
    "The client lacks what data.requiredCapabilities lists.", "server", _MCP)
UNSUPPORTED_PROTOCOL_VERSION = Code(-32022, "UnsupportedProtocolVersion",
    "data.requested is not among data.supported.", "server", _MCP)
# fmt: on

CODES = tuple(value for value in list(globals().values()) if isinstance(value, Code))

RANGES = (
    Range(-32768, -32100, "JSON-RPC 2.0, the protocol itself"),
    Range(-32099, -32020, f"MCP itself, since {REVISION}"),
    Range(-32019, -32000, "implementations, legacy: no new codes"),
)


def find_code(number: int) -> Code | None:
    """Return the `Code` with this number, or None where it has no defined meaning."""
    return next((code for code in CODES if code.number == number), None)


def owner_of(number: int) -> str:
    """Return in words who may give `number` a meaning (JSON-RPC 2.0 section 5.1, MCP's split)."""
    if number == RESOURCE_NOT_FOUND.number:  # MCP used it before it split the range
        return RESOURCE_NOT_FOUND.since
    for span in RANGES:
        if span.first <= number <= span.last:
            return span.owner
    return "your application"
