"""Units under international mandate that leave when a turn ends."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.engine.position import Position, Unit

from .political_state import PoliticalState, political_state_of, units_without
from .state_table import UN


def dismissed_mandates(affairs: PoliticalState, position: Position) -> tuple[Unit, ...]:
    """The M of states in disgrace, who leave as the turn ends; where that is the reading, those of an autumn
    stand through the winter."""
    if position.phase.season == "F" and affairs.option("disgraced_mandates") == "after_winter":
        return ()
    return tuple(
        unit
        for unit in position.units
        if unit.kind == "M" and unit.power != UN and not affairs.in_grace(unit.power, position.phase)
    )


def without_departed_mandates(position: Position) -> Position:
    """The position without the M that their owners dismantle, and without those of states in disgrace."""
    affairs = political_state_of(position)
    leaving = [
        unit
        for unit in position.units
        if str(unit) in affairs.dismantled_mandates.get(unit.power, ()) and unit.kind == "M"
    ]
    units = units_without(position.units, (*leaving, *dismissed_mandates(affairs, position)))
    return replace(position, units=units, political_state=replace(affairs, dismantled_mandates={}))
