"""What happens in a league as Atom, for readers of feeds: boards that have ended, divisions that are over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.web.games.lobby.result_feeds import MOST_ITEMS, SteadyAtomFeed
from talleyrand.web.games.models import Game
from talleyrand.web.tournaments import tournament_names
from talleyrand.web.tournaments.event_documents import public_event
from talleyrand.web.tournaments.models import TournamentLeague
from talleyrand.web.tournaments.public_site import public_standings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import league_seasons
from .league_seasons import DivisionState, SeasonState

SEASONS = 2  # the last ones
FIRST_PLACES = 3


@dataclass(frozen=True)
class LeagueNews:
    """An entry of the feed."""

    at: datetime
    title: str
    text: str
    link: str


class LeagueFeed(Feed):  # type: ignore[type-arg]
    """A league that everybody may open, the last first; of a board its centres, never who played."""

    feed_type = SteadyAtomFeed

    def get_object(self, _request: HttpRequest, key: str) -> TournamentLeague:
        found = TournamentLeague.objects.filter(key=key.replace("\0", ""), is_listed=True).first()
        if found is None:
            raise Http404
        return found

    def title(self, obj: TournamentLeague) -> str:
        return obj.name

    def link(self, obj: TournamentLeague) -> str:
        return reverse("tournaments:league", args=[obj.key])

    def items(self, obj: TournamentLeague) -> list[LeagueNews]:
        found: list[LeagueNews] = []
        for number in league_seasons.season_numbers(obj)[:SEASONS]:
            season = league_seasons.season_of(obj, number)
            for one in season.divisions if season and len(found) < MOST_ITEMS else ():
                if season and one.row.tournament.is_listed:
                    found += _division_news(season, one)
        return sorted(found, key=lambda one: (one.at, one.title), reverse=True)[:MOST_ITEMS]

    def item_title(self, item: LeagueNews) -> str:
        return item.title

    def item_description(self, item: LeagueNews) -> str:
        return item.text

    def item_link(self, item: LeagueNews) -> str:
        return item.link

    def item_pubdate(self, item: LeagueNews) -> datetime:
        return item.at

    item_updateddate = item_pubdate


def _division_news(season: SeasonState, one: DivisionState) -> Iterator[LeagueNews]:
    """Its boards with a result that all may see, and its standings once it is over."""
    key, event = one.row.tournament.key, public_event(one.event)
    held = {
        board.game: (number, at, board)
        for number, each in event.rounds.items()
        for at, board in each.boards.items()
        if board.game and board.result
    }
    ends = Game.objects.filter(key__in=held).exclude(ended_at=None).values_list("key", "ended_at")
    ended = {game: at for game, at in ends if at is not None}
    place = {"season": season.number, "rank": one.row.rank}
    for game, moment in ended.items():
        number, at, board = held[game]
        title = _("Season %(season)s, division %(rank)s: round %(round)s, board %(board)s")
        centres = board.result.centres if board.result else {}
        text = ", ".join(
            f"{tournament_names.power_name(power, board.variant)} {centres[power]}"
            for power in sorted(centres, key=lambda power: (-centres[power], power))
        )
        told = {**place, "round": number, "board": at}
        yield LeagueNews(moment, title % told, text, reverse("tournaments:board", args=[key, number, at]))
    if ended and event.over:
        title = _("Season %(season)s, division %(rank)s: final standings") % place
        link = reverse("tournaments:standings", args=[key])
        yield LeagueNews(max(ended.values()), title, _first_places(one), link)


def _first_places(one: DivisionState) -> str:
    sight = TournamentViewer(one.row.tournament)
    rows = public_standings.standings_rows(sight, public_standings.visible_standings(sight))
    return ", ".join(f"{row.place}. {row.name} ({row.total})" for row in rows[:FIRST_PLACES])
