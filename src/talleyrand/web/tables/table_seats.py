"""Phones and seats: which phone is whom, how one comes, and how a seat moves to another phone.

A phone is whoever the key says that its session keeps (`SEATS_SESSION_KEY`); the table has that key's
digest alone, so that the last phone to take a seat is the only one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from talleyrand.web.accounts import guests
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_log, power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState, random_token
from talleyrand.web.notifications import topic_versions

from .models import Table, TablePlayer

SEATS_SESSION_KEY = "table_seats"  # keys of phones by the key of the game
NO_PHONE = {"phone_digest": "", "phone_session": "", "phone_joined_at": None, "pin": "", "pin_until": None}
PIN_DIGITS = 6
PIN_LASTS = timedelta(minutes=3)
MOST_PIN_ATTEMPTS = 3
PLAYER_OF_PHONE = PreparedQuery(
    lambda: TablePlayer.objects.filter(
        table__game__key=Given(Game, "key"), phone_digest=Given(TablePlayer, "phone_digest")
    ).select_related("person", "table__game", "table__class_session")
)


class SeatRefusal(Exception):
    """Nothing has changed. `taken` (a phone has this seat: it moves by a PIN), `full`, `over`, `no_pin` (none
    is asked for, or its time is over), `wrong_pin`, `too_many_pins` (a new one is given when the time of the
    spent one is over).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def phone_digest(key: str) -> str:
    """What the table keeps of a phone's key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def player_of_request(request: HttpRequest, game_key: str) -> TablePlayer | None:
    """Whom of a table a browser is; None for a stranger, and for a phone whose seat has moved."""
    kept = request.session.get(SEATS_SESSION_KEY, {}).get(game_key, "")
    if not kept:
        return None
    found: TablePlayer | None = PLAYER_OF_PHONE.first(key=game_key, phone_digest=phone_digest(kept))
    return found


def seated_player(request: HttpRequest, game_key: str) -> TablePlayer | None:
    """The same on an address of the table, where `guest_middleware` has found it already."""
    found: TablePlayer | None = getattr(request, "table_player", None)
    return found if found is not None and found.table.game.key == game_key else None


def player_or_404(request: HttpRequest, game_key: str) -> TablePlayer:
    """The same; a table does not exist for others."""
    player = seated_player(request, game_key)
    if player is None:
        raise Http404
    return player


def is_phone_of(request: HttpRequest, player: TablePlayer) -> bool:
    """Whether this browser has that seat."""
    held = player_of_request(request, player.table.game.key)
    return held is not None and held.pk == player.pk


def sit_down(request: HttpRequest, player: TablePlayer, now: datetime, key: str = "") -> None:
    """This browser is that player from now on, and no other one is; `key` is what it keeps, or a new one."""
    key = key or random_token()
    if not request.session.session_key:
        request.session.create()
    TablePlayer.objects.filter(pk=player.pk).update(
        phone_digest=phone_digest(key),
        phone_session=request.session.session_key,
        phone_joined_at=now,
        pin="",
        pin_until=None,
        pin_attempts=0,
    )
    before = request.session.get(SEATS_SESSION_KEY, {})
    request.session[SEATS_SESSION_KEY] = {**before, player.table.game.key: key}
    tell_table(player.table)


@write_transaction
def take_seat(request: HttpRequest, player: TablePlayer, now: datetime) -> TablePlayer:
    """A phone takes a seat that has none. Raises SeatRefusal: taken, also by an account."""
    fresh = locked_player(player)
    if fresh.phone_digest or not fresh.person.is_guest:
        raise SeatRefusal("taken")
    sit_down(request, fresh, now)
    return fresh


@write_transaction
def hand_over(request: HttpRequest, player: TablePlayer, name: str, now: datetime) -> TablePlayer:
    """Somebody called `name` takes over a seat, whose phone is this one from now on, and no other.

    An account that had the seat leaves the game with what it has played; a guest is only called otherwise.
    """
    fresh = locked_player(player)
    seat_guest(fresh, name)
    sit_down(request, fresh, now)
    return fresh


def seat_guest(player: TablePlayer, name: str) -> None:
    """A guest called `name` has the seat: who has it is called so, or an account leaves it to a new one."""
    if player.person.is_guest:
        guests.rename_guest(player.person, name, player.table.code)
    else:
        _succeed(player, guests.make_guest(name, player.table.code))


def free_seats(table: Table) -> QuerySet[TablePlayer]:
    """The seats of players that neither a phone nor an account has, in the order of the room."""
    found = table.players.filter(phone_digest="", number__gt=0, person__is_guest=True)
    return found.select_related("person", "table__game")


def seats_for_bots(table: Table) -> QuerySet[TablePlayer]:
    """The seats that bots play if the game begins now, at a table that has any."""
    return free_seats(table).filter(is_on_paper=False)


def _succeed(player: TablePlayer, guest: Person) -> None:
    game, former = player.table.game, player.person
    left = GameMembership.objects.filter(game=game, person=former, left_at=None)
    role = left.values_list("role", flat=True).first() or GameRole.PLAYER
    left.update(left_at=timezone.now())
    GameMembership.objects.create(game=game, person=guest, role=role)
    for power in power_assignments.powers_played_by(game, former):
        power_assignments.assign_power(game, power, guest)
    player.person = guest
    player.save(update_fields=["person"])


@write_transaction
def come_in(
    request: HttpRequest, table: Table, name: str, now: datetime, number: int | None = None, form: str = ""
) -> TablePlayer:
    """A phone comes by the door and takes the first free seat, or that of a `number`, with a name.

    The same `form` sent twice is one seat, whose key both answers hold: the browser keeps either. Raises
    SeatRefusal (full, over, seat_taken) and ValidationError (a sentence) for a name that nobody can go by.
    """
    known = guests.check_guest_name(name)
    Table.objects.select_for_update().get(pk=table.pk)
    key = salted_hmac("table door", form, algorithm="sha256").hexdigest()[:32] if form else ""
    mine = table.players.filter(phone_digest=phone_digest(key)).first() if key else None
    if mine is not None:
        sit_down(request, mine, now, key)
        return mine
    if table.game.state != GameState.GATHERING:
        raise SeatRefusal("full")
    free = free_seats(table)
    chosen = free.filter(number=number).first() if number else free.first()
    if chosen is None:
        raise SeatRefusal("seat_taken" if number and free else "full")
    guests.rename_guest(chosen.person, known, table.code)
    sit_down(request, chosen, now, key)
    return chosen


@write_transaction
def ask_for_pin(player: TablePlayer, now: datetime) -> TablePlayer:
    """Another phone wants a seat: a PIN that the whole table sees on the screen for three minutes.

    Raises SeatRefusal: kept (an account plays it from afar), too_many_pins. Whoever has spent a PIN waits
    until its time is over: three guesses in three minutes, of a million.
    """
    fresh = locked_player(player)
    if not fresh.phone_digest and not fresh.person.is_guest:
        raise SeatRefusal("kept")
    if _is_spent(fresh, now):
        raise SeatRefusal("too_many_pins")
    if not fresh.pin or fresh.pin_until is None or fresh.pin_until <= now:
        fresh.pin = "".join(str(secrets.randbelow(10)) for _ in range(PIN_DIGITS))
        fresh.pin_until, fresh.pin_attempts = now + PIN_LASTS, 0
        fresh.save(update_fields=["pin", "pin_until", "pin_attempts"])
        tell_table(fresh.table)
    return fresh


def _is_spent(player: TablePlayer, now: datetime) -> bool:
    lasts = player.pin_until is not None and player.pin_until > now
    return lasts and player.pin_attempts >= MOST_PIN_ATTEMPTS


def move_seat(request: HttpRequest, player: TablePlayer, typed: str, now: datetime) -> TablePlayer:
    """The phone that knows the PIN has the seat from now on. Raises SeatRefusal: no_pin, wrong_pin,
    too_many_pins.
    """
    moved, refusal = _moved(request, player, typed, now)
    if refusal:
        raise SeatRefusal(refusal)  # outside of the transaction, which has counted the attempt
    return moved


@write_transaction
def _moved(request: HttpRequest, player: TablePlayer, typed: str, now: datetime) -> tuple[TablePlayer, str]:
    fresh = locked_player(player)
    if _is_spent(fresh, now):
        return fresh, "too_many_pins"
    if not fresh.pin or fresh.pin_until is None or fresh.pin_until <= now:
        return fresh, "no_pin"
    if hmac.compare_digest(typed.strip().encode("utf-8", "surrogatepass"), fresh.pin.encode()):
        sit_down(request, fresh, now)
        # for all to read: a seat that somebody took is missed by its player
        game_log.add_log_entry(fresh.table.game, "seat_moved", seat=fresh.number)
        return fresh, ""
    fresh.pin_attempts += 1
    spent = fresh.pin_attempts >= MOST_PIN_ATTEMPTS
    if spent:
        fresh.pin = ""
    fresh.save(update_fields=["pin", "pin_attempts"])
    return fresh, "too_many_pins" if spent else "wrong_pin"


def tell_table(table: Table) -> None:
    """The pages of a table look again."""
    topic_versions.bump(topic_versions.game_topic(table.game.key))


def locked_player(player: TablePlayer) -> TablePlayer:
    """Somebody at a table as they are now, nobody else changing it until the transaction ends."""
    found = TablePlayer.objects.select_for_update(of=("self",))
    return found.select_related("person", "table__game").get(pk=player.pk)
