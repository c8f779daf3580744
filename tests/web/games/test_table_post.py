"""The game by post: what is proposed, agreed and told of it, whether or not a site takes mail."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings
from django.urls import reverse

from talleyrand.web.games import game_log_texts
from talleyrand.web.games.game_settings import Anonymity, PressSetting
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.lobby.game_presets import game_presets
from talleyrand.web.games.models import Game, GameRole
from tests.web.cast import MASTER, STRANGER, client_of, person, table
from tests.web.games.tables import at, fill, made, words
from tests.web.mail.correspondents import POST, correspond

pytestmark = pytest.mark.django_db
NEW = "/parties/nouvelle/"
BY_POST = {"name": "La malle-poste", "by_post": "yes"}
TAKES_NONE = "Ce site ne reçoit pas de courriels"
HOLD = "Un ordre mal écrit vaut « tient », même si l’on devine son sens."
REACHED = "Les courriels parviennent à"
UNREACHED = "vous n’avez pas d’adresse confirmée"


def as_proposed(preset: str) -> dict[str, Any]:
    """What the page sends when a preset is chosen and nothing else is touched."""
    page = client_of(MASTER).post(NEW, {"fill": preset, "name": "La malle-poste"})
    sent: dict[str, Any] = {"name": "La malle-poste", "part": page.context["part"].value}
    for group in page.context["groups"]:
        sent |= {item.name: item.value for item in group.items}
    dates = page.context["rhythm"]
    return sent | {
        f"dates-{name}": dates[name].value() for name in dates.fields if dates[name].value() is not None
    }


def proposed(preset: str) -> Game:
    assert client_of(MASTER).post(NEW, as_proposed(preset)).status_code == 302
    return Game.objects.get()


@override_settings(**POST)
def test_the_preset() -> None:
    game = proposed("post")
    terms = game.settings
    assert (game.rulebook, game.memberships.get().role) == ("play_by_mail_001", GameRole.GAME_MASTER)
    assert (terms.by_post, terms.press, terms.anonymity) == (True, PressSetting.HELD, Anonymity.UNTIL_END)
    assert terms.rhythm["movement"] == {"days": [4], "minute": 1440}


@pytest.mark.long
def test_the_preset_where_no_mail_is_taken() -> None:
    assert TAKES_NONE in words(client_of(MASTER).get(NEW))
    game = proposed("post")
    assert game.settings.by_post is False
    assert (game.rulebook, game.settings.press) == ("play_by_mail_001", PressSetting.HELD)


@override_settings(**POST)
def test_the_preset_says_how_one_plays() -> None:
    page = words(client_of(MASTER).get(NEW))
    assert "Partie par correspondance" in page
    assert "On joue par courriel ou sur le site." in page
    assert HOLD in page
    assert TAKES_NONE not in page
    assert [name for name in game_presets() if game_presets()[name].answers.get("by_post") == "yes"] == [
        "post"
    ]


@pytest.mark.parametrize("taken", [True, False])
def test_only_where_mail_is_taken(taken: bool) -> None:
    with override_settings(**(POST if taken else {})):
        assert ("Où jouer" in words(client_of(MASTER).get(NEW))) is taken
        client_of(MASTER).post(NEW, BY_POST)
    game = Game.objects.get()
    assert game.settings.by_post is taken
    assert [entry.kind for entry in game.log.all()] == (["created", "by_post"] if taken else ["created"])


@pytest.mark.long
@override_settings(**POST)
@pytest.mark.parametrize("answer", ["maybe", "YES", "1"])
def test_no_other_answer(answer: str) -> None:
    assert client_of(MASTER).post(NEW, {**BY_POST, "by_post": answer}).status_code == 400
    assert not Game.objects.exists()


@override_settings(**POST)
def test_agreed_and_logged() -> None:
    client_of(MASTER).post(NEW, BY_POST)
    page = words(client_of(MASTER).get(at(Game.objects.get())))
    assert "Avec une adresse confirmée, on reçoit résultats et messages" in page
    assert " ".join(str(game_log_texts.LOG_SENTENCES["by_post"][0]).split()) in page


# whom mail reaches


def gathering_by_post(part: str = GameRole.GAME_MASTER) -> Game:
    game = made(MASTER, part, by_post=True)
    fill(game, ["Roman", "Flora", "Irène"])
    return game


def seen_by(game: Game, name: str) -> str:
    return words(client_of(name).get(at(game)))


@pytest.mark.long
@override_settings(**POST)
def test_how_many_players_mail_reaches() -> None:
    game = gathering_by_post()
    correspond(MASTER)
    assert f"{REACHED} 0 des 3 joueurs" in seen_by(game, MASTER)
    correspond("Roman")
    correspond("Flora")
    correspond(STRANGER)
    assert f"{REACHED} 2 des 3 joueurs" in seen_by(game, MASTER)
    correspond("Irène")
    assert f"{REACHED} tous les joueurs" in seen_by(game, MASTER)
    assert REACHED not in seen_by(game, "Flora")


@override_settings(**POST)
def test_the_maker_who_plays_learns_no_more_than_the_number() -> None:
    game = gathering_by_post(GameRole.PLAYER)
    correspond("Roman")
    page = seen_by(game, MASTER)
    assert f"{REACHED} 1 des 4 joueurs" in page
    assert "Roman" not in page.split(REACHED)[1].split("</p>")[0]


@override_settings(**POST)
def test_who_has_no_address_is_told_so() -> None:
    game = gathering_by_post()
    page = seen_by(game, "Roman")
    assert UNREACHED in page
    assert reverse("account_email") in page
    correspond("Roman")
    assert UNREACHED not in seen_by(game, "Roman")
    assert UNREACHED in seen_by(game, MASTER)


@pytest.mark.long
@override_settings(**POST)
def test_others_are_told_nothing() -> None:
    game = table(by_post=True)
    assert UNREACHED not in seen_by(game, "Oscar")
    assert UNREACHED not in seen_by(game, STRANGER)
    assert UNREACHED in seen_by(game, "Théa")
    assert f"{REACHED} 0 des 7 joueurs" in seen_by(game, MASTER)
    Game.objects.update(state="ended")
    assert UNREACHED not in seen_by(game, "Théa")


@override_settings(**POST)
def test_a_late_joiner_counts() -> None:
    game = gathering_by_post()
    for name in ("Roman", "Flora", "Irène"):
        correspond(name)
    membership_actions.join_game(game, person("Théa"))
    assert f"{REACHED} 3 des 4 joueurs" in seen_by(game, MASTER)


@override_settings(**POST)
def test_a_game_on_the_site_says_nothing_of_mail() -> None:
    page = seen_by(table(), "Théa")
    assert UNREACHED not in page
    assert REACHED not in page


def test_a_site_that_takes_no_mail_any_more_says_so() -> None:
    game = table(by_post=True)
    assert f"{TAKES_NONE} pour l’instant" in seen_by(game, "Théa")
    assert UNREACHED not in seen_by(game, "Théa")
