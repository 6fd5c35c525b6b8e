"""The progress file: readable, never half written, never lost, never in the way."""

import json
import os
import subprocess
import sys

import pytest

from mini_rpc.classroom.progress import (
    Answer,
    answers,
    gave_up,
    give_up,
    next_rung,
    passed,
    read_answers,
    record,
    reset,
    reset_all,
    unsaved,
)


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    path = tmp_path / "progress.json"
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(path))
    return path


def test_without_an_environment_variable_the_file_is_beside_the_notebook(tmp_path, monkeypatch):
    monkeypatch.delenv("MINI_RPC_PROGRESS")
    monkeypatch.chdir(tmp_path)
    record("valid_id", "correct")
    assert passed("valid_id")
    assert (tmp_path / "progress.json").exists()


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


def test_the_file_can_be_carried_away(file):
    record("valid_id", "crashed")
    text = file.read_text("utf-8")
    assert str(file.parent) not in text


def test_a_pass_is_never_lost_by_a_later_wrong_try():
    for state in ("wrong", "correct", "wrong", "crashed"):
        record("valid_id", state)
    assert answers()["valid_id"] == Answer("correct", tries=2)


def test_a_stub_is_no_try_and_makes_no_file(file):
    record("valid_id", "not attempted")
    assert answers() == {}
    assert not passed("valid_id")
    assert not file.exists()


def test_rungs_count_up_to_the_last_and_stay_there():
    assert [next_rung("valid_id", 3) for _ in range(5)] == [1, 2, 3, 3, 3]
    assert next_rung("fresh_id", 0) == 0
    assert answers()["valid_id"] == Answer(hints=3)


def test_giving_up_is_kept_and_a_pass_before_it_makes_it_none():
    give_up("valid_id")
    record("valid_id", "correct")
    record("fresh_id", "correct")
    give_up("fresh_id")
    assert gave_up("valid_id")
    assert not gave_up("fresh_id")
    assert not gave_up("named_params")


def test_reset_forgets_one_and_reset_all_every_one(capsys):
    for id in ("valid_id", "fresh_id", "quiz:who_waits"):
        record(id, "correct")
    reset("valid_id")
    assert list(answers()) == ["fresh_id", "quiz:who_waits"]
    reset("valid_idd")
    reset_all()
    assert answers() == {}
    assert capsys.readouterr().out.splitlines() == [
        "valid_id starts afresh.",
        "Nothing is recorded for valid_idd.",
        "2 entries start afresh. What was recorded is kept as progress.json.before-reset-1.",
    ]


def test_reset_all_keeps_what_was_recorded_beside_the_file_and_an_empty_one_nowhere(file, capsys):
    record("valid_id", "correct")
    before = file.read_text("utf-8")
    reset_all()
    reset_all()
    assert file.with_name("progress.json.before-reset-1").read_text("utf-8") == before
    assert not file.with_name("progress.json.before-reset-2").exists()
    assert capsys.readouterr().out.startswith("1 entry starts afresh.")


def test_links_in_a_circle_are_no_disaster(file, capsys):
    file.symlink_to(file)
    _goes_on_in_memory(file, capsys)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_only_ordinary_files_are_read_so_that_a_pipe_keeps_nobody_waiting(file, capsys):
    os.mkfifo(file)
    _goes_on_in_memory(file, capsys)
    file.unlink()
    os.mkfifo(file.with_name(".progress.json.new"))
    record("valid_id", "correct")
    assert file.is_file()


def _goes_on_in_memory(path, capsys):
    record("named_params", "correct")
    assert passed("named_params")
    assert unsaved()
    assert "cannot be" in capsys.readouterr().out
    with pytest.raises(OSError, match=r"symbolic links|ordinary"):
        read_answers(path)


def test_unknown_ids_and_members_of_a_later_version_are_kept(file):
    later = {
        "course": "mini_rpc",
        "format": 2,
        "colour": "green",
        "answers": {"from_lesson_9": {"state": "correct", "stars": 4}},
    }
    file.write_text(json.dumps(later), "utf-8")
    record("valid_id", "wrong")
    after = json.loads(file.read_text("utf-8"))
    assert after.pop("answers") == {
        "from_lesson_9": {"state": "correct", "stars": 4},
        "valid_id": {"state": "wrong", "tries": 1, "hints": 0, "gave_up": False},
    }
    assert after == {"course": "mini_rpc", "format": 2, "colour": "green"}


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b'{"answers": {"valid_id": {"sta',
        b"\xff\xfe\x00",
        b"[]",
        b"{}",
        b'{"answers": []}',
        b'{"answers": {"valid_id": 1}}',
        b'{"answers": {"valid_id": {"tries": true}}}',
        b'{"answers": {"valid_id": {"state": null}}}',
        b'{"answers": {"valid_id": {"state": "<img src=x onerror=alert(1)>"}}}',
        b'{"answers": {"valid_id": {"hints": -5}}}',
        b'{"answers": {"valid_id": {"tries": -1}}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_kept_aside_and_said(file, capsys, damage):
    file.write_bytes(damage)
    assert answers() == {}
    record("valid_id", "correct")
    assert passed("valid_id")
    assert file.with_name("progress.json.damaged-1").read_bytes() == damage
    said = "was damaged. It is kept as progress.json.damaged-1, and a new one is started.\n"
    assert capsys.readouterr().out == f"progress.json {said}"


def test_a_second_damaged_file_does_not_replace_the_first(file):
    for damage in ("first", "second"):
        file.write_text(damage, "utf-8")
        record("valid_id", "wrong")
    for number, damage in enumerate(("first", "second"), start=1):
        aside = file.with_name(f"progress.json.damaged-{number}")
        assert aside.read_text("utf-8") == damage


def _cannot_be_written(capsys):
    record("valid_id", "correct")
    next_rung("fresh_id", 3)
    assert passed("valid_id")
    assert next_rung("fresh_id", 3) == 2
    assert unsaved()
    out = capsys.readouterr().out
    assert out.count("cannot be written") == 1, "said once"
    assert out.endswith("kept in memory, and written later if that becomes possible.\n")


def test_in_a_missing_folder_the_course_goes_on_in_memory(file, monkeypatch, capsys):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(file.parent / "nowhere" / "progress.json"))
    _cannot_be_written(capsys)
    (file.parent / "nowhere").mkdir()
    record("named_params", "wrong")
    assert not unsaved()
    kept = json.loads((file.parent / "nowhere" / "progress.json").read_text("utf-8"))
    assert list(kept["answers"]) == ["valid_id", "fresh_id", "named_params"]
    assert kept["answers"]["fresh_id"]["hints"] == 2


def test_a_read_only_file_stays_as_it_is(file, capsys):
    record("named_params", "correct")
    before = file.read_bytes()
    file.chmod(0o444)
    _cannot_be_written(capsys)
    assert passed("named_params")
    assert file.read_bytes() == before


def test_in_a_read_only_folder_the_course_goes_on_in_memory(file, monkeypatch, capsys):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)  # the tests may run as root, who may write anywhere
    _cannot_be_written(capsys)


def test_a_folder_in_the_place_of_the_file_is_no_disaster(file, capsys):
    file.mkdir()
    record("valid_id", "correct")
    assert passed("valid_id")
    assert file.is_dir()


def test_a_write_that_breaks_off_leaves_the_old_file_whole(file, monkeypatch):
    record("valid_id", "correct")
    before = file.read_bytes()

    def break_off(*args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", break_off)
        record("fresh_id", "correct")
        assert file.read_bytes() == before
        assert passed("fresh_id")
    record("named_params", "correct")
    assert list(json.loads(file.read_text("utf-8"))["answers"]) == [
        "valid_id",
        "fresh_id",
        "named_params",
    ]


def test_a_lock_left_behind_stops_nobody(file):
    file.with_name(".progress.json.lock").write_text("left by a dead kernel", "utf-8")
    record("valid_id", "correct")
    assert not unsaved()
    assert file.exists()


_KERNEL = """
from mini_rpc.classroom.progress import record
for number in range(50):
    record("shared", "wrong")
    record(f"{NAME}_{number}", "correct")
"""


def test_two_kernels_at_once_lose_nothing(file):
    kernels = [
        subprocess.Popen([sys.executable, "-c", f"NAME = {name!r}\n{_KERNEL}"])
        for name in ("one", "two")
    ]
    assert [kernel.wait(60) for kernel in kernels] == [0, 0]
    found = answers()
    assert found.pop("shared").tries == 100
    assert len(found) == 100
    assert sorted(path.name for path in file.parent.iterdir()) == [
        ".progress.json.lock",
        "progress.json",
    ]


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
