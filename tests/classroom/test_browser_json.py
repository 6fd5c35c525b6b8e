"""JSON in a browser tab: Python's own code decides as the C code does elsewhere."""

import subprocess
import sys

SCRIPT = """
import _json, gc, json
from mini_rpc import dispatch, wire
from mini_rpc.classroom import browser_json
from mini_rpc.classroom.judging.hostile_messages import HOSTILE
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS

def verdicts():
    return [dispatch(raw, HOSTILE_METHODS)[:5] for raw in HOSTILE]

def deep():
    tower = HOSTILE_METHODS["unsendable/tower"]({})
    acts = (json.loads, wire.decode), (json.dumps, wire.encode)
    for act, value in zip(sum(acts, ()), ["[" * 100_000] * 2 + [tower] * 2):
        try:
            act(value)
        except (RecursionError, wire.NotJSON) as error:
            print(type(error).__name__)

before = verdicts()
browser_json.survive()
gc.collect()
in_c = _json.make_scanner, _json.make_encoder
assert not [kept for kept in gc.get_objects() if isinstance(kept, in_c)]
print([one for one in zip(before, verdicts()) if one[0] != one[1]])
deep()
"""


def test_every_hostile_message_gets_the_verdict_that_it_gets_elsewhere():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        *("[]", "RecursionError", "NotJSON", "RecursionError", "RecursionError")
    ]
