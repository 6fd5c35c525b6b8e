"""Forty wrong dispatchers that a learner would write, and twelve right ones in different styles."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.judging.answers import NotAttempted
from mini_rpc.classroom.judging.clauses import is_taught
from mini_rpc.classroom.judging.clerks import FAULTS
from mini_rpc.classroom.judging.hostile_messages import HOSTILE, LEFT_OPEN
from mini_rpc.classroom.judging.outcome import Outcome

SECONDS = 10.0

WHOLE = EXERCISES["handle"].solution
# As most write it: a refusal of step 2 has the id null.
PLAIN = WHOLE.replace("error_response(readable_id(message)", "error_response(None")
PARSE = "    except (ValueError, RecursionError):\n"
ID = "isinstance(value, (str, int)) and not isinstance(value, bool)"
OBJECT = "isinstance(message, dict)\n        and message"
VERSION = '        and message.get("jsonrpc") == "2.0"\n'
METHOD_KIND = 'isinstance(message.get("method"), str)'
ID_KIND = '"id" not in message or is_id(message["id"])'
REFUSE = '        return error_response(None, -32600, "Invalid Request")\n'
SILENT = '    if "id" not in message:\n'
RUN = '                methods[message["method"]](params)\n'
QUIET = "        except Exception:\n            pass\n        return None\n"
ID_OF = '    id = message["id"]\n'
GET = 'message.get("params", {})'
PARAMS = """\
    if not isinstance(params, dict):
        return error_response(id, -32602, "Invalid params")
"""
METHOD = """\
    if message["method"] not in methods:
        return error_response(id, -32601, "Method not found")
"""
CALL = '        return result_response(id, methods[message["method"]](params))\n'
ON_PURPOSE = """\
    except RpcError as error:
        return error_response(id, error.code, error.message, error.data)
"""
SURPRISE = """\
    except Exception:
        return error_response(id, -32603, "Internal error")
"""
RESULT = '        result = methods[message["method"]](params)\n'

# What is written, the name it must get (None: honestly unnamed), and how it differs.
WRONG: dict[str, tuple[str | None, dict[str, str]]] = {
    "catches JSONDecodeError only": (
        "only JSONDecodeError",
        {PARSE: "    except json.JSONDecodeError:\n"},
    ),
    "catches ValueError only": (None, {PARSE: "    except ValueError:\n"}),
    "answers what cannot be read under the id 0": (
        None,
        {"error_response(None, -32700": "error_response(0, -32700"},
    ),
    "never asks for an object": ("everything is an object", {OBJECT: "message"}),
    "never reads jsonrpc": ("jsonrpc unread", {VERSION: ""}),
    "takes the number 2.0": (
        None,
        {'message.get("jsonrpc") == "2.0"': 'str(message.get("jsonrpc")) == "2.0"'},
    ),
    "takes any kind of method": (None, {METHOD_KIND: '"method" in message'}),
    "refuses the empty method": (
        "empty method",
        {METHOD_KIND: f'{METHOD_KIND} and message["method"]'},
    ),
    "lets true through as an id": ("true as an id", {ID: "isinstance(value, (str, int))"}),
    "lets every number through as an id": (
        "fraction as an id",
        {ID: "isinstance(value, (str, int, float)) and not isinstance(value, bool)"},
    ),
    "lets null through as an id": ("null as an id", {ID: f"value is None or {ID}"}),
    "never reads ids": ("ids unread", {ID: "True"}),
    "takes null for no id": (
        "null is no id",
        {
            ID_KIND: 'message.get("id") is None or is_id(message["id"])',
            SILENT: '    if message.get("id") is None:\n',
        },
    ),
    "takes falsy ids for none": ("falsy is no id", {SILENT: '    if not message.get("id"):\n'}),
    "refuses the id 0": (None, {ID: f"bool(value) and {ID}"}),
    "turns ids into text": ("id as text", {ID_OF: '    id = str(message["id"])\n'}),
    "is silent about a shape error without an id": (
        "silence for an error in the shape",
        {
            REFUSE: '        if isinstance(message, dict) and "id" not in message:\n'
            f"            return None\n{REFUSE}"
        },
    ),
    "is silent about a response": (
        None,
        {
            "    if not is_call(message):\n": '    if isinstance(message, dict) and "result" in '
            'message and "method" not in message:\n'
            "        return None\n    if not is_call(message):\n"
        },
    ),
    "answers a notification": (
        "answers a notification",
        {SILENT: "    if False:\n", ID_OF: '    id = message.get("id")\n'},
    ),
    "answers an unknown notification": (
        None,
        {
            SILENT: '    if "id" not in message and message["method"] not in methods:\n'
            f'        return error_response(None, -32601, "Method not found")\n{SILENT}'
        },
    ),
    "answers a failed notification": (
        None,
        {
            QUIET: "        except Exception:\n"
            '            return error_response(None, -32603, "Internal error")\n'
            "        return None\n"
        },
    ),
    "lets a notification crash through": (
        None,
        {QUIET: "        except KeyError:\n            pass\n        return None\n"},
    ),
    "never runs a notification": ("a notification is not run", {RUN: "                pass\n"}),
    "calls with None where params are missing": (
        None,
        {
            GET: 'message.get("params")',
            "    if not isinstance(params, dict):\n": "    if params is not None and not "
            "isinstance(params, dict):\n",
        },
    ),
    "refuses missing params": (None, {GET: 'message.get("params")'}),
    "takes null for missing params": ("falsy params", {GET: f"({GET} or {{}})"}),
    "never looks at params": (None, {PARAMS: ""}),
    "takes a list as params": (None, {"(params, dict):": "(params, (dict, list)):"}),
    "looks the method up first": ("method before params", {PARAMS: METHOD + PARAMS}),
    "lets a crash through": ("a crash ends it", {SURPRISE: ""}),
    "sends the text of a crash": (
        "the text leaks",
        {
            SURPRISE: "    except Exception as error:\n"
            '        return error_response(id, -32603, f"Internal error: {error}")\n'
        },
    ),
    "sends the text of a crash as data": (
        "the text leaks",
        {
            SURPRISE: "    except Exception as error:\n"
            '        return error_response(id, -32603, "Internal error", repr(error))\n'
        },
    ),
    "calls every KeyError Invalid params": (
        "every KeyError is a missing param",
        {
            SURPRISE: "    except (KeyError, TypeError):\n"
            f'        return error_response(id, -32602, "Invalid params")\n{SURPRISE}'
        },
    ),
    "calls every crash Invalid params": (
        None,
        {SURPRISE: SURPRISE.replace("-32603", "-32602")},
    ),
    "hides errors on purpose": ("errors on purpose are hidden", {ON_PURPOSE: ""}),
    "leaves data out": ("data is dropped", {", error.data)": ")"}),
    "leaves false data out": (None, {", error.data)": ", error.data or None)"}),
    "is silent when a method returns None": (
        "a result of null is none",
        {CALL: f"{RESULT}        return None if result is None else result_response(id, result)\n"},
    ),
    "is silent when a method returns nothing much": (
        "an empty result is none",
        {CALL: f"{RESULT}        return result_response(id, result) if result else None\n"},
    ),
    "calls the method twice": (None, {CALL: RESULT + CALL}),
    "returns text": (None, {CALL: CALL.replace("return ", "return str(").rstrip() + ")\n"}),
    "spreads the params": (None, {"](params))": "](**params))"}),
}


def answer(source: str) -> Any:
    """Bind a source as a notebook cell would."""
    filename = f"<cell {hash(source)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    names: dict[str, Any] = {"NotAttempted": NotAttempted}
    exec(compile(source, filename, "exec"), names)
    return names["handle"]


def checked(source: str) -> Outcome:
    return check("handle", answer(source), seconds=SECONDS)


def changed(changes: dict[str, str], source: str = WHOLE) -> str:
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    return source


@pytest.mark.sample(4)
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_dispatcher_is_named_correctly_or_honestly_unnamed(what: str) -> None:
    mistake, changes = WRONG[what]
    outcome = checked(changed(changes, PLAIN))
    assert outcome.state in ("wrong", "crashed")
    assert outcome.misconception == mistake, outcome
    assert outcome.pattern, outcome
    assert outcome.pattern in outcome.message
    assert outcome.right is not None
    assert outcome.total is not None
    assert 0 <= outcome.right < outcome.total
    assert outcome.case is not None
    assert len(outcome.case.sent) <= 310


@pytest.mark.sample(4)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_dispatcher_is_recognized_as_itself(fault: Any) -> None:
    outcome = check("handle", fault.behave, seconds=SECONDS)
    if is_taught(fault.exposed_by) and fault.name != "a refusal forgets its id":  # JSON-RPC may
        assert outcome.misconception == fault.name, outcome
    else:
        assert outcome.passed, outcome


def test_the_first_failing_step_is_named_and_what_holds_before_it() -> None:
    outcome = checked(changed({PARAMS: ""}))
    assert outcome.message.startswith("Steps 1 to 3 are right. ")


def test_a_failing_first_step_is_said_in_a_whole_sentence() -> None:
    outcome = checked(changed({"error_response(None, -32700": "error_response(0, -32700"}))
    assert outcome.message.startswith(
        "Step 1, parse, is not right yet. Its reply has an id that is not null where null is due"
    )


def test_a_pass_says_what_lesson_5_asks_for_beyond_it() -> None:
    assert "Lesson 5 asks for more" in checked(WHOLE).message


def test_the_shortest_message_of_that_step_is_shown() -> None:
    case = checked(changed({"(params, dict):": "(params, (dict, list)):"})).case
    assert case is not None
    assert case.raw == '{"jsonrpc": "2.0", "method": "ping", "id": 1, "params": []}'


def test_steps_that_are_not_there_yet_are_no_mistake() -> None:
    source = WHOLE[: WHOLE.index("    # 4.")]
    assert checked(source).message == "Steps 1 to 3 are right. Step 4, params, is not written yet."
    outcome = checked(source + "    raise NotAttempted\n")
    assert (outcome.state, outcome.misconception) == ("wrong", None)
    assert outcome.message == "Steps 1 to 3 are right. Step 4, params, is not written yet."


def test_a_loop_late_in_the_mail_is_stopped_and_never_a_pass() -> None:
    source = changed({CALL: f'        while message["method"] == "add": pass\n{CALL}'})
    outcome = check("handle", answer(source), seconds=0.5)
    assert outcome.state == "out of time"
    assert "add" in outcome.line


def test_a_mistake_beyond_the_fixed_messages_is_found_by_inventing() -> None:
    odd = '    if {"result", "params"} <= set(message):\n        return None\n'
    outcome = checked(changed({ID_OF: ID_OF + odd}))
    assert outcome.state == "wrong"
    assert '"result"' in outcome.case.sent  # type: ignore[union-attr]


# --- right ones in different styles ------------------------------------------------------------

CLASS = """
import json
from mini_rpc import RpcError, error_response


class Refused(Exception):
    pass


class Clerk:
    def __call__(self, raw, methods):
        try:
            return self.read(raw, methods)
        except Refused as refused:
            return error_response(*refused.args)

    def read(self, raw, methods):
        try:
            message = json.loads(raw)
        except Exception:
            raise Refused(None, -32700, "cannot read this")
        ok = type(message) is dict and message.get("jsonrpc") == "2.0"
        if not ok or type(message.get("method")) is not str:
            raise Refused(None, -32600, "no call")
        if "id" in message:
            return self.answer(message, message["id"], methods)
        try:
            self.answer(message, 1, methods)
        except Refused:
            pass

    def answer(self, message, id, methods):
        if type(id) not in (int, str):
            raise Refused(None, -32600, "no id")
        params = message["params"] if "params" in message else dict()
        if type(params) is not dict:
            raise Refused(id, -32602, "params?")
        if message["method"] not in methods.keys():
            raise Refused(id, -32601, "method?")
        try:
            result = methods[message["method"]](params)
        except RpcError as error:
            raise Refused(id, *error.args)
        except BaseException:
            raise Refused(id, -32603, "")
        return dict(id=id, result=result, jsonrpc="2.0")


handle = Clerk()
"""
LOGGING = changed(
    {
        SURPRISE: "    except Exception:\n"
        '        logging.getLogger("kitchen").exception("%s crashed", message["method"])\n'
        '        return error_response(id, -32603, "Internal error")\n',
        "import json\n": "import json\nimport logging\n",
    }
)
RIGHT = {
    "the solution": WHOLE,
    "the course's own": "from mini_rpc import handle\n",
    "with match": EXERCISES["handle"].right[1],
    "a class": CLASS,
    "a lambda": "import mini_rpc\nhandle = lambda raw, methods: mini_rpc.handle(raw, methods)\n",
    "a method of an object": CLASS + "handle = Clerk().read and Clerk().__call__\n",
    "with a logger": LOGGING,
    "with prints": changed({SURPRISE: SURPRISE.replace(":\n", ":\n        print('oh')\n", 1)}),
    "an id echoed in a refusal": changed(
        {
            REFUSE: '        id = message.get("id") if isinstance(message, dict) else None\n'
            '        return error_response(id if is_id(id) else None, -32600, "no")\n'
        },
        PLAIN,
    ),
    "data where there is none to give": changed(
        {SURPRISE: SURPRISE.replace('"Internal error"', '"Internal error", {"try": "later"}')}
    ),
    "other words": WHOLE.replace("Internal error", "sorry").replace("Invalid params", "params"),
    "strict beyond the steps": (
        "from mini_rpc.classroom.judging.clerks import Clerk\nhandle = Clerk()\n"
    ),
    "with default arguments": WHOLE.replace("(raw, methods)", "(raw, methods, log=None)"),
    "params of a notification are judged": changed(
        {"            if isinstance(params, dict):\n": "            if type(params) is dict:\n"}
    ),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("style", RIGHT)
def test_a_right_dispatcher_is_accepted_whatever_its_style(style: str) -> None:
    outcome = checked(RIGHT[style])
    assert outcome.passed, outcome


def test_what_the_six_steps_leave_open_is_never_asked() -> None:
    assert not any(map(is_taught, LEFT_OPEN))


def test_most_of_the_hostile_mail_is_asked() -> None:
    assert sum(map(is_taught, HOSTILE)) >= 400
