"""What teaches: the bench, the exercises, their checks. It imports the core, never the reverse."""

from .bench import bench
from .environment import check_environment
from .kitchen import MESSAGES, METHODS, needs

__all__ = ["MESSAGES", "METHODS", "bench", "check_environment", "needs"]
