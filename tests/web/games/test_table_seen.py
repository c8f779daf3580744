"""What each role sees of tables and lists: no person of an anonymous game, no game that is closed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import power_assignments, visibility
from talleyrand.web.games.game_settings import Anonymity, GameSettings, SpectatorRule
from talleyrand.web.games.lobby import absences, game_creation, game_start, membership_actions, power_draw
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameRole, GameState, Invitation
from talleyrand.web.games.viewer_permissions import GameViewer
from tests.web.built_once import built_once
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, person, table

pytestmark = pytest.mark.django_db
EVERYBODY = [*PLAYERS.values(), MASTER, ASSISTANT, OBSERVER]
NOBODY = ""


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def visitor(name: str) -> Client:
    return client_of(name) if name else Client()


def pages(game: Game) -> list[str]:
    token = Invitation.objects.create(game=game, role=GameRole.OBSERVER).token
    return [
        f"{prefix}/infos/{path}"
        for prefix in (f"/parties/{game.key}", f"/en/games/{game.key}")
        for path in ("", "journal/" if prefix.startswith("/p") else "log/")
    ] + [
        f"/parties/invitation/{token}/",
        f"/parties/{game.key}/infos/rejoindre/",
        "/parties/",
        "/parties/?show=watch",
        "/parties/?show=ended",
    ]


@built_once
def eventful(**terms: Any) -> Game:
    """A game drawn by lot, in which an absence, a pause, a leaving, a taken seat and a stand-in happened."""
    made = game_creation.create_game(
        GamePlan(
            "Mouvementée",
            "classic",
            "anjou_feu",
            GameSettings(**terms),
            is_listed=True,
            role=GameRole.GAME_MASTER,
        ),
        person(MASTER),
        "",
    )
    for name in PLAYERS.values():
        membership_actions.join_game(made, person(name), wishes=["FRANCE"])
    for name, role in ((ASSISTANT, GameRole.ASSISTANT), (OBSERVER, GameRole.OBSERVER)):
        link = Invitation.objects.create(game=made, role=role)
        membership_actions.join_game(made, person(name), role=role, invitation=link)
    game = game_start.start_game(made, timezone.now(), person(MASTER))
    since = timezone.now() + timedelta(days=5)
    absences.announce_absence(game, person("Agathe"), since, since + timedelta(days=2))
    client_of("Edmond").post(f"/parties/{game.key}/infos/pause/")
    membership_actions.leave_game(game, person("Gaspard"))
    membership_actions.join_game(game, person("Gaspard"))
    power_assignments.assign_power(
        game, power_assignments.powers_played_by(game, person("Roman"))[0], person(OBSERVER), stand_in=True
    )
    return game


@pytest.mark.one_in(3)
@pytest.mark.parametrize("reader", ["Agathe", "Gaspard", "Roman", ASSISTANT, OBSERVER, STRANGER, NOBODY])
def test_no_person_on_any_page_of_an_anonymous_game(reader: str) -> None:
    game = eventful(anonymity=Anonymity.UNTIL_END)
    for path in pages(game):
        told = words(visitor(reader).get(path))
        body = told.partition("<main")[2]
        for other in EVERYBODY:
            assert other not in body, (path, other)
        assert game.seed not in told
        assert power_draw.power_draw_seed(game.seed) not in told, (
            "lots drawn again give the powers by joining"
        )
        # whose wishes were whose, and in which order players came
        assert "Tirage au sort : joueurs" not in body
        assert "Random draw: players" not in body


def test_the_game_master_sees_persons() -> None:
    game = eventful(anonymity=Anonymity.UNTIL_END)
    told = words(client_of(MASTER).get(f"/parties/{game.key}/infos/"))
    assert all(name in told for name in EVERYBODY)
    assert "Tirage au sort : joueurs" in words(client_of(MASTER).get(f"/parties/{game.key}/infos/journal/"))


@pytest.mark.parametrize("change", [{"state": GameState.ENDED}, {"powers_revealed_at": timezone.now()}])
def test_in_the_end_everybody_does(change: dict[str, Any]) -> None:
    game = eventful(anonymity=Anonymity.UNTIL_END)
    Game.objects.filter(pk=game.pk).update(**change)
    for reader in ("Agathe", OBSERVER, ASSISTANT, NOBODY):
        told = words(visitor(reader).get(f"/parties/{game.key}/infos/"))
        assert all(name in told for name in PLAYERS.values())
    log = words(client_of("Agathe").get(f"/parties/{game.key}/infos/journal/"))
    assert "Tirage au sort : joueurs" in log
    assert power_draw.power_draw_seed(game.seed) in log


@pytest.mark.long
def test_an_open_game_shows_its_people() -> None:
    game = eventful(anonymity=Anonymity.OPEN)
    told = words(Client().get(f"/parties/{game.key}/infos/"))
    assert all(name in told for name in PLAYERS.values())


def test_a_gathering_anonymous_game_shows_a_count() -> None:
    made = game_creation.create_game(
        GamePlan("Secrète", "classic", "anjou_feu", GameSettings(), is_listed=True, role=GameRole.PLAYER),
        person("Agathe"),
        "",
    )
    membership_actions.join_game(made, person("Roman"))
    for reader in ("Agathe", "Roman", STRANGER, NOBODY):
        body = words(visitor(reader).get(f"/parties/{made.key}/infos/")).partition("<main")[2]
        assert "2/7" in body
        assert "Agathe" not in body
        assert "Roman" not in body


@pytest.mark.parametrize("reader", ["Agathe", STRANGER, NOBODY])
def test_the_board_of_a_game_that_gathers(reader: str) -> None:
    """Whoever follows a link to the board of a game without one yet is not lost."""
    game = table(begun=False)
    answer = visitor(reader).get(f"/parties/{game.key}/", follow=True)
    assert answer.status_code == 200


def test_a_closed_log_is_closed() -> None:
    game = table(log_open=False)
    for reader, sees in (
        ("Flora", False),
        (OBSERVER, False),
        (NOBODY, False),
        (ASSISTANT, True),
        (MASTER, True),
    ):
        for path in ("", "journal/"):
            told = words(visitor(reader).get(f"/parties/{game.key}/infos/{path}"))
            assert ("La partie a commencé." in told) is sees


def test_what_is_written_for_the_game_master_alone() -> None:
    game = table()
    client_of(MASTER).post(f"/parties/{game.key}/infos/invite/", {"role": "player"})
    for reader, sees in (("Flora", False), (STRANGER, False), (ASSISTANT, True), (MASTER, True)):
        told = words(visitor(reader).get(f"/parties/{game.key}/infos/journal/"))
        assert ("Invitation créée" in told) is sees


# lists


def keys(answer: Any) -> set[str]:
    return {card["game"].name for card in answer.context["cards"]}


def game_named(name: str, *, state: str, listed: bool, watching: SpectatorRule) -> Game:
    game = table(watching=watching, begun=state != GameState.GATHERING)
    Game.objects.filter(pk=game.pk).update(name=name, state=state, is_listed=listed)
    return Game.objects.get(pk=game.pk)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("reader", ["Flora", OBSERVER, STRANGER, NOBODY])
def test_lists_know_what_sight_knows(reader: str) -> None:
    """A list links to a board exactly where one may open it."""
    for state in (GameState.GATHERING, GameState.PLAYING, GameState.PAUSED, GameState.ENDED):
        for listed in (True, False):
            for watching in SpectatorRule:
                game_named(f"{state} {listed} {watching}", state=state, listed=listed, watching=watching)
    someone = person(reader) if reader else None
    client = visitor(reader)
    running = {
        game.name
        for game in Game.objects.filter(state__in=[GameState.PLAYING, GameState.PAUSED])
        if GameViewer(game, someone).may_open and game.settings.watching == SpectatorRule.EVERYBODY
    }
    assert keys(client.get("/parties/?show=watch")) == running
    over = {
        game.name for game in Game.objects.filter(state=GameState.ENDED) if GameViewer(game, someone).may_open
    }
    assert keys(client.get("/parties/?show=ended")) == over
    assert all(
        GameViewer(game, someone).may_open
        for game in visibility.watchable_games(visibility.visible_games(someone))
    )


@pytest.mark.parametrize(("name", "mine"), [("Flora", True), (OBSERVER, True), (STRANGER, False)])
def test_a_finished_game_leaves_my_games_for_a_folded_list_of_mine(name: str, *, mine: bool) -> None:
    game = table()
    result = {"kind": "solo", "powers": ["FRANCE"]}
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED, result=result)
    for path in ("/parties/", "/en/games/"):
        answer = client_of(name).get(path)
        assert not answer.context["mine"]
        assert [one["game"] for one in answer.context["past_games"]] == ([game] if mine else [])
        assert ('<details class="past">' in answer.text) == mine
    assert "past_games" not in Client().get("/parties/").text


def test_my_games_come_with_what_waits_for_me() -> None:
    game = table()
    answer = client_of("Flora").get("/parties/")
    assert [card["game"] for card in answer.context["mine"]] == [game]
    waiting = answer.context["mine"][0]["waiting"]
    assert [(one.power, one.state.code) for one in waiting] == [("France", "nothing")]
    assert "pas d’ordres" in words(answer)
    assert "Printemps 1901" in words(answer)
    # a stand-in orders now, and the player does not
    power_assignments.assign_power(game, "FRANCE", person(OBSERVER), stand_in=True)
    assert client_of("Flora").get("/parties/").context["mine"][0]["waiting"] == []


def test_games_to_join_by_board_and_page_by_page() -> None:
    for number in range(23):
        board = "sandad" if number % 2 else "classic"
        plan = GamePlan(f"Partie {number}", board, "anjou_feu", GameSettings(), is_listed=True, role="player")
        game_creation.create_game(plan, person("Flora"), "")
    client = client_of(STRANGER)
    assert len(client.get("/parties/").context["cards"]) == 20
    assert keys(client.get("/parties/?page=2")) == {"Partie 0", "Partie 2", "Partie 4"}  # seven are sought
    assert len(client.get("/parties/?variant=sandad").context["cards"]) == 11
    # one’s own are above, not among those to join
    assert client_of("Flora").get("/parties/").context["cards"] == []


@pytest.mark.parametrize(
    "query", ["show=x", "variant=mars", "page=0", "page=-1", "page=x", "page=9999", "show=&variant=&page="]
)
def test_lists_take_anything(query: str) -> None:
    assert Client().get(f"/parties/?{query}").status_code == 200


def test_an_empty_list_says_what_to_do() -> None:
    assert "Créez-en une" in words(Client().get("/parties/"))
    assert "Vous n’avez pas encore de partie. Rejoignez-en une" in words(client_of("Flora").get("/parties/"))
    assert "You haven’t joined a game yet. Join one below or create" in words(
        client_of("Flora").get("/en/games/")
    )
