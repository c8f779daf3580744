"""What people do on a site besides playing: they report, ban, block, comment and follow, gather in groups and
leagues.
"""

from __future__ import annotations

from typing import Any

from talleyrand.web.conduct import blocks
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.lobby import player_groups, saved_searches
from talleyrand.web.games.lobby.game_filters import GameFilter
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.onlookers import comments, followed_games
from talleyrand.web.onlookers.models import OnlookerComment
from talleyrand.web.press.models import Message
from talleyrand.web.tournaments.league_pages import league_seasons
from talleyrand.web.tournaments.models import TournamentLeague
from tests.web import cast
from tests.web.games import tables
from tests.web.moderation import reporting
from tests.web.tournaments import online
from tests.web.tournaments.test_leagues import league, play_out

BANNED = "Roman"


def told(running: Game) -> dict[str, Any]:
    """The keys of all that, and who plays in a league; the running game gets comments."""
    group = player_groups.create_group(cast.person("Flora"), "Les lundis de Lyon")
    saved_searches.save_search(cast.person("Flora"), GameFilter(variant="classic"))
    onlooker = cast.person(cast.STRANGER)
    for number, said in enumerate(("La Turquie attend quoi ?", "L’Autriche va tomber.")):
        comments.write_comment(GameViewer(running, onlooker), said, str(number))
    followed_games.follow_game(GameViewer(running, onlooker), is_told=True)
    shown = tables.made("Edmond", anonymity=Anonymity.OPEN)
    return {
        "group": group.key,
        "group_token": group.token,
        "shown": shown.key,
        "comment": OnlookerComment.objects.latest("pk").pk,
        **_conduct(),
        **_leagues(),
    }


def _conduct() -> dict[str, Any]:
    """One report that waits, one that led to a ban, and whom Flora blocks."""
    game = cast.table(begun=True)
    done = reporting.reported(game, remark="C’est la troisième fois.")
    reporting.act(done, "note", "Déjà averti l’an dernier.")
    reporting.act(done, "ban", "Des insultes, après un avertissement.", days=7)
    letter = reporting.letter(game, "Encore un mot de trop.", "Théa")
    reporting.report(game, letter, reason="spam")
    blocks.block(cast.person("Flora"), cast.person("Edmond"))
    fresh = Message.objects.get(pk=letter.pk)
    waiting = type(done).objects.latest("pk")
    return {
        "reported_game": game.key,
        "reported_room": fresh.conversation.key,
        "reported_letter": fresh.key,
        "reports": [waiting.key, done.key],
    }


def _leagues() -> dict[str, Any]:
    """A league in its second season, one whose season is over, and one that is new."""
    made, first, second = league()
    play_out(first, second)
    league_seasons.begin_next_season(made, 1)
    top = made.divisions.get(season=2, rank=1).tournament
    online.begin(top)
    online.follow()
    other, *both = league()
    TournamentLeague.objects.filter(pk=other.pk).update(name="Ligue de l’Est")
    play_out(*both)
    empty = league_seasons.create_league("Ligue du Nord", cast.person(cast.MASTER), "")
    player = top.passes.select_related("account").exclude(account=None).order_by("person_number")[0].account
    assert player is not None
    return {
        "leagues": [made.key, other.key, empty.key],
        "divisions": [top.key, second.key],
        "seasoned": player.name,
    }
