"""A game begins: the powers are drawn or given by hand, then the first phase opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants.game_splits import Shares
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.bots import bot_players
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import (
    first_phase,
    game_bots,
    game_history,
    game_log,
    given_seats,
    power_assignments,
    recipients,
)
from talleyrand.web.games.game_settings import LandlessSeatRule
from talleyrand.web.games.models import (
    ENDED_STATES,
    Game,
    GameMembership,
    GameRole,
    GameSeat,
    GameState,
    PowerAssignment,
)

from . import invitations, power_draw, power_shares, saved_searches
from .lobby_refusals import LobbyRefusal
from .membership_actions import bump_game_topic, lock_game, members_with_role, needs_game_master

LEAST_PLAYERS = 2


@write_transaction
def start_game(
    game: Game,
    now: datetime,
    by: Person | None = None,
    chosen: Mapping[str, int] | None = None,
    *,
    shared: bool = False,
) -> Game:
    """Give the powers and open the first phase; `chosen` names for each power a membership, else lots do.

    `shared`: lots give the shares that the rules print for so many players. Powers for whom nobody is left
    are in civil disorder until somebody takes them. Raises LobbyRefusal, and QuestionRefusal where the
    rulebook cannot judge this board.
    """
    fresh = lock_game(game)
    players = players_ready_to_start(fresh)
    if chosen is None:
        _complete_shares(fresh)
        _by_lot(fresh, players, by, _parts(fresh, len(players), shared=shared))
    else:
        _by_hand(fresh, players, chosen, by)
    _preside(fresh)
    _leave_to_computer(fresh)
    heirs = given_seats.seat_heirs(fresh, game_history.opening_situation(fresh))
    power_assignments.give_seats(fresh, heirs)
    unplayed = GameSeat.objects.filter(game=fresh, power__in=power_assignments.unplayed_powers(fresh))
    unplayed.exclude(power__in=power_assignments.seats_given_by_rules(fresh)).update(in_civil_disorder=True)
    invitations.revoke_game_master_invitations(fresh, now)
    try:
        begun = first_phase.open_first_phase(fresh, now, by)
    except first_phase.GameNotReady as late:
        raise LobbyRefusal(late.code) from None
    game_bots.request_bot_orders(begun)
    if begun.offers_bot_seats and power_assignments.bots_by_power(begun):
        saved_searches.tell_who_looks_for(begun, bot_seat=True)
    _tell(begun)
    return begun


def start_game_if_full(game: Game, now: datetime) -> bool:
    """Begin a game without game master whose last seat has just been taken; whether it has begun."""
    without = not members_with_role(game, GameRole.GAME_MASTER)
    if not without or len(members_with_role(game, GameRole.PLAYER)) < power_assignments.player_seat_count(
        game
    ):
        return False
    try:
        start_game(game, now)
    except (LobbyRefusal, QuestionRefusal):
        return False
    return True


def start_text(game: Game) -> str:
    """When a game that gathers its players begins."""
    if needs_game_master(game) or members_with_role(game, GameRole.GAME_MASTER):
        return _("The GM starts the game.")
    return _("It starts as soon as every seat is taken; its creator can start it sooner.")


def fewest_players(game: Game) -> int:
    """How many people a game cannot begin without: against the computer one is enough."""
    return 1 if game.settings.bots_at_start else LEAST_PLAYERS


def lacks_game_master(game: Game) -> bool:
    """Whether the terms ask for a game master whom the game does not have."""
    return needs_game_master(game) and not members_with_role(game, GameRole.GAME_MASTER)


def players_ready_to_start(game: Game) -> list[GameMembership]:
    """The players of a game that may begin; raises LobbyRefusal where it may not."""
    if game.state != GameState.GATHERING:
        raise LobbyRefusal("over" if game.state in ENDED_STATES else "started")
    players = members_with_role(game, GameRole.PLAYER)
    if len(players) < fewest_players(game):
        raise LobbyRefusal("alone" if game.settings.bots_at_start else "few")
    if lacks_game_master(game):
        raise LobbyRefusal("no_master")
    return players


def _parts(game: Game, players: int, *, shared: bool) -> Shares:
    """What is drawn: the powers that nobody has, one by one or in shares."""
    free = tuple(
        power for power in power_assignments.unplayed_powers(game) if power not in _left_out(game, players)
    )
    if game.settings.shares:
        return tuple(share for share in game.settings.shares if set(share) <= set(free))
    if not shared:
        return tuple((power,) for power in free)
    known = power_shares.power_shares(variants.load(game.variant), players)
    if known is None or not {power for share in known for power in share} <= set(free):
        raise LobbyRefusal("no_shares")
    return known


def _left_out(game: Game, players: int) -> tuple[str, ...]:
    """The seats that are in no lot: those that nobody chooses; those without land, but for one player too
    many for the others."""
    aside = power_assignments.seats_for_no_player(game)
    apart = dict.fromkeys((*variants.load(game.variant).board.landless, *aside))
    enough = players <= game.seats.count() - len(apart)
    wished = {power for one in members_with_role(game, GameRole.PLAYER) for power in one.preferences}
    return tuple(power for power in apart if power in aside or (enough and power not in wished))


def _complete_shares(game: Game) -> None:
    """Whoever has a power by a link has the others of its share."""
    held = power_assignments.players_by_power(game)
    people = {one.person_id: one.person for one in members_with_role(game, GameRole.PLAYER)}
    for share in game.settings.shares:
        holders = [person for power in share if (person := people.get(held.get(power) or 0))]
        for power in share if holders else ():
            if held.get(power) is None:
                power_assignments.assign_power(game, power, holders[0])


def _preside(game: Game) -> None:
    """The game master takes the seats without land where the terms say so."""
    masters = members_with_role(game, GameRole.GAME_MASTER)
    if game.settings.chair == LandlessSeatRule.MASTER and masters:
        for power in variants.load(game.variant).board.landless:
            power_assignments.assign_power(game, power, masters[0].person)


def _leave_to_computer(game: Game) -> None:
    """The seats that nobody took, where the terms say so; not those without land that are no player's."""
    aside = power_assignments.seats_for_no_player(game)
    free = [power for power in power_assignments.unplayed_powers(game) if power not in aside]
    if not game.settings.bots_at_start or not free:
        return
    if not bot_players.bots_available():
        raise LobbyRefusal("no_computer")
    power_assignments.assign_bot(game, free, game.settings.bots)
    game_log.add_log_entry(game, "computer", powers=free)


def _by_lot(game: Game, players: Sequence[GameMembership], by: Person | None, parts: Shares) -> None:
    """Draw for those who have no power yet."""
    held = set(power_assignments.player_ids(game))
    waiting = {number: one for number, one in enumerate(players, 1) if one.person_id not in held}
    wishes = {
        number: power_shares.preferred_shares(one.preferences, parts)
        for number, one in waiting.items()
        if one.preferences
    }
    powers = {power_shares.share_name(part): part for part in parts}
    seed = power_draw.power_draw_seed(game.seed)
    lots = power_draw.draw_powers(seed, tuple(waiting), tuple(powers), wishes)
    for number, part in lots.power_by_player.items():
        for power in powers[part]:
            power_assignments.assign_power(game, power, waiting[number].person)
    game_log.add_log_entry(game, "drawn", by=by, seed=seed, players=len(waiting))
    _keep_lots(game, seed, lots, wishes)


def _keep_lots(
    game: Game, seed: str, lots: power_draw.PowerDraw, wishes: power_draw.PlayerPreferences
) -> None:
    """All that one needs to draw them again; read by those who may know who plays what."""
    told = {str(number): list(several) for number, several in wishes.items()}
    given = {str(number): power for number, power in lots.power_by_player.items()}
    order, powers = list(lots.players), list(lots.powers)
    game_log.add_log_entry(game, "lots", seed=seed, order=order, powers=powers, wishes=told, given=given)


def _by_hand(
    game: Game, players: Sequence[GameMembership], chosen: Mapping[str, int], by: Person | None
) -> None:
    there = {one.pk: one.person for one in players}
    if not set(chosen.values()) <= set(there):
        raise LobbyRefusal("unknown_player")
    if set(chosen.values()) != set(there):
        raise LobbyRefusal("without_power")
    if not set(chosen) <= set(power_assignments.players_by_power(game)):
        raise LobbyRefusal("seat")
    PowerAssignment.objects.filter(seat__game=game).delete()  # nothing has been played with what links gave
    for power, membership in chosen.items():
        power_assignments.assign_power(game, power, there[membership])
    game_log.add_log_entry(game, "assigned", role=GameRole.GAME_MASTER, by=by)


def _tell(game: Game) -> None:
    recipients.notify_about_game(game, recipients.member_ids(game), "begun", "begun")
    for power, person in power_assignments.players_by_power(game).items():
        if person is not None:
            recipients.notify_about_game(game, [person], "given", f"given:{power}:0", power=power)
    bump_game_topic(game)
