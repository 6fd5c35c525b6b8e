"""The planted faults: each is exposed by its own message, told from the others, and found again.

Covers `clerks`, and the named mistakes of `answers`, which are the wrong answers of the files.
"""

from itertools import pairwise

import pytest

from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.exercises.checking import check
from mini_rpc.classroom.judging.answers import Behaves
from mini_rpc.classroom.judging.clerks import FAULTS, Clerk, read_faults
from mini_rpc.classroom.judging.differences import compare
from mini_rpc.classroom.judging.hostile_messages import HOSTILE, LEFT_OPEN
from mini_rpc.classroom.judging.runs import due, run_here
from mini_rpc.classroom.judging.values import same

ECHO = '{"jsonrpc": "2.0", "id": 2, "method": "echo", "params": {"table": 2}}'
each_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
MISTAKES = [
    pytest.param(id, name, function, id=f"{id}-{name}")
    for id in EXERCISES
    if isinstance(EXERCISES[id].judge, Behaves)
    for name, function in EXERCISES[id].mistakes
]


def wrong(handle, messages):
    """Return the messages on which a dispatcher differs from the core, strictly."""
    found = zip(messages, due(messages), run_here(handle, messages), strict=True)
    return [raw for raw, should, did in found if compare(raw, should, did).difference]


def test_at_least_fourteen_faulty_dispatchers_are_planted():
    assert len(FAULTS) >= 14


def test_a_clerk_without_a_fault_does_as_the_core_does():
    assert wrong(Clerk(), (*HOSTILE, *LEFT_OPEN)) == []


@each_fault
def test_its_own_message_exposes_the_fault(fault):
    found = wrong(fault.behave, [fault.exposed_by, ECHO])
    # Whoever gives one dict for all replies shows it when the next one comes.
    assert fault.exposed_by in found or (fault.name == "one dict for all replies" and found)


ADA = """## answers a notification

> answers a notification

- Ada: She leaves no letter without an answer.

```text
{"jsonrpc": "2.0", "method": "ping"}
```

```python
def notify(self, message, methods):
    return self.answer({**message, "id": None}, methods)
```
"""


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("> answers", "answers", "line 1: A fault has what it does, as a quote, a message as"),
        ("```text", "```json", "line 1: A fault has what it does, as a quote, a message as"),
        ("- Ada: ", "- Ada, ", "line 1: One clerk has a fault, as in"),
        ("Ada: ", "Ada: x\n- Bo: ", "line 1: One clerk has a fault, as in"),
        ("methods):", "methods)", "line 12: This is not Python"),
        ("return self", "return = self", "line 13: This is not Python"),
        ("def notify", "def notifey", 'line 11: A clerk has no piece "notifey". Is it "notify"'),
        ("## answers", f"{ADA}\n## answers", "line 16: There is a second fault"),
    ],
)
def test_a_file_of_faults_that_is_wrong_is_refused(old, new, sentence, tmp_path):
    path = tmp_path / "clerks.md"
    path.write_text(ADA, "utf-8")
    (sound,) = read_faults(path)
    assert sound.behave('{"jsonrpc": "2.0", "method": "ping"}', {"ping": str})["id"] is None
    path.write_text(ADA.replace(old, new, 1), "utf-8")
    with pytest.raises(BadContent) as refused:
        [fault.behave for fault in read_faults(path)]
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("clerks.md, line ")


def test_names_and_sentences_are_unique_and_speak_to_a_learner():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) == len({f.does for f in FAULTS})
    for fault in FAULTS:
        assert not fault.does.endswith(".")
        assert fault.does.split()[0].endswith(("s", "ly", "never"))


@pytest.mark.parametrize(("id", "name", "function"), MISTAKES)
def test_a_known_mistake_is_recognized_as_itself(id, name, function):
    assert check(id, function, seconds=10).misconception == name


@pytest.mark.rest
def test_two_mistakes_at_once_are_called_by_no_name_that_is_not_true():
    """A name is said where every value that came back is the known mistake's, and nowhere else."""
    judge = EXERCISES["valid_id"].judge
    for (_, one), (_, other) in pairwise(judge.mistakes()):

        def both(value, one=one, other=other):
            first = one(value)
            return other(value) if same(first, judge.reference(value)) else first

        named = check("valid_id", both, seconds=10).misconception
        if named and named != "always the same":
            known = [function for name, function in judge.mistakes() if name == named]
            rows = [[(both(*args), one(*args)) for args in judge.cases] for one in known]
            assert any(all(same(*pair) for pair in row) for row in rows)
