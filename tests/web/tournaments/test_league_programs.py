"""Leagues for programs and readers of feeds: what all may see of seasons, and nothing of what is secret."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.test import Client

from talleyrand.tournament.acts.round_acts import RevealRound
from talleyrand.web.tournaments import event_journal
from talleyrand.web.tournaments.event_journal import JournalActor
from talleyrand.web.tournaments.league_pages import league_seasons
from talleyrand.web.tournaments.models import Tournament, TournamentLeague
from tests.web import cast
from tests.web.atom import atom_entries
from tests.web.tournaments import hall, online, scene
from tests.web.tournaments.test_leagues import BASE, league, order, play_out, win

pytestmark = pytest.mark.django_db
NAMES = [online.account_name(at) for at in range(1, 15)]


def api(made: TournamentLeague, part: str = "", client: Client | None = None) -> Any:
    answer = (client or Client()).get(f"/api/leagues/{made.key}{part}")
    assert answer.status_code == 200
    return answer.json()


def feed(made: TournamentLeague, language: str = "") -> list[tuple[str, str, str]]:
    path = "/en/tournaments/leagues/{}/results.atom" if language else f"{BASE}{{}}/resultats.atom"
    return atom_entries(Client().get(path.format(made.key)))


def test_a_season_that_is_over() -> None:
    made, first, second = league()
    play_out(first, second)
    top, bottom = api(made, "/seasons/1")["divisions"]
    assert (top["tournament"], bottom["tournament"]) == (first.key, second.key)
    assert [one["name"] for one in top["standings"]] == order(first)
    assert [one["moves"] for one in top["standings"]] == [""] * 5 + ["down"] * 2
    assert [one["moves"] for one in bottom["standings"]] == ["up"] * 2 + [""] * 5
    keys = [one["game"] for each in top["rounds"] for one in each["boards"]]
    assert keys == [game.key for number in (1, 2) for game in online.games(first, number)]
    listed = Client().get("/api/leagues").json()["items"]
    assert listed == [{"key": made.key, "name": made.name, "moving": 2}]
    assert api(made)["seasons"] == [1]
    league_seasons.begin_next_season(made, 1)
    assert api(made)["seasons"] == [2, 1]
    assert api(made, "/seasons/2")["over"] is False
    for nowhere in ("3", "100000"):
        assert Client().get(f"/api/leagues/{made.key}/seasons/{nowhere}").status_code == 404
    assert Client().get(f"/api/leagues/{made.key}/seasons/0").status_code == 422


def test_entries_of_a_feed() -> None:
    made, first, second = league()
    assert feed(made) == []
    play_out(first, second)
    found = feed(made)
    assert len(found) == 2 + 4
    places = [one for one in found if "classement final" in one[0]]
    assert places[-1][1].startswith(f"1. {order(first)[0]} (")
    board = next(one for one in found if one[0] == "Saison 1, division 2\u00a0: ronde 2, table 1")
    assert board[1].startswith("France 13, ")
    assert board[2].endswith(hall.path(second, "board", 2, 1))
    assert not any(name in text for title, text, _link in found if "final" not in title for name in NAMES)
    assert "Season 1, division 1: final standings" in [one[0] for one in feed(made, "en")]
    assert found == feed(made)
    assert f"{BASE}{made.key}/resultats.atom" in hall.text(Client().get(f"{BASE}{made.key}/"))


def test_nothing_secret_is_told() -> None:
    made, _first, second = league()
    online.follow()
    win(online.games(second)[0], "FRANCE")
    online.follow()
    top, bottom = api(made, "/seasons/1")["divisions"]
    assert top["standings"] == []
    assert not any(one["moves"] for one in bottom["standings"])
    assert [one[0] for one in feed(made)] == ["Saison 1, division 2\u00a0: ronde 1, table 1"]
    Tournament.objects.filter(pk=second.pk).update(is_listed=False)
    assert [one["rank"] for one in api(made, "/seasons/1")["divisions"]] == [1]
    assert feed(made) == []
    TournamentLeague.objects.filter(pk=made.pk).update(is_listed=False)
    paths = ("", "/seasons/1")
    assert [Client().get(f"/api/leagues/{made.key}{one}").status_code for one in paths] == [404, 404]
    assert Client().get("/api/leagues").json()["items"] == []
    for client in (Client(), cast.client_of(cast.MASTER)):
        assert client.get(f"{BASE}{made.key}/resultats.atom").status_code == 404


def test_a_round_that_is_not_shown_yet_is_in_neither() -> None:
    made, first, second = league()
    play_out(first, second)
    act = RevealRound(2, shown=False)
    event_journal.perform_acts(online.fresh(first), [act], JournalActor(scene.director()))
    told = api(made, "/seasons/1")
    assert told["over"] is False
    assert "division 1\u00a0: ronde 2" not in html.unescape(str(feed(made)))
