"""Points of a game, in exact fractions."""

from .shares import SYSTEMS, points

__all__ = ["SYSTEMS", "points"]
