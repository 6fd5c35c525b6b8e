"""JSON in a browser tab: Python's own code decides as the C code does elsewhere."""

import subprocess
import sys

SCRIPT = """
import json
from mini_rpc import dispatch
from mini_rpc.classroom import browser_json
from mini_rpc.classroom.judging.hostile_messages import HOSTILE
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS

def verdicts():
    return [dispatch(raw, HOSTILE_METHODS)[:5] for raw in HOSTILE]

def deep():
    tower = HOSTILE_METHODS["unsendable/tower"]({})
    for act, value in ((json.loads, "[" * 100_000), (json.dumps, tower)):
        try:
            act(value)
        except RecursionError:
            print("a RecursionError")

before = verdicts()
browser_json.survive()
assert json.encoder.c_make_encoder is None
print([one for one in zip(before, verdicts()) if one[0] != one[1]])
deep()
"""


def test_every_hostile_message_gets_the_verdict_that_it_gets_elsewhere():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[]", "a RecursionError", "a RecursionError"]
