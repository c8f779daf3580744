"""Public results as Atom, for readers of feeds: the games that ended here, and the phases of one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.games import visibility
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.models import Game, GameState, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer

MOST_ITEMS = 50
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SteadyAtomFeed(Atom1Feed):
    """Without entries it was never updated, rather than at each look."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else EPOCH


class EndedGamesFeed(Feed):  # type: ignore[type-arg]
    """The listed games that were played to their end, the last first; who won, never who played."""

    feed_type = SteadyAtomFeed

    def title(self) -> str:
        return _("Talleyrand: finished games")

    def link(self) -> str:
        return f"{reverse('games:all')}?show=ended"

    def items(self) -> QuerySet[Game]:
        ended = visibility.visible_games(None).filter(state=GameState.ENDED, phase_number__gt=0)
        return ended.exclude(ended_at=None).order_by("-ended_at", "-pk")[:MOST_ITEMS]

    def item_title(self, item: Game) -> str:
        return item.name

    def item_description(self, item: Game) -> str:
        variant, language = variants.load(item.variant), display_names.reader_language()
        powers = [display_names.power_name(variant, one) for one in (item.result or {}).get("powers", ())]
        won = _("Winners: %(powers)s.") % {"powers": join_names(powers, language)} if powers else ""
        return f"{variant.title[language]}. {won}".strip()

    def item_link(self, item: Game) -> str:
        return reverse("games:game", args=[item.key])

    def item_pubdate(self, item: Game) -> datetime | None:
        return item.ended_at

    item_updateddate = item_pubdate


class PhasesFeed(Feed):  # type: ignore[type-arg]
    """The published phases of a game that everybody may open, the last first."""

    feed_type = SteadyAtomFeed

    def get_object(self, _request: HttpRequest, key: str) -> Game:
        game = Game.objects.filter(key=key).first() if key.isascii() and key.isprintable() else None
        if game is None or not GameViewer(game, None).may_open:
            raise Http404
        return GameViewer(game, None).game

    def title(self, obj: Game) -> str:
        return obj.name

    def link(self, obj: Game) -> str:
        return reverse("games:game", args=[obj.key])

    def items(self, obj: Game) -> list[tuple[Game, PhaseRevision]]:
        found = obj.revisions.filter(is_current=True, phase_number__gt=0)
        rows = found.only("phase_number", "phase", "published_at").order_by("-phase_number")[:MOST_ITEMS]
        return [(obj, one) for one in rows]

    def item_title(self, item: tuple[Game, PhaseRevision]) -> str:
        game, one = item
        variant = variants.load(game.variant_of_phase(one.phase_number))
        return display_names.phase_name(variant, one.phase)

    def item_description(self, item: tuple[Game, PhaseRevision]) -> str:
        return _("Results are in: %(phase)s.") % {"phase": self.item_title(item)}

    def item_link(self, item: tuple[Game, PhaseRevision]) -> str:
        game, one = item
        return reverse("games:phase", args=[game.key, one.phase_number])

    def item_pubdate(self, item: tuple[Game, PhaseRevision]) -> datetime:
        return item[1].published_at

    item_updateddate: Any = item_pubdate
