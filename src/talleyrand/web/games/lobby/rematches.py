"""The same game again with the same people."""

from __future__ import annotations

import re
from dataclasses import replace

from django.urls import reverse

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState, Invitation
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications import outbox, topic_versions
from talleyrand.web.notifications.models import Notification

from . import game_creation
from .lobby_refusals import LobbyRefusal
from .membership_actions import lock_game

ROLES = (GameRole.PLAYER, GameRole.GAME_MASTER)
LONGEST_NAME, MOST_REMATCHES = 80, 3
_NUMBERED = re.compile(r"^(.*) \((\d{1,4})\)$", re.DOTALL)


def may_offer_rematch(sight: GameViewer) -> bool:
    """Whether one may ask for it: who played a game to its end, on line, or led it."""
    played = sight.is_game_over and sight.game.phase_number > 0
    return played and sight.role in ROLES and not sight.game.is_at_table


@write_transaction
def offer_rematch(game: Game, person: Person) -> tuple[Game, str]:
    """The game made, or the one that was made before with the link by which one joins it.

    "" for the link where one has a role there already. Raises LobbyRefusal.
    """
    old = lock_game(game)
    every = Game.objects.filter(rematch_of=old).order_by("-pk")
    made = every.exclude(state=GameState.ABANDONED).first()
    if made is not None:
        return made, _link_for(made, old, person)
    if every.count() >= MOST_REMATCHES:  # each is told to all who played
        raise LobbyRefusal("rematches")
    if why := game_creation.why_no_new_game(person):
        raise LobbyRefusal(why)
    roles = dict(old.memberships.filter(left_at=None, role__in=ROLES).values_list("person", "role"))
    new = game_creation.create_game(_plan(old, roles[person.pk]), person, "")
    Game.objects.filter(pk=new.pk).update(rematch_of=old)
    for role in ROLES:
        others = [pk for pk, had in roles.items() if had == role and pk != person.pk]
        groups = [[pk] for pk in others] if role == GameRole.GAME_MASTER else [others] * bool(others)
        for people in groups:
            _invite(old, new, role, people)
    return new, ""


def _plan(old: Game, role: str) -> game_creation.GamePlan:
    """As it was agreed; a date on which that one ended would end the new one at once."""
    terms = replace(old.settings, ends_at=None)
    variant = old.scripted_variant or old.variant
    name = _next_name(old.name)
    return game_creation.GamePlan(name, variant, old.rulebook, terms, is_listed=False, role=role)


def _next_name(name: str) -> str:
    """ "Le club (2)" after "Le club", of the length that a name has at most."""
    found = _NUMBERED.match(name)
    base, number = (found[1], int(found[2]) + 1) if found else (name, 2)
    tail = f" ({number})"
    return f"{base[: LONGEST_NAME - len(tail)]}{tail}"


def _invite(old: Game, new: Game, role: str, people: list[int]) -> None:
    """A link for these people, told to them alone, as news of the game that they were in; each game master
    has one of their own, which works once.
    """
    link = Invitation.objects.create(game=new, role=role, is_single_use=role == GameRole.GAME_MASTER)
    told = {"game": old.name, "variant": old.variant}
    about, path = topic_versions.game_topic(old.key), reverse("games:join", args=[link.token])
    outbox.notify(people, "rematch", told, about=about, path=path, once=f"{old.key}:rematch:{new.key}")


def _link_for(made: Game, old: Game, person: Person) -> str:
    """The link of one's role in the old game, of a new one in which one has none yet."""
    if GameMembership.objects.filter(game=made, person=person, left_at=None).exists():
        return ""
    role = old.memberships.filter(person=person, left_at=None).values_list("role", flat=True).first()
    links = list(made.invitations.filter(role=role, revoked_at=None, power="").order_by("pk"))
    if not links:
        raise LobbyRefusal("revoked")
    told = set(Notification.objects.filter(person=person, kind="rematch").values_list("path", flat=True))
    own = (link.token for link in links if _path(link) in told)
    return next(own, links[0].token)


def _path(link: Invitation) -> str:
    return outbox.path_without_language(reverse("games:join", args=[link.token]))
