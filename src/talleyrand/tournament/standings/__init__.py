"""The ranking of an event: points of games, what they count, and why. All is exact, nothing breaks a tie.

of(event)                   the standings, each figure with its line
of(event, measure=…)        the same coefficients on something else that games give (the traveller)
difference(before, after)   who moves
basis(event)                the event without what moves nobody
"""

from .basis import basis
from .changes import Move, difference
from .games import Fault, Game
from .ranking import of
from .values import Entry, Factor, Standing, Standings, Step

__all__ = [
    "Entry",
    "Factor",
    "Fault",
    "Game",
    "Move",
    "Standing",
    "Standings",
    "Step",
    "basis",
    "difference",
    "of",
]
