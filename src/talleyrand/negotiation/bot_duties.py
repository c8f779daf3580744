"""What a bot owes by its agreements in the open phase, and when a treacherous one forgets it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Move, Order

from .bot_answers import Negotiation, legal_orders, possible_supports, promised_move
from .kept_word import RUNNING, closed_provinces, trust_in
from .proposals import ALLIANCE, SUPPORT, Agreement, HelpedUnit


@dataclass(frozen=True)
class BotDuties:
    """What a bot's orders respect: `closed`, by power, the provinces where that power does not go (its
    partners' too, where it trusts them), the orders that it `owes`, and the powers it fights by agreement.
    """

    closed: Mapping[str, frozenset[str]]
    owes: tuple[Order, ...] = ()
    fights: frozenset[str] = frozenset()


NO_DUTIES = BotDuties({})


def duties_of(table: Negotiation) -> BotDuties:
    """What the bot of a table owes in the open phase to all it has agreements with."""
    kept, owed = list[Agreement](), list[Order]()
    for account in table.accounts:
        if account.state == RUNNING and account.agreement.binds_in(table.position.phase):
            betrayal = betrayal_of(table, account.agreement)
            owed += [] if owed else betrayal
            kept += [] if betrayal else [account.agreement]
    closed: dict[str, frozenset[str]] = {}
    for one in kept:
        owed += _owed(table, one, owed)
        other = one.partner_of(table.bot)
        believed = trust_in(other, table.accounts) >= 0 and table.character.keeps_word
        for power in (table.bot, other) if believed else (table.bot,):
            places = closed_provinces(one, power, table.position, table.definition.board)
            closed[power] = closed.get(power, frozenset()) | places
    going = {province_of(one.to) for one in owed if isinstance(one, Move)}
    closed[table.bot] = closed.get(table.bot, frozenset()) | going  # to the other units of its own
    fought = frozenset(one.proposal.third for one in kept if one.proposal.kind == ALLIANCE)
    return BotDuties(closed, tuple(owed), fought)


def _owed(table: Negotiation, agreement: Agreement, before: list[Order]) -> list[Order]:
    """The support that the bot promised, by a unit that owes nothing else, and the move it is helped in."""
    found: list[Order] = []
    busy = {one.unit for one in before}
    if agreement.proposal.offered and (move := promised_move(table, agreement.proposal.offered)):
        found.append(move)
        busy.add(move.unit)
    if agreement.proposal.asked:
        given = possible_supports(table, table.bot, agreement.proposal.asked)
        found += next(([one] for one in given if one.unit not in busy), [])
    return found


def betrayal_of(table: Negotiation, agreement: Agreement) -> list[Order]:
    """How a treacherous bot gains by breaking an agreement now, or nothing: in the year's last moves it goes
    to a centre of its partner with more units than stand there or could come to defend it.
    """
    if table.character.keeps_word or agreement.proposal.kind == SUPPORT or not _counts_now(table):
        return []
    partner = agreement.partner_of(table.bot)
    moves = [one for one in legal_orders(table, table.bot) if isinstance(one, Move) and not one.via]
    for centre in table.position.owned_by(partner):
        move = next((one for one in moves if province_of(one.to) == centre), None)
        if move is None:
            continue
        helpers = {
            one.unit: one for one in possible_supports(table, table.bot, HelpedUnit(move.unit, move.to))
        }
        needed = defenders_of(table, partner, centre)
        if len(helpers) >= needed:
            return [move, *list(helpers.values())[:needed]]
    return []


def _counts_now(table: Negotiation) -> bool:
    phase = table.position.phase
    return phase.kind == "M" and phase.season in table.definition.calendar.capture_after


def defenders_of(table: Negotiation, power: str, province: str) -> int:
    """The units of a power in a province, or one move from it."""
    links = table.definition.board.adjacent_locations
    return sum(
        unit.province == province
        or any(province_of(to) == province for to in links[unit.kind].get(unit.location, ()))
        for unit in table.position.units
        if unit.power == power
    )
