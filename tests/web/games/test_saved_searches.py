"""Searches that are kept: who hears of which game, once, and nobody of what is not theirs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.games import recipients
from talleyrand.web.games.finding_models import SavedSearch
from talleyrand.web.games.game_settings import SpectatorRule
from talleyrand.web.games.lobby import membership_actions, saved_searches
from talleyrand.web.games.lobby.game_filters import GameFilter
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification
from tests.web.cast import STRANGER, client_of, person, table
from tests.web.games.tables import SIX, fill, made, words
from tests.web.games.test_game_filters import ANSWERS, create
from tests.web.games.test_player_groups import game_of, group
from tests.web.games.test_player_queues import wait

pytestmark = pytest.mark.django_db


def look(name: str, **wanted: str) -> None:
    saved_searches.save_search(person(name), GameFilter(**wanted))


def told(name: str = STRANGER) -> list[tuple[str, str]]:
    found = Notification.objects.filter(person=person(name), kind__in=("game_found", "seat_found"))
    return [(one.facts["game"], one.kind) for one in found.order_by("pk")]


def test_each_game_is_told_to_those_whose_search_finds_it() -> None:
    look(STRANGER, press="none")
    look("Zoé", press="full", variant="classic")
    look("Agathe", press="none")  # who makes the game
    create("gunboat", press="none", language="fr")
    create("talk")
    assert told() == [("gunboat", "game_found")]
    assert told("Zoé") == [("talk", "game_found")]
    assert told("Agathe") == []
    assert "correspond à l’une de vos recherches" in words(client_of(STRANGER).get("/notifications/"))


@pytest.mark.parametrize(("query", "found"), ANSWERS[:5])
def test_a_search_hears_of_what_its_list_shows(query: str, found: set[str]) -> None:
    name, _is, value = query.partition("=")
    look(STRANGER, **{name: value})
    create("usual")
    create("duel", variant="sandad")
    create("datc", rulebook="datc")
    create("own", rulebook={"extends": "datc"})
    create("friday", rhythm={"movement": {"days": [4], "minute": 1440}})
    create("gunboat", press="none")
    assert {game for game, _kind in told()} == found


def test_any_language_is_for_readers_of_each() -> None:
    look(STRANGER, language="en")
    for language in ("", "en", "fr"):
        create(f"language {language}", language=language)
    assert [game for game, _kind in told()] == ["language ", "language en"]


def test_a_game_that_lacks_few_is_told_when_it_does_and_once() -> None:
    look(STRANGER, seats="2")
    game = made()
    fill(game, SIX[:3])
    assert told() == []
    fill(game, SIX[3:5])
    assert told() == [(game.name, "game_found")]


def test_a_seat_that_becomes_free_is_told_but_not_to_who_was_there() -> None:
    look(STRANGER, variant="classic")
    look("Gaspard", variant="classic")
    look("Zoé", seats="3")
    game = table()
    assert told() == []
    membership_actions.leave_game(game, person("Gaspard"))
    assert told() == [(game.name, "seat_found")]
    assert told("Gaspard") == told("Zoé") == []


def test_a_seat_at_a_board_that_only_players_see_is_told_with_its_door() -> None:
    look(STRANGER, variant="classic")
    EmailAddress.objects.create(user=person(STRANGER), email="a@exemple.fr", verified=True, primary=True)
    game = table(watching=SpectatorRule.INVITED)
    membership_actions.leave_game(game, person("Gaspard"))
    notice = Notification.objects.get(kind="seat_found")
    assert client_of(STRANGER).get(notice.path).status_code == 200
    sight = GameViewer(Game.objects.get(pk=game.pk), person(STRANGER))
    assert not sight.may_open
    assert recipients.may_still_be_notified(sight, "seat_found")
    assert not recipients.may_still_be_notified(sight, "published")


def test_whoever_makes_games_without_end_is_announced_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_searches, "MOST_A_DAY", 2)
    look(STRANGER, variant="classic")
    for _number in range(3):
        membership_actions.leave_game(made(), person("Agathe"))
    made("Flora")
    assert len(told()) == 3
    Game.objects.update(created_at=timezone.now() - timedelta(days=1, minutes=1))
    made()
    assert len(told()) == 4


def test_nothing_is_told_of_games_that_are_not_in_the_list() -> None:
    look(STRANGER, variant="classic")
    look("Flora", variant="classic")
    made(listed=False)
    game_of(group("Flora"))
    wait("silent", *SIX, "Agathe")
    assert Game.objects.count() == 3
    assert told() == told("Flora") == []


def test_by_the_page_one_keeps_and_forgets_them() -> None:
    client = client_of("Flora")
    page = client.post("/parties/searches/", {"press": "none", "pace": "x"}, follow=True)
    assert page.redirect_chain[-1][0] == "/parties/?press=none"
    client.post("/parties/searches/", {"press": "none"})
    kept = SavedSearch.objects.get()
    assert "Messages\u00a0: Aucun" in client.get("/parties/").text
    assert client_of("Roman").post("/parties/searches/", {"forget": kept.pk}).status_code == 302
    assert SavedSearch.objects.exists()
    for nothing in ("", "x", "9" * 30, "-1"):
        client.post("/parties/searches/", {"forget": nothing})
    assert SavedSearch.objects.exists()
    client.post("/parties/searches/", {"forget": kept.pk})
    assert not SavedSearch.objects.exists()


def test_what_is_none_is_not_kept() -> None:
    client = client_of("Flora")
    for sent in ({}, {"press": "mars"}, {"variant": "x" * 9000}, {"bots": "\u0001"}):
        assert "au moins une réponse" in words(client.post("/parties/searches/", sent, follow=True))
    assert Client().post("/parties/searches/", {"press": "none"})["Location"].startswith("/")
    assert client.get("/parties/searches/").status_code == 405
    assert not SavedSearch.objects.exists()


def test_there_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_searches, "MOST_SEARCHES", 1)
    look("Flora", press="none")
    with pytest.raises(LobbyRefusal):
        look("Flora", press="full")
    told_so = client_of("Flora").post("/parties/searches/", {"press": "full"}, follow=True)
    assert "dix recherches" in words(told_so)
    monkeypatch.setattr(saved_searches, "MOST_TOLD", 1)
    look("Roman", press="none")
    create("gunboat", press="none")
    assert (len(told("Flora")), len(told("Roman"))) == (1, 0)


def test_they_are_one_s_data_and_go_with_the_account() -> None:
    look("Flora", press="none", pace="week")
    kept = personal_data.export_personal_data(person("Flora"))["finding"]["searches"]
    assert [(one["press"], one["pace"]) for one in kept] == [("none", "week")]
    personal_data.delete_account(person("Flora"))
    assert not SavedSearch.objects.exists()
