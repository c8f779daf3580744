"""What a correction does to the standings: who moves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .standing_values import PersonStanding, Standings


@dataclass(frozen=True)
class StandingChange:
    """Somebody whose place or total is another; None where he had, or has, none."""

    person: int
    before: PersonStanding | None
    after: PersonStanding | None

    @property
    def gained(self) -> Fraction:
        """Points gained, or lost."""
        return _total(self.after) - _total(self.before)

    @property
    def climbed(self) -> int:
        """Places gained; 0 where he had none, or has none."""
        if self.before is None or self.after is None:
            return 0
        return self.before.place - self.after.place


def _total(standing: PersonStanding | None) -> Fraction:
    return standing.total if standing else Fraction(0)


def standings_difference(before: Standings, after: Standings) -> tuple[StandingChange, ...]:
    """Who moves between two standings, in the order of their new places, those without one last."""
    old, new = before.by_person, after.by_person
    people = sorted({*old, *new}, key=lambda one: (one not in new, new[one].place if one in new else 0, one))
    moves = [StandingChange(one, old.get(one), new.get(one)) for one in people]
    return tuple(move for move in moves if _figures(move.before) != _figures(move.after))


def _figures(standing: PersonStanding | None) -> tuple[int, Fraction] | None:
    return (standing.place, standing.total) if standing else None
