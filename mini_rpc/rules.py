"""Plain JSON-RPC 2.0, and what MCP takes away from it."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

from .codes import REVISION

__all__ = ["JSON_RPC", "MCP", "PLAIN_IDS", "Rules"]

PLAIN_IDS = (str, int)
"""The types that an id may have everywhere. (Not for isinstance, to which True is an int, too.)"""


class Rules(NamedTuple):
    """What a dispatcher lets through.

    `source` names the text the rules come from. `batches` allows an array of messages; `params`
    holds the types that params may have, as `json` reads them (JSON-RPC 2.0 section 4.2); with
    `only_plain_ids` an id is a string or an integer and nothing else; `details` lets an error's
    message go on after the specification's words.
    """

    source: str
    batches: bool
    params: tuple[type, ...]
    only_plain_ids: bool
    details: bool

    @property
    def ids(self) -> str:
        """Say in words what an id may be."""
        return "a string or an integer" if self.only_plain_ids else "a string, a number or null"

    @property
    def named(self) -> str:
        """Say in words what params may be."""
        return "an object or an array" if list in self.params else "an object"

    def legal_id(self, value: Any) -> bool:
        """Tell whether a parsed JSON value may be an id (JSON-RPC 2.0 section 4)."""
        if type(value) in PLAIN_IDS:
            return True
        if self.only_plain_ids:
            return False
        return value is None or (type(value) is float and isfinite(value))


MCP = Rules(f"MCP {REVISION}", batches=False, params=(dict,), only_plain_ids=True, details=True)
JSON_RPC = Rules(
    "JSON-RPC 2.0", batches=True, params=(dict, list), only_plain_ids=False, details=False
)
