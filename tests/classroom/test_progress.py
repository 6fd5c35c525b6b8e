"""The progress file: readable, never half written, never lost, never in the way.

Covers home, progress.
"""

import json
import os
import subprocess
import sys

import pytest

from mini_rpc.classroom.progress import (
    Answer,
    _unsaved,
    answers,
    can_be_saved,
    draw,
    gave_up,
    give_up,
    next_rung,
    passed,
    record,
    seed,
    start_over,
    start_over_all,
    unsaved,
)

_PROGRAM = """
import os, sys
from mini_rpc.classroom.progress import passed, record
{then}
record("valid_id", "correct")
assert passed("valid_id")
"""


def run(then, *command, cwd, notebook=""):
    """Run a program that answers right, somewhere; return what it said."""
    program = [*(command or [sys.executable]), "-c", _PROGRAM.format(then=then)]
    env = {**os.environ, "MINI_RPC_PROGRESS": "", "JPY_SESSION_NAME": notebook}
    ran = subprocess.run(program, cwd=cwd, env=env, timeout=60, capture_output=True, text=True)
    assert ran.stderr == ""
    return ran.stdout


@pytest.mark.parametrize("notebook", ["", "lesson.ipynb", "/nowhere/lesson.ipynb"])
def test_the_file_is_beside_the_notebook_wherever_the_working_directory_goes(tmp_path, notebook):
    """In Jupyter the kernel is told where the notebook is; elsewhere it begins where it lies."""
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    is_told = notebook == "lesson.ipynb"
    told = str(home / notebook) if is_told else notebook
    run(f"os.chdir({str(away)!r})", cwd=away if is_told else home, notebook=told)
    assert (home / "progress.json").exists()
    assert not list(away.iterdir())


def test_a_working_directory_that_is_deleted_is_one_sentence_and_nothing_is_lost(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    before_python = ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"']
    for said in (
        run(f"os.rmdir({str(home)!r})", cwd=home),
        run("", *before_python, sys.executable, cwd=tmp_path),
    ):
        assert said.count("\n") == 1
        assert "progress.json cannot be" in said


def test_the_file_is_what_the_docstring_says(file):
    record("valid_id", "wrong")
    next_rung("valid_id", 3)
    record("valid_id", "correct")
    assert json.loads(file.read_text("utf-8")) == {
        "course": "mini_rpc",
        "format": 1,
        "answers": {"valid_id": {"state": "correct", "tries": 2, "hints": 1, "gave_up": False}},
    }
    assert file.read_text("utf-8").count("\n") > 5, "one member a line: it is for people too"
    assert str(file.parent) not in file.read_text("utf-8"), "it can be carried away"


def test_a_stub_is_no_try_and_a_pass_is_never_lost_by_a_later_wrong_one(file):
    record("valid_id", "not attempted")
    assert answers() == {}
    assert not passed("valid_id")
    assert not file.exists()
    for state in ("wrong", "correct", "wrong", "crashed"):
        record("valid_id", state)
    assert answers()["valid_id"] == Answer("correct", tries=2)


def test_rungs_count_up_to_the_last_and_stay_there():
    assert [next_rung("valid_id", 3) for _ in range(5)] == [1, 2, 3, 3, 3]
    assert next_rung("fresh_id", 0) == 0
    assert answers()["valid_id"] == Answer(hints=3)


def test_giving_up_is_kept_and_a_pass_before_it_makes_it_none():
    give_up("valid_id")
    record("valid_id", "correct")
    record("fresh_id", "correct")
    give_up("fresh_id")
    assert [gave_up(id) for id in ("valid_id", "fresh_id", "named_params")] == [True, False, False]


def test_start_over_forgets_one_and_start_over_all_every_one(capsys):
    for id in ("valid_id", "fresh_id", "quiz:who_waits"):
        record(id, "correct")
    start_over("valid_id")
    assert list(answers()) == ["fresh_id", "quiz:who_waits"]
    start_over("valid_idd")
    start_over("\x9b31m\ud800")
    start_over_all()
    assert answers() == {}
    assert capsys.readouterr().out.splitlines() == [
        "valid_id starts over.",
        "Nothing is recorded for valid_idd.",
        "Nothing is recorded for ⟨U+009B⟩31m⟨U+D800⟩.",
        "2 entries start over. What was recorded is kept as progress.json.before-reset-1.",
    ]


def test_start_over_all_keeps_what_was_recorded_beside_the_file_if_anything(file, capsys):
    record("valid_id", "correct")
    before = file.read_text("utf-8")
    start_over_all()
    start_over_all()
    assert file.with_name("progress.json.before-reset-1").read_text("utf-8") == before
    assert not file.with_name("progress.json.before-reset-2").exists()
    assert capsys.readouterr().out.startswith("1 entry starts over.")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_keeps_nobody_waiting(file):
    os.mkfifo(file.with_name(".progress.json.new"))
    record("valid_id", "correct")
    assert file.is_file()


def test_unknown_ids_and_members_of_a_later_version_are_kept(file):
    entry = {"from_lesson_9": {"state": "correct", "stars": 4}}
    later = {"course": "mini_rpc", "format": 2, "colour": "green", "answers": entry}
    file.write_text(json.dumps(later), "utf-8")
    record("valid_id", "wrong")
    entry["valid_id"] = {"state": "wrong", "tries": 1, "hints": 0, "gave_up": False}
    assert json.loads(file.read_text("utf-8")) == later


_WRONG = (
    *("1", '{"tries": true}', '{"state": null}', '{"state": "<img src=x>"}', '{"hints": -5}'),
    f'{{"tries": {"9" * 4_300}}}',  # one more could not be written
)
DAMAGES = [
    *(b"", b'{"answers": {"valid_id": {"sta', b"\xff\xfe\x00", b"[]", b"{}", b'{"answers": []}'),
    *(f'{{"answers": {{"valid_id": {entry}}}}}'.encode() for entry in _WRONG),
    b"[" * 100_000,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_kept_aside_and_said(file, capsys, damage):
    file.write_bytes(damage)
    assert answers() == {}
    record("valid_id", "correct")
    assert passed("valid_id")
    assert file.with_name("progress.json.damaged-1").read_bytes() == damage
    said = "was damaged. It is kept as progress.json.damaged-1, and a new one is started.\n"
    assert capsys.readouterr().out == f"progress.json {said}"
    file.write_text("second", "utf-8")
    assert not passed("valid_id")
    assert file.with_name("progress.json.damaged-1").read_bytes() == damage
    assert file.with_name("progress.json.damaged-2").read_text("utf-8") == "second"


def test_a_state_of_a_later_version_is_kept_and_nothing_else_is_lost(file, capsys):
    record("valid_id", "correct")
    data = json.loads(file.read_text("utf-8"))
    data["answers"]["fresh_id"] = {"state": "half way", "choices": [7, "True"], "mistakes": {}}
    file.write_text(json.dumps(data), "utf-8")
    assert answers()["fresh_id"] == Answer("wrong", choices=("True",))
    assert passed("valid_id")
    record("named_params", "wrong")
    assert json.loads(file.read_text("utf-8"))["answers"]["fresh_id"]["state"] == "half way"
    assert capsys.readouterr().out == ""
    record("fresh_id", "wrong", mistake="a bool is an id")
    assert answers()["fresh_id"].mistakes == ("a bool is an id",)


@pytest.mark.parametrize("depth", [400, 900, 2_000, 50_000])
def test_a_file_that_is_nested_deep_is_kept_and_said_in_at_most_one_sentence(file, capsys, depth):
    deep = '{"answers": {}, "more": ' + "[" * depth + "]" * depth + "}"
    file.write_text(deep, "utf-8")
    record("valid_id", "correct")
    assert passed("valid_id")
    assert capsys.readouterr().out.count("\n") <= 1
    aside = file.with_name("progress.json.damaged-1")
    kept = aside.read_text("utf-8") if aside.exists() else file.read_text("utf-8")
    assert kept.count("[") == depth


def test_options_and_mistakes_are_kept_up_to_a_pass_and_never_without_end(file):
    record("quiz:q", "wrong", choice="True", mistake="a token is an id")
    record("quiz:q", "wrong", choice="Maybe", mistake="a token is an id")
    record("quiz:q", "correct", choice="False")
    record("quiz:q", "wrong", choice="True", mistake="another")
    choices = ("True", "Maybe", "False")
    expected = Answer("correct", 3, choices=choices, mistakes=("a token is an id",))
    assert answers()["quiz:q"] == expected
    for number in range(99):
        record("quiz:r", "wrong", choice=f"{number}", mistake=f"mistake {number}")
    assert len(answers()["quiz:r"].choices) == len(answers()["quiz:r"].mistakes) == 10
    assert answers()["quiz:r"].choices[-1] == "98"
    kept = json.loads(file.read_text("utf-8"))["answers"]["quiz:q"]
    assert kept["choices"] == [*choices]


def test_the_order_of_options_stays_for_a_learner_and_looking_makes_no_file(file):
    mine = seed()
    assert not file.exists()
    record("quiz:q", "wrong", choice="True")
    assert seed() == mine == json.loads(file.read_text("utf-8"))["seed"]
    program = "from mini_rpc.classroom.progress import seed; print(seed())"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(ran.stdout) == mine


def test_what_was_drawn_stays_until_everything_starts_over(file):
    assert draw("warm-up 2", lambda known: [*known, "a"]) == ["a"]
    record("b", "wrong")
    assert draw("warm-up 2", lambda known: [*known, "a"]) == ["a"]
    assert draw("warm-up 3", lambda known: [*known, "a"]) == ["b", "a"]
    start_over_all()
    assert draw("warm-up 3", lambda known: [*known, "c"]) == ["c"]
    file.write_text('{"answers": {}, "drawn": 5}', "utf-8")
    assert draw("warm-up 3", lambda known: ["d"]) == ["d"]
    file.write_text('{"answers": {}, "drawn": {"warm-up 3": {"a": 1}}}', "utf-8")
    assert draw("warm-up 3", lambda known: ["d"]) == []


def _refuse(*args, **kwargs):
    raise PermissionError(13, "Permission denied")


OUT_OF_REACH = {
    "links in a circle": (lambda file, _: file.symlink_to(file), lambda file: file.unlink()),
    "a pipe with its name": (lambda file, _: os.mkfifo(file), lambda file: file.unlink()),
    "a folder with its name": (lambda file, _: file.mkdir(), lambda file: file.rmdir()),
    "a missing folder": (lambda file, _: file.parent.rmdir(), lambda file: file.parent.mkdir()),
    "a read-only file": (
        lambda file, _: (file.write_text('{"answers": {}}'), file.chmod(0o444)),
        lambda file: file.chmod(0o644),
    ),
    # the tests may run as root, who may write anywhere
    "a read-only folder": (lambda _, patch: patch.setattr(os, "open", _refuse), None),
    "a disk that is full": (lambda _, patch: patch.setattr(os, "replace", _refuse), None),
    "a damaged file that cannot be moved": (
        lambda file, patch: (file.write_text("damaged"), patch.setattr(os, "replace", _refuse)),
        None,
    ),
}
"""What keeps the file from being written, and what ends that."""


@pytest.mark.parametrize("how", OUT_OF_REACH)
def test_where_the_file_is_out_of_reach_the_course_goes_on_in_memory(
    how, file, monkeypatch, capsys
):
    if "pipe" in how and not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes with names here")
    hinder, heal = OUT_OF_REACH[how]
    with monkeypatch.context() as patch:
        hinder(file, patch)
        before = file.read_bytes() if file.is_file() else None
        record("valid_id", "correct")
        next_rung("fresh_id", 3)
        assert passed("valid_id")
        assert next_rung("fresh_id", 3) == 2
        assert unsaved()
        assert not can_be_saved()
        waiting = len(_unsaved[file])
        for _ in range(100):
            assert answers()["valid_id"].passed
        assert len(_unsaved[file]) == waiting, "looking makes nothing grow"
        assert (file.read_bytes() if file.is_file() else None) == before
        out = capsys.readouterr().out
        assert out.count("\n") == 1, "said once"
        assert out.endswith("kept in memory, and written later if that becomes possible.\n")
    if heal:
        heal(file)
    record("named_params", "wrong")
    assert not unsaved()
    kept = json.loads(file.read_text("utf-8"))["answers"]
    assert list(kept) == ["valid_id", "fresh_id", "named_params"]
    assert kept["fresh_id"]["hints"] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such bit")
def test_nothing_that_is_left_beside_the_file_is_executable(file):
    record("valid_id", "correct")
    assert not any(path.stat().st_mode & 0o111 for path in file.parent.iterdir())


_KERNEL = """
from mini_rpc.classroom.progress import record
for number in range(20):
    record("shared", "wrong")
    record(f"{NAME}_{number}", "correct")
"""


def test_two_kernels_at_once_lose_nothing_not_even_beside_a_lock_that_was_left_behind(file):
    file.with_name(".progress.json.lock").write_text("left by a dead kernel", "utf-8")
    programs = [f"NAME = {name!r}\n{_KERNEL}" for name in ("one", "two")]
    kernels = [subprocess.Popen([sys.executable, "-c", program]) for program in programs]
    assert [kernel.wait(60) for kernel in kernels] == [0, 0]
    found = answers()
    assert found.pop("shared").tries == 40
    assert len(found) == 40
    names = sorted(path.name for path in file.parent.iterdir())
    assert names == [".progress.json.lock", "progress.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="uses flock to hold the lock")
def test_a_lock_that_is_held_for_long_delays_a_change_and_does_not_lose_it(
    file, monkeypatch, capsys
):
    import fcntl

    # progress, the function, hides progress, the module, in the package's names
    monkeypatch.setattr(sys.modules[record.__module__], "_PATIENCE", 0.0)
    with open(file.with_name(".progress.json.lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        record("valid_id", "correct")
        assert passed("valid_id")
        assert not file.exists()
        assert "another notebook holds it" in capsys.readouterr().out
    record("fresh_id", "wrong")
    assert list(json.loads(file.read_text("utf-8"))["answers"]) == ["valid_id", "fresh_id"]


def test_the_module_needs_no_fcntl(file):
    program = "import sys; sys.modules['fcntl'] = None; import mini_rpc.classroom.progress"
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
