"""Where the powers stand when the end of a game is talked of: centres, homes and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from talleyrand.engine.game import GameDefinition


@dataclass(frozen=True)
class PowerStandings:
    """`centres` and `homes` by power, `unit_counts` the number of its units, the dislodged included;
    `occupants` is the power whose unit stands in a province; `sides` are the powers that win together.
    """

    centres: Mapping[str, frozenset[str]]
    homes: Mapping[str, frozenset[str]]
    unit_counts: Mapping[str, int]
    occupants: Mapping[str, str]
    sides: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def from_situation(cls, situation: Mapping[str, Any], definition: GameDefinition) -> PowerStandings:
        """From the situation of a phase, or from an answer of the judge.

        Where seats stand for powers (`Politics.powers_stood_for`) they alone are told: what is a power's
        counts as its seat's, and nobody has what no seat stands for.
        """
        board, politics, told = definition.board, definition.politics, situation.get("politics") or {}
        stood_for = politics.powers_stood_for(told) if politics else None
        own = dict(zip(board.powers, board.powers, strict=True)) if stood_for is None else stood_for
        seats = {power: seat for seat, power in own.items()}
        standing = board.powers if stood_for is None else definition.players
        owned, homes = situation.get("centers") or {}, situation.get("homes") or {}
        units, fallen = situation.get("units") or {}, situation.get("dislodged") or {}
        return cls(
            {seat: frozenset(owned.get(own.get(seat, ""), ())) for seat in standing},
            {
                seat: frozenset(homes.get(own.get(seat, ""), board.homes.get(own.get(seat, ""), ())))
                for seat in standing
            },
            {
                seat: len(units.get(own.get(seat, ""), ())) + len(fallen.get(own.get(seat, ""), ()))
                for seat in standing
            },
            {_province(unit): seats.get(power, power) for power, some in units.items() for unit in some},
            politics.sides(told) if politics else (),
        )

    def centre_count(self, power: str) -> int:
        """How many centres a power owns."""
        return len(self.centres[power])

    def may_propose_end(self, power: str) -> bool:
        """One owned centre without a foreign unit, or a unit on another’s centre (Anjou Feu, V)."""
        free = any(self.occupants.get(place, power) == power for place in self.centres[power])
        foreign = {place for owner, places in self.centres.items() if owner != power for place in places}
        return free or any(self.occupants.get(place) == power for place in foreign)

    def may_veto(self, power: str) -> bool:
        """A home centre, or a centre and a unit (Anjou Feu, V). Only they vote too: who has neither is
        eliminated (VII).
        """
        owned = self.centres[power]
        return bool(owned & self.homes[power]) or bool(owned and self.unit_counts[power])


def _province(unit: str) -> str:
    return unit.partition(" ")[2].partition("/")[0]
