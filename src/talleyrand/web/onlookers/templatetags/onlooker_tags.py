"""`{% load onlooker_tags %}`: `{% with_onlooking sight as onlooking %}`, what one may do
who does not play: read `comments`, `follow` the game; `followed` is how they do."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.onlookers import comments, followed_games
from talleyrand.web.onlookers.models import FollowedGame

register = template.Library()


@dataclass(frozen=True)
class Onlooking:
    """What one may do at a game without playing."""

    sight: GameViewer

    @property
    def comments(self) -> bool:
        return comments.may_read_comments(self.sight)

    @property
    def follow(self) -> bool:
        return followed_games.may_follow(self.sight)

    @property
    def followed(self) -> FollowedGame | None:
        return FollowedGame.objects.filter(game=self.sight.whole_game, person=self.sight.person).first()


@register.simple_tag
def with_onlooking(sight: GameViewer) -> Onlooking:
    return Onlooking(sight)
