"""What the two lessons that this course grew out of print, the course's dispatcher prints too.

Their inputs and replies are in `data/sources.toml`; the code is the course's own.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import mini_rpc
from mini_rpc.classroom import needs

SOURCES = tomllib.loads((Path(__file__).parent / "data" / "sources.toml").read_text("utf-8"))
SHAPES, PAGES = SOURCES.pop("shapes"), SOURCES.pop("pages")
MESSAGES = [
    (rules, raw, reply)
    for part in SOURCES.values()
    for rules, messages in part.items()
    for raw, reply in messages.items()
]
heard: list[str] = []
METHODS = {
    "add": lambda params: sum(needs(params, "a", "b")),
    "ping": lambda params: {},
    "tools/list": lambda params: {"tools": []},
    "tools/call": lambda params: needs(params, "name"),
    "echo": lambda params: {"you_said": params.get("text")},
    "notifications/log": lambda params: heard.append(params["line"]),
}


@pytest.mark.parametrize(("rules", "raw", "reply"), MESSAGES)
def test_each_message_gets_the_printed_reply(rules: str, raw: str, reply: str) -> None:
    heard.clear()
    found: Any = mini_rpc.handle(raw, METHODS, rules=getattr(mini_rpc, rules))
    assert found == (None if reply == "silence" else json.loads(reply))
    assert heard == (["started"] if "notifications/log" in raw else [])


@pytest.mark.parametrize("shape", SHAPES)
def test_the_keys_that_are_present_tell_the_shapes_apart(shape: str) -> None:
    assert mini_rpc.shape_of({"jsonrpc": "2.0", **json.loads(SHAPES[shape])}) == shape


@pytest.mark.parametrize("cell", PAGES)
def test_the_lessons_print_what_the_sources_print(cell: str) -> None:
    page, id = cell.split()
    notebook = json.loads((Path(__file__).parents[1] / "notebooks" / page).read_text("utf-8"))
    (output,) = next(one["outputs"] for one in notebook["cells"] if one["id"] == id)
    printed = "".join(output.get("text") or output["data"]["text/plain"])
    assert printed.splitlines() == PAGES[cell].splitlines()
