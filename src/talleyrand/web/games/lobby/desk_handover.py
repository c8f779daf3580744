"""The desk of a game handed over: its game master is not seen any more while the game waits for them.

An assistant takes over at once; anybody else who does not play may offer to, and does once more than half of
the powers agree. Offers and answers are lines of the log, and count from the last sign of the game master on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person, folded_name
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_entry, game_log, open_seats, power_assignments, recipients
from talleyrand.web.games.models import (
    RUNNING_STATES,
    Game,
    GameLogEntry,
    GameMembership,
    GameRole,
    GameState,
)

from .lobby_refusals import LobbyRefusal
from .membership_actions import bump_game_topic, lock_game, members_with_role
from .pause_requests import powers_needed_for_pause

ABSENT, OFFERED, AGREED, HANDED, KEPT = (
    "gm_absent",
    "desk_offered",
    "desk_agreed",
    "desk_handed",
    "desk_kept",
)
MOST_TOLD_AT_ONCE = 200  # games
TAKEN_BACK_WITHIN, TOLD_AGAIN_AFTER = timedelta(days=30), timedelta(days=30)


@dataclass
class DeskOffer:
    """Somebody who does not play would take over, with the powers that agree."""

    pk: int
    person: Person
    agreed: set[str] = field(default_factory=set)


@dataclass
class AbsentGameMaster:
    """Since when a game has waited for a game master whom nobody has seen, and what has come of it."""

    since: datetime
    needed: frozenset[str]
    offers: list[DeskOffer]

    def is_agreed(self, offer: DeskOffer) -> bool:
        """Whether more than half of the powers agree."""
        return 2 * len(offer.agreed & self.needed) > len(self.needed)


def absent_game_master(game: Game, now: datetime) -> AbsentGameMaster | None:
    """None where the game does not wait, or its game master was there not so long ago."""
    since = _absent_since(game)
    days = game.settings.gm_absence_days
    if since is None or not days or now - since < timedelta(days=days):
        return None
    landless = variants.load(game.variant).board.landless
    return AbsentGameMaster(since, powers_needed_for_pause(game).difference(landless), _offers(game, since))


def _absent_since(game: Game) -> datetime | None:
    """From when on the game has waited for who leads it, and they were not seen."""
    masters = members_with_role(game, GameRole.GAME_MASTER)
    waits = game.is_waiting or game.adjudication_error or game.state == GameState.PAUSED
    if game.state not in RUNNING_STATES or not masters or game.is_at_table:
        return None
    if not waits and game.deadline is not None:
        return None
    people = [one.person_id for one in masters]
    lines = GameLogEntry.objects.filter(game=game)
    stopped = lines.filter(kind__in=("paused", "parked")).last() if not game.is_waiting else None
    acted = lines.filter(person__in=people).last()
    seen = UserSession.objects.filter(user__in=people).order_by("-last_seen_at").first()
    known: list[datetime | None] = [
        game.deadline if game.is_waiting else game.phase_opened_at,
        stopped.created_at if stopped else None,
        acted.created_at if acted else None,
        seen.last_seen_at if seen else None,
        *(one.joined_at for one in masters),
        *(one.person.last_login for one in masters),
    ]
    return max(moment for moment in known if moment)


def _offers(game: Game, since: datetime) -> list[DeskOffer]:
    """Those that stand: of people who are in the game and do not play it, since they were last refused."""
    here = game.memberships.filter(left_at=None).exclude(role=GameRole.PLAYER)
    able = set(here.values_list("person", flat=True))
    found: dict[int, DeskOffer] = {}
    lines = GameLogEntry.objects.filter(
        game=game, created_at__gte=since, kind__in=(OFFERED, AGREED, KEPT, HANDED)
    )
    for line in lines.select_related("person").order_by("pk"):
        if line.kind in (KEPT, HANDED):
            found.clear()
        elif line.kind == OFFERED and line.person and line.person_id in able:
            found[line.pk] = DeskOffer(line.pk, line.person)
        elif line.kind == AGREED and line.facts["offer"] in found:
            found[line.facts["offer"]].agreed.update(line.facts["powers"])
    return list(found.values())


def _checked(game: Game, now: datetime) -> AbsentGameMaster:
    found = absent_game_master(game, now)
    if found is None:
        raise LobbyRefusal("gm_seen")
    return found


@write_transaction
def offer_to_lead(game: Game, person: Person, now: datetime) -> bool:
    """Take over, as an assistant, or offer to; whether it is done. Raises LobbyRefusal."""
    fresh = lock_game(game)
    found, here = _checked(fresh, now), _membership(fresh, person)
    if here is None or here.role == GameRole.PLAYER or power_assignments.powers_played_by(fresh, person):
        raise LobbyRefusal("plays")
    if why := _why_kept_out(fresh, person):
        raise LobbyRefusal(why)
    if here.role == GameRole.ASSISTANT:
        _hand_over(fresh, person, now, role=here.role, by=person)
        return True
    if any(offer.person == person for offer in found.offers):
        raise LobbyRefusal("asked")
    game_log.add_log_entry(fresh, OFFERED, role=here.role, by=person)
    others = [pk for pk in recipients.member_ids(fresh) if pk != person.pk]
    recipients.notify_about_game(fresh, others, OFFERED, f"{OFFERED}:{person.pk}:{now.isoformat()}")
    bump_game_topic(fresh)
    return False


@write_transaction
def agree_to_offer(game: Game, person: Person, offer: int, now: datetime) -> bool:
    """A player agrees for their powers; whether the desk changes hands by that. Raises LobbyRefusal."""
    fresh = lock_game(game)
    found, powers = _checked(fresh, now), power_assignments.powers_played_by(fresh, person)
    chosen = next((one for one in found.offers if one.pk == offer), None)
    if not powers or not found.needed & set(powers):
        raise LobbyRefusal("not_yours")
    if chosen is None or _why_kept_out(fresh, chosen.person):
        raise LobbyRefusal("moved")
    if set(powers) <= chosen.agreed:
        raise LobbyRefusal("asked")
    game_log.add_log_entry(
        fresh, AGREED, role=GameRole.PLAYER, by=person, powers=list(powers), offer=chosen.pk
    )
    chosen.agreed.update(powers)
    bump_game_topic(fresh)
    if not found.is_agreed(chosen):
        return False
    _hand_over(fresh, chosen.person, now)
    return True


@write_transaction
def keep_desk(game: Game, person: Person, now: datetime) -> None:
    """The game master is there, and keeps or takes back the desk. Raises LobbyRefusal."""
    fresh = lock_game(game)
    here = _membership(fresh, person)
    is_master = here is not None and here.role == GameRole.GAME_MASTER
    if not is_master:
        if fresh.state not in RUNNING_STATES or not may_take_back(fresh, person, now):
            raise LobbyRefusal("not_yours")
        if why := _why_kept_out(fresh, person):
            raise LobbyRefusal(why)
        GameMembership.objects.filter(game=fresh, person=person, left_at=None).update(left_at=now)
        GameMembership.objects.create(game=fresh, person=person, role=GameRole.GAME_MASTER)
    elif not _is_disputed(fresh):
        return
    game_log.add_log_entry(fresh, KEPT, role=GameRole.GAME_MASTER, by=person)
    others = [pk for pk in recipients.member_ids(fresh) if pk != person.pk]
    recipients.notify_about_game(fresh, others, KEPT, f"{KEPT}:{now.isoformat()}")
    bump_game_topic(fresh)


def _is_disputed(game: Game) -> bool:
    """Whether somebody was told that the desk may change hands, and not yet that it is kept."""
    lines = GameLogEntry.objects.filter(game=game, kind__in=(ABSENT, OFFERED, AGREED, HANDED, KEPT))
    last = lines.order_by("-pk").first()
    return last is not None and last.kind not in (HANDED, KEPT)


def may_take_back(game: Game, person: Person, now: datetime) -> bool:
    """Whether the desk was taken from somebody not long ago, who has played nothing since."""
    handed = GameLogEntry.objects.filter(game=game, kind=HANDED, created_at__gt=now - TAKEN_BACK_WITHIN)
    mine = GameMembership.objects.filter(game=game, person=person)
    led = mine.filter(role=GameRole.GAME_MASTER)
    taken = {one.left_at.isoformat() for one in led if one.left_at}
    if led.filter(left_at=None).exists() or mine.filter(role=GameRole.PLAYER, left_at=None).exists():
        return False
    return any(line.facts.get("at") in taken for line in handed)


@write_transaction
def hand_over_by_administrator(game: Game, administrator: Person, name: str, now: datetime) -> None:
    """Make somebody game master, whoever leads the game now; who is not seen any more looks on.

    Raises LobbyRefusal: over, no_account, plays, leads, kept_out.
    """
    fresh = lock_game(game)
    person = Person.objects.filter(
        folded_name=folded_name(name.replace("\x00", "")), is_active=True, is_guest=False
    ).first()
    if fresh.state not in RUNNING_STATES:
        raise LobbyRefusal("over")
    if person is None:
        raise LobbyRefusal("no_account")
    here = _membership(fresh, person)
    if (here and here.role == GameRole.PLAYER) or power_assignments.powers_played_by(fresh, person):
        raise LobbyRefusal("plays")
    if here and here.role == GameRole.GAME_MASTER:
        raise LobbyRefusal("leads")
    if _why_kept_out(fresh, person):
        raise LobbyRefusal("kept_out")
    _hand_over(fresh, person, now, by=administrator, stay=absent_game_master(fresh, now) is None)


def _why_kept_out(game: Game, person: Person) -> str:
    game_entry.lock_person(person)
    return game_entry.why_kept_out(game, person, GameRole.GAME_MASTER)


def _membership(game: Game, person: Person) -> GameMembership | None:
    return GameMembership.objects.filter(game=game, person=person, left_at=None).first()


def _hand_over(
    game: Game,
    person: Person,
    now: datetime,
    *,
    role: str = "",
    by: Person | None = None,
    stay: bool = False,
) -> None:
    """Who led the game looks on from now on, unless they `stay`; a seat that went with the desk goes too."""
    GameMembership.objects.filter(game=game, person=person, left_at=None).update(left_at=now)
    former = [] if stay else members_with_role(game, GameRole.GAME_MASTER)
    made = GameMembership.objects.create(game=game, person=person, role=GameRole.GAME_MASTER)
    for one in former:
        GameMembership.objects.filter(pk=one.pk).update(left_at=now)
        GameMembership.objects.create(game=game, person=one.person, role=GameRole.OBSERVER)
        for power in open_seats.end_assignments_of(game, one.person):
            power_assignments.assign_power(game, power, person)
    game_log.add_log_entry(game, HANDED, role=role, by=by, at=now.isoformat())
    people = recipients.member_ids(game)
    recipients.notify_about_game(game, people, HANDED, f"{HANDED}:{made.pk}")
    bump_game_topic(game)


def tell_of_absent_game_masters() -> None:
    """Tell players, once, that somebody else may lead their game; and who leads it that they are waited for.

    A row is the line of the log that says so: any number of processes may look at once.
    """
    now = timezone.now()
    lately = now - timedelta(days=1)
    led = GameMembership.objects.filter(game=OuterRef("pk"), role=GameRole.GAME_MASTER, left_at=None)
    told = GameLogEntry.objects.filter(
        game=OuterRef("pk"), kind=ABSENT, created_at__gt=now - TOLD_AGAIN_AFTER
    )
    waiting = Q(is_waiting=True) | ~Q(adjudication_error="") | Q(state=GameState.PAUSED) | Q(deadline=None)
    found = Game.objects.filter(waiting, Exists(led), ~Exists(told), state__in=RUNNING_STATES)
    found = found.exclude(Exists(led.filter(person__usersession__last_seen_at__gt=lately)))
    late = [
        game
        for game in found.filter(phase_opened_at__lt=lately).order_by("phase_opened_at")
        if game.settings.gm_absence_days and absent_game_master(game, now)
    ]
    for game in late[:MOST_TOLD_AT_ONCE]:
        _tell_if_absent(game, now)


@write_transaction
def _tell_if_absent(game: Game, now: datetime) -> None:
    fresh = lock_game(game)
    found = absent_game_master(fresh, now)
    told = GameLogEntry.objects.filter(game=fresh, kind=ABSENT, created_at__gt=now - TOLD_AGAIN_AFTER)
    if found is None or told.exists():
        return
    game_log.add_log_entry(fresh, ABSENT)
    masters = [one.person_id for one in members_with_role(fresh, GameRole.GAME_MASTER)]
    others = [pk for pk in recipients.member_ids(fresh) if pk not in masters]
    once = f"{ABSENT}:{found.since.isoformat()}"
    recipients.notify_about_game(fresh, others, ABSENT, once)
    recipients.notify_about_game(fresh, masters, "gm_wanted", once)
    bump_game_topic(fresh)
