"""The figures of the lessons, drawn from the package's own data, and the page of the glossary.

    python -m mini_rpc.classroom figures

They lie in `notebooks`, the figures in a folder of their own. A test says when one is out of date.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ... import codes
from ...dispatcher import STEPS, Verdict, dispatch
from ...messages import shape_of
from ...rules import JSON_RPC, MCP, Rules
from ..glossary import PAGE
from ..kitchen import MESSAGES, METHODS, OUT_OF_DISH
from ..talks.peers import recorded
from . import NOTEBOOKS
from .drawing import WIDTH, Sheet

__all__ = ["FIGURES", "main", "out_of_date"]

_STOPS_AT = {
    1: MESSAGES["not JSON"],
    2: MESSAGES["no jsonrpc"],
    3: MESSAGES["notification"],
    4: MESSAGES["params in a list"],
    5: MESSAGES["unknown method"],
    6: MESSAGES["a crash"],
}
"""For each step a message that stops there."""


class Said(NamedTuple):
    """One message of a talk: who says it, in plain words, and what stands in it."""

    sign: str
    words: str
    code: str


def _talk(sheet: Sheet, said: Sequence[Said], ends: tuple[str, str], x: int, width: int) -> None:
    """Draw who says what: the client's line on the left, the server's on the right."""
    left, right, top = x + 54, x + width - 54, 52
    bottom = top + 58 + 58 * len(said)
    for middle, name in ((left, ends[0]), (right, ends[1])):
        sheet.line([(middle, top + 32), (middle, bottom - 10)])
        sheet.box(middle - 44, top, 88, 32, "asks" if middle == left else "good")
        sheet.text(middle, top + 21, name, "strong", anchor="middle")
    for number, (sign, words, code) in enumerate(said):
        y = top + 80 + 58 * number
        start, end = (left, right) if sign == ">" else (right, left)
        color = "asks" if sign == ">" else "good"
        sheet.arrow(start, y, end, y, color)
        sheet.text((left + right) / 2, y - 9, words, color, anchor="middle")
        sheet.text((left + right) / 2, y + 18, code, "code quiet", anchor="middle")


def _first_talk() -> Sheet:
    lines = [(sign, json.loads(text)) for sign, text in recorded("official_client")]
    results = {message["id"]: message["result"] for sign, message in lines if sign == "<"}
    order = lines[4][1]["params"]["arguments"]
    offers = " and ".join(results[1]["capabilities"])
    words = [
        "“Which versions do you speak, and what do you offer?”",
        f"“Version {' and '.join(results[1]['supportedVersions'])}. I offer {offers}.”",
        "“Which tools are there?”",
        f"“One: {results[2]['tools'][0]['name']}.”",
        f"“Then place an order: {order['dish']}, table {order['table']}.”",
        f"“{results[3]['content'][0]['text']}”",
    ]
    said = [
        Said(sign, text, _members(message))
        for (sign, message), text in zip(lines, words, strict=True)
    ]
    sheet = Sheet(
        "A talk between a client and a server",
        "Three requests go from the client to the server, and three results come back. "
        + " ".join(f"{'Client' if s.sign == '>' else 'Server'}: {s.words} {s.code}." for s in said),
        52 + 50 + 58 * len(said) + 34,
    )
    sheet.text(28, 34, "A real talk, recorded", "title")
    _talk(sheet, said, ("client", "server"), 20, WIDTH - 40)
    sheet.text(28, sheet.height - 18, "Each message is one line of text.", "small quiet")
    return sheet


def _members(message: dict[str, Any]) -> str:
    """Return what tells a message apart: its id, and its method, result or error."""
    shown = [f'"{key}": {json.dumps(message[key])}' for key in ("id", "method") if key in message]
    shown += [f'"{key}": {{…}}' for key in ("result", "error") if key in message]
    return ", ".join(shown)


def _six_lights() -> Sheet:
    verdicts = {step: dispatch(raw, METHODS) for step, raw in _STOPS_AT.items()}
    exits = {step: _exit(verdict) for step, verdict in verdicts.items()}
    sheet = Sheet(
        "Six questions about one message",
        "A message goes through six steps in this order. "
        + " ".join(f"{s.number} {s.name}: {s.asks} If not: {exits[s.number]}." for s in STEPS)
        + " A message that passes all six gets a result.",
        470,
    )
    sheet.text(28, 34, "Six steps, always in this order", "title")
    sheet.box(40, 52, 350, 34)
    sheet.text(215, 74, "one message, as text", anchor="middle")
    for step in STEPS:
        y = 106 + 54 * (step.number - 1)
        sheet.arrow(215, y - 20, 215, y, "good")
        sheet.box(40, y, 350, 34, "good")
        sheet.text(58, y + 22, f"{step.number}", "strong good")
        sheet.text(82, y + 22, step.asks)
        silent = verdicts[step.number].reply is None
        color = "quiet" if silent else "bad"
        sheet.arrow(390, y + 17, 450, y + 17, color)
        sheet.text(416, y + 11, "no", f"small {color}", anchor="middle")
        sheet.box(450, y, 270, 34, color)
        sheet.text(466, y + 22, exits[step.number], "strong" if silent else "")
    sheet.arrow(215, 410, 215, 430, "good")
    sheet.text(215, 449, "a result goes back", "strong good", anchor="middle")
    return sheet


def _exit(verdict: Verdict) -> str:
    """Say what goes back when a message stops at this verdict's step."""
    if verdict.reply is None:
        return "run it, and send nothing"
    error = verdict.reply["error"]
    words = f"{error['code']} {error['message'].partition(':')[0]}"
    return f"its own error, or {error['code']}" if verdict.step == len(STEPS) else words


_KEYS = ("method", "id", "result", "error")
_ROLES = {
    "request": "asks, and waits for an answer",
    "notification": "tells, and waits for nothing",
    "result": "answers: this came out",
    "error": "answers: this went wrong",
}


def _four_shapes() -> Sheet:
    parsed = {shape: json.loads(MESSAGES[shape]) for shape in _ROLES}
    assert all(shape_of(message) == shape for shape, message in parsed.items())
    sheet = Sheet(
        "Four shapes, told apart by their keys",
        "Every message holds jsonrpc. "
        + " ".join(
            f"A {shape} has {' and '.join(filter(message.__contains__, _KEYS))}: it {role}."
            for (shape, message), role in zip(parsed.items(), _ROLES.values(), strict=True)
        ),
        330,
    )
    sheet.text(28, 34, "Four shapes, told apart by their keys", "title")
    for number, (shape, message) in enumerate(parsed.items()):
        x, y = 28 + 358 * (number % 2), 56 + 134 * (number // 2)
        color = "asks" if "method" in message else "good"
        sheet.box(x, y, 346, 118, color)
        sheet.text(x + 16, y + 28, shape, f"strong {color}")
        sheet.text(x + 330, y + 28, _ROLES[shape], "small quiet", anchor="end")
        for place, key in enumerate(_KEYS):
            has = key in message
            left = x + 16 + 80 * place
            sheet.box(left, y + 46, 74, 30, color if has else "edge", r=4)
            look = "code strong" if has else "code quiet"
            sheet.text(left + 37, y + 66, key if has else f"no {key}"[:9], look, anchor="middle")
        other = "params" if "method" in message else "jsonrpc"
        words = 'always: "jsonrpc": "2.0"' + (", often: params" if other == "params" else "")
        sheet.text(x + 16, y + 102, words, "code quiet")
    return sheet


_SPANS = (
    (20, 66, "ink"),
    (86, 150, "asks"),
    (236, 262, "good"),
    (498, 176, "quiet"),
    (674, 66, "ink"),
)
"""Where the ranges lie on the line of numbers, and in which color."""


def _codes() -> Sheet:
    found = sorted(codes.CODES, key=lambda code: code.number)
    sheet = Sheet(
        "Who owns which error code",
        " ".join(f"{r.first} to {r.last}: {r.owner}." for r in codes.RANGES)
        + " All other numbers: your application. "
        + " ".join(f"{code.number} is {code.name}." for code in found),
        412,
    )
    sheet.text(28, 34, "Who owns which number", "title")
    sheet.arrow(380, 124, 8, 124)
    sheet.arrow(380, 124, 752, 124)
    for x, width, color in (_SPANS[0], _SPANS[-1]):
        sheet.text(x + width / 2, 84, "your", f"small strong {color}", anchor="middle")
        sheet.text(x + width / 2, 102, "own", f"small strong {color}", anchor="middle")
    for (x, width, color), owned in zip(_SPANS[1:-1], codes.RANGES, strict=True):
        sheet.box(x + 1, 58, width - 2, 54, color, r=2)
        owner, _, more = owned.owner.partition(", ")
        sheet.text(x + 12, 80, owner, f"small strong {color}")
        sheet.text(x + 12, 100, more.replace("the protocol itself", "the protocol"), "small quiet")
        for place, number in ((x + 4, owned.first), (x + width - 52, owned.last)):
            sheet.text(place, 142, f"{number}", "code quiet")
        inside = [code for code in found if owned.first <= code.number <= owned.last]
        for row, code in enumerate(inside):
            old = code.sent_by == "nobody"
            title = f"{code.number}{' no longer sent' if old else ''}"
            said = (title, code.name, "quiet" if old else color)
            _stamp(sheet, x, 154 + 49 * row, width, said)
    _stamp(sheet, 674, 154, 66, (f"{OUT_OF_DISH}", "lobster", "ink"))
    return sheet


def _stamp(sheet: Sheet, x: float, y: float, width: float, said: tuple[str, str, str]) -> None:
    number, name, color = said
    sheet.box(x + 3, y, width - 6, 43, color, r=3)
    sheet.text(x + 12, y + 18, number, "code strong")
    sheet.text(x + 12, y + 35, name, "small")


_NARROWED: tuple[tuple[str, Callable[[Rules], str]], ...] = (
    ("an id is", lambda rules: rules.ids),
    ("params are", lambda rules: f"{rules.named}, or missing"),
    ("one text holds", lambda rules: "one message, or many" if rules.batches else "one message"),
)


def _funnel() -> Sheet:
    rows = [(what, tell(JSON_RPC), tell(MCP)) for what, tell in _NARROWED]
    rows += [
        ("requests come from", "either side", "the client"),
        ("a result is", "any JSON value", "an object with resultType"),
    ]
    sheet = Sheet(
        "MCP narrows JSON-RPC",
        " ".join(f"In JSON-RPC {what} {wide}; in MCP {narrow}." for what, wide, narrow in rows),
        112 + 62 * len(rows),
    )
    bottom = 78 + 62 * len(rows)
    sheet.area([(28, 52), (732, 52), (640, bottom), (150, bottom)], "paper")
    sheet.line([(28, 52), (150, bottom), (640, bottom), (732, 52)], "edge")
    sheet.text(28, 34, "JSON-RPC 2.0 allows more …", "title asks")
    for number, (what, wide, narrow) in enumerate(rows):
        y = 84 + 62 * number
        sheet.text(380, y, what, "small quiet", anchor="middle")
        sheet.text(366, y + 24, wide, "asks", anchor="end")
        sheet.text(380, y + 24, "→", "quiet", anchor="middle")
        sheet.text(394, y + 24, narrow, "strong good")
    sheet.text(380, bottom + 24, "… and MCP takes less", "title good", anchor="middle")
    return sheet


_HURTS = (
    ("bytes", "not UTF-8, a byte-order mark", b"\xff"),
    ("text", "NaN, a missing brace, too deep", "[NaN]"),
    ("envelope", "an id that is true or null, an array", MESSAGES["id is true"]),
    ("params", "null, or a list", MESSAGES["params in a list"]),
    ("method", "a crash, sys.exit, a secret in a text", MESSAGES["a crash"]),
    (
        "reply",
        "infinity, a set, bytes",
        '{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"n": 1e999}}',
    ),
)
"""The places where a message can hurt, what hurts there, and a message that does."""


def _where_it_hurts() -> Sheet:
    rows = [(place, what, dispatch(raw, METHODS)) for place, what, raw in _HURTS]
    sheet = Sheet(
        "Where a message can hurt",
        "On its way a message can do harm in six places. "
        + " ".join(f"In the {place}: {what}; {_exit(v)}." for place, what, v in rows),
        70 + 58 * len(rows),
    )
    sheet.text(28, 34, "Where a message can hurt", "title")
    for number, (place, what, verdict) in enumerate(rows):
        y = 52 + 58 * number
        if number:
            sheet.arrow(92, y - 18, 92, y, "good")
        sheet.box(28, y, 128, 40, "good")
        sheet.text(92, y + 25, place, "strong good", anchor="middle")
        sheet.arrow(156, y + 20, 186, y + 20, "bad")
        sheet.text(196, y + 25, what)
        sheet.box(510, y, 222, 40, "bad")
        sheet.text(526, y + 25, f"{verdict.reply['error']['code']}", "code strong")
        sheet.text(582, y + 25, verdict.reply["error"]["message"].partition(":")[0], "small")
    return sheet


_DINNER = (
    Said(">", "“Table 6: a steak.”", '"id": 1, "method": "cook"'),
    Said(">", "“Table 2: a salad.”", '"id": 2, "method": "cook"'),
    Said("<", "“The salad.”", '"id": 2, "result": "salad"'),
    Said("<", "“The steak.”", '"id": 1, "result": "steak"'),
)


def _in_flight() -> Sheet:
    sheet = Sheet(
        "Two requests in flight",
        "The requests 1 and 2 go out. The reply to 2 comes first, then the reply to 1. "
        "Each reply carries the id of its request, so each finds its table.",
        392,
    )
    sheet.text(28, 34, "Two requests in flight, and the salad comes first", "title")
    _talk(sheet, _DINNER, ("client", "server"), 150, WIDTH - 170)
    for x, id, first, last in ((60, 1, 0, 3), (112, 2, 1, 2)):
        top, bottom = 132 + 58 * first, 132 + 58 * last
        sheet.box(x, top, 38, bottom - top, "asks", r=4)
        sheet.text(x + 19, (top + bottom) / 2 + 5, f"{id}", "strong asks", anchor="middle")
        sheet.line([(x + 38, top), (204, top)], "edge", dash=True)
        sheet.line([(x + 38, bottom), (204, bottom)], "edge", dash=True)
    words = (
        "A bar is a request that waits. Side by side: two in flight. The id says whose reply it is."
    )
    sheet.text(28, 374, words, "small quiet")
    return sheet


_PARTS = (
    ("messages", "four shapes, six steps", "lessons 1 to 6"),
    ("handshake", "versions, capabilities", "server/discover"),
    ("tools", "what a model may do", "tools/list, tools/call"),
    ("resources", "what can be read", "resources/list, …/read"),
    ("prompts", "ready-made requests", "prompts/list, …/get"),
)


def _five_parts() -> Sheet:
    sheet = Sheet(
        "MCP in five parts",
        "Messages carry everything. On them stand the handshake and three primitives. "
        + " ".join(f"{name.capitalize()}: {what} ({where})." for name, what, where in _PARTS),
        276,
    )
    sheet.text(28, 34, "MCP in five parts", "title")
    (messages, what, where), *others = _PARTS
    for number, (name, more, methods) in enumerate(others):
        x = 28 + 178 * number
        sheet.box(x, 74, 170, 96, "asks" if not number else "good")
        sheet.text(x + 14, 100, name, f"strong {'asks' if not number else 'good'}")
        sheet.text(x + 14, 126, more, "small")
        sheet.text(x + 14, 152, methods, "small quiet")
    sheet.text(462, 60, "three primitives: what a server offers", "small quiet", anchor="middle")
    sheet.box(28, 182, 704, 68, "ink")
    sheet.text(42, 210, f"{messages}: JSON-RPC 2.0", "strong")
    sheet.text(42, 234, f"{what}. They carry all the rest.", "small")
    sheet.text(718, 210, where, "small quiet", anchor="end")
    return sheet


_LEGACY = (
    Said(">", "initialize", "the version it wants"),
    Said("<", "result", "the version agreed on"),
    Said(">", "notifications/initialized", "no id, so no reply"),
    Said(">", "tools/list", "without _meta"),
    Said("<", "result", "the tools"),
)
_MODERN = (
    Said(">", "server/discover", "_meta: version, capabilities"),
    Said("<", "result", "all versions it speaks"),
    Said(">", "tools/list", "_meta: version, capabilities"),
    Said("<", "result", "the tools, resultType"),
)


def _openings() -> Sheet:
    sheet = Sheet(
        "Two ways to open a talk",
        "Legacy, until 2025-11-25: the client sends initialize, the server answers with a version, "
        "the client sends notifications/initialized, then requests without _meta. "
        f"Modern, {codes.REVISION}: the client may send server/discover, and every request carries "
        "its version and capabilities in _meta. A server must answer server/discover.",
        434,
    )
    sheet.text(28, 34, "Legacy: 2025-11-25 and earlier", "title")
    sheet.text(400, 34, f"Modern: {codes.REVISION}", "title")
    _talk(sheet, _LEGACY, ("client", "server"), 10, 360)
    _talk(sheet, _MODERN, ("client", "server"), 386, 360)
    words = ("A server must answer server/discover.", "A client may leave it out.")
    sheet.lines(400, 386, words, "small quiet")
    return sheet


FIGURES: dict[str, Callable[[], Sheet]] = {
    "first_talk": _first_talk,
    "six_lights": _six_lights,
    "four_shapes": _four_shapes,
    "codes": _codes,
    "funnel": _funnel,
    "where_it_hurts": _where_it_hurts,
    "in_flight": _in_flight,
    "five_parts": _five_parts,
    "openings": _openings,
}
"""What draws each figure, by the name of its file."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file that is made: the figures and the glossary."""
    for name, draw in FIGURES.items():
        yield f"figures/{name}.svg", draw().svg()
    yield "glossary.md", PAGE.read_text("utf-8")


def out_of_date(folder: Path) -> Iterator[str]:
    """Yield the name of each file that is missing in this folder, or is not as it should be."""
    for name, text in pages():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            yield name


def main(argv: list[str]) -> int:
    """Make what is out of date in a folder, `notebooks` unless another one is named."""
    parser = argparse.ArgumentParser("figures", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=NOTEBOOKS)
    folder: Path = parser.parse_args(argv).folder
    if not folder.is_dir():
        print(f"There is no folder {folder}.")
        return 1
    (folder / "figures").mkdir(exist_ok=True)
    texts = dict(pages())
    for name in list(out_of_date(folder)):
        (folder / name).write_text(texts[name], "utf-8", newline="\n")
        print(f"{name}: written")
    return 0
