"""The exercises of lesson 4: the dispatcher, as far as step 2, 3 and 5, and whole."""

from __future__ import annotations

from ..judging.six_steps import Dispatches
from .record import Exercise, Wrong

__all__ = ["EXERCISES"]

_NOTEBOOK = "04_dispatcher.ipynb"

_HELPERS = """\
import json

from mini_rpc import RpcError, error_response, result_response


def is_id(value):
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def is_call(message):
    return (
        isinstance(message, dict)
        and message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and ("id" not in message or is_id(message["id"]))
    )


"""

_STEPS = (
    """\
    # 1. Parse.
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        return error_response(None, -32700, "Parse error")
""",
    """\
    # 2. Shape.
    if not is_call(message):
        return error_response(None, -32600, "Invalid Request")
""",
    """\
    # 3. Notification?
    params = message.get("params", {})
    if "id" not in message:
        try:
            methods[message["method"]](params)
        except Exception:
            pass
        return None
""",
    """\
    # 4. Params.
    id = message["id"]
    if not isinstance(params, dict):
        return error_response(id, -32602, "Invalid params")
""",
    """\
    # 5. Method.
    if message["method"] not in methods:
        return error_response(id, -32601, "Method not found")
""",
    """\
    # 6. Call.
    try:
        return result_response(id, methods[message["method"]](params))
    except RpcError as error:
        return error_response(id, error.code, error.message, error.data)
    except Exception:
        return error_response(id, -32603, "Internal error")
""",
)


def _solution(name: str, steps: int = 6) -> str:
    return f"{_HELPERS}def {name}(raw, methods):\n{''.join(_STEPS[:steps])}"


def _but(name: str, steps: int, *changes: tuple[str, str]) -> str:
    """Return the solution with these texts replaced."""
    source = _solution(name, steps)
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


def _stub(name: str) -> str:
    return f"def {name}(raw, methods):\n    raise NotAttempted\n"


# Other styles, as far as they go: each is right for every step that it takes.
_COURSE = "from mini_rpc import handle as {name}\n"
_MATCHING = """\
import json


def {name}(raw, methods):
    def note(code, id=None, text="no"):
        return {{"id": id, "error": {{"message": text, "code": code}}, "jsonrpc": "2.0"}}

    try:
        message = json.loads(raw)
    except Exception:
        return note(-32700)
    match message:
        case {{"jsonrpc": "2.0", "method": str(), "id": bool() | None | float() | list() | dict()}}:
            return note(-32600)
        case {{"jsonrpc": "2.0", "method": str(name), "id": id, "params": dict(params)}}:
            pass
        case {{"jsonrpc": "2.0", "method": str(), "id": id, "params": _}}:
            return note(-32602, id)
        case {{"jsonrpc": "2.0", "method": str(name), "id": id}}:
            params = {{}}
        case {{"jsonrpc": "2.0", "method": str(name)}}:
            try:
                methods[name](message.get("params", {{}}))
            finally:
                return None
        case {{"id": str() | int() as id}}:
            return note(-32600, id)
        case _:
            return note(-32600)
    if (method := methods.get(name)) is None:
        return note(-32601, id, f"There is no {{name}}.")
    try:
        return {{"result": method(params), "jsonrpc": "2.0", "id": id}}
    except Exception as error:
        if not hasattr(error, "code") or not hasattr(error, "data"):
            return note(-32603, id)
        reply = note(error.code, id, error.message)
        if error.data is not None:
            reply["error"]["data"] = error.data
        return reply
"""
_STYLES = (_COURSE, _MATCHING)


def _right(name: str) -> tuple[str, ...]:
    return tuple(style.format(name=name) for style in _STYLES)


_TOO_NARROW = ("    except (ValueError, RecursionError):\n", "    except json.JSONDecodeError:\n")
_NO_OBJECT = ("        isinstance(message, dict)\n        and message", "        message")
_TRUE_PASSES = (" and not isinstance(value, bool)", "")
_FALSY = ('if "id" not in message:', 'if not message.get("id"):')
_KEY_ERROR = (
    "    except Exception:\n        return error_response(id, -32603",
    "    except (KeyError, TypeError):\n"
    '        return error_response(id, -32602, "Invalid params")\n'
    "    except Exception:\n        return error_response(id, -32603",
)
_LEAK = (
    '    except Exception:\n        return error_response(id, -32603, "Internal error")\n',
    "    except Exception as error:\n        return error_response(id, -32603, str(error))\n",
)


_HANDLE_STEP_2 = Exercise(
    id="handle_step_2",
    lesson=4,
    title="The dispatcher as far as step 2",
    prompt=(
        "Write `handle_step_2(raw, methods)`: steps 1 and 2 of a dispatcher. What gets through is "
        "not looked at yet. Write step 1 and run the cell, then step 2: the check takes the steps "
        "in order and says how far you are."
    ),
    stub=_stub("handle_step_2"),
    hints=(
        "Step 1 is a try around one line. Which exceptions did you see above?",
        "In step 2, ask whether it is an object first: a list has no `get`, and a number has no "
        "keys.",
        "A missing id is fine here. An id that is there must be a string or an integer, and in "
        "Python a bool is an integer: `valid_id` of lesson 3 knows.",
        "`error_response(None, -32600, ...)` will do for every shape error. Answering under a "
        "legal id is fine as well.",
    ),
    solution=_solution("handle_step_2", 2),
    right=_right("handle_step_2"),
    wrong=(
        Wrong(
            _but("handle_step_2", 1),
            "wrong",
            "Step 1 holds. Step 2, shape, is not written yet.",
        ),
        Wrong(
            _but("handle_step_2", 2, _TOO_NARROW),
            "crashed",
            "handle_step_2 behaves exactly like the dispatcher that falls over a text that fails "
            "to parse in another way.",
            "only JSONDecodeError",
        ),
        Wrong(
            _but("handle_step_2", 2, _NO_OBJECT),
            "crashed",
            "Step 1 holds. handle_step_2 behaves exactly like the dispatcher that trusts every "
            "message to be an object.",
            "everything is an object",
        ),
        Wrong(
            _but("handle_step_2", 2, _TRUE_PASSES),
            "wrong",
            "Step 1 holds. handle_step_2 behaves exactly like the dispatcher that lets `true` "
            "through as an id.",
            "true as an id",
        ),
        Wrong(
            "def handle_step_2(raw):\n    return None\n",
            "wrong",
            "handle_step_2 must be callable as handle_step_2(raw, methods); yours takes other "
            "arguments.",
        ),
        Wrong(
            "def handle_step_2(raw, methods):\n    while True: pass\n",
            "out of time",
            "handle_step_2 did not end within 0.3 seconds; it was in line 2.",
        ),
    ),
    judge=Dispatches(2, "Steps 1 and 2 hold, for all of {count} messages."),
    where=f"{_NOTEBOOK}#Step-1:-parse",
)


_HANDLE_STEP_3 = Exercise(
    id="handle_step_3",
    lesson=4,
    title="The dispatcher as far as step 3",
    prompt=(
        "Write `handle_step_3(raw, methods)`: copy your two steps and add the third. The check "
        "watches that nothing is returned, and that a known method is called, once, with its "
        "params, or with `{}` where there are none."
    ),
    stub=_stub("handle_step_3"),
    hints=(
        'Ask for the key: `"id" not in message`. Its value may be 0.',
        "The method may be unknown, and it may crash. Both happen inside one try.",
        "`return None` comes after the try, whatever happened in it.",
    ),
    solution=_solution("handle_step_3", 3),
    right=_right("handle_step_3"),
    wrong=(
        Wrong(
            _but(
                "handle_step_3",
                3,
                ('            methods[message["method"]](params)\n', "            pass\n"),
            ),
            "wrong",
            "Steps 1 and 2 hold. handle_step_3 behaves exactly like the dispatcher that never runs "
            "the method of a notification.",
            "a notification is not run",
        ),
        Wrong(
            _but("handle_step_3", 3, ("        except Exception:\n", "        except KeyError:\n")),
            "crashed",
            "Steps 1 and 2 hold. Step 3, notification, does not: it fell over with RpcError in "
            "line 32.",
        ),
    ),
    judge=Dispatches(3, "Steps 1 to 3 hold, for all of {count} messages. Nobody is disturbed."),
    where=f"{_NOTEBOOK}#Step-3:-does-nobody-wait?",
)


_HANDLE_STEP_5 = Exercise(
    id="handle_step_5",
    lesson=4,
    title="The dispatcher as far as step 5",
    prompt=(
        "Write `handle_step_5(raw, methods)`: copy again, and add steps 4 and 5. `null` is not "
        "missing. What gets through is not looked at yet."
    ),
    stub=_stub("handle_step_5"),
    hints=(
        '`message.get("params", {})` gives `{}` where params are missing, and `None` for `null`.',
        "Step 4 asks `isinstance(..., dict)`, before anybody looks at the method.",
        "From here on each error goes back under the id of the message.",
    ),
    solution=_solution("handle_step_5", 5),
    right=_right("handle_step_5"),
    wrong=(
        Wrong(
            _but(
                "handle_step_5",
                5,
                (_STEPS[3], _STEPS[4].replace("(id,", '(message["id"],')),
                (_STEPS[4], _STEPS[3]),
            ),
            "wrong",
            "Steps 1 to 3 hold. handle_step_5 behaves exactly like the dispatcher that looks the "
            "method up before it looks at params.",
            "method before params",
        ),
        Wrong(
            _but(
                "handle_step_5", 5, ('message.get("params", {})', '(message.get("params") or {})')
            ),
            "wrong",
            "Steps 1 to 3 hold. handle_step_5 behaves exactly like the dispatcher that takes "
            '`null`, [] and "" for missing params.',
            "falsy params",
        ),
    ),
    judge=Dispatches(5, "Steps 1 to 5 hold, for all of {count} messages."),
    where=f"{_NOTEBOOK}#Steps-4-and-5:-params,-then-the-method",
)


_HANDLE = Exercise(
    id="handle",
    lesson=4,
    title="The whole dispatcher",
    prompt=(
        "Write `handle(raw, methods)`, the whole dispatcher: copy your five steps and add the "
        "sixth. This check sends a few hundred messages, many of them hostile. Where yours goes "
        "wrong, you see the first step that does not hold, the shortest message that shows it, "
        "and the known mistake it looks like."
    ),
    stub=_stub("handle"),
    hints=(
        "Three things can happen in the call: it returns, it raises an `RpcError`, it raises "
        "something else.",
        "An `RpcError` has `code`, `message` and `data`. `error_response` leaves out a `data` of "
        "None, and nothing else.",
        "The last `except` needs no name for the exception: nothing of it goes into the reply.",
    ),
    solution=_solution("handle"),
    right=_right("handle"),
    wrong=(
        Wrong(
            _but("handle", 6, _KEY_ERROR),
            "wrong",
            "Steps 1 to 5 hold. handle behaves exactly like the dispatcher that calls every "
            "KeyError and TypeError of a method Invalid params.",
            "every KeyError is a missing param",
        ),
        Wrong(
            _but("handle", 6, _LEAK),
            "wrong",
            "Steps 1 to 5 hold. handle behaves exactly like the dispatcher that sends the text of "
            "an exception to the other side.",
            "the text leaks",
        ),
        Wrong(
            _but("handle", 6, _FALSY),
            "wrong",
            "Steps 1 to 4 hold. handle behaves exactly like the dispatcher that takes the ids 0 "
            'and "" for a missing id.',
            "falsy is no id",
        ),
        Wrong(
            _but("handle", 5),
            "wrong",
            "Steps 1 to 5 hold. Step 6, call, is not written yet.",
        ),
        Wrong(
            "def handle(raw, methods):\n    return None\n",
            "wrong",
            "handle returns nothing, whatever it gets.",
            "always the same",
        ),
    ),
    judge=Dispatches(
        6,
        "All six steps hold, for all of {count} messages and some more. Lesson 5 asks for more: "
        "NaN, results that cannot be sent, and methods that exit.",
    ),
    where=f"{_NOTEBOOK}#Step-6:-call,-and-hide",
)

EXERCISES = (_HANDLE_STEP_2, _HANDLE_STEP_3, _HANDLE_STEP_5, _HANDLE)
