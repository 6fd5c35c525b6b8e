"""The recipes of CONTRIBUTING.md, followed in a copy of the course: then the tests are green."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.lessons import LESSONS
from mini_rpc.classroom.workshop import ROOT
from mini_rpc.classroom.workshop.house_style import prose_faults, unresolved_links
from mini_rpc.classroom.workshop.lessons import committed

RECIPES = ROOT / ".github" / "CONTRIBUTING.md"
HAVE = Counter(one.lesson for one in EXERCISES.values())
LESSON = min(HAVE, key=HAVE.__getitem__)  # a lesson has five exercises at most
PAGE = LESSONS[LESSON].page
IDS = f"first_error or {Path(PAGE).stem} or sign_of_an_id or Zita"
FAULT = """## sign_of_an_id

> loses the sign of an id

- Zita: She has never seen anything below zero.

```text
{"jsonrpc": "2.0", "id": -1, "method": "ping"}
```

```python
def answer(self, message, methods):
    id = message["id"]
    below = isinstance(id, int) and id < 0
    return super().answer({**message, "id": -id} if below else message, methods)
```

"""
GATE = [
    *("tests/notebooks/test_exercise_cells.py", "tests/notebooks/test_questions.py"),
    *("tests/classroom/exercises", "tests/classroom/workshop/test_house_style.py"),
    *("tests/classroom/judging/test_clerks.py", "tests/classroom/judging/test_dispatchers.py"),
    "tests/classroom/judging/test_break_clerks.py",
    f"notebooks/{PAGE}",
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy")
    shown = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if shown.returncode:
        pytest.skip("the copy is made of what git knows")
    for name in filter(None, shown.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def run(copy, *command):
    """Run a module of Python in the copy; return what it prints. It must end well."""
    env = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=copy, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


@pytest.mark.rest
def test_an_exercise_a_question_and_a_fault_are_added_and_the_tests_are_green(copy):
    new, lesson = ("mini_rpc.classroom", "new"), ("--lesson", f"{LESSON}")
    assert "first_error.md is there" in run(copy, *new, "exercise", "first_error", *lesson)
    assert f"lesson_{LESSON}.md is there" in run(copy, *new, "question", "who may use it", *lesson)
    faults = copy / "mini_rpc" / "classroom" / "judging" / "clerks.md"
    faults.write_text(FAULT + faults.read_text(encoding="utf-8"), encoding="utf-8")
    said = run(copy, "mini_rpc.classroom", "author", f"notebooks/{PAGE}")
    assert "first-error: is new" in said
    assert "who-may-use-it: is new" in said
    assert "00_start_here.ipynb: written" in said, "the map of the course counts one more"
    assert "05_edge_cases.ipynb: written" in said, "the scoreboard counts one more"
    run(copy, "pytest", "-q", "-n0", "-k", f"{IDS} or test_questions or stands_once", *GATE)
    run(copy, "ruff", "check", "-q")


def test_the_recipes_lead_somewhere_and_read_well():
    text = committed(RECIPES)
    assert list(unresolved_links(text, RECIPES, text, ROOT)) == []
    assert list(prose_faults(text)) == []
