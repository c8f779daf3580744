"""Who plays a power, by the game master's hand: for good, for a while, nobody, civil disorder."""

from __future__ import annotations

from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person, folded_name
from talleyrand.web.bots import bot_players
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_bots, given_seats, phase_deadlines, power_assignments, recipients
from talleyrand.web.games.models import (
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
    GameSeat,
    GameState,
    Invitation,
    PowerAssignment,
)

from .action_base import GameMasterActor, GameMasterRefusal, check_entry, locked_game


def person_by_name(name: str) -> Person:
    """Somebody by name, whatever the case; raises GameMasterRefusal (`nobody`)."""
    found = Person.objects.filter(folded_name=folded_name(name.replace("\x00", "")), is_active=True).first()
    if found is None:
        raise GameMasterRefusal("nobody")
    return found


def seat_player_mark(seat: GameSeat) -> int:
    """A number of who plays a seat: another one means that this has changed since a form was made."""
    newest = seat.tenures.filter(ended_at=None).order_by("pk").last()
    return newest.pk if newest else 0


def has_stand_in(seat: GameSeat) -> bool:
    """Whether a stand-in plays a seat."""
    return seat.tenures.filter(ended_at=None, is_stand_in=True).exists()


@write_transaction
def replace_player(
    game: Game,
    power: str,
    person: Person,
    marked: int,
    *,
    stand_in: bool = False,
    hand: GameMasterActor,
    now: datetime,
) -> PowerAssignment:
    """Give a power to somebody, for good or for a while; whoever had it before keeps his part of the story.

    Raises GameMasterRefusal: not_begun, over, moved, already, kept_out, saw_all, held_other, vacant (nobody
    to stand in for).
    """
    with locked_game(game) as fresh:
        seat = _seat(fresh, power, marked)
        before = power_assignments.players_by_power(fresh).get(power)
        if before == person.pk:
            raise GameMasterRefusal("already")
        if stand_in and not seat.tenures.filter(ended_at=None, is_stand_in=False).exists():
            raise GameMasterRefusal("vacant")
        told = [one for one in recipients.member_ids(fresh) if one != person.pk]
        given = seat_player(fresh, power, person, now, stand_in=stand_in)
        given_seats.follow_players(fresh, power)
        remove_players_without_power(fresh, now)
        kind = "stand_in" if stand_in else "replaced"
        hand.log(fresh, kind, power=power)
        recipients.notify_about_game(fresh, [person.pk], "given", f"given:{given.pk}", power=power)
        recipients.notify_about_game(fresh, told, "replaced", f"{kind}:{given.pk}", power=power)
    return given


@write_transaction
def end_stand_in(game: Game, power: str, marked: int, *, hand: GameMasterActor, now: datetime) -> None:
    """The player plays his power himself again. Raises GameMasterRefusal: not_begun, over, moved,
    no_stand_in.
    """
    with locked_game(game) as fresh:
        seat = _seat(fresh, power, marked)
        if not has_stand_in(seat):
            raise GameMasterRefusal("no_stand_in")
        told = recipients.member_ids(fresh)
        power_assignments.end_assignment(fresh, power, stand_in=True)
        given_seats.follow_players(fresh, power)
        remove_players_without_power(fresh, now)
        hand.log(fresh, "stand_in_ended", power=power)
        recipients.notify_about_game(fresh, told, "replaced", f"stand_in_ended:{marked}", power=power)


@write_transaction
def free_seat(game: Game, power: str, marked: int, *, hand: GameMasterActor, now: datetime) -> None:
    """Nobody plays a power any more, nor the computer; what it has handed in stays.

    Raises GameMasterRefusal: not_begun, over, moved, vacant.
    """
    with locked_game(game) as fresh:
        seat = _seat(fresh, power, marked)
        if not marked and not seat.bot:
            raise GameMasterRefusal("vacant")
        told = recipients.member_ids(fresh)
        power_assignments.end_assignment(fresh, power)
        given_seats.follow_players(fresh, power)
        remove_players_without_power(fresh, now)
        hand.log(fresh, "vacated", power=power)
        once = f"vacated:{marked}" if marked else f"vacated:{power}:{now.isoformat()}"
        recipients.notify_about_game(fresh, told, "disorder", once, power=power)


@write_transaction
def give_seat_to_bot(game: Game, power: str, bot: str, marked: int, *, hand: GameMasterActor) -> None:
    """Let one of the computer's players play a free seat from the open phase on.

    Raises GameMasterRefusal: not_begun, over, moved, played_already, unknown_bot, no_computer.
    """
    with locked_game(game) as fresh:
        _seat(fresh, power, marked)
        if power not in power_assignments.unplayed_powers(fresh):
            raise GameMasterRefusal("played_already")
        if not bot_players.bots_available():
            raise GameMasterRefusal("no_computer")
        if bot not in bot_players.bot_codes(variants.load(fresh.variant)):
            raise GameMasterRefusal("unknown_bot")
        power_assignments.assign_bot(fresh, [power], bot)
        given_seats.follow_players(fresh, power)
        game_bots.request_bot_orders(fresh)
        hand.log(fresh, "computer", powers=[power])


@write_transaction
def set_civil_disorder(game: Game, power: str, *, lost: bool, hand: GameMasterActor, now: datetime) -> None:
    """Put a power into lasting civil disorder: nobody waits for it; or take it out again.

    Raises GameMasterRefusal: not_begun, over, already.
    """
    with locked_game(game) as fresh:
        check_is_running(fresh)
        changed = GameSeat.objects.filter(game=fresh, power=power, bot="").exclude(in_civil_disorder=lost)
        if not changed.update(in_civil_disorder=lost, missed_phases=0):
            raise GameMasterRefusal("already")
        hand.log(fresh, "disorder" if lost else "disorder_ended", power=power)
        if lost:
            told = recipients.member_ids(fresh)
            recipients.notify_about_game(
                fresh, told, "disorder", f"disorder:{power}:{now.isoformat()}", power=power
            )
            phase_deadlines.wake_clock(fresh, now)


@write_transaction
def invite_to_seat(game: Game, power: str, *, hand: GameMasterActor, now: datetime) -> Invitation:
    """A link that gives a free seat to whoever uses it first; the one made before it is worth nothing more.

    Raises GameMasterRefusal: over, taken.
    """
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    check_is_running(fresh)
    if power not in power_assignments.unplayed_powers(fresh):
        raise GameMasterRefusal("taken")
    Invitation.objects.filter(game=fresh, power=power, revoked_at=None).update(revoked_at=now)
    hand.log(fresh, "invited", shown=False, power=power)
    return Invitation.objects.create(game=fresh, role=GameRole.PLAYER, power=power, is_single_use=True)


def _seat(game: Game, power: str, marked: int) -> GameSeat:
    check_is_running(game)
    seat = GameSeat.objects.filter(game=game, power=power).first()
    if seat is None or seat_player_mark(seat) != marked:
        raise GameMasterRefusal("seat_moved")
    return seat


def check_is_running(game: Game) -> None:
    """Raise GameMasterRefusal (`not_begun`, `over`) for a game that is not being played."""
    if game.state == GameState.GATHERING:
        raise GameMasterRefusal("not_begun")
    if game.state not in RUNNING_STATES:
        raise GameMasterRefusal("over")


def seat_player(
    game: Game, power: str, person: Person, now: datetime, *, stand_in: bool = False
) -> PowerAssignment:
    """Somebody becomes a player, an observer too, and has the seat of a power.

    Raises GameMasterRefusal: kept_out, saw_all, held_other.
    """
    here = GameMembership.objects.filter(game=game, person=person, left_at=None).first()
    if here is None or here.role == GameRole.OBSERVER:
        check_entry(game, person, GameRole.PLAYER)
    try:
        given = power_assignments.assign_power(game, power, person, stand_in=stand_in)
    except power_assignments.AssignmentRefusal as barred:
        raise GameMasterRefusal(barred.code) from None
    if here is not None and here.role == GameRole.OBSERVER:
        GameMembership.objects.filter(pk=here.pk).update(left_at=now)
        here = None
    if here is None:
        GameMembership.objects.create(game=game, person=person, role=GameRole.PLAYER)
    return given


def remove_players_without_power(game: Game, now: datetime) -> None:
    """Players who play nothing any more leave the table."""
    playing = power_assignments.player_ids(game)
    game.memberships.filter(role=GameRole.PLAYER, left_at=None).exclude(person__in=playing).update(
        left_at=now
    )
