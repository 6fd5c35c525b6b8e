"""How many hostile messages published Python dispatchers answer right.

    pip install -r tests/benchmarks/requirements.txt
    python tests/benchmarks/dispatchers.py              # the table
    python tests/benchmarks/dispatchers.py tinyrpc      # and what tinyrpc gets wrong
    python tests/benchmarks/dispatchers.py --write      # and the figures that lesson 5 shows

Each is used as its manual says, with the same methods behind it. These libraries speak plain
JSON-RPC 2.0, so right is whatever the course's dispatcher does under `rules=JSON_RPC` or under
`rules=MCP`, and whatever `room` and `agrees` allow beyond that. What the six steps leave open is
not asked at all. The row of mini_rpc is the yardstick itself: it is right by definition. And
python-lsp-jsonrpc is made for editors: that it answers no broken message is what it wants.
"""

import json
import logging
import sys
import warnings
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from peers import DISPATCHERS, Answer, installed
from speed import WORKLOADS, ratios

from mini_rpc import JSON_RPC, MCP, dispatch, error_response
from mini_rpc.classroom.judging.differences import agrees
from mini_rpc.classroom.judging.hostile_messages import GROUPS
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS
from mini_rpc.wire import NotJSON, decode

FIGURES = Path(__file__).parents[2] / "mini_rpc" / "classroom" / "judging" / "published.json"


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


def measure(name: str, answer: Answer, show_wrong: bool) -> dict[str, Any]:
    """Return the name, the version, how many replies are right, and of how many."""
    asked = list(messages(DISPATCHERS[name][1]))
    wrong = []
    for group, raw in asked:
        reply, text = outcome(answer, raw)
        if not is_right(raw, reply):
            wrong.append(f"- {group}: {raw[:100]!r} -> {text[:200]}")
    if show_wrong:
        print(*wrong, sep="\n")
    right, version = len(asked) - len(wrong), metadata.version(name)
    return {"name": name, "version": version, "right": right, "asked": len(asked)}


def write(rows: list[dict[str, Any]], answers: dict[str, Answer]) -> None:
    """Write the figures, with what a small echo costs, where lesson 5 shows them."""
    costs = ratios(answers, WORKLOADS["echo 90 B"])
    found = [{**row, "echo": float(costs[row["name"]].rstrip("*"))} for row in rows]
    FIGURES.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def main(shown: list[str]) -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    answers = installed()
    rows = [measure(name, answer, name in shown) for name, answer in answers.items()]
    rows.sort(key=lambda row: -row["right"] / row["asked"])
    print("| dispatcher | version | right | |")
    print("|---|---|---:|---:|")
    for row in rows:
        right, share = f"{row['right']} of {row['asked']}", row["right"] / row["asked"]
        print(f"| {row['name']} | {row['version']} | {right} | {share:.0%} |")
    if "--write" in shown:
        write(rows, answers)


if __name__ == "__main__":
    main(sys.argv[1:])
