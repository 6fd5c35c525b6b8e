"""Plain JSON-RPC 2.0, and what MCP takes away from it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from .codes import REVISION

__all__ = ["JSON_RPC", "MCP", "Rules"]


@dataclass(frozen=True)
class Rules:
    """What a dispatcher lets through.

    `source` names the text the rules come from. With `only_named_params` an array of params is
    refused; with `only_plain_ids` an id is a string or an integer and nothing else; `batches`
    allows an array of messages; `details` lets an error's message go on after the
    specification's words.
    """

    source: str
    batches: bool
    only_named_params: bool
    only_plain_ids: bool
    details: bool

    @property
    def ids(self) -> str:
        """Say in words what an id may be."""
        return "a string or an integer" if self.only_plain_ids else "a string, a number or null"

    @property
    def named(self) -> str:
        """Say in words what params may be."""
        return "an object" if self.only_named_params else "an object or an array"

    def legal_id(self, value: Any) -> bool:
        """Tell whether a parsed JSON value may be an id (JSON-RPC 2.0 section 4)."""
        if type(value) in (str, int):  # isinstance would let True through: a bool is an int
            return True
        if self.only_plain_ids:
            return False
        return value is None or (type(value) is float and isfinite(value))

    def legal_params(self, value: Any) -> bool:
        """Tell whether a parsed JSON value may be params (JSON-RPC 2.0 section 4.2)."""
        return isinstance(value, dict) or (isinstance(value, list) and not self.only_named_params)


MCP = Rules(
    f"MCP {REVISION}", batches=False, only_named_params=True, only_plain_ids=True, details=True
)
JSON_RPC = Rules(
    "JSON-RPC 2.0", batches=True, only_named_params=False, only_plain_ids=False, details=False
)
