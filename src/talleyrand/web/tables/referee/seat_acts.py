"""Who sits where at a table, by the referee's hand: swapped, late, replaced, on paper, another referee."""

from __future__ import annotations

from django.db.models import Max

from talleyrand.web.accounts import guests
from talleyrand.web.bots import bot_players
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_master import scripted_powers, seat_actions
from talleyrand.web.games.models import (
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
    GameState,
    PowerAssignment,
    random_token,
)
from talleyrand.web.tables import table_seats
from talleyrand.web.tables.models import TablePlayer

from .referee_desk import RefereeDesk, RefereeRefusal

NEWCOMER, BOT = "new", "bot"
BELONG_TO_PLACE = ("number", "powers", "seat_token")  # what stays where someone else sits down
MOST_PEOPLE = 60  # that a table has had, with all who replaced someone


def set_mark(desk: RefereeDesk, number: str, mark: str, *, value: bool) -> TablePlayer:
    """Say of a seat that it is a beginner's (`is_beginner`), or plays on paper (`is_on_paper`)."""
    seat = desk.seat(number)
    setattr(seat, mark, value)
    seat.save(update_fields=[mark])
    table_seats.tell_table(desk.table)
    return seat


@write_transaction
def swap_seats(desk: RefereeDesk, one: str, other: str) -> tuple[TablePlayer, TablePlayer]:
    """Two people change places before the start: each has the number, the QR code and the powers of the
    other's seat, and keeps the name and the phone. Raises RefereeRefusal: begun, no_seat, same_seat.
    """
    if Game.objects.select_for_update().get(pk=desk.game.pk).state != GameState.GATHERING:
        raise RefereeRefusal("begun")
    first, second = desk.seat(one), desk.seat(other)
    if first.pk == second.pk or not first.number or not second.number:
        raise RefereeRefusal("same_seat")
    before = [{name: getattr(seat, name) for name in BELONG_TO_PLACE} for seat in (first, second)]
    aside = {"number": _free_number(desk), "seat_token": random_token()}
    TablePlayer.objects.filter(pk=first.pk).update(**aside)  # no two seats have one number, not for a moment
    TablePlayer.objects.filter(pk=second.pk).update(**before[0])
    TablePlayer.objects.filter(pk=first.pk).update(**before[1])
    table_seats.tell_table(desk.table)
    return first, second


@write_transaction
def add_newcomer(desk: RefereeDesk, name: str) -> TablePlayer:
    """A seat more, with a QR code of its own, for someone who comes late or replaces a player.

    Raises RefereeRefusal (`too_many`), and ValidationError (a sentence) for a name that no one can go by.
    """
    known = guests.check_guest_name(name)
    if len(desk.seats) >= MOST_PEOPLE:
        raise RefereeRefusal("too_many")
    person = guests.make_guest(known, desk.table.code)
    table_seats.tell_table(desk.table)
    return TablePlayer.objects.create(table=desk.table, number=_free_number(desk), person=person)


def _free_number(desk: RefereeDesk) -> int:
    last: int = TablePlayer.objects.filter(table=desk.table).aggregate(last=Max("number"))["last"]
    return last + 1


@write_transaction
def give_power(
    desk: RefereeDesk, power: str, who: str, name: str, mark: int, *, for_a_while: bool
) -> TablePlayer:
    """Someone plays a power: for good, or until its player is back. `who` is the number of a seat, or
    NEWCOMER, called `name`; `mark` the seat's player as the form knew it.

    Raises RefereeRefusal, ValidationError for a name, and GameMasterRefusal: over, seat_moved, already,
    saw_all, held_other, vacant, unscripted.
    """
    player = add_newcomer(desk, name) if who == NEWCOMER else desk.seat(who)
    if power in scripted_powers.free_scripted_powers(desk.game):
        scripted_powers.take_from_script(desk.game, power, player.person, hand=desk.hand, now=desk.now)
    else:
        seat_actions.replace_player(
            desk.game, power, player.person, mark, stand_in=for_a_while, hand=desk.hand, now=desk.now
        )
    _let_watch(desk)
    return player


@write_transaction
def leave_to_bot(desk: RefereeDesk, power: str, mark: int) -> None:
    """A bot plays a power from now on; its player, if there is one, looks on.

    Raises GameMasterRefusal like `seat_actions.free_seat` and `give_seat_to_bot`.
    """
    if mark:
        seat_actions.free_seat(desk.game, power, mark, hand=desk.hand, now=desk.now)
    bot = desk.game.settings.bots or bot_players.DEFAULT_BOT
    seat_actions.give_seat_to_bot(desk.game, power, bot, 0, hand=desk.hand)
    _let_watch(desk)


@write_transaction
def end_stand_in(desk: RefereeDesk, power: str, mark: int) -> None:
    """The player of a power is back. Raises GameMasterRefusal like `seat_actions.end_stand_in`."""
    seat_actions.end_stand_in(desk.game, power, mark, hand=desk.hand, now=desk.now)
    _let_watch(desk)


def _let_watch(desk: RefereeDesk) -> None:
    """Whoever is at the table and plays nothing any more watches it from now on: their phone has a page."""
    here = GameMembership.objects.filter(game=desk.game, left_at=None).values("person")
    for away in desk.table.players.exclude(person__in=here):
        GameMembership.objects.create(game=desk.game, person_id=away.person_id, role=GameRole.OBSERVER)


def powers_to_give(game: Game) -> tuple[str, ...]:
    """The powers that no one plays, or a bot, and that someone who comes late may take."""
    if game.state not in RUNNING_STATES:
        return ()
    aside = {*game.settings.unplayed}
    free = [power for power in power_assignments.unplayed_powers(game) if power not in aside]
    return (*free, *power_assignments.bots_by_power(game), *scripted_powers.free_scripted_powers(game))


def player_marks(game: Game) -> dict[str, int]:
    """For each power that somebody plays a number of who does, see `seat_actions.seat_player_mark`."""
    held = PowerAssignment.objects.filter(seat__game=game, ended_at=None).order_by("pk")
    return dict(held.values_list("seat__power", "pk"))


def stand_ins(game: Game) -> dict[str, int | None]:
    """The powers that a stand-in plays for a while, each with the person."""
    held = PowerAssignment.objects.filter(seat__game=game, ended_at=None, is_stand_in=True)
    return dict(held.values_list("seat__power", "person"))


@write_transaction
def set_referee(desk: RefereeDesk, number: str, *, value: bool) -> TablePlayer:
    """Make someone a referee beside the others, or no longer. Raises RefereeRefusal: no_seat,
    last_referee, no_phone (a referee needs a phone).
    """
    seat = desk.seat(number)
    others = TablePlayer.objects.select_for_update().filter(table=desk.table, is_referee=True)
    if not value and not others.exclude(pk=seat.pk).exclude(phone_digest="").exists():
        raise RefereeRefusal("last_referee")
    if value and not seat.phone_digest:
        raise RefereeRefusal("no_phone")
    if seat.is_referee == value:
        raise RefereeRefusal("unchanged")
    seat.is_referee = value
    seat.save(update_fields=["is_referee"])
    desk.note("referee_named" if value else "referee_ended")
    return seat
