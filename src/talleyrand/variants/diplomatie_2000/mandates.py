"""Units under international mandate that leave when a turn ends."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.engine.position import Position, Unit

from .affairs import Affairs, affairs_of, without
from .states import UN


def dismissed(affairs: Affairs, position: Position) -> tuple[Unit, ...]:
    """The M of states in disgrace, who leave as the turn ends; where that is the reading, those of an autumn
    stand through the winter."""
    if position.phase.season == "F" and affairs.option("disgraced_mandates") == "after_winter":
        return ()
    return tuple(
        unit
        for unit in position.units
        if unit.kind == "M" and unit.power != UN and not affairs.in_grace(unit.power, position.phase)
    )


def removed(position: Position) -> Position:
    """The position without the M that their owners dismantle, and without those of states in disgrace."""
    affairs = affairs_of(position)
    leaving = [
        unit
        for unit in position.units
        if str(unit) in affairs.leaving.get(unit.power, ()) and unit.kind == "M"
    ]
    units = without(position.units, (*leaving, *dismissed(affairs, position)))
    return replace(position, units=units, affairs=replace(affairs, leaving={}))
