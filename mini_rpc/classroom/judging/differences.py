"""Station 2: what was done is compared with what is due. A `Difference` says how they differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...messages import kind_of
from .. import sandbox
from .behaviors import behavior_of
from .hostile_messages import Raw
from .hostile_methods import HOSTILE_METHODS, SECRET
from .runs import NO_DICT, Did, Due
from .values import as_json, message_of, show

__all__ = [
    "FALLS_OVER",
    "Compared",
    "Difference",
    "agrees",
    "compare",
    "let_through",
    "say",
    "settle",
]

_STEP_OF = {-32700: 1, -32600: 2, -32602: 4, -32601: 5}
FALLS_OVER = ("it crashes", "it crashes with")
_NOT_RETURNED = "its result is not what the method returned"
_OTHER_PARAMS = "it gives other params to the method"


class Difference(NamedTuple):
    """How an answer differs: its family, what it does in words, and what is due in place of that.

    Differences of one family are said together: two or three after one `head`, more by `general`.
    `otherwise` is what it is called where others of that family show that this is one, too.
    """

    family: str
    does: str
    due: str = ""
    general: str = ""
    head: str = ""
    otherwise: Difference | None = None


class Compared(NamedTuple):
    """A message, what is due for it, what a dispatcher did, and how that differs, if it does."""

    raw: Raw
    due: Due
    did: Did
    difference: Difference | None

    def came_back(self) -> str:
        """Say in a line what came back, or what became of it where nothing did."""
        if self.did.run.state != "returned":
            return f"nothing: {self.did.run.error or self.did.run.state}"
        return show(self.did.reply) + self._called(self.did.calls)

    def should_have(self) -> str:
        """Say in a line what should have come back."""
        return show(self.due.reply) + self._called(self.due.calls)

    def _called(self, calls: Sequence[tuple[str, str]]) -> str:
        """Tell of the calls, where they are what is wrong."""
        if [*self.did.calls] == [*self.due.calls]:
            return ""
        called = ", ".join(f"{name} with {params}" for name, params in calls)
        return f"; called: {called or 'nothing'}"


def say(differences: Sequence[Difference]) -> str:
    """Say what these differences are, each family once, the most frequent first."""
    families: dict[str, list[Difference]] = {}
    for one in differences:
        families.setdefault(one.family, []).append(one)
    parts = [_say_family(ones) for ones in sorted(families.values(), key=len, reverse=True)]
    if len(parts) > 2:
        parts = [*parts[:2], "goes wrong in another way"]
    parts = [parts[0], *(part.removeprefix("it ") for part in parts[1:])]
    return ", or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)


def _say_family(ones: Sequence[Difference]) -> str:
    instead = {one.otherwise for one in ones if one.family == "let through"}
    if len(instead) == 1 and (code := instead.pop()) and code.does.startswith("it answers"):
        return _say_family([code])  # a later step refuses each of them, in the same way
    does = list(dict.fromkeys(one.does for one in ones))
    meant = list(dict.fromkeys(one.due for one in ones if one.due))
    head, general = ones[0].head, ones[0].general
    if len(does) == 1:
        text = does[0]
    elif len(does) < 4 and head and general not in does:
        ends = [one.removeprefix(head) for one in does]
        text = f"{head}{','.join(ends[:-1])} or{ends[-1]}"
    else:
        text = general or f"{does[0]} or the like"
    if not meant:
        return text
    return f"{text} where {' or '.join(meant) if len(meant) < 3 else 'something else'} is due"


def settle(differences: Mapping[int, Difference]) -> dict[int, Difference]:
    """Return the differences, each that can be called two ways by the more frequent of the two."""
    counts = Counter(one.family for one in differences.values())

    def settled(one: Difference) -> Difference:
        other = one.otherwise
        return other if other and counts[other.family] >= counts[one.family] else one

    return {index: settled(one) for index, one in differences.items()}


def compare(raw: Raw, due: Due, did: Did) -> Compared:
    """Compare what a dispatcher did with what is due."""
    return Compared(raw, due, did, next(_differences(raw, due, did), None))


def _differences(raw: Raw, due: Due, did: Did) -> Iterator[Difference]:
    if did.run.state == "raised":
        name = did.run.error.split(":")[0]
        yield Difference("fell over", f"it crashes with {name}", "", *FALLS_OVER)
    elif did.run.state != "returned":
        yield Difference("gave no answer", "it gives no answer at all")
    else:
        yield from _of_reply(raw, due, did)
        yield from _of_calls(due, did)
        if did.spoiled:
            yield Difference("spoiled", "it changes the reply that it gave to the message before")


def _of_reply(raw: Raw, due: Due, did: Did) -> Iterator[Difference]:
    reply = did.reply
    if due.reply is None:
        if reply is not None:
            yield Difference("answered", "it answers a notification")
    elif reply is None:
        silent = Difference("silent", "it returns None", "an answer")
        ran = due.step < 6 and did.calls and not due.calls
        yield let_through(due, silent) if ran else silent
    elif reply == sandbox.VERY_LARGE:
        yield Difference("very large", "its reply is very large")
    elif isinstance(reply, sandbox.Opaque) or as_json(reply) is None:
        yield Difference("no JSON", "its reply cannot be written as JSON")
    elif not isinstance(reply, dict):
        kind = f"it returns {kind_of(reply)}"
        yield Difference("kind", kind, "a dict", "it returns something else")
    else:
        yield from _of_response(raw, due, did)


def _of_response(raw: Raw, due: Due, did: Did) -> Iterator[Difference]:
    reply = did.reply
    error = reply.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if due.step == 2 and as_json(reply) == as_json(message_of(raw)):
        yield Difference("sent back", "it sends the message back", str(due.code))
    elif "result" not in reply and "error" not in reply:
        yield Difference("no response", "its reply has no result and no error")
    elif due.code is None:
        yield from _refused(due, code) if "result" not in reply else ()
    elif "error" not in reply:
        sends = Difference("sends a result", "it sends a result", str(due.code))
        yield sends if due.calls else let_through(due)
    elif not isinstance(error, dict):
        yield Difference("error", f"its error is {kind_of(error)} and no object")
    elif _leaks(due, error):
        yield Difference("leak", "its reply tells of the exception")
    elif as_json(code) != as_json(due.code):
        yield _other_code(raw, due, did, code)
    yield from _of_members(due, reply)
    if due.code is None:
        yield from _of_result(due.reply["result"], reply.get("result"))
    elif isinstance(error, dict):
        yield from _of_error(due, error)


def let_through(due: Due, otherwise: Difference | None = None) -> Difference:
    """Say that a message is let through that should have been refused."""
    return Difference("let through", "it accepts the message", str(due.code), otherwise=otherwise)


def _refused(due: Due, code: Any) -> Iterator[Difference]:
    if code is None:
        yield Difference("no code", "it sends an error without a code", "a result")
    else:
        yield Difference(f"answers {code!r}", f"it answers {show(code)}", "a result")


def _other_code(raw: Raw, due: Due, did: Did, code: Any) -> Difference:
    """Tell what is let through, and answered by a later step, from what has another code."""
    if code is None:
        return Difference("no code", "its error has no code", str(due.code))
    answers = Difference(f"answers {code!r}", f"it answers {show(code)}", str(due.code))
    if due.step < 6 and (did.calls or _belongs_to_later_step(raw, due.step, code)):
        return let_through(due, answers)
    return answers


def _belongs_to_later_step(raw: Raw, step: int, code: Any) -> bool:
    message = message_of(raw)
    if type(code) is not int or not message or _STEP_OF.get(code, 0) <= step:
        return False
    if code == -32602:
        return not isinstance(message.get("params", {}), dict)
    name = message.get("method")
    return not (isinstance(name, str) and name in HOSTILE_METHODS)


def _leaks(due: Due, error: dict[str, Any]) -> bool:
    """Tell whether an error says what only the private log should: see `Behavior`."""
    if due.code != -32603 or not due.calls or due.reply["error"].get("data") is not None:
        return False
    data = error.get("data")
    deep = as_json(data) if isinstance(data, (dict, list)) else None
    text = as_json([error.get("message"), None if deep else data]) or ""

    def holds(text: str, secret: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", text) is not None

    # What is deep in data may be the message's own, where a number says little.
    return any(
        holds(text, secret) or (len(secret) > 2 and holds(deep or "", secret))
        for secret in behavior_of(*due.calls[0]).tells
    )


def _of_members(due: Due, reply: dict[str, Any]) -> Iterator[Difference]:
    if extra := sorted(map(str, set(reply) - set(due.reply))):
        too_many = "its reply has a member too many"
        yield Difference("member", f'{too_many}, "{extra[0]}"', general=too_many)
    if as_json(reply.get("jsonrpc")) != '"2.0"':
        yield Difference("jsonrpc", 'its reply lacks "jsonrpc": "2.0"')
    if "id" not in reply:
        yield Difference("id", "its reply has no id")
    elif as_json(reply["id"]) not in map(as_json, due.ids):
        yield _other_id(due.ids[0], reply["id"])


def _other_id(should: Any, id: Any) -> Difference:
    if should is None:
        return Difference("id kept", "its reply has an id that is not null", "null")
    if id is None:
        return Difference("id lost", "its reply has the id null", "the id of the message")
    if type(id) is not type(should):
        kind = f"its reply has {kind_of(id)} as id"
        return Difference(
            "id changed", kind, kind_of(should), "its reply has an id of another kind"
        )
    return Difference("id", "its reply has another id than the message")


def _of_result(should: Any, result: Any) -> Iterator[Difference]:
    if as_json(should) == as_json(result):
        return
    does, due = _NOT_RETURNED, ""
    if kind_of(should) != kind_of(result):
        does, due = f"its result is {kind_of(result)}", kind_of(should)
    yield Difference("result", does, due, _NOT_RETURNED)


def _of_error(due: Due, error: dict[str, Any]) -> Iterator[Difference]:
    should = due.reply["error"]
    if "message" not in error:
        others = sorted(map(str, set(error) - {"code", "data"}))
        has = f" (it has {others[0]})" if others else ""
        yield Difference("no message", f"its error has no message{has}")
    elif not isinstance(error["message"], str):
        yield Difference("message", f"its error's message is {kind_of(error['message'])}")
    if extra := sorted(map(str, set(error) - {"code", "message", "data"})):
        yield Difference("error", f'its error has a member too many, "{extra[0]}"')
    if "data" in should and "data" not in error:
        yield Difference("data lost", "it leaves out the data of an RpcError")
    elif as_json(error.get("data")) != as_json(should.get("data")) and (
        "data" in should or _is_own(due)
    ):
        yield Difference("data", "it changes the data of an RpcError")
    if _is_own(due) and error.get("message") != should["message"]:
        answers = Difference(f"answers {due.code}", f"it answers {due.code}", "another message")
        yield Difference("message", "it changes the message of an RpcError", otherwise=answers)


def _is_own(due: Due) -> bool:
    return due.step == 6 and bool(due.calls) and behavior_of(*due.calls[0]).on_purpose


def _of_calls(due: Due, did: Did) -> Iterator[Difference]:
    if [*did.calls] == [*due.calls]:
        return
    if not did.calls:
        yield Difference("not run", "it does not run the method")
    elif not due.calls:
        yield Difference("run", "it runs a method that must not run")
    elif len(did.calls) > len(due.calls):
        yield Difference("run twice", "it runs the method more than once")
    elif did.calls[0][0] != due.calls[0][0]:
        yield Difference("other method", "it runs another method")
    else:
        params, should = did.calls[0][1], due.calls[0][1]
        short = len(params) < 20 and len(should) < 20
        does = f"it gives {params} to the method" if short or params == NO_DICT else _OTHER_PARAMS
        is_told = short and params != NO_DICT
        yield Difference("params", does, should if is_told else "", _OTHER_PARAMS)


# --- replies alone -----------------------------------------------------------------------------


def agrees(raw: Raw, expected: Any, reply: Any) -> bool:
    """Tell whether `reply` decides about `raw` as `expected`, the core's own reply, does.

    Values are compared type by type: `1`, `True` and `1.0` differ. Wording does not count, but
    `SECRET` in it does. With -32600, the id may be null or what the message has as its id. `data`
    may be there or not where there is none to give. A batch may be answered in any order.
    """
    if isinstance(expected, list):
        rest = list(reply) if isinstance(reply, list) else []
        for one in expected:
            match = next((other for other in rest if agrees("", one, other)), None)
            if match is None:
                return False
            rest.remove(match)
        return not rest and isinstance(reply, list)
    if SECRET in (as_json(reply) or ""):
        return False
    ids = () if expected is None else (expected["id"], *_ids_of_refusal(raw, expected))
    did = Did(sandbox.Run("returned"), reply)
    return compare(raw, Due(6, expected, [], ids), did).difference is None


def _ids_of_refusal(raw: Raw, expected: dict[str, Any]) -> Sequence[Any]:
    if expected.get("error", {}).get("code") != -32600:
        return ()
    return (None, *(value for name, value in (message_of(raw) or {}).items() if name == "id"))
