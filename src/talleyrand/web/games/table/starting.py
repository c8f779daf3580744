"""A game begins: the powers are drawn or given by hand, then the first phase opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import audience, computers, log, opening, seats
from talleyrand.web.games.models import OVER, Game, Membership, Role, Seat, State, Tenure
from talleyrand.web.games.terms import Chair
from talleyrand.web.games.writing import writing
from talleyrand.web.practice import opponents

from . import drawing_lots, invitations, shares
from .gathering import changed, locked, members, needs_master
from .refusals import Refused
from .shares import Shares

LEAST_PLAYERS = 2


@writing
def begin(
    game: Game,
    now: datetime,
    by: Person | None = None,
    chosen: Mapping[str, int] | None = None,
    *,
    shared: bool = False,
) -> Game:
    """Give the powers and open the first phase; `chosen` names for each power a membership, else lots do.

    `shared`: lots give the shares that the rules print for so many players. Powers for whom nobody is left
    are in civil disorder until somebody takes them. Raises Refused, and Unanswered where the rulebook
    cannot judge this board.
    """
    fresh = locked(game)
    players = _ready(fresh)
    if chosen is None:
        _by_lot(fresh, players, by, _parts(fresh, len(players), shared=shared))
    else:
        _by_hand(fresh, players, chosen, by)
    _preside(fresh)
    _leave_to_computer(fresh)
    Seat.objects.filter(game=fresh, power__in=seats.vacant(fresh)).update(disorder=True)
    invitations.close_desk(fresh, now)
    try:
        begun = opening.begin(fresh, now, by)
    except opening.NotReady as late:
        raise Refused(late.code) from None
    computers.ask(begun)
    _tell(begun)
    return begun


def begin_full(game: Game, now: datetime) -> bool:
    """Begin a game without game master whose last seat has just been taken; whether it has begun."""
    without = not members(game, Role.MASTER)
    if not without or len(members(game, Role.PLAYER)) < seats.to_fill(game):
        return False
    try:
        begin(game, now)
    except (Refused, Unanswered):
        return False
    return True


def least_players(game: Game) -> int:
    """How many people a game cannot begin without: against the computer one is enough."""
    return 1 if game.terms.bots else LEAST_PLAYERS


def wants_master(game: Game) -> bool:
    """Whether the terms ask for a game master whom the game does not have."""
    return needs_master(game) and not members(game, Role.MASTER)


def _ready(game: Game) -> list[Membership]:
    """The players of a game that may begin."""
    if game.state != State.GATHERING:
        raise Refused("over" if game.state in OVER else "started")
    players = members(game, Role.PLAYER)
    if len(players) < least_players(game):
        raise Refused("alone" if game.terms.bots else "few")
    if wants_master(game):
        raise Refused("no_master")
    return players


def _parts(game: Game, players: int, *, shared: bool) -> Shares:
    """What is drawn: the powers that nobody has, one by one or in shares."""
    free = tuple(power for power in seats.vacant(game) if power not in _left_out(game, players))
    if not shared:
        return tuple((power,) for power in free)
    known = shares.shares(game.variant, players)
    if known is None or len(free) < game.seats.count():
        raise Refused("no_shares")
    return known


def _left_out(game: Game, players: int) -> tuple[str, ...]:
    """The seats that are in no lot: those without land, but for one player too many for the others."""
    landless = variants.load(game.variant).board.landless
    enough = players <= game.seats.count() - len(landless)
    wished = {power for one in members(game, Role.PLAYER) for power in one.wishes}
    return tuple(
        power for power in landless if power in seats.set_aside(game) or (enough and power not in wished)
    )


def _preside(game: Game) -> None:
    """The game master takes the seats without land where the terms say so."""
    masters = members(game, Role.MASTER)
    if game.terms.chair == Chair.MASTER and masters:
        for power in seats.set_aside(game):
            seats.give(game, power, masters[0].person)


def _leave_to_computer(game: Game) -> None:
    """The seats that nobody took, where the terms say so; not those without land that are no player's."""
    aside = seats.set_aside(game)
    free = [power for power in seats.vacant(game) if power not in aside]
    if not game.terms.bots or not free:
        return
    if not opponents.available():
        raise Refused("no_computer")
    seats.give_to_computer(game, free, game.terms.bots)
    log.note(game, "computer", powers=free)


def _by_lot(game: Game, players: Sequence[Membership], by: Person | None, parts: Shares) -> None:
    """Draw for those who have no power yet."""
    held = set(seats.players(game))
    waiting = {number: one for number, one in enumerate(players, 1) if one.person_id not in held}
    wishes = {number: shares.of_wishes(one.wishes, parts) for number, one in waiting.items() if one.wishes}
    powers = {shares.named(part): part for part in parts}
    seed = drawing_lots.seed_of(game.seed)
    lots = drawing_lots.draw(seed, tuple(waiting), tuple(powers), wishes)
    for number, part in lots.given.items():
        for power in powers[part]:
            seats.give(game, power, waiting[number].person)
    log.note(game, "drawn", by=by, seed=seed, players=len(waiting))
    _keep_lots(game, seed, lots, wishes)


def _keep_lots(game: Game, seed: str, lots: drawing_lots.Draw, wishes: drawing_lots.Wishes) -> None:
    """All that one needs to draw them again; read by those who may know who plays what."""
    told = {str(number): list(several) for number, several in wishes.items()}
    given = {str(number): power for number, power in lots.given.items()}
    order, powers = list(lots.players), list(lots.powers)
    log.note(game, "lots", seed=seed, order=order, powers=powers, wishes=told, given=given)


def _by_hand(game: Game, players: Sequence[Membership], chosen: Mapping[str, int], by: Person | None) -> None:
    there = {one.pk: one.person for one in players}
    if not set(chosen.values()) <= set(there):
        raise Refused("unknown_player")
    if set(chosen.values()) != set(there):
        raise Refused("without_power")
    if not set(chosen) <= set(seats.holders(game)):
        raise Refused("seat")
    Tenure.objects.filter(seat__game=game).delete()  # nothing has been played with what links gave
    for power, membership in chosen.items():
        seats.give(game, power, there[membership])
    log.note(game, "assigned", role=Role.MASTER, by=by)


def _tell(game: Game) -> None:
    audience.tell(game, audience.everybody(game), "begun", "begun")
    for power, person in seats.holders(game).items():
        if person is not None:
            audience.tell(game, [person], "given", f"given:{power}:0", power=power)
    changed(game)
