"""What teaches: the bench, the exercises, their checks. It imports the core, never the reverse.

Importing it loads nothing else and changes nothing: each name is fetched when it is first used,
so that a server, a sandbox or a lesson pays for what it needs. The first one makes ready the place
where it is used: a kernel, or a browser tab.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_NAMES = {
    "bench.widget": ["bench"],
    "course_map": ["progress"],
    "environment": ["check_environment"],
    "eras": ["META"],
    "exercises.checking": ["NotAttempted", "check"],
    "exercises.help": ["give_up", "hint", "solution", "starter"],
    "glossary": ["glossary"],
    "judging.break_clerks": ["break_clerk", "clerk", "scoreboard"],
    "judging.fuzzing": ["fuzz"],
    "judging.outcome": ["Outcome"],
    "kitchen": ["MESSAGES", "METHODS", "needs"],
    "live.ballot": ["vote"],
    "live.cards": ["card", "open_card"],
    "live.demo": ["act_notes", "live_demo"],
    "live.group": ["group"],
    "live.hand_in": ["hand_in"],
    "live.printing": ["print_cards"],
    "live.stage": ["present"],
    "live.tally": ["tally"],
    "progress": ["start_over", "start_over_all"],
    "questions.prediction": ["predict"],
    "questions.practice": ["final_round", "warm_up"],
    "questions.provoke": ["provoke"],
    "questions.quiz": ["puzzle", "quiz"],
    "talks.hearing": ["hear"],
    "talks.memory": ["memory_pair"],
    "talks.peers": ["official_server", "recorded", "visit"],
    "talks.server_file": [
        "connect",
        "handle_in",
        "in_terminal",
        "keep",
        "methods_in",
        "my_server",
        "who_answers",
    ],
    "talks.talk": ["Logged", "Talk"],
    "talks.timeline": ["replay", "timeline"],
    "workshop.judge": ["judge"],
}
"""The names of the classroom, by the module that has them."""

_HOME = {name: module for module, names in _NAMES.items() for name in names}

_OLD = {"reset": "start_over", "reset_all": "start_over_all"}
"""Names that notebooks of before may import; the first is an IPython magic as well."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Fetch a name from its module. Raises ImportError with one sentence where a package lacks."""
    name = _OLD.get(name, name)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module(".home", __name__)  # knows the notebook's folder, before a `%cd` leaves it
    try:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "mini_rpc":
            raise
        raise ImportError(
            f"{name} needs the package {missing}, which is not installed. "
            "In the course's folder, run: python -m pip install -r requirements.txt"
        ) from None
    _make_ready()
    globals()[name] = value
    return value


def _make_ready() -> None:
    """Let JSON be deep in a browser tab, let an interrupt end a cell that waits in a kernel, and
    explain an error over JSON text without quotes."""
    if sys.platform == "emscripten":
        import_module(".browser_json", __name__).survive()
    elif "IPython" in sys.modules:
        import_module(".kernel_interrupts", __name__).wake_the_loop()
    if "IPython" in sys.modules:
        import_module(".syntax_help", __name__).watch_cells()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Classroom(ModuleType):
    """Here `bench` and `progress` are functions, also after the modules of these names are loaded.

    Python puts each module that it loads into the package around it, under the module's name.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _HOME or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Classroom
