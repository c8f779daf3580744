"""What somebody new reads, and the ways he finds from page to page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from talleyrand.web.accounts import time_zones
from talleyrand.web.games.deadlines.date_texts import MONTHS, date_text_with_zone
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import absences, game_creation
from talleyrand.web.games.models import Game, GameRole
from tests.web import cast

pytestmark = pytest.mark.django_db
MIDNIGHT = datetime(2031, 12, 19, 23, tzinfo=UTC)  # the 20th begins in Paris


def text(client: Client, path: str) -> str:
    return client.get(path).content.decode().replace("\u00a0", " ").replace("\u202f", " ")


def gathering() -> Game:
    plan = game_creation.GamePlan(
        "Tous les lundis", "classic", "anjou_feu", GameSettings(), is_listed=True, role=GameRole.PLAYER
    )
    return game_creation.create_game(plan, cast.person("Flora"), "gathering")


def test_zones_go_by_the_names_that_readers_give_them() -> None:
    with translation.override("fr"):
        groups = time_zones.zone_choices("Europe/Paris")
        assert ("Europe/London", "Londres") in groups[0][1]
        europe = [label for _name, label in groups[1][1]]
        assert europe.index("Athènes") < europe.index("Île de Man") < europe.index("Istanbul")
    with translation.override("en"):
        assert ("Europe/London", "London") in time_zones.zone_choices("Europe/Paris")[0][1]
    assert time_zones.french_names().keys() <= time_zones.zone_names()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("fr", "samedi 20 décembre 2031 à 0 h, heure de Paris"),
        ("en", "Saturday 20 December 2031 at 00:00, Paris time"),
    ],
)
def test_what_begins_at_midnight_begins_its_day(language: str, told: str) -> None:
    words = date_text_with_zone(MIDNIGHT, "Europe/Paris", language, begins=True)
    assert words.replace("\u00a0", " ").replace("\u202f", " ") == told


def test_an_absence_begins_on_the_day_that_was_given() -> None:
    game = cast.table()
    first = timezone.localdate() + timedelta(days=10)
    away = absences.absence_period(str(first), str(first + timedelta(days=2)), "Europe/Paris")
    absences.announce_absence(game, cast.person("Flora"), *away)
    page = text(cast.client_of("Flora"), f"/parties/{game.key}/infos/")
    assert f"{first.day} {MONTHS['fr'][first.month - 1]} {first.year} à 0 h" in page.replace("1er ", "1 ")


def test_lists_and_the_account_lead_to_the_calendar() -> None:
    gathering()
    flora = cast.client_of("Flora")
    for path in ("/parties/", "/compte/"):
        assert 'href="/parties/calendrier/"' in text(flora, path)


def test_a_visitor_is_shown_how_to_have_an_account() -> None:
    gathering()
    page = text(Client(), "/parties/")
    assert 'href="/compte/inscription/"' in page
    assert "1 joueur sur 7" in page
    assert 'href="/parties/"' in text(Client(), "/").partition("<main")[2]


def test_who_is_signed_out_may_sign_in_where_nothing_is_found() -> None:
    here = "/parties/nulle-part/"
    assert f'href="/compte/connexion/?next={here}"' in text(Client(), here)
    assert "?next=" not in text(cast.client_of("Sylvain"), here)


@pytest.mark.parametrize(
    ("state", "told"), [("ended", "La partie est finie."), ("abandoned", "La partie a été abandonnée.")]
)
def test_a_board_says_that_its_game_is_over(state: str, told: str) -> None:
    """Whatever phase was open then: a draw or an end without result may come in the middle of one."""
    game = cast.table()
    Game.objects.filter(pk=game.pk).update(state=state)
    page = text(cast.client_of("Flora"), f"/parties/{game.key}/")
    assert told in page.partition('class="banners"')[2].partition("</ul>")[0]


def test_players_learn_who_begins_the_game() -> None:
    game = gathering()
    cast.member(game, "Gaspard", GameRole.PLAYER)
    told = "son créateur peut la lancer avant. Vous recevrez une notification."
    assert told in text(cast.client_of("Gaspard"), f"/parties/{game.key}/infos/")
    assert told not in text(cast.client_of("Flora"), f"/parties/{game.key}/infos/")


def test_letters_are_dated_by_a_clock_with_a_name() -> None:
    game = cast.table()
    page = text(cast.client_of("Flora"), f"/parties/{game.key}/messages/nouvelle/?to=GERMANY")
    assert "Heure de Paris." in page
    assert "Europe/Paris" not in page
