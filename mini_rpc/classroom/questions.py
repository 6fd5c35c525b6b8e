"""The questions of the lessons. Behind each wrong option is one mistake that real programs make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..dispatcher import Verdict
from .claims import ERROR, NOTHING, RESULT, Claim, code
from .kitchen import MESSAGES

__all__ = ["PREDICTIONS", "QUESTIONS", "Option", "Prediction", "Question"]


@dataclass(frozen=True)
class Option:
    """One option of a question: its text, and why it is right or wrong.

    `misconception` names the mistake behind a wrong option; it is None for the right one.
    """

    text: str
    why: str
    misconception: str | None = None


@dataclass(frozen=True)
class Question:
    """A question of a lesson, with its options; `message` is a text that it is about."""

    id: str
    lesson: int
    ask: str
    options: Sequence[Option]
    message: str = ""


@dataclass(frozen=True)
class Prediction:
    """A raw message of a lesson, and the claims about its verdict that can be chosen."""

    id: str
    lesson: int
    raw: str
    claims: Sequence[Claim]


def _right(text: str, why: str) -> Option:
    return Option(text, why)


def _wrong(text: str, misconception: str, why: str) -> Option:
    return Option(text, why, misconception)


_PROGRESS = (
    '{"jsonrpc": "2.0", "method": "notifications/progress",\n'
    ' "params": {"progressToken": "t1", "progress": 5}}'
)

_QUESTIONS = [
    Question(
        "id in msg",
        1,
        'This text is parsed into the dict msg. What is the value of "id" in msg?',
        [
            _wrong(
                "True",
                "the progress token is the id",
                "progressToken names a piece of work that somebody asked for earlier. It lies "
                "inside params. Only the message's own member id makes it a request.",
            ),
            _right(
                "False",
                "The message has a method and no member id. It is a notification: nobody waits "
                "for an answer.",
            ),
            _wrong(
                "It raises KeyError",
                "asking for a key is reading it",
                'msg["id"] would raise KeyError. "id" in msg asks only whether the key is there, '
                "and that is the question that tells a request from a notification.",
            ),
        ],
        _PROGRESS,
    ),
    Question(
        "lesson 1 self-check 1",
        1,
        "What marks a message as a notification?",
        [
            _wrong(
                "It has a result",
                "a notification is a response",
                "A result is the answer to a request. A notification answers nothing and asks "
                "nothing: somebody calls across the room.",
            ),
            _wrong(
                "Its id is null",
                "null is the same as absent",
                "The key is there, so this is no notification. Under MCP it is no request either: "
                "null is no legal id.",
            ),
            _right(
                "It has a method and no id, and it gets no answer",
                "An id means that somebody is waiting. Without one nobody is.",
            ),
            _wrong(
                "Its method starts with notifications/",
                "the name decides",
                "MCP names its notifications so, but a name decides nothing. With an id the same "
                "message is a request and gets an answer.",
            ),
            _wrong(
                "It carries the error code -32601",
                "a notification is an error",
                "A message with a code in it is an error response. -32601 is the stamp for an "
                "unknown method, and it answers a request.",
            ),
        ],
    ),
    Question(
        "lesson 1 self-check 2",
        1,
        "You send request 7, then request 8. The first answer to arrive has the id 8. Which "
        "request does it answer?",
        [
            _wrong(
                "Request 7: it was sent first",
                "answers keep the order of the requests",
                "A salad can beat a steak to the table, even if it was ordered later. The place "
                "in the line says nothing.",
            ),
            _right(
                "Request 8",
                "The id is the only link between an answer and its question.",
            ),
            _wrong(
                "Nobody can know before the other answer is there",
                "an answer needs the others to be understood",
                "Each answer carries its own ticket number. It can be handed out at once.",
            ),
            _wrong(
                "None: it arrived out of order, so it is an error",
                "out of order is a fault",
                "Answers may arrive in any order. That is what ids are for.",
            ),
        ],
    ),
    Question(
        "lesson 1 self-check 3",
        1,
        "Which shape has this message?",
        [
            _wrong(
                "result",
                "a result wins over an error",
                "A receiver that stops at the first key it knows would hand out a dish and throw "
                "away the note that says why there is none.",
            ),
            _wrong(
                "error",
                "an error wins over a result",
                "That would be cautious, but the sender broke the rule. A response has a result "
                "or an error, never both.",
            ),
            _wrong(
                "request",
                "an id makes a request",
                "A request has a method. An id alone does not ask for anything: responses carry "
                "one as well.",
            ),
            _right(
                "invalid",
                "A response has a result or an error, never both. With both, nobody can tell what "
                "the sender meant.",
            ),
        ],
        '{"jsonrpc": "2.0", "id": 7, "result": {"status": "cooking"},\n'
        ' "error": {"code": 86, "message": "We are out of that dish"}}',
    ),
    Question(
        "lesson 2 self-check 1",
        2,
        "A request for orders/place has an object as params, but the dish is missing in it. What "
        "comes back?",
        [
            _wrong(
                "An error with the code -32600",
                "a wrong param makes a wrong envelope",
                "-32600 is about the envelope: jsonrpc, method and id. Here the envelope is fine, "
                "and what lies inside does not fit.",
            ),
            _right(
                "An error with the code -32602",
                "The params do not fit the method. The method knows what it needs, so it is the "
                "one that sends this stamp.",
            ),
            _wrong(
                "An error with the code -32603",
                "every failure of a method is a crash",
                "-32603 is for surprises. A method that looks at its params first can say which "
                "one is missing, and the sender can mend that.",
            ),
            _wrong(
                "Nothing is sent",
                "a bad request deserves silence",
                "The request has an id, so somebody is waiting. Only a notification gets silence.",
            ),
        ],
    ),
    Question(
        "lesson 2 self-check 2",
        2,
        "A text breaks off in the middle and cannot be parsed. Which id does JSON-RPC want in the "
        "reply?",
        [
            _wrong(
                "The id that can be seen in the text",
                "an id can be guessed",
                "Text that cannot be parsed has no members, so it has no id. A number that looks "
                "like one may stand for something else, and the answer would reach the wrong "
                "request.",
            ),
            _wrong(
                "0, as no id is known",
                "a number can stand for nothing",
                "0 is a legal id, and a request may be waiting under it.",
            ),
            _right(
                "null",
                "The letter arrived soaked: nobody can tell whom to answer, and null says so.",
            ),
            _wrong(
                "None: nothing is sent",
                "what cannot be read gets no answer",
                "Silence is for notifications. The sender of a broken text may be waiting, and "
                "hears that something of it was unreadable.",
            ),
        ],
    ),
    Question(
        "lesson 2 self-check 3",
        2,
        "A server does not speak the protocol version that a client asked for. Where does the "
        "client's program find the versions that would do?",
        [
            _wrong(
                "In the error's message",
                "programs read the message",
                "The message is for people, and its words may change at any time.",
            ),
            _right(
                "In the error's data",
                "data is for machines: data.supported is a list that a program can choose from.",
            ),
            _wrong(
                "In the last digits of the code",
                "a code carries details",
                "The code -32022 says what kind of trouble it is, the same number each time. "
                "Details need a place of their own.",
            ),
            _wrong(
                "In the server's log",
                "the log is part of the answer",
                "The log is private. It never goes over the wire.",
            ),
        ],
    ),
    Question(
        "lesson 3 self-check 1",
        3,
        "A check for ids reads: isinstance(value, (str, int)). Which illegal id does it let "
        "through?",
        [
            _wrong(
                "null",
                "null counts as an integer",
                "JSON's null becomes None, which is neither text nor an integer. This check stops "
                "it.",
            ),
            _right(
                "true",
                "Python counts booleans as integers: isinstance(True, int) is True. Ask for "
                "booleans first.",
            ),
            _wrong(
                "1.5",
                "every number counts as an integer",
                "A fraction becomes a float, and a float is no int. This check stops it.",
            ),
            _wrong(
                "0",
                "zero is no id",
                "0 is a legal id: it is an integer. So are negative numbers.",
            ),
        ],
    ),
    Question(
        "lesson 3 self-check 2",
        3,
        "A client sends an array of two requests, and both would succeed. The server follows MCP "
        "2026-07-28. What comes back?",
        [
            _wrong(
                "An array of two results",
                "MCP has batches",
                "Plain JSON-RPC answers so. MCP took batches in with 2025-03-26 and out again "
                "with 2025-06-18.",
            ),
            _wrong(
                "Two results, one after the other",
                "a batch is a row of messages",
                "Nothing in the array is carried out. One message is one object, and this is none.",
            ),
            _right(
                "One error with the code -32600 and the id null",
                "An array is no message, so step 2 refuses it. It has no id of its own.",
            ),
            _wrong(
                "Nothing is sent",
                "what has no id is a notification",
                "A notification is an object with a method and no id. An array is neither that "
                "nor a request, so its sender is told.",
            ),
        ],
    ),
    Question(
        "lesson 3 self-check 3",
        3,
        "What may a server send in MCP 2026-07-28?",
        [
            _wrong(
                "Anything that a client may send: both sides are equal",
                "JSON-RPC's freedom is MCP's",
                "Plain JSON-RPC lets both sides ask. MCP fixes the roles: requests come from the "
                "client.",
            ),
            _wrong(
                "Responses only",
                "a server speaks when it is asked",
                "While it works on a request, a server may send notifications, such as progress.",
            ),
            _right(
                "Responses and notifications",
                "Clients send requests and notifications, servers send responses and "
                "notifications.",
            ),
            _wrong(
                "Requests and notifications",
                "the roles are the other way round",
                "That is what a client sends. A server answers its requests.",
            ),
        ],
    ),
]

QUESTIONS = {question.id: question for question in _QUESTIONS}
"""The questions for `quiz`, by id, in the order of the lessons."""


def _reply_id(id: int | None) -> Callable[[Verdict], bool]:
    return lambda verdict: "error" in (verdict.reply or {}) and verdict.reply["id"] == id


def _tells(verdict: Verdict) -> bool:
    return "oven" in (verdict.sent or "")


def _hides(verdict: Verdict) -> bool:
    return "-32603" in (verdict.sent or "") and not _tells(verdict)


_PREDICTIONS = [
    Prediction("a request", 1, MESSAGES["request"], [RESULT, ERROR, NOTHING]),
    Prediction("a notification", 1, MESSAGES["notification"], [RESULT, ERROR, NOTHING]),
    Prediction(
        "an unknown notification",
        1,
        '{"jsonrpc": "2.0", "method": "notifications/juggle"}',
        [RESULT, ERROR, NOTHING],
    ),
    Prediction(
        "not JSON",
        2,
        MESSAGES["not JSON"],
        [
            Claim(
                "An error with the id 9",
                _reply_id(9),
                "an id can be guessed",
                "Text that cannot be parsed has no members, so it has no id, although you can see "
                "a 9 in it.",
            ),
            Claim("An error with the id null", _reply_id(None)),
            NOTHING,
        ],
    ),
    Prediction(
        "a crash",
        2,
        MESSAGES["a crash"],
        [
            Claim(
                "An error with the text of the exception",
                _tells,
                "the sender needs to know what broke",
                "An exception's text can hold paths and secrets. It goes to the private log, and "
                "never over the wire.",
            ),
            Claim("An error with the code -32603 and nothing of the exception", _hides),
            NOTHING,
        ],
    ),
    Prediction(
        "params in a list",
        3,
        MESSAGES["params in a list"],
        [RESULT, code(-32600), code(-32602), NOTHING],
    ),
    Prediction(
        "id is true", 3, MESSAGES["id is true"], [RESULT, code(-32600), code(-32602), NOTHING]
    ),
    Prediction(
        "a batch",
        3,
        MESSAGES["a batch"],
        [
            Claim(
                "An array with one result",
                lambda verdict: isinstance(verdict.reply, list),
                "MCP has batches",
                "Plain JSON-RPC answers so. Under MCP one message is one object.",
            ),
            RESULT,
            code(-32600),
            NOTHING,
        ],
    ),
]

PREDICTIONS = {prediction.id: prediction for prediction in _PREDICTIONS}
"""The messages for `predict`, by id, in the order of the lessons."""
