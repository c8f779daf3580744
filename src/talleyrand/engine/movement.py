"""The movement phase: moves, supports and convoys, judged all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from . import disorder, legality, paradoxes
from .battle import Battle
from .board import Board
from .errors import Refusal
from .orders import Order
from .outcome import Outcome
from .position import Position
from .rulebook import Rulebook
from .verdicts import Aftermath, verdicts


def adjudicate(
    board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
) -> Outcome:
    """Judge every order received, by power; illegal ones are refused and their units hold.

    Gives the verdict of every unit, and the position with the moves made: the dislodged with their
    retreats, the provinces left empty by a stand-off.
    """

    def verify(power: str, order: Order) -> Order | Refusal:
        return legality.check(board, position, power, order, book)

    settled = legality.settle(verify, orders, book)
    led = disorder.settled(position, settled.accepted, book)
    outcome = judge(board, led, settled.accepted, book, legality.misordered(position, settled))
    after = outcome.after
    if led is not position:
        after = replace(after, disorder=position.disorder, unordered=frozenset())
    return replace(outcome, verdicts=settled.number(outcome.verdicts), after=after, refused=settled.refused)


def judge(
    board: Board,
    position: Position,
    accepted: Mapping[tuple[str, str], Order],
    book: Rulebook,
    misordered: frozenset[str] = frozenset(),
) -> Outcome:
    """Judge legal orders, one a unit, by (power, province), as `legality.settle` gives them.

    `misordered` names the provinces of units whose every order was refused as impossible.
    """
    battle = Battle(board, position, accepted, book, misordered)
    paradoxes.settle(battle)
    aftermath = Aftermath(battle)
    after = replace(
        position,
        units=aftermath.units,
        dislodged=tuple(aftermath.dislodged.values()),
        contested=aftermath.contested,
    )
    return Outcome(verdicts(battle, aftermath), after)
