"""Who plays a power, by the game master's hand: for good, for a while, nobody, civil disorder."""

from __future__ import annotations

from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person, folded
from talleyrand.web.games import audience, computers, dating, seats
from talleyrand.web.games.models import RUNNING, Game, Invitation, Membership, Role, Seat, State, Tenure
from talleyrand.web.games.writing import writing
from talleyrand.web.practice import opponents

from .acts import Hand, NotDone, held


def person_named(name: str) -> Person:
    """Somebody by name, whatever the case; raises NotDone (`nobody`)."""
    found = Person.objects.filter(folded=folded(name.replace("\x00", "")), is_active=True).first()
    if found is None:
        raise NotDone("nobody")
    return found


def mark(seat: Seat) -> int:
    """A number of who plays a seat: another one means that this has changed since a form was made."""
    newest = seat.tenures.filter(until=None).order_by("pk").last()
    return newest.pk if newest else 0


def stood_in(seat: Seat) -> bool:
    """Whether a stand-in plays a seat."""
    return seat.tenures.filter(until=None, stand_in=True).exists()


@writing
def replace(
    game: Game, power: str, person: Person, marked: int, *, stand_in: bool = False, hand: Hand, now: datetime
) -> Tenure:
    """Give a power to somebody, for good or for a while; whoever had it before keeps his part of the story.

    Raises NotDone: not_begun, over, moved, already, saw_all, held_other, vacant (nobody to stand in for).
    """
    with held(game) as fresh:
        seat = _seat(fresh, power, marked)
        before = seats.holders(fresh).get(power)
        if before == person.pk:
            raise NotDone("already")
        if stand_in and not seat.tenures.filter(until=None, stand_in=False).exists():
            raise NotDone("vacant")
        told = [one for one in audience.everybody(fresh) if one != person.pk]
        given = admit(fresh, power, person, now, stand_in=stand_in)
        dismiss_unseated(fresh, now)
        kind = "stand_in" if stand_in else "replaced"
        hand.note(fresh, kind, power=power)
        audience.tell(fresh, [person.pk], "given", f"given:{given.pk}", power=power)
        audience.tell(fresh, told, "replaced", f"{kind}:{given.pk}", power=power)
    return given


@writing
def end_stand_in(game: Game, power: str, marked: int, *, hand: Hand, now: datetime) -> None:
    """The player plays his power himself again. Raises NotDone: not_begun, over, moved, no_stand_in."""
    with held(game) as fresh:
        seat = _seat(fresh, power, marked)
        if not stood_in(seat):
            raise NotDone("no_stand_in")
        told = audience.everybody(fresh)
        seats.vacate(fresh, power, stand_in=True)
        dismiss_unseated(fresh, now)
        hand.note(fresh, "stand_in_ended", power=power)
        audience.tell(fresh, told, "replaced", f"stand_in_ended:{marked}", power=power)


@writing
def vacate(game: Game, power: str, marked: int, *, hand: Hand, now: datetime) -> None:
    """Nobody plays a power any more, nor the computer; what it has handed in stays.

    Raises NotDone: not_begun, over, moved, vacant.
    """
    with held(game) as fresh:
        seat = _seat(fresh, power, marked)
        if not marked and not seat.bot:
            raise NotDone("vacant")
        told = audience.everybody(fresh)
        seats.vacate(fresh, power)
        dismiss_unseated(fresh, now)
        hand.note(fresh, "vacated", power=power)
        once = f"vacated:{marked}" if marked else f"vacated:{power}:{now.isoformat()}"
        audience.tell(fresh, told, "disorder", once, power=power)


@writing
def give_to_computer(game: Game, power: str, bot: str, marked: int, *, hand: Hand) -> None:
    """Let one of the computer's players play a free seat from the open phase on.

    Raises NotDone: not_begun, over, moved, played_already, unknown_bot, no_computer.
    """
    with held(game) as fresh:
        _seat(fresh, power, marked)
        if power not in seats.vacant(fresh):
            raise NotDone("played_already")
        if not opponents.available():
            raise NotDone("no_computer")
        if bot not in opponents.codes(variants.load(fresh.variant)):
            raise NotDone("unknown_bot")
        seats.give_to_computer(fresh, [power], bot)
        computers.ask(fresh)
        hand.note(fresh, "computer", powers=[power])


@writing
def set_disorder(game: Game, power: str, *, lost: bool, hand: Hand, now: datetime) -> None:
    """Put a power into lasting civil disorder: nobody waits for it; or take it out again.

    Raises NotDone: not_begun, over, already.
    """
    with held(game) as fresh:
        check_played(fresh)
        changed = Seat.objects.filter(game=fresh, power=power, bot="").exclude(disorder=lost)
        if not changed.update(disorder=lost, missed=0):
            raise NotDone("already")
        hand.note(fresh, "disorder" if lost else "disorder_ended", power=power)
        if lost:
            told = audience.everybody(fresh)
            audience.tell(fresh, told, "disorder", f"disorder:{power}:{now.isoformat()}", power=power)
            dating.wake(fresh, now)


@writing
def invite(game: Game, power: str, *, hand: Hand, now: datetime) -> Invitation:
    """A link that gives a free seat to whoever uses it first; the one made before it is worth nothing more.

    Raises NotDone: over, taken.
    """
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    check_played(fresh)
    if power not in seats.vacant(fresh):
        raise NotDone("taken")
    Invitation.objects.filter(game=fresh, power=power, revoked=None).update(revoked=now)
    hand.note(fresh, "invited", shown=False, power=power)
    return Invitation.objects.create(game=fresh, role=Role.PLAYER, power=power, once=True)


def _seat(game: Game, power: str, marked: int) -> Seat:
    check_played(game)
    seat = Seat.objects.filter(game=game, power=power).first()
    if seat is None or mark(seat) != marked:
        raise NotDone("seat_moved")
    return seat


def check_played(game: Game) -> None:
    """Raise NotDone (`not_begun`, `over`) for a game that is not being played."""
    if game.state == State.GATHERING:
        raise NotDone("not_begun")
    if game.state not in RUNNING:
        raise NotDone("over")


def admit(game: Game, power: str, person: Person, now: datetime, *, stand_in: bool = False) -> Tenure:
    """Somebody becomes a player, an observer too, and has the seat of a power.

    Raises NotDone: saw_all, held_other.
    """
    try:
        given = seats.give(game, power, person, stand_in=stand_in)
    except seats.NotGiven as barred:
        raise NotDone(barred.code) from None
    here = Membership.objects.filter(game=game, person=person, left=None).first()
    if here is not None and here.role == Role.OBSERVER:
        Membership.objects.filter(pk=here.pk).update(left=now)
        here = None
    if here is None:
        Membership.objects.create(game=game, person=person, role=Role.PLAYER)
    return given


def dismiss_unseated(game: Game, now: datetime) -> None:
    """Players who play nothing any more leave the table."""
    playing = seats.players(game)
    game.memberships.filter(role=Role.PLAYER, left=None).exclude(person__in=playing).update(left=now)
