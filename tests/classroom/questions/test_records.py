"""The files of questions: each is read, and a wrong one is refused with its line and a sentence."""

import subprocess
import sys

import pytest

from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.lessons import LAST
from mini_rpc.classroom.questions import records
from mini_rpc.classroom.questions.records import Option, read_file

SOUND = """\
---
lesson: 2
---

## question: what is red

Which one is red?

```json
{"is": "red"}
```

### right: A cherry

It is red.

### wrong: A lemon

> all fruit is red

It is yellow.

## prediction: a crash

message: a crash

- An error with the code -32603
- A result
- Nothing is sent

### wrong: A result

> a method always succeeds

It burned.
"""


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "lesson_2.md"
        path.write_text(text, "utf-8")
        return read_file(path)

    return read


def test_a_file_becomes_questions_and_predictions(read):
    found = read(SOUND)
    question, prediction = found.questions["what is red"], found.predictions["a crash"]
    assert (question.lesson, question.ask) == (2, "Which one is red?")
    assert question.message == '{"is": "red"}'
    assert question.options == [
        Option("A cherry", "It is red."),
        Option("A lemon", "It is yellow.", "all fruit is red"),
    ]
    assert prediction.claims[0].text == "An error with the code -32603, Internal error"
    assert prediction.claims[1].why == "It burned."


LEMON = "### wrong: A lemon\n\n> all fruit is red\n\nIt is yellow.\n"


@pytest.mark.parametrize(
    ("part", "instead", "line", "sentence"),
    [
        ("lesson: 2", "lesson: 99", 2, f"There is no lesson 99. There are 0 to {LAST}."),
        ("lesson: 2", "lesson: two", 2, f"There is no lesson two. There are 0 to {LAST}."),
        ("lesson: 2", "lessen: 2", 2, 'There is no fact called "lessen".'),
        ("## question: what", "## riddle: what", 5, 'A heading is like "## question: id in msg".'),
        ("## question: what is red", "## question:", 5, "A heading is like"),
        ("Which one is red?", "", 5, "What is asked is missing."),
        ("### right: A cherry", "### wrong: A cherry", 13, "A wrong option names its mistake"),
        (LEMON, "### right: A lemon\n\nYes.\n", 5, "One option must be right, and here are 2."),
        ("### right: A cherry\n\nIt is red.\n", "", 5, "must be right, and here are none."),
        (LEMON, "", 5, "There must be two options or more, and no two may be the same."),
        ("A lemon", "A cherry", 5, "no two may be the same."),
        ("It is red.", "", 13, "The reason is missing"),
        ("It is red.", "> red\n\nIt is red.", 15, "The right option has no mistake to name."),
        ("> all fruit is red\n\n", "", 17, "A wrong option names its mistake"),
        ("### wrong: A lemon", "### A lemon", 17, "An option is headed like"),
        ("message: a crash", "message: a crsh", 25, 'no message "a crsh". Is it "a crash"'),
        ("message: a crash\n", "", 23, "One message is wanted here"),
        ("- A result", "- A reslt", 28, 'There is no claim "A reslt".'),
        ("- Nothing is sent\n", "", 27, '"Nothing is sent" must be one of the claims.'),
        ("-32603\n", "-32602\n", 27, "One claim must hold, and here none would."),
        ("- A result", "- A result\n- An error", 27, "One claim must hold, and here 2 would."),
        ("### wrong: A result", "### wrong: A batch", 31, "explains one of its wrong claims."),
        ("## prediction: a crash", "## question: what is red", 23, "There is another question"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_its_line_and_a_sentence(
    read, part, instead, line, sentence
):
    assert SOUND.count(part) >= 1
    with pytest.raises(BadContent) as refused:
        read(SOUND.replace(part, instead, 1))
    assert str(refused.value).startswith(f"lesson_2.md, line {line}: ")
    assert sentence in str(refused.value)


def test_a_name_stands_once_in_all_files(tmp_path):
    (tmp_path / "one.md").write_text(SOUND, "utf-8")
    (tmp_path / "two.md").write_text(SOUND, "utf-8")
    found = read_file(tmp_path / "one.md")
    with pytest.raises(BadContent, match=r"two\.md, line 5: There is another question with the na"):
        read_file(tmp_path / "two.md", found)


def test_the_template_fits_at_the_end_of_a_file(read):
    found = read(f"{SOUND}\n{records.TEMPLATE.read_text('utf-8')}".replace("ID", "my own"))
    assert [option.misconception is None for option in found.questions["my own"].options] == [
        True,
        False,
        False,
    ]


def test_no_file_is_read_before_a_question_is_asked():
    program = (
        "import mini_rpc.classroom.questions.quiz\n"
        "from mini_rpc.classroom.questions import records as r\n"
        "assert not r._lessons.cache_info().currsize\n"
        "mini_rpc.classroom.questions.quiz.quiz('id in msg')\n"
        "assert r._lessons.cache_info().currsize\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
