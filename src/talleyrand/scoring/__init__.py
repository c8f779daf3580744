"""Points of a game, in exact fractions: systems as data, and the working of each score."""

from .ending import BadEnding, Ending
from .loader import examples, load, names
from .parts import Line
from .reading import BadSystem, Example, examples_of, read
from .system import Score, System

__all__ = [
    "BadEnding",
    "BadSystem",
    "Ending",
    "Example",
    "Line",
    "Score",
    "System",
    "examples",
    "examples_of",
    "load",
    "names",
    "read",
]
