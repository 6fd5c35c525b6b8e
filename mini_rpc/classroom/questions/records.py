"""The questions of the lessons. Behind each wrong option is one mistake that real programs make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...dispatcher import Verdict
from ..kitchen import MESSAGES
from .claims import ERROR, NOTHING, RESULT, Claim, code

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

_TWO_ORDERS = (
    '{"jsonrpc": "2.0", "id": 1, "method": "cook", "params": {"dish": "steak"}}\n'
    '{"jsonrpc": "2.0", "id": 2, "method": "cook", "params": {"dish": "salad"}}'
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
        "Which shape does this message have?",
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
    Question(
        "hasty and no method",
        4,
        "What does hasty do with this message?",
        [
            _wrong(
                "It returns an error with the code -32600",
                "a check happens by itself",
                "-32600 would be right, and nothing in hasty ever sends it: it never looks at the "
                "shape.",
            ),
            _wrong(
                "It returns an error with the code -32601",
                "no method is an unknown method",
                "hasty does compare the method with the ones it knows. Before that it has to read "
                "it, and there is none.",
            ),
            _wrong(
                "It returns None: nothing is sent",
                "what is broken gets no answer",
                "The message has an id, so hasty takes it for a request and goes on to the method.",
            ),
            _right(
                "An exception leaves it: nothing is returned at all",
                'message["method"] raises KeyError outside of any try. Whoever called hasty falls '
                "over with it.",
            ),
        ],
        '{"jsonrpc": "2.0", "id": 4}',
    ),
    Question(
        "hasty and a lost order",
        4,
        "Nothing is wrong with this request, but the kitchen cannot find order 105. What does "
        "hasty answer?",
        [
            _right(
                "Invalid params: the sender is to blame",
                "The lookup in the kitchen raises KeyError, and hasty calls every KeyError so.",
            ),
            _wrong(
                "Internal error: the kitchen is to blame",
                "a dispatcher sees whose fault it is",
                "That is what the course's dispatcher answers. hasty turns every KeyError into "
                "Invalid params.",
            ),
            _wrong(
                "Method not found: there is no such order",
                "an order is a method",
                "The method orders/get is known. What it could not find is the order.",
            ),
            _wrong(
                "Nothing is sent",
                "what fails gets no answer",
                "There is an id, and hasty catches the KeyError. Something is sent.",
            ),
        ],
        '{"jsonrpc": "2.0", "id": 11, "method": "orders/get", "params": {"ticket": 105}}',
    ),
    Question(
        "lesson 4 self-check 1",
        4,
        "A message has no id, an unknown method, and a list as its params. Which step decides?",
        [
            _wrong(
                "Step 4, params: -32602",
                "params come before silence",
                "The params are judged, and the finding goes into the private log. It is never "
                "sent: an error is an answer, and step 3 has said that nobody waits for one.",
            ),
            _wrong(
                "Step 5, method: -32601",
                "an unknown method must be reported",
                "It may go into the private log. Over the wire goes nothing.",
            ),
            _right(
                "Step 3, notification: nothing is sent",
                "Without an id nobody waits. From step 3 on there is nothing that could be sent.",
            ),
            _wrong(
                "Step 2, shape: -32600",
                "the shape includes the params",
                "Step 2 looks at jsonrpc, method and id. A missing id is fine there.",
            ),
        ],
    ),
    Question(
        "lesson 4 self-check 2",
        4,
        "A method raises ValueError, and its text names a file of the server. What may the reply "
        "say?",
        [
            _wrong(
                "The text, so that the sender can help to find the mistake",
                "the sender needs to know what broke",
                "The sender cannot repair your server, and the text may hold what is no business "
                "of theirs.",
            ),
            _wrong(
                "The text, but in data, where people do not look",
                "data is private",
                "data goes over the wire like all the rest of the reply.",
            ),
            _wrong(
                "The name of the exception, without its text",
                "a little is safe",
                "Even a name tells how your server is built. The steps say: generic.",
            ),
            _right(
                "Internal error, and the code -32603",
                "It was a surprise, so the reply is generic. The text goes to the private log.",
            ),
        ],
    ),
    Question(
        "lesson 4 self-check 3",
        4,
        "Who can tell that a KeyError means a missing param?",
        [
            _wrong(
                "The dispatcher: it catches the KeyError",
                "every KeyError is a missing param",
                "From outside all KeyErrors look alike. This one may come from any dict in the "
                "kitchen.",
            ),
            _right(
                "The method, if it checks its params before it does anything else",
                "It knows what it needs. It raises an error on purpose, with -32602, and any "
                "KeyError after that is a surprise.",
            ),
            _wrong(
                "The sender, from the text of the exception",
                "programs read the message",
                "The text is never sent, and a program could not rely on its words.",
            ),
            _wrong(
                "Nobody: KeyError is always -32603",
                "a missing param is a crash",
                "A method that declares what it needs can say which param is missing, and the "
                "sender can mend that.",
            ),
        ],
    ),
    Question(
        "a method that exits",
        5,
        "The method is called, and it exits. What does the course's dispatcher send?",
        [
            _wrong(
                "Nothing: the whole program ends",
                "SystemExit always ends the program",
                "SystemExit is an exception like others, and it can be caught. A method must not "
                "be able to close the kitchen for every guest.",
            ),
            _right(
                "An error with the code -32603",
                "To the sender it is a crash like any other. What passes is what is meant for the "
                "program itself, such as KeyboardInterrupt when somebody presses Ctrl+C.",
            ),
            _wrong(
                "An error with the text: the key is under the mat",
                "sys.exit talks to the sender",
                "The text is for whoever started the program. It goes to the private log.",
            ),
            _wrong(
                "A result: exiting is no failure",
                "an exit is a return",
                "The method never returned, so there is no result to send.",
            ),
        ],
    ),
    Question(
        "lesson 5 self-check 1",
        5,
        "What comes back for this message?",
        [
            _wrong(
                "Nothing is sent",
                "what has no id is a notification",
                "Only a message of the right shape can be a notification. jsonrpc must be the "
                "string 2.0, and here it is a number.",
            ),
            _right(
                "An error with the code -32600 and the id null",
                "Step 2 comes before step 3: a shape error is answered, and there is no id to "
                "answer to.",
            ),
            _wrong(
                "An error with the code -32700",
                "a wrong version cannot be read",
                "The text is JSON, so step 1 lets it pass.",
            ),
            _wrong(
                "A result",
                "2.0 is as good as the string",
                "The type counts: the version is a string.",
            ),
        ],
        '{"jsonrpc": 2.0, "method": "ping"}',
    ),
    Question(
        "lesson 5 self-check 2",
        5,
        "Which of these texts is not JSON?",
        [
            _wrong(
                '{"n": 1e999}',
                "a number must fit",
                "The grammar puts no limit on a number. What Python makes of it is another matter.",
            ),
            _wrong(
                '{"a": 1, "a": 2}',
                "a name stands once",
                "The grammar allows it. Readers differ in which of the two they keep, so nobody "
                "should send it.",
            ),
            _right(
                '{"n": NaN}',
                "JSON has no such value. Python reads it all the same, unless you forbid it.",
            ),
            _wrong(
                r'"\ud800"',
                "half a character is no JSON",
                "As an escape it is allowed. As a raw byte sequence it would be no UTF-8.",
            ),
        ],
    ),
    Question(
        "lesson 5 self-check 3",
        5,
        "A method returns a Python set. When should that be found out?",
        [
            _wrong(
                "When the reply is written to the wire, after the dispatcher",
                "writing cannot fail",
                "Then the exception comes where nobody catches it, and the sender waits forever.",
            ),
            _right(
                "In step 6, where the reply can still become -32603",
                "The reply is written inside the step that catches what goes wrong.",
            ),
            _wrong(
                "Never: it can be sent as a list",
                "a set is a kind of list",
                "A list has an order and a set has none. Guessing what a method meant hides its "
                "mistake.",
            ),
            _wrong(
                "When the sender reads it",
                "the sender checks the reply",
                "There is nothing to read: a set cannot be written as JSON at all.",
            ),
        ],
    ),
    Question(
        "the first reply",
        6,
        "These two requests go out, one right after the other. Which reply comes first?",
        [
            _wrong(
                "The one with the id 1: it was asked first",
                "replies keep the order of the requests",
                "Nothing in JSON-RPC promises that. A slow request can finish after a fast one "
                "that was sent later.",
            ),
            _wrong(
                "The one with the id 2: a salad is quicker",
                "the fast one is always first",
                "That is likely, and nobody promises it. The salad may have to wait for a plate.",
            ),
            _wrong(
                "They come together, in one message",
                "two requests get one answer",
                "Each request has a reply of its own. MCP has no batches.",
            ),
            _right(
                "Either: each comes when it is done",
                "The order of replies is open. The id is the only link to the request.",
            ),
        ],
        message=_TWO_ORDERS,
    ),
    Question(
        "one id twice",
        6,
        "The request 7 is in flight. A second request comes in, also with the id 7. What comes "
        "back for the second one?",
        [
            _wrong(
                "A result, once the method is done",
                "an id may be used twice",
                "Then both would run. The second is refused, so that at most one of them does. Two "
                "replies carry the id 7 either way.",
            ),
            _right(
                "An error with the code -32600",
                "The second is refused and never runs; the first still gets its dish. A client "
                "that broke the rule cannot tell the two replies apart. MCP says that an id in "
                "flight is not used again, and not what to answer: that is this course's choice.",
            ),
            _wrong(
                "Nothing is sent",
                "what is broken gets no answer",
                "There is an id, so somebody waits, and hears what is wrong.",
            ),
        ],
    ),
    Question(
        "lesson 6 self-check 1",
        6,
        'A client waits for the replies to 1 and to "1". Who gets this one?',
        [
            _wrong(
                "The request 1",
                "text and number are one",
                'The string "1" and the number 1 are two ids. A reply carries its id type and all.',
            ),
            _right('The request "1"', "Same text, same type: this is its ticket."),
            _wrong(
                "The one that was sent first",
                "the next reply",
                "The order of replies says nothing. Only the id does.",
            ),
            _wrong(
                "Neither: two such ids are not allowed at once",
                "ids are compared as text",
                "They differ, so both may be in flight. It is not kind to people who read logs.",
            ),
        ],
        message='{"jsonrpc": "2.0", "id": "1", "result": "salad"}',
    ),
    Question(
        "lesson 6 self-check 2",
        6,
        "After a minute a client has given up the request 7. Now its reply comes. What should the "
        "client do with it?",
        [
            _wrong(
                "Give it to whoever waits longest",
                "the next reply",
                "That is another guest's dish. It would be wrong, and look right.",
            ),
            _wrong(
                "Send back an error with the id 7",
                "answering an answer",
                "A response is never answered. A bare dispatcher, which has no requests of its "
                "own, can only say -32600 with the id null. A Connection never asks it: it looks "
                "the id up, and drops and logs a stray one.",
            ),
            _right(
                "Drop it, and write a line to the log",
                "Nobody waits for it any more. The log helps whoever wonders where it went.",
            ),
            _wrong(
                "Keep it for the next request with the id 7",
                "an id is given out twice",
                "There is no next one: a number that was given up is not used again.",
            ),
        ],
    ),
    Question(
        "lesson 6 self-check 3",
        6,
        "A server works on the request 5, which takes a minute. The request 6 comes in. What "
        "should it do?",
        [
            _right(
                "Begin, and send the reply to 6 as soon as it is there",
                "Then a slow request holds up nobody, and the ids sort out the rest.",
            ),
            _wrong(
                "Wait for 5, so that the replies keep their order",
                "replies keep the order of the requests",
                "Nobody needs that order, and somebody waits a minute for a salad.",
            ),
            _wrong(
                "Begin, but keep the reply until 5 has been answered",
                "replies wait for the slowest",
                "The work is done, and its guest still waits.",
            ),
            _wrong(
                "Refuse it with -32600, because a request is in flight",
                "one request at a time",
                "Only a second request with the same id is refused.",
            ),
        ],
    ),
    Question(
        "the first message",
        7,
        "The official client has started your server. What is the first message of their talk?",
        [
            _wrong(
                "initialize, from the client",
                "the handshake opens the talk",
                "Older revisions began so. In 2026-07-28 server/discover takes its place.",
            ),
            _right(
                "server/discover, from the client",
                "It asks which versions the server speaks, and what it can do.",
            ),
            _wrong(
                "A greeting from the server",
                "the server speaks first",
                "A server sends responses and notifications. Before the first request there is "
                "nothing to say.",
            ),
            _wrong(
                "tools/call, from the client",
                "a client knows the tools",
                "It cannot know them yet. It asks for a list first.",
            ),
        ],
    ),
    Question(
        "lesson 7 self-check 1",
        7,
        "A tool was called as it should be, and fails: the lobster is out. How does the server "
        "answer tools/call?",
        [
            _wrong(
                "With an error, -32603",
                "a failed tool is an internal error",
                "That stamp means that the server itself broke, and says nothing more.",
            ),
            _wrong(
                "With an error, -32602",
                "a failed tool is a bad message",
                "The params were fine. The kitchen is not.",
            ),
            _right(
                "With a result that has isError true",
                "The protocol worked, and the tool did not. The text says why, and a model can "
                "read it and try something else.",
            ),
            _wrong(
                "With nothing",
                "silence although somebody waits",
                "It was a request. Without an answer its sender waits forever.",
            ),
        ],
    ),
    Question(
        "lesson 7 self-check 2",
        7,
        "A server offers today's menu as a text that can be read and not changed. Which of the "
        "three primitives is that?",
        [
            _wrong("A tool", "everything is a tool", "A tool does something. The menu is read."),
            _right("A resource", "A resource is data under an address, there to be read."),
            _wrong(
                "A prompt",
                "text is a prompt",
                "A prompt is a template for what a user wants to ask, not data.",
            ),
            _wrong(
                "None: it belongs into the answer to server/discover",
                "discover carries data",
                "server/discover says that there are resources. What is in them is read later.",
            ),
        ],
    ),
    Question(
        "lesson 7 self-check 3",
        7,
        'A server over stdio begins with print("ready"). What happens?',
        [
            _wrong(
                "The client shows it to the user",
                "stdout is a screen",
                "Nobody looks at it. On stdio the client reads every line as a message.",
            ),
            _right(
                "The client reads a line that is no message",
                "stdout carries messages only. Whatever else there is to say goes to stderr.",
            ),
            _wrong(
                "It counts as a notification",
                "no id is a notification",
                "A notification is a JSON object with a method. This is no JSON at all.",
            ),
            _wrong(
                "The server gets -32700 back",
                "the client answers parse errors",
                "A client answers requests, if at all. Nobody tells the server.",
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
    Prediction(
        "a notification that crashes",
        4,
        '{"jsonrpc": "2.0", "method": "kitchen/burn"}',
        [RESULT, code(-32603), NOTHING],
    ),
    Prediction(
        "two faults at once",
        4,
        '{"jsonrpc": "2.0", "id": 8, "method": "orders/juggle", "params": ["steak"]}',
        [code(-32600), code(-32601), code(-32602), NOTHING],
    ),
    Prediction(
        "no version and no id",
        5,
        '{"method": "ping"}',
        [RESULT, code(-32600), NOTHING],
    ),
    Prediction(
        "an echo of 1e999",
        5,
        '{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"n": 1e999}}',
        [RESULT, code(-32700), code(-32603), NOTHING],
    ),
]

PREDICTIONS = {prediction.id: prediction for prediction in _PREDICTIONS}
"""The messages for `predict`, by id, in the order of the lessons."""
