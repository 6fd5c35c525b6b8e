"""The files of questions: each is read, and a wrong one is refused with its line and a sentence."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mini_rpc.classroom.content import BadContent
from mini_rpc.classroom.questions import records
from mini_rpc.classroom.questions.records import Option, read_file

DATA = Path(__file__).parents[2] / "data" / "questions"
SOUND = (DATA / "sound.md").read_text("utf-8")


@pytest.fixture
def read(tmp_path):
    def read(text, found=None):
        path = tmp_path / "lesson_2.md"
        path.write_text(text, "utf-8")
        return read_file(path, found)

    return read


def test_a_file_becomes_questions_and_predictions(read):
    found = read(SOUND)
    question, prediction = found.questions["what is red"], found.predictions["a crash"]
    assert (question.lesson, question.ask) == (2, "Which one is red?")
    assert question.message == '{"is": "red"}'
    wrong = Option("A lemon", "It is yellow.", "all fruit is red")
    assert question.options == [Option("A cherry", "It is red."), wrong]
    assert prediction.claims[0].text == "An error with the code -32603, Internal error"
    assert prediction.claims[1].why == "It burned."


@pytest.mark.parametrize("case", tomllib.loads((DATA / "wrong.toml").read_text("utf-8"))["cases"])
def test_a_wrong_file_is_refused_with_its_name_its_line_and_a_sentence(read, case):
    part, instead, line, sentence = case
    assert part in SOUND
    with pytest.raises(BadContent) as refused:
        read(SOUND.replace(part, instead, 1))
    assert str(refused.value).startswith(f"lesson_2.md, line {line}: ")
    assert sentence in str(refused.value)


def test_a_name_stands_once_in_all_files(read):
    with pytest.raises(BadContent, match=r"line 5: There is another question with the name"):
        read(SOUND, read(SOUND))


def test_the_template_fits_at_the_end_of_a_file(read):
    found = read(f"{SOUND}\n{records.TEMPLATE.read_text('utf-8')}".replace("ID", "my own"))
    names = [option.misconception for option in found.questions["my own"].options]
    assert [name is None for name in names] == [True, False, False]


def test_the_format_is_shown_by_a_file_that_is_read():
    found = read_file(records.TEMPLATE.with_name("format.md"))
    assert [len(kind) for kind in vars(found).values()] == [1] * 4


def test_no_file_is_read_before_a_question_is_asked():
    program = (
        "from mini_rpc.classroom.questions import quiz, records as r\n"
        "assert not r._lessons.cache_info().currsize\n"
        "quiz.quiz('id in msg')\n"
        "assert r._lessons.cache_info().currsize\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
