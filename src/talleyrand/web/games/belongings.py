"""What games keep of a person, and what becomes of a game when he deletes his account."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from . import dating, log, seats
from .models import OVER, Absence, Game, Gazette, Membership, Role, Sheet, State, Tenure
from .table import gathering
from .table.refusals import Refused

Json = dict[str, Any]


def export(person: Person) -> list[Json]:
    """One's games, with one's own roles, powers, sheets, drafts, gazettes and absences in them."""
    mine = Q(memberships__person=person) | Q(seats__tenures__person=person)
    # no DISTINCT: PostgreSQL does not compare the JSON of a row
    games = Game.objects.filter(pk__in=Game.objects.filter(mine).values("pk")).order_by("created")
    return [_game(game, person) for game in games]


def _game(game: Game, person: Person) -> Json:
    memberships = Membership.objects.filter(game=game, person=person).order_by("joined")
    tenures = Tenure.objects.filter(seat__game=game, person=person).select_related("seat")
    absences = Absence.objects.filter(game=game, person=person).order_by("since")
    return {
        "key": game.key,
        "name": game.name,
        "variant": game.variant,
        "state": game.state,
        "roles": list(memberships.values("role", "wishes", "joined", "left")),
        "powers": [_tenure(tenure) for tenure in tenures],
        "sheets": _sheets(game, person),
        "drafts": _drafts(game, person),
        "gazettes": list(Gazette.objects.filter(game=game, by=person).values("number", "text", "published")),
        "absences": list(absences.values("since", "until", "asked", "withdrawn")),
    }


def _tenure(tenure: Tenure) -> Json:
    told = ("stand_in", "first", "last", "since", "until")
    return {"power": tenure.seat.power, **{name: getattr(tenure, name) for name in told}}


def _sheets(game: Game, person: Person) -> list[Json]:
    """What one handed in; what a game master entered for others is theirs."""
    handed_in = Sheet.objects.filter(game=game, by=person).exclude(origin="master")
    told = ("receipt", "number", "power", "lines", "origin", "final", "at", "digest")
    return [{name: getattr(sheet, name) for name in told} for sheet in handed_in]


def _drafts(game: Game, person: Person) -> list[Json]:
    mine = game.seats.filter(power__in=seats.powers_of(game, person))
    told = ("power", "draft_number", "draft")
    return [{name: getattr(seat, name) for name in told} for seat in mine if seat.draft]


def told(person: Person) -> list[str]:
    """What becomes of the games that still run."""
    return [_told(game, person) for game in _running(person)]


def _told(game: Game, person: Person) -> str:
    powers = seats.powers_of(game, person)
    facts = {"game": game.name}
    if _is_only_master(game, person):
        return _("%(game)s: you are its only game master; nobody will lead it. Name another first.") % facts
    if powers and game.state != State.GATHERING:
        return _("%(game)s: your power becomes free, and others are told.") % facts
    return _("%(game)s: you leave it.") % facts


def _is_only_master(game: Game, person: Person) -> bool:
    masters = [one.person_id for one in gathering.members(game, Role.MASTER)]
    return masters == [person.pk]


def _running(person: Person) -> list[Game]:
    mine = Game.objects.filter(memberships__person=person, memberships__left=None)
    return list(mine.exclude(state__in=OVER).order_by("pk"))


def left(person: Person) -> None:
    """Leave every game that runs, as one leaves a table; also one that has no other game master."""
    for game in _running(person):
        try:
            gathering.leave(game, person)
        except Refused:
            _leave_without_master(game, person)


def _leave_without_master(game: Game, person: Person) -> None:
    Membership.objects.filter(game=game, person=person, left=None).update(left=timezone.now())
    dating.leaderless(game, timezone.now())
    log.note(game, "left", role=Role.MASTER, powers=[])
    if game.state == State.GATHERING:
        eldest = game.memberships.filter(left=None).order_by("joined", "pk").first()
        Game.objects.filter(pk=game.pk).update(creator=eldest.person if eldest else None)
    gathering.changed(game)


BELONGINGS = Belongings("games", export, told, left)
