"""What teaches: the bench, the exercises, their checks. It imports the core, never the reverse."""

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
from .prediction import predict
from .progress import reset, reset_all
from .quiz import quiz
from .tally import tally

__all__ = [
    "MESSAGES",
    "METHODS",
    "NotAttempted",
    "Outcome",
    "bench",
    "break_clerk",
    "card",
    "check",
    "check_environment",
    "clerk",
    "fuzz",
    "give_up",
    "group",
    "hint",
    "needs",
    "open_card",
    "predict",
    "progress",
    "quiz",
    "reset",
    "reset_all",
    "scoreboard",
    "solution",
    "tally",
    "vote",
]
