"""Links that give a role in a game."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_log, power_assignments
from talleyrand.web.games.models import ENDED_STATES, Game, GameRole, Invitation

from .lobby_refusals import LobbyRefusal
from .membership_actions import lock_game, may_give_role_by_link

MOST_INVITATIONS = 50


@write_transaction
def create_invitation(
    game: Game, by: Person, role: str, *, once: bool = False, power: str = ""
) -> Invitation:
    """A new link; `power` names the seat that it gives. Raises LobbyRefusal."""
    fresh = lock_game(game)
    if fresh.state in ENDED_STATES:
        raise LobbyRefusal("over")
    if role not in GameRole.values:
        raise LobbyRefusal("role")
    if not may_give_role_by_link(fresh, role):
        raise LobbyRefusal("unled")
    if power and (role != GameRole.PLAYER or power not in power_assignments.players_by_power(fresh)):
        raise LobbyRefusal("seat")
    if open_invitations(fresh).count() >= MOST_INVITATIONS:
        raise LobbyRefusal("links")
    # a seat has place for one
    made = Invitation.objects.create(game=fresh, role=role, power=power, is_single_use=once or bool(power))
    game_log.add_log_entry(fresh, "invited", by=by, shown=False, invited=role, power=power)
    return made


@write_transaction
def revoke_invitation(game: Game, by: Person, invitation: int) -> None:
    """Nobody joins by this link any more; twice is no fault."""
    found = open_invitations(lock_game(game)).filter(pk=invitation)
    if found.update(revoked_at=timezone.now()):
        game_log.add_log_entry(game, "invitation_withdrawn", by=by, shown=False)


def revoke_game_master_invitations(game: Game, now: datetime) -> None:
    """A game begins: links to its desk open it no more, for they may be of somebody who plays."""
    open_invitations(game).filter(role__in=(GameRole.GAME_MASTER, GameRole.ASSISTANT)).update(revoked_at=now)


def open_invitations(game: Game) -> QuerySet[Invitation]:
    """The links by which one may still join."""
    return Invitation.objects.filter(game=game, revoked_at=None).order_by("pk")
