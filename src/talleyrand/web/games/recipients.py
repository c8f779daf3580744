"""Whom to tell what happens in a game, by primary key of the persons."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.notifications import notification_kinds, outbox, topic_versions

from . import power_assignments
from .models import DelayedGame, Game, GameMembership, GameRole
from .viewer_permissions import GameViewer

MEMBERS = PreparedQuery(
    lambda: GameMembership.objects.filter(game=Given(GameMembership, "game"), left_at=None).values_list(
        "person"
    )
)
SEAT_FOUND = "seat_found"  # the kind of news for those who may join, though only players see the board
# Where news lead that are not about the board.
PAGES = {SEAT_FOUND: "games:enter", "house_rules": "games:table"} | dict.fromkeys(
    ("gm_absent", "gm_wanted", "desk_offered", "desk_handed", "desk_kept"), "games:table_desk"
)
MEMBER_GROUPS, GAME_MASTER_GROUPS = ("deadlines", "letters", "votes"), ("desk",)  # groups of news


def game_master_ids(game: Game) -> list[int]:
    """The game masters and their assistants."""
    return _members_with(game, GameRole.GAME_MASTER, GameRole.ASSISTANT)


def member_ids(game: Game) -> list[int]:
    """All who have a role in the game."""
    return [person for (person,) in MEMBERS.rows(game=game.pk)]


def player_ids_of(game: Game, power: str) -> list[int]:
    """Whoever may order this power now."""
    found = power_assignments.player_of(game, power)
    return [found] if found else []


def notify_about_game(game: Game, people: list[int], kind: str, once: str, **facts: Any) -> None:
    """Put one notice about the game into the outbox of each; `once` is made unique to the game.

    Onlookers hear nothing of a game that they see late, but of `DelayedGame`, which is what they see. Facts
    hold codes (powers, phases), never what the reader may not know.
    """
    if game.is_shown_late and not isinstance(game, DelayedGame):
        people = [one for one in people if one not in _members_with(game, GameRole.OBSERVER)]
    told = {"game": game.name, "variant": game.variant, **facts}
    path = reverse(PAGES.get(kind, "games:game"), args=[game.key])
    about = topic_versions.game_topic(game.key)
    outbox.notify(people, kind, told, about=about, path=path, once=f"{game.key}:{once}")


def may_still_be_notified(sight: GameViewer, kind: str) -> bool:
    """Whether news of a kind, which leave the site later than they were told, are still their reader’s."""
    if not (sight.may_join if kind == SEAT_FOUND else sight.may_open):
        return False
    group = notification_kinds.group_of(kind)
    if group in GAME_MASTER_GROUPS:
        return sight.is_at_desk
    return bool(sight.role) if group in MEMBER_GROUPS else True


def _members_with(game: Game, *roles: GameRole) -> list[int]:
    found = GameMembership.objects.filter(game=game, left_at=None, role__in=roles)
    return list(found.values_list("person", flat=True))
