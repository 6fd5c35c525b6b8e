"""What teaches: the bench, the exercises, their checks. It imports the core, never the reverse."""

from .bench import bench
from .course_map import progress
from .environment import check_environment
from .kitchen import MESSAGES, METHODS, needs
from .prediction import predict
from .progress import reset, reset_all
from .quiz import quiz

__all__ = [
    "MESSAGES",
    "METHODS",
    "bench",
    "check_environment",
    "needs",
    "predict",
    "progress",
    "quiz",
    "reset",
    "reset_all",
]
