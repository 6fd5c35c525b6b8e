"""The way into the classroom, for people and for programs: each pays for what it uses only."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mini_rpc.classroom
from mini_rpc.classroom.__main__ import commands, main

ROOT = Path(mini_rpc.classroom.__file__).parents[2]
INSTALL = "In the course's folder, run: python -m pip install -r requirements.txt"
HEAVY = {"IPython", "anywidget", "ipywidgets", "nbformat", "traitlets", "jupyter_core"}


def without_packages(program):
    """Run a program where Python has its standard library and this project only."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}"
    command = [sys.executable, "-I", "-S", "-B", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_every_command_says_what_it_does_in_one_line():
    assert {"author", "site", "slides"} <= commands().keys()
    assert [name for name, line in commands().items() if not re.fullmatch(r"[A-Z].+\.", line)] == []


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help(name, capsys):
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: python -m mini_rpc.classroom {name} [-h]")
    assert commands()[name].split()[0] in said


def test_an_unknown_command_and_none_are_answered(capsys):
    assert main(["athor"]) == 2
    assert "'athor' is no command. There are: author," in capsys.readouterr().err
    assert main([]) == 2
    assert "Usage: python -m mini_rpc.classroom COMMAND" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--help"], ["connect", "--help"], ["connect"], ["athor"]])
def test_whoever_stops_reading_gets_no_traceback(arguments):
    out, into = os.pipe()
    os.close(out)
    command = [sys.executable, "-m", "mini_rpc.classroom", *arguments]
    ran = subprocess.run(command, stdout=into, stderr=subprocess.PIPE, text=True)
    os.close(into)
    assert "Traceback" not in ran.stderr


@pytest.mark.sample(3)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a shell and a full file of Linux")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--help >&-", "stdout is closed"),
        ("--help >/dev/full", "No space left on device"),
        ("author no.ipynb", "No such file or directory"),
        ("author no_notebook.json", "no_notebook.json is no notebook"),
    ],
)
def test_what_cannot_be_written_or_read_is_said_in_one_sentence(arguments, said, tmp_path):
    (tmp_path / "no_notebook.json").write_text("[]", "utf-8")
    command = f"'{sys.executable}' -m mini_rpc.classroom {arguments}"
    ran = subprocess.run(command, shell=True, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert said in ran.stderr
    assert "Errno" not in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert ran.returncode == (1 if "is no notebook" in said else 2)


def test_help_needs_no_package_and_a_command_says_which_one_it_needs():
    said = without_packages(
        "from mini_rpc.classroom.__main__ import main\n"
        "sys.stderr = sys.stdout; print(main(['--help'])); print(main(['author']))"
    )
    assert "\n  author " in said
    assert said.endswith(f"author needs the package nbformat. {INSTALL}\n1\n")


def test_importing_the_classroom_loads_its_own_file_and_a_name_says_what_it_needs():
    said = without_packages(
        "import importlib, mini_rpc; before = set(sys.modules)\n"
        "import mini_rpc.classroom as classroom; print(*set(sys.modules) - before)\n"
        "try: classroom.bench\n"
        "except ImportError as error: print(error)\n"
        "print(hasattr(classroom, 'no_such_name'), classroom.needs.__name__)"
    )
    needs = r"bench needs the package \w+, which is not installed\. "
    assert re.fullmatch(rf"mini_rpc.classroom\n{needs}{re.escape(INSTALL)}\nFalse needs\n", said)


def test_a_function_is_not_lost_to_the_module_of_its_name():
    program = (
        "import mini_rpc.classroom.bench.answers, mini_rpc.classroom.progress\n"
        "from mini_rpc.classroom import bench, progress\n"
        "print(bench.__name__, progress.__name__)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("bench progress\n", "")


def test_every_name_is_listed_and_leads_somewhere():
    assert set(mini_rpc.classroom.__all__) <= set(dir(mini_rpc.classroom))
    for name in mini_rpc.classroom.__all__:
        assert getattr(mini_rpc.classroom, name) is not None


@pytest.mark.parametrize("module", ["exercises.checking", "sandbox.child", "talks.wiretap"])
def test_a_check_and_what_runs_beside_the_kernel_load_no_widget(module):
    said = without_packages(f"import mini_rpc.classroom.{module}; print(*sys.modules)")
    assert not HEAVY & {name.partition(".")[0] for name in said.split()}
