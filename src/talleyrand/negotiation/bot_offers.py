"""What a bot proposes of itself: computed from the position, the same in the same place, and never much.

An offer is the proposal that the other would make and that the bot would accept: the other has but to say
yes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Move

from .bot_answers import ACCEPTED, Negotiation, legal_orders, possible_supports
from .bot_duties import defenders_of
from .kept_word import RUNNING, closed_provinces
from .proposals import ALLIANCE, DEMILITARISED, PEACE, SUPPORT, USUAL_YEARS, HelpedUnit, Proposal

MOST_TO_ONE = 2  # offers that a power has in a phase, from all bots together
_RANK = (SUPPORT, DEMILITARISED, ALLIANCE, PEACE)  # of which the first that there is is offered


@dataclass(frozen=True)
class BotOffer:
    """What the bot of a power offers to another."""

    bot: str
    partner: str
    proposal: Proposal


def offers_of_phase(
    tables: Iterable[Negotiation], seed: str, said: Collection[BotOffer] = ()
) -> list[BotOffer]:
    """What bots offer in a phase, a table for each bot and each power that it might speak to: a bot makes one
    offer at most, and a power has MOST_TO_ONE. Nothing is `said` twice; the seed decides among equals.
    """
    found = [
        one
        for table in tables
        if (one := next((offer for offer in _offers(table) if offer not in said), None)) is not None
    ]

    def order(one: BotOffer) -> tuple[int, str]:
        lot = hashlib.sha256(f"{seed}\n{one.bot}\n{one.partner}".encode()).hexdigest()
        return _RANK.index(one.proposal.kind), lot

    chosen: list[BotOffer] = []
    for one in sorted(found, key=order):
        theirs = sum(other.partner == one.partner for other in chosen)
        if theirs < MOST_TO_ONE and all(other.bot != one.bot for other in chosen):
            chosen.append(one)
    return chosen


def _offers(table: Negotiation) -> Iterator[BotOffer]:
    """What a bot would offer to the speaker of a table and agree to itself, the best first; lasting things in
    the first moves of a year alone, and nothing to who lately broke their word to it.
    """
    phase = table.position.phase
    if phase.kind != "M" or table.is_betrayed:
        return
    lasting = [] if phase.season in table.definition.calendar.capture_after else _lasting(table)
    for one in chain(_supports(table), lasting):
        if table.answer(one).code == ACCEPTED:
            yield BotOffer(table.bot, table.speaker, one)


def _lasting(table: Negotiation) -> Iterator[Proposal]:
    if not table.is_near(table.speaker):
        return
    years = min(USUAL_YEARS, table.character.most_years)
    for province in [] if table.are_friends else _places_between(table):
        yield Proposal(DEMILITARISED, province=province, years=years)
    for third in _common_enemies(table):
        yield Proposal(ALLIANCE, third=third, years=years)
    yield Proposal(PEACE, years=years)


def _supports(table: Negotiation) -> Iterator[Proposal]:
    """Supports that take a centre of a third power and that would not without them: in return for each other
    where both gain one.
    """
    mine = _helped_moves(table, table.bot, table.speaker)
    theirs = _helped_moves(table, table.speaker, table.bot)
    for offered, helpers in mine.items():
        for asked, givers in theirs.items():
            busy = {offered.unit, asked.unit}
            if asked.to != offered.to and helpers - busy and givers - busy:
                yield Proposal(SUPPORT, asked=asked, offered=offered)
    for offered in mine:
        yield Proposal(SUPPORT, offered=offered)


def _helped_moves(table: Negotiation, mover: str, giver: str) -> Mapping[HelpedUnit, frozenset[object]]:
    """The moves of a power to a third one’s centre that need a support by `giver` and succeed with it, each
    with the units that may give it.
    """
    board, found = table.definition.board, dict[HelpedUnit, frozenset[object]]()
    closed = {
        place
        for one in table.accounts
        if one.state == RUNNING
        for place in closed_provinces(one.agreement, table.bot, table.position, board)
    }
    for order in legal_orders(table, mover):
        if not isinstance(order, Move) or order.via:
            continue
        to = province_of(order.to)
        holder = table.position.units_by_province.get(to)
        owned = {one for power in (mover, giver) for one in table.centres(power)}
        if holder is None or to not in board.centres or to in owned | closed:
            continue
        if holder.power in (mover, giver):
            continue
        helped = HelpedUnit(order.unit, order.to)
        own = {one.unit for one in possible_supports(table, mover, helped)}
        givers = frozenset(one.unit for one in possible_supports(table, giver, helped))
        strength, against = 1 + len(own), defenders_of(table, holder.power, to)
        if givers and strength <= against < strength + len(givers):
            found[helped] = givers
    return found


def _places_between(table: Negotiation) -> list[str]:
    """Empty provinces without a centre, beside centres and units of both: there both would bounce."""
    board = table.definition.board
    beside = []
    for power in (table.bot, table.speaker):
        reached = {
            province_of(to)
            for unit in table.position.units
            if unit.power == power and unit.province in table.centres(power)
            for to in board.adjacent_locations[unit.kind].get(unit.location, ())
        }
        beside.append(reached)
    free = beside[0] & beside[1] - set(board.centres) - set(table.position.units_by_province)
    return sorted(free)


def _common_enemies(table: Negotiation) -> list[str]:
    """Third powers that both can reach, the largest first, where none of the two is larger."""
    both = {table.bot, table.speaker}
    sizes = {power: len(table.centres(power)) for power in table.definition.board.powers}
    largest = max(sizes[power] for power in both)
    near = [
        power
        for power in sizes
        if power not in both and sizes[power] > largest and all(table.is_near(power, to=one) for one in both)
    ]
    return sorted(near, key=lambda power: (-sizes[power], power))
