"""What teaches: the bench, the exercises, their checks. It imports the core, never the reverse."""

import sys

from . import deep_json
from .bench import bench
from .bench.presenter import present
from .course_map import progress
from .environment import check_environment
from .exercises.checking import NotAttempted, Outcome, check
from .exercises.help import give_up, hint, solution
from .interrupt import wake_the_loop
from .judging.breaking import break_clerk, clerk, scoreboard
from .judging.fuzzing import fuzz
from .kitchen import MESSAGES, METHODS, needs
from .live.ballot import vote
from .live.cards import card, open_card
from .live.group import group
from .live.tally import tally
from .progress import reset, reset_all
from .questions.prediction import predict
from .questions.quiz import quiz
from .talks.hearing import ODD, hear
from .talks.memory import memory_pair
from .talks.peers import META, official_server, recorded, visit
from .talks.server_file import connect, handle_in, keep, methods_in, my_server, who_answers
from .talks.talk import Logged, Talk
from .talks.timeline import replay, timeline

if sys.platform == "emscripten":  # a browser tab
    deep_json.survive()
else:
    wake_the_loop()

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
    "connect",
    "fuzz",
    "give_up",
    "group",
    "handle_in",
    "hear",
    "hint",
    "keep",
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
    "who_answers",
]
