"""Help with an exercise: hints, one rung at a time, the solution, and the starter code."""

from __future__ import annotations

import sys
from html import escape
from typing import Any, TypeGuard

from ..judging.outcome import code_in_html
from ..progress import gave_up, next_rung, passed
from ..progress import give_up as note_giving_up
from ..teacher import teacher
from ..text import function_name, near, visible
from . import EXERCISES
from .cells import code_cell

__all__ = [
    "Help",
    "give_up",
    "hint",
    "is_known",
    "is_open",
    "may_give_up",
    "shell_here",
    "solution",
    "starter",
    "starter_code",
    "unknown",
]

_CLOSED = {
    "never": "Your teacher keeps the solutions closed.",
    "after a pass": "Your teacher opens a solution after a pass.",
}


def is_known(id: Any) -> TypeGuard[str]:
    """Tell whether this is the id of an exercise."""
    return type(id) is str and id in EXERCISES


def unknown(id: Any, function: str = "check") -> str:
    """Say to the caller of this function that there is no such exercise, and which may be meant."""
    if type(id) is not str or not id.isprintable() or "{" in id:  # an answer, and no name
        name = function_name(id)
        example = name if name in EXERCISES else "first_request"
        more = f", {example}" if function == "check" else ""
        return (
            f'{function} wants the name of an exercise first, as in {function}("{example}"{more}).'
        )
    from ..judging.break_clerks import CLERKS  # with all that a dispatcher is judged by

    if id.capitalize() in CLERKS:
        name = id.capitalize()
        return f'{name} is a clerk, and no exercise: send mail with break_clerk("{name}", raw).'
    return f'There is no exercise "{visible(id[:40])}". {near(id, EXERCISES)}'


class Help:
    """A piece of help: sentences, and sources where there are any. It shows itself as text and as
    HTML."""

    def __init__(self, *lines: str, sources: tuple[str, ...] = ()) -> None:
        self.lines = tuple(map(visible, lines))
        self.sources = sources

    def __repr__(self) -> str:
        return "\n\n".join(["\n".join(self.lines), *self.sources]).rstrip()

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{line}</p>" for line in self.lines_in_html())
        return lines + "".join(f"<pre><code>{escape(one)}</code></pre>" for one in self.sources)

    def lines_in_html(self) -> list[str]:
        """Return each sentence as HTML."""
        return [code_in_html(line) for line in self.lines]


def hint(id: str | None = None) -> Help:
    """Return the hints for the exercise `id` up to the next one; after the last one, all of them.

    With the last one comes the way on.
    """
    if not is_known(id):
        return Help(unknown(id, "hint"))
    hints = EXERCISES[id].hints
    rung = next_rung(id, len(hints))
    shown = [f"Hint {at} of {len(hints)}: {text}" for at, text in enumerate(hints[:rung], 1)]
    if rung == len(hints):
        shown[-1] += f" {_way_on(id)}"
    return Help(*shown)


def _way_on(id: str) -> str:
    if is_open(id):
        return f'This is the last hint. `solution("{id}")` shows one way to write it.'
    if not may_give_up():
        return f"This is the last hint. {_CLOSED[teacher().solutions]}"
    return (
        f'This is the last hint. `solution("{id}")` opens after a pass, '
        f'or run `give_up("{id}")` to see it now.'
    )


def is_open(id: str) -> bool:
    """Tell whether the solution of an exercise may be seen: after a pass, or after giving up."""
    solutions = teacher().solutions
    return solutions != "never" and (passed(id) or (solutions != "after a pass" and gave_up(id)))


def may_give_up() -> bool:
    """Tell whether giving up opens a solution: the teacher may have decided otherwise."""
    return teacher().solutions not in _CLOSED


def solution(id: str | None = None) -> Help:
    """Return the solution of the exercise `id`, and two other ways to write it, if it has been
    solved or given up."""
    if not is_known(id):
        return Help(unknown(id, "solution"))
    if not is_open(id) and not may_give_up():
        return Help(_CLOSED[teacher().solutions])
    if not is_open(id):
        return Help(
            f'The solution of {id} is still closed. It opens once `check("{id}", {id})` is '
            f'correct, or run `give_up("{id}")` to see it now.'
        )
    exercise = EXERCISES[id]
    others = exercise.others
    more = f", and {'another' if len(others) == 1 else 'two more'} from others" if others else ""
    return Help(f"One way to write it{more}:", sources=(exercise.solution, *others))


def give_up(id: str | None = None) -> Help:
    """Open the solution of the exercise `id` without a pass, and return it.

    Where the teacher keeps solutions closed, it says so, and nothing is given up.
    """
    if not is_known(id):
        return Help(unknown(id, "give_up"))
    if may_give_up():
        note_giving_up(id)
    return solution(id)


def starter(id: str | None = None) -> Help:
    """Return the code that the exercise `id` began with, and put it into a new cell in JupyterLab.

    What you have written stays where it is.
    """
    if not is_known(id):
        return Help(unknown(id, "starter"))
    found = starter_code(id)
    if shell := shell_here():
        shell.set_next_input(found.sources[0].rstrip(), replace=False)
        found.lines = (f"{found.lines[0]} It stands in a new cell below.",)
    return found


def starter_code(id: str) -> Help:
    """Return the code that the exercise `id` began with. It is put nowhere."""
    return Help(f"The starter code of {id}.", sources=(f"{code_cell(EXERCISES[id])}\n",))


def shell_here() -> Any:
    """Return IPython where it runs in a kernel, None elsewhere."""
    ipython: Any = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython else None
    return shell if hasattr(shell, "kernel") else None
