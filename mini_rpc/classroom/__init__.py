"""What teaches: the bench, the exercises, their checks. It imports the core, never the reverse."""

import sys

from . import deep_json
from .ballot import vote
from .bench import bench
from .breaking import break_clerk, clerk, scoreboard
from .cards import card, open_card
from .checking import NotAttempted, Outcome, check
from .course_map import progress
from .environment import check_environment
from .fuzzing import fuzz
from .group import group
from .hints import give_up, hint, solution
from .kitchen import MESSAGES, METHODS, needs
from .memory import memory_pair
from .peers import META, ODD, hear, methods_in, my_server, official_server, recorded, visit
from .prediction import predict
from .presenter import present
from .progress import reset, reset_all
from .quiz import quiz
from .talk import Logged, Talk
from .tally import tally
from .timeline import replay, timeline

if sys.platform == "emscripten":  # a browser tab
    deep_json.survive()

__all__ = [
    "MESSAGES",
    "META",
    "METHODS",
    "ODD",
    "Logged",
    "NotAttempted",
    "Outcome",
    "Talk",
    "bench",
    "break_clerk",
    "card",
    "check",
    "check_environment",
    "clerk",
    "fuzz",
    "give_up",
    "group",
    "hear",
    "hint",
    "memory_pair",
    "methods_in",
    "my_server",
    "needs",
    "official_server",
    "open_card",
    "predict",
    "present",
    "progress",
    "quiz",
    "recorded",
    "replay",
    "reset",
    "reset_all",
    "scoreboard",
    "solution",
    "tally",
    "timeline",
    "visit",
    "vote",
]
