"""Civil disorder: the powers and units that nobody leads, and what they may not do (rows M54 to M58).

A power that wrote nothing stands in `Position.disorder`, one whose sheet was torn away in `Position.torn`.
What that means is the book's choice (M58): either a power that wrote nothing is in disorder as a whole,
from its season's moves to the winter; or each unit of both is that has no legal order, in that phase.
"""

from __future__ import annotations

from collections.abc import Container

from .position import Phase, Position
from .rulebook import Rulebook


def apply_civil_disorder(position: Position, ordered: Container[tuple[str, str]], book: Rulebook) -> Position:
    """The position with the powers or units in disorder, as the moves are judged.

    `ordered` holds (power, province) of each unit with a legal order.
    """
    led = not position.powers_in_disorder and not position.torn
    if led or book.civil_disorder_trigger == "no_orders_for_a_season":
        return position
    idle = frozenset(
        unit.province
        for unit in position.units
        if unit.power in position.powers_in_disorder | position.torn
        and (unit.power, unit.province) not in ordered
    )
    return position.changed(powers_in_disorder=frozenset(), provinces_in_disorder=idle)


def may_build(position: Position, power: str, book: Rulebook) -> bool:
    """Whether a power's builds count although it may be in disorder (row M57)."""
    if power in position.passive:
        return False
    without = position.powers_in_disorder
    if book.civil_disorder_trigger == "unit_without_legal_order":
        without = without | position.torn
    return book.civil_disorder_builds == "written_ones" or power not in without


def enter_phase(position: Position, entered: Phase, book: Rulebook) -> Position:
    """The position as it enters a phase: new sheets are asked for, disorder may last to the next moves."""
    lasts = book.civil_disorder_trigger == "no_orders_for_a_season" and entered.kind != "M"
    return position.changed(
        phase=entered,
        powers_in_disorder=position.powers_in_disorder if lasts else frozenset(),
        torn=frozenset(),
        provinces_in_disorder=frozenset(),
    )
