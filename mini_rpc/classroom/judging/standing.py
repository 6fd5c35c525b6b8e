"""Where a dispatcher stands beside the published ones: how many messages it answers right, and
what a small echo costs, where 1 is JSON alone. The figures of the others are in `published.json`,
which `tests/benchmarks/dispatchers.py --write` renews."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from timeit import Timer
from typing import Any

from ..sandbox import run
from .runs import Handle

__all__ = ["echo_cost", "published", "standing"]

_ECHO = '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"note":"' + "x" * 30 + '"}}'
_METHODS: dict[str, Callable[[Any], Any]] = {"echo": lambda params: params}
_BAR, _WIDE = "█", 20


def published() -> list[dict[str, Any]]:
    """Return the figures of the published dispatchers, the strictest first."""
    path = Path(__file__).with_name("published.json")
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return [row for row in rows if row["name"] != "mini_rpc"]


def echo_cost(handle: Handle) -> float | None:
    """Return what a small echo costs in this dispatcher, where 1 is JSON alone; None if it cannot
    be measured."""
    cost = run(_measure, handle).value
    return cost if type(cost) is float else None


def _measure(handle: Handle) -> float:
    reply = handle(_ECHO, _METHODS)
    alone = Timer(lambda: (json.loads(_ECHO), json.dumps(reply)))
    whole = Timer(lambda: json.dumps(handle(_ECHO, _METHODS)))
    pairs = [(alone.timeit(200), whole.timeit(200)) for _ in range(25)]
    return min(one for _, one in pairs) / min(one for one, _ in pairs)


def standing(name: str, right: int, asked: int, cost: float | None) -> str:
    """Return a table as text: a row for this dispatcher, one for each published one."""
    own = {"name": name, "version": "yours", "right": right, "asked": asked, "echo": cost}
    rows = [own, *published()]
    return "\n".join(map(_row, rows))


def _row(row: dict[str, Any]) -> str:
    share = row["right"] / row["asked"]
    bar = (_BAR * round(share * _WIDE)).ljust(_WIDE)
    cost = "" if row["echo"] is None else f"  echo {row['echo']:4.1f} × JSON alone"
    name = f"{row['name']} {row['version']}"
    return f"{name:<26} {bar} {row['right']} of {row['asked']}{cost}"
