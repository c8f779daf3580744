"""Winters in which little fits, drawn by a seed: books, positions and sheets."""

from __future__ import annotations

from random import Random

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Build, Disband, Order, Waive
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook, option_values

WINTER = Phase("W", 1901, "A")
OPTIONS = (
    "build_fleet_inland",
    "too_many_builds",
    "two_builds_one_centre",
    "too_many_removals",
    "unused_builds",
    "missing_removals",
    "removal_reference",
    "removal_metric",
    "removal_alphabet",
    "civil_disorder_builds",
    "civil_disorder_trigger",
    "adjust_balance",
)


def draw_book(dice: Random) -> Rulebook:
    """Any choice of each option that makes a difference to a winter."""
    values = option_values()
    return Rulebook().with_options({name: dice.choice(values[name]) for name in OPTIONS})


def draw_position(dice: Random, board: Board) -> Position:
    """Two or three powers that own and hold what fits badly."""
    powers = dice.sample(board.powers, k=min(3, len(board.powers)))
    homes = [code for power in powers for code in board.homes[power]]
    near = dice.sample(sorted(board.provinces), k=10) + dice.sample(homes, k=3)
    units = tuple(_unit(dice, board, code, powers) for code in dict.fromkeys(near))
    centres = dice.sample(board.centres, k=min(8, len(board.centres))) + homes
    owner = {code: power for power in powers for code in board.homes[power] if dice.random() < 0.7}
    owned = {code: owner.get(code) or dice.choice(powers) for code in centres if dice.random() < 0.9}
    before = {code: dice.choice(powers) if dice.random() < 0.3 else power for code, power in owned.items()}
    return Position(
        WINTER,
        units,
        centres=_by_power(owned),
        centres_before=_by_power(before) if dice.random() < 0.8 else None,
        homes={powers[0]: tuple(dice.sample(board.centres, k=2))} if dice.random() < 0.2 else {},
        powers_in_disorder=frozenset(power for power in powers if dice.random() < 0.1),
        torn=frozenset(power for power in powers if dice.random() < 0.1),
        passive=frozenset(power for power in powers if dice.random() < 0.1),
        kept_builds={power: dice.randint(1, 3) for power in powers if dice.random() < 0.3},
        seed=dice.choice(("", "Lyon", 'é\n"')),
    )


def _unit(dice: Random, board: Board, code: str, powers: list[str]) -> Unit:
    places = [(letter, place) for letter in board.kinds for place in board.standable_locations(letter, code)]
    return Unit(*dice.choice(places), dice.choice(powers))


def _by_power(owned: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {power: tuple(code for code, who in owned.items() if who == power) for power in owned.values()}


def draw_sheet(dice: Random, board: Board, position: Position, power: str) -> list[Order]:
    """Builds and removals of a power, possible ones and others."""
    homes = position.homes.get(power, board.homes[power])
    places = [place for code in homes for place in {code, *board.provinces[code].locations}]
    builds: list[Order] = [
        Build(UnitName(dice.choice("AAFF"), dice.choice((*sorted(places), "SPA", "XXX")))) for _ in range(6)
    ]
    removals: list[Order] = [Disband(unit.name) for unit in position.units if dice.random() < 0.6]
    return dice.sample([*builds, *removals, Waive()], k=dice.randint(0, 7 + len(removals)))
