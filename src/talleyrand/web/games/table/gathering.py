"""Who comes to a table and who leaves it, until the game begins and after."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, dating, log, seats, vacancies
from talleyrand.web.games.deadlines.rules import ByHand
from talleyrand.web.games.models import OVER, RUNNING, Game, Invitation, Membership, Role, State
from talleyrand.web.games.terms import Absent, Press, Watching
from talleyrand.web.games.writing import writing
from talleyrand.web.notices import counters

from .refusals import Refused

MOST_WISHES = 40


def locked(game: Game) -> Game:
    """The game as it is now, nobody else changing it until the transaction ends."""
    return Game.objects.select_for_update().get(pk=game.pk)


def members(game: Game, role: str) -> list[Membership]:
    """Those who have this role now, in the order in which they joined."""
    found = game.memberships.filter(role=role, left=None).select_related("person")
    return list(found.order_by("joined", "pk"))


def prepared_wishes(game: Game, wishes: Sequence[str]) -> list[str]:
    """Powers of the game, each once, the most wished first."""
    aside = seats.set_aside(game)
    known = [power for power in variants.load(game.variant).setting.seats if power not in aside]
    return [power for power in dict.fromkeys(wishes[:MOST_WISHES]) if power in known]


@writing
def join(
    game: Game,
    person: Person,
    *,
    role: str = Role.PLAYER,
    invitation: Invitation | None = None,
    wishes: Sequence[str] = (),
    power: str = "",
) -> Membership:
    """Come to the table; `power` is the free seat one takes in a game that has begun. Raises Refused."""
    fresh = locked(game)
    _check_open(fresh)
    here = Membership.objects.filter(game=fresh, person=person, left=None).first()
    role, wanted = _invited(fresh, role, invitation)
    if here is not None and not _takes_a_seat(here, role):
        raise Refused("already")
    if here is not None:
        Membership.objects.filter(pk=here.pk).update(left=timezone.now())
    came = Membership.objects.create(
        game=fresh, person=person, role=role, wishes=prepared_wishes(fresh, wishes)
    )
    if role == Role.PLAYER:
        _seat(fresh, person, wanted or power)
    _tell_joined(fresh, came)
    return came


def _check_open(game: Game) -> None:
    if game.state in OVER:
        raise Refused("over")


def _takes_a_seat(here: Membership, role: str) -> bool:
    """An observer may become a player."""
    return here.role == Role.OBSERVER and role == Role.PLAYER


def _invited(game: Game, role: str, invitation: Invitation | None) -> tuple[str, str]:
    """The role and the power that one comes for; an invitation to one person alone is used up."""
    if invitation is None:
        watching = role == Role.OBSERVER and game.terms.watching == Watching.EVERYBODY
        if not game.listed or not (role == Role.PLAYER or watching):
            raise Refused("closed")
        return role, ""
    kept = Invitation.objects.filter(pk=invitation.pk, game=game, revoked=None).first()
    if kept is None:
        raise Refused("revoked")
    if not may_have(game, kept.role):
        raise Refused("unled")
    if kept.once:
        Invitation.objects.filter(pk=kept.pk).update(revoked=timezone.now())
    return kept.role, kept.power


def may_have(game: Game, role: str) -> bool:
    """Whether a role may be given by a link now.

    Nobody comes to the desk of a game that is played without game master: its maker plays too, and was
    promised nothing more than the others. But for one that cannot go on without.
    """
    led = game.state == State.GATHERING or bool(members(game, Role.MASTER)) or needs_master(game)
    return led or role not in (Role.MASTER, Role.ASSISTANT)


def needs_master(game: Game) -> bool:
    """Whether the terms leave something to a game master."""
    by_hand = isinstance(dating.rhythm(game).movement, ByHand)
    return game.terms.press == Press.HELD or game.terms.absent == Absent.WAIT or by_hand


def _seat(game: Game, person: Person, power: str) -> None:
    if game.state == State.GATHERING:
        _count_seats(game)
        if power:
            _give_free(game, person, power)
        return
    free, mine = vacancies.to_play(game), vacancies.open_to(game, person)
    if not free:
        raise Refused("begun")
    if not power and len(mine) > 1:
        raise Refused("seat")
    chosen = power or (mine or free)[0]
    _give_free(game, person, chosen)
    _tell_taken(game, person, chosen)


def _tell_taken(game: Game, person: Person, power: str) -> None:
    others = [pk for pk in audience.everybody(game) if pk != person.pk]
    log.note(game, "taken", role=Role.PLAYER, by=person, power=power)
    audience.tell(game, [person.pk], "given", _once("given", power), power=power)
    audience.tell(game, others, "replaced", _once("replaced", power), power=power)


def _count_seats(game: Game) -> None:
    """The one who has just sat down is counted already."""
    if len(members(game, Role.PLAYER)) > seats.to_fill(game):
        raise Refused("full")


def _give_free(game: Game, person: Person, power: str) -> None:
    holders = seats.holders(game)
    if power not in holders:
        raise Refused("seat")
    if holders[power] is not None:
        raise Refused("taken")
    try:
        seats.give(game, power, person)
    except seats.NotGiven as barred:
        raise Refused(barred.code) from None


def _tell_joined(game: Game, came: Membership) -> None:
    """Whoever gathers the players learns that somebody has come."""
    hosts = audience.masters(game) or [pk for pk in audience.everybody(game) if pk == game.creator_id]
    log.note(game, "joined", role=came.role, by=came.person, shown=False)
    audience.tell(game, [pk for pk in hosts if pk != came.person_id], "joined", f"joined:{came.pk}")
    changed(game)


def changed(game: Game) -> None:
    """The table looks another way to everybody."""
    counters.bump(counters.game_topic(game.key))


def _once(kind: str, power: str) -> str:
    return f"{kind}:{power}:{timezone.now().isoformat()}"


@writing
def wish(game: Game, person: Person, wishes: Sequence[str]) -> None:
    """Other wishes than before; raises Refused once the game has begun."""
    fresh = locked(game)
    if fresh.state != State.GATHERING:
        raise Refused("started")
    mine = Membership.objects.filter(game=fresh, person=person, role=Role.PLAYER, left=None)
    if not mine.update(wishes=prepared_wishes(fresh, wishes)):
        raise Refused("stranger")


@writing
def remove(game: Game, membership: int, by: Person) -> None:
    """Somebody is sent away before the game begins; raises Refused."""
    fresh = locked(game)
    if fresh.state != State.GATHERING:
        raise Refused("started")
    gone = Membership.objects.filter(game=fresh, pk=membership, left=None).exclude(person=by).first()
    if gone is None:
        raise Refused("stranger")
    _gone(fresh, gone)
    log.note(fresh, "removed", by=by, shown=False)
    changed(fresh)


@writing
def leave(game: Game, person: Person) -> None:
    """Leave the table: in a game that runs, one’s powers are free from now on. Raises Refused."""
    fresh = locked(game)
    _check_open(fresh)
    here = Membership.objects.filter(game=fresh, person=person, left=None).first()
    if here is None:
        raise Refused("stranger")
    if here.role == Role.MASTER and len(members(fresh, Role.MASTER)) == 1 and _needs_master(fresh):
        raise Refused("last_master")
    freed = _gone(fresh, here)
    if fresh.state == State.GATHERING:
        log.note(fresh, "left", role=here.role, by=person, shown=False)
        _hand_over(fresh)
    else:
        _tell_left(fresh, here, freed)
    changed(fresh)


def _needs_master(game: Game) -> bool:
    others = game.memberships.filter(left=None).exclude(role=Role.MASTER)
    return game.state != State.GATHERING or others.exists()


def _gone(game: Game, here: Membership) -> tuple[str, ...]:
    Membership.objects.filter(pk=here.pk).update(left=timezone.now())
    dating.leaderless(game, timezone.now())
    return vacancies.rise(game, here.person)


def _tell_left(game: Game, here: Membership, freed: Sequence[str]) -> None:
    shown = bool(freed)
    log.note(game, "left", role=here.role, by=here.person, shown=shown, powers=list(freed))
    for power in freed:
        _tell_vacant(game, power)


def _tell_vacant(game: Game, power: str) -> None:
    """The players learn that a power is in disorder, the game master that somebody is wanted for it."""
    masters = audience.masters(game)
    others = [pk for pk in audience.everybody(game) if pk not in masters]
    audience.tell(game, others, "disorder", _once("disorder", power), power=power)
    audience.tell(game, masters, "vacant", _once("vacant", power), power=power)


def _hand_over(game: Game) -> None:
    """Whoever has been there longest gathers the others after the one who made the game; nobody: it ends."""
    left = list(game.memberships.filter(left=None).order_by("joined", "pk"))
    if not left:
        Game.objects.filter(pk=game.pk).update(state=State.ABANDONED, ended=timezone.now())
    elif all(one.person_id != game.creator_id for one in left):
        Game.objects.filter(pk=game.pk).update(creator=left[0].person)


@writing
def give_up(game: Game, person: Person, power: str) -> None:
    """Forfeit a power: it is in civil disorder until somebody takes it. Raises Refused."""
    fresh = locked(game)
    if fresh.state not in RUNNING:
        raise Refused("over" if fresh.state in OVER else "not_begun")
    if seats.holders(fresh).get(power) != person.pk:
        raise Refused("not_yours")
    seats.vacate(fresh, power)
    log.note(fresh, "forfeited", role=Role.PLAYER, by=person, power=power)
    _tell_vacant(fresh, power)
    if not seats.powers_of(fresh, person):
        _look_on(fresh, person)
    changed(fresh)


def _look_on(game: Game, person: Person) -> None:
    """Whoever plays nothing any more is an observer."""
    Membership.objects.filter(game=game, person=person, left=None).update(left=timezone.now())
    Membership.objects.create(game=game, person=person, role=Role.OBSERVER)
