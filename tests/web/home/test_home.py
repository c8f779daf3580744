"""The first page: three doors, a board that plays itself, and what one may join or watch."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand import drawing, variants
from talleyrand.web.games import game_lifecycle
from talleyrand.web.games.models import Game, GameState, Invitation
from talleyrand.web.home import living_board
from talleyrand.web.practice.models import PracticeGame
from tests.web import cast
from tests.web.games import playing, tables
from tests.web.tournaments.test_screens import event, kept

pytestmark = pytest.mark.django_db


def form(page: str, address: str) -> dict[str, str]:
    """What a form sends by itself, by the address it is sent to."""
    [body] = re.findall(rf'<form[^>]* action="{address}"[^>]*>(.*?)</form>', page, re.S)
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', body))


# one’s own games come first


def test_a_player_finds_their_games_and_what_waits_there(client: Client) -> None:
    game = playing.running()
    page = cast.client_of("Flora").get("/").text
    mine, rest = page.split('class="hero"')
    assert f'/parties/{game.key}/"' in mine
    assert "pas d’ordres" in mine
    assert "Toutes mes parties" not in rest
    for other in (client, cast.client_of(cast.STRANGER)):
        assert "Toutes mes parties" not in other.get("/").text


# the first door


def test_one_press_is_a_game_against_bots_with_a_power_by_lot(client: Client) -> None:
    sent = form(client.get("/").text, "/p/new/")
    board = client.post("/p/new/", sent, follow=True)
    game = PracticeGame.objects.get()
    assert board.redirect_chain == [(f"/p/{game.key}/", 302)]
    assert len(game.bots) == len(variants.load("classic").definition.players) - 1
    assert len(set(game.bots.values())) == 1


@pytest.mark.long
def test_every_power_may_be_drawn(client: Client) -> None:
    players = set(variants.load("classic").definition.players)
    for _ in range(120):
        client.post("/p/new/", {"variant": "classic", "mine": "lot"})
    drawn = [players - set(one.bots) for one in PracticeGame.objects.all()]
    assert {len(one) for one in drawn} == {1}
    assert set.union(*drawn) == players


def test_pressed_twice_it_is_one_game(client: Client) -> None:
    sent = form(client.get("/").text, "/p/new/")
    first, second = client.post("/p/new/", sent), client.post("/p/new/", sent)
    assert first["Location"] == second["Location"]
    assert PracticeGame.objects.count() == 1


def test_without_the_page_s_token_nothing_is_made() -> None:
    strict = Client(enforce_csrf_checks=True)
    sent = form(strict.get("/").text, "/p/new/")
    assert strict.post("/p/new/", {**sent, "csrfmiddlewaretoken": ""}).status_code == 403
    assert strict.post("/p/new/", sent).status_code == 302
    assert PracticeGame.objects.count() == 1


@pytest.mark.parametrize("mine", ["LOT", "lot ", "lot\0", "*", "lot" * 9999, "FRANCE,lot"])
def test_what_is_no_power_is_refused(client: Client, mine: str) -> None:
    assert client.post("/p/new/", {"variant": "classic", "mine": mine})["Location"] == "/p/new/"
    assert not PracticeGame.objects.exists()


def test_without_bots_one_plays_every_power(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talleyrand.web.bots.bot_players.bots_available", lambda: False)
    page = client.get("/").text
    assert "Jouer toutes les puissances" in page
    client.post("/p/new/", form(page, "/p/new/"))
    assert PracticeGame.objects.get().bots == {}


# the second door


def test_friends_get_a_link_by_a_name_alone() -> None:
    flora = cast.client_of("Flora")
    sent = {**form(flora.get("/").text, "/parties/nouvelle/"), "name": "Les quais"}
    made = flora.post("/parties/nouvelle/", sent, follow=True)
    game = Game.objects.get()
    assert (game.name, game.is_listed, game.settings.watching) == ("Les quais", False, "invited")
    link = Invitation.objects.get(game=game)
    assert f"/parties/invitation/{link.token}/" in made.text
    assert 'data-copy="link-' in made.text
    flora.post("/parties/nouvelle/", sent)
    assert (Game.objects.count(), Invitation.objects.count()) == (1, 1)


def test_whoever_signs_in_first_finds_the_name_again(client: Client) -> None:
    door = client.get("/parties/nouvelle/", {"name": "Les quais", "kind": "friends"})
    assert "name%3DLes%2Bquais" in door["Location"] or "name=Les" in door["Location"]
    flora = cast.client_of("Flora")
    page = flora.get("/parties/nouvelle/", {"name": "Les quais", "kind": "friends"}).text
    assert 'value="Les quais"' in page
    flora.post("/parties/nouvelle/", {**form(page, "/parties/nouvelle/"), "name": "Les quais"})
    assert Invitation.objects.filter(game__name="Les quais").count() == 1


@pytest.mark.parametrize("kind", ["", "enemies", "friends\0", "post\n"])
def test_another_kind_is_a_game_as_usual(kind: str) -> None:
    flora = cast.client_of("Flora")
    flora.post("/parties/nouvelle/", {"name": "Les quais", "kind": kind})
    assert Game.objects.get().is_listed
    assert not Invitation.objects.exists()


# what goes on


def test_an_empty_site_shows_the_demonstration_and_an_invitation(client: Client) -> None:
    page = client.get("/").text
    assert "Partie de démonstration" in page
    assert "Personne ne joue encore ici" in page
    assert 'data-last="7"' in page
    assert "Nobody plays here yet" in client.get("/en/").text


def ended(**facts: Any) -> Game:
    game = playing.running()
    game_lifecycle.end_game(game, {"kind": "draw", "powers": ["FRANCE"]}, timezone.now())
    Game.objects.filter(pk=game.pk).update(phase_number=12, **facts)
    return game


def test_a_game_that_ended_lately_plays_itself(client: Client) -> None:
    game = ended()
    page = client.get("/").text
    assert f'data-scene="/parties/{game.key}/0/scene.json?shape=wide"' in page
    assert 'data-last="12"' in page


def test_its_phases_are_drawn_for_the_board_of_the_page_on_every_device(client: Client) -> None:
    game = playing.running()
    playing.played(game)
    Game.objects.filter(pk=game.pk).update(phase_number=12, state=GameState.ENDED, ended_at=timezone.now())
    wide = client.get(f"/parties/{game.key}/1/scene.json").json()["layers"]
    scene = living_board.living_board().scene.replace("/0/", "/1/")
    for cookies in ({"window": "tall"}, {"shape": "true"}, {"shape": "tall"}):
        client.cookies.load(cookies)
        assert client.get(scene, headers={"User-Agent": "Mobile"}).json()["layers"] == wide


@pytest.mark.parametrize(
    "facts",
    [
        {"is_listed": False},
        {"state": GameState.PLAYING},
        {"phase_number": 3},
        {"variant": "trio"},
        {"ended_at": timezone.now() - timedelta(days=30)},
    ],
    ids=lambda facts: next(iter(facts)),
)
def test_a_game_that_is_secret_unfinished_short_or_old_does_not(facts: dict[str, Any]) -> None:
    game = ended()
    Game.objects.filter(pk=game.pk).update(**facts)
    assert game.key not in living_board.living_board().scene


def test_games_and_tournaments_are_listed_with_their_small_maps(client: Client) -> None:
    game, tournament = playing.running(), kept(event())
    cast.client_of("Flora").post("/parties/nouvelle/", {"name": "Les quais"})
    page = client.get("/").text
    assert "Les quais" in page
    assert "1 joueur sur 7" in page
    assert f"/maps/game/{game.key}.svg" in page
    assert tournament.name in page
    assert "Personne ne joue encore ici" not in page


def test_what_is_not_for_everybody_is_not_listed(client: Client) -> None:
    game = playing.running(watching="invited")
    assert client.get(f"/maps/game/{game.key}.svg").status_code == 404
    assert game.key not in client.get("/").text


def test_the_page_asks_little_however_much_goes_on(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    game = playing.running()
    for name in range(12):
        Game.objects.create(name=f"n{name}", variant="classic", rulebook="anjou_feu")
        Game.objects.create(
            name=f"m{name}",
            variant="classic",
            rulebook=game.rulebook,
            state=GameState.PLAYING,
            phase="S1901M",
        )
    with django_assert_max_num_queries(5):
        page = client.get("/").text
    assert page.count('class="card glimpse"') <= 12


# pictures


def test_the_pictures_are_small_drawings_that_browsers_keep(client: Client) -> None:
    game = playing.running()
    for path, most in (("/demo/board.svg", 300_000), ("/maps/classic.svg", 30_000)):
        picture = client.get(path, {"theme": "night", "palette": "soft"})
        ET.fromstring(picture.text)
        assert len(picture.content) < most
        assert "var(" not in picture.text
        assert picture["Cache-Control"] == "public, max-age=86400"
    own = client.get(f"/maps/game/{game.key}.svg")
    assert own["Cache-Control"] == "private, max-age=300"
    assert own.content == client.get("/maps/classic.svg").content


@pytest.mark.parametrize("path", ["/demo/board.svg", "/maps/classic.svg"])
def test_a_picture_follows_the_device_where_the_reader_does(client: Client, path: str) -> None:
    picture = client.get(path, {"theme": "system", "palette": "soft"}).text
    ET.fromstring(picture)
    assert picture.count("<style>") == 1
    assert "prefers-color-scheme: dark" in picture
    assert f"--board-power-1: {drawing.palettes()['soft'][0]}" in picture
    assert client.get(path, {"theme": "system", "palette": "mauve"}).status_code == 404


def test_a_small_map_shows_who_owns_what_now(client: Client) -> None:
    game = playing.running()
    before = client.get(f"/maps/game/{game.key}.svg").content
    playing.played(game)
    playing.played(game, {"FRANCE": ["A Esp H"]})
    assert client.get(f"/maps/game/{game.key}.svg").content != before


@pytest.mark.parametrize(
    "path",
    [
        "/demo/0/scene.json",
        "/demo/8/scene.json",
        "/demo/99999999999999999999/scene.json",
        "/demo/board.svg?theme=mauve",
        "/maps/nowhere.svg",
        "/maps/classic.svg?palette=%00",
        "/maps/game/nobody.svg",
    ],
)
def test_what_is_not_there(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.long
def test_each_phase_of_the_demonstration_in_both_languages(client: Client) -> None:
    for number in range(1, 8):
        french, english = (client.get(f"{folder}/demo/{number}/scene.json").json() for folder in ("", "/en"))
        assert french["layers"].keys() == english["layers"].keys()
        assert french["title"] != english["title"]


def test_a_game_to_join_tells_in_which_language_one_writes(client: Client) -> None:
    tables.made()
    assert "Les messages s’écrivent dans n’importe quelle langue." in client.get("/").text
