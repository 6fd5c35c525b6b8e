"""What teaches: the bench, the exercises and their checks. It imports the core, never the reverse."""

from .bench import bench
from .kitchen import MESSAGES, METHODS, needs

__all__ = ["MESSAGES", "METHODS", "bench", "needs"]
