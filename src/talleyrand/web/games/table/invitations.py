"""Links that give a role in a game."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import log, seats
from talleyrand.web.games.models import OVER, Game, Invitation, Role
from talleyrand.web.games.writing import writing

from .gathering import locked, may_have
from .refusals import Refused

MOST = 50


@writing
def invite(game: Game, by: Person, role: str, *, once: bool = False, power: str = "") -> Invitation:
    """A new link; `power` names the seat that it gives. Raises Refused."""
    fresh = locked(game)
    if fresh.state in OVER:
        raise Refused("over")
    if role not in Role.values:
        raise Refused("role")
    if not may_have(fresh, role):
        raise Refused("unled")
    if power and (role != Role.PLAYER or power not in seats.holders(fresh)):
        raise Refused("seat")
    if current(fresh).count() >= MOST:
        raise Refused("links")
    # a seat has place for one
    made = Invitation.objects.create(game=fresh, role=role, power=power, once=once or bool(power))
    log.note(fresh, "invited", by=by, shown=False, invited=role, power=power)
    return made


@writing
def withdraw(game: Game, by: Person, invitation: int) -> None:
    """Nobody joins by this link any more; twice is no fault."""
    found = current(locked(game)).filter(pk=invitation)
    if found.update(revoked=timezone.now()):
        log.note(game, "invitation_withdrawn", by=by, shown=False)


def close_desk(game: Game, now: datetime) -> None:
    """A game begins: links to its desk open it no more, for they may be of somebody who plays."""
    current(game).filter(role__in=(Role.MASTER, Role.ASSISTANT)).update(revoked=now)


def current(game: Game) -> QuerySet[Invitation]:
    """The links by which one may still join."""
    return Invitation.objects.filter(game=game, revoked=None).order_by("pk")
