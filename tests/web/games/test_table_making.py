"""The page that makes a game: a name is enough, every answer is understood, nothing typed is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from talleyrand.web.games.game_settings import (
    Anonymity,
    DrawRule,
    GameSettings,
    MissingOrdersRule,
    PressSetting,
    SpectatorRule,
)
from talleyrand.web.games.models import Game, GameRole, GameState
from tests.web.cast import client_of, person

pytestmark = pytest.mark.django_db
NEW = "/parties/nouvelle/"
OWN = '[options]\nmultiple_legal_orders = { value = "last", source = "Maison, 3" }\n'
SENT = "a-submission-of-mine"


@pytest.fixture
def flora() -> Client:
    return client_of("Flora")


def only_game() -> Game:
    return Game.objects.get()


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_a_name_is_enough(flora: Client) -> None:
    answer = flora.post(NEW, {"name": "Trois rois", "submission": SENT})
    game = only_game()
    assert answer.status_code == 302
    assert answer["Location"] == f"/parties/{game.key}/infos/"
    assert (game.name, game.variant, game.rulebook, game.state) == (
        "Trois rois",
        "classic",
        "anjou_feu",
        GameState.GATHERING,
    )
    assert game.seats.count() == 7
    assert game.memberships.get().role == GameRole.PLAYER
    assert game.creator == person("Flora")
    assert game.settings.rhythm["movement"] == {"days": [4], "minute": 1440}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Trois rois\r\nBcc: all@example.org", "Trois rois Bcc: all@example.org"),
        ("Trois\u202e rois\u2066\x07", "Trois rois"),
        ("Famille \U0001f468\u200d\U0001f469", "Famille \U0001f468\u200d\U0001f469"),
        ("\u202e\u200b\u200d", None),
    ],
)
def test_a_name_is_one_line_that_stays_in_its_place(flora: Client, typed: str, kept: str | None) -> None:
    answer = flora.post(NEW, {"name": typed, "submission": SENT})
    assert answer.status_code == (302 if kept else 400)
    assert [game.name for game in Game.objects.all()] == ([kept] if kept else [])


def test_the_page_as_it_is_sent(flora: Client) -> None:
    """Every field as the page proposes it makes the same game as the name alone."""
    page = flora.get(NEW)
    assert page.status_code == 200
    sent: dict[str, Any] = {"name": "Comme proposé", "submission": SENT}
    for group in page.context["groups"]:
        sent |= {item.name: item.value for item in group.items}
    dates = page.context["rhythm"]
    sent |= {f"dates-{name}": dates[name].value() for name in dates.fields if dates[name].value() is not None}
    assert flora.post(NEW, sent).status_code == 302
    proposed = only_game().settings
    flora.post(NEW, {"name": "Le nom seul"})
    assert Game.objects.get(name="Le nom seul").settings == proposed


def test_the_same_form_twice_is_one_game(flora: Client) -> None:
    first = flora.post(NEW, {"name": "Une fois", "submission": SENT})
    second = flora.post(NEW, {"name": "Une fois", "submission": SENT})
    assert first["Location"] == second["Location"]
    assert Game.objects.count() == 1


def test_the_same_submission_of_another_is_another_game(flora: Client) -> None:
    flora.post(NEW, {"name": "Une", "submission": SENT})
    client_of("Roman").post(NEW, {"name": "Autre", "submission": SENT})
    assert sorted(Game.objects.values_list("name", flat=True)) == ["Autre", "Une"]


def test_every_answer(flora: Client) -> None:
    sent = {
        "name": "Tout autre",
        "part": "master",
        "variant": "sandad",
        "rulebook": "datc",
        "naming": "descartes",
        "anonymity": "open",
        "listed": "no",
        "watching": "invited",
        "log_open": "no",
        "submissions_shown": "no",
        "press": "held",
        "press_between": "no",
        "declarations": "yes",
        "absent": "wait",
        "extensions": "3",
        "patience": "0",
        "drafts_count": "no",
        "absence_days": "7",
        "draw": "veto_then_vote",
        "last_year": "1908",
        "last_after": "R",
        "ends_on": "2030-07-01",
        "ends_time": "20:30",
        "scoring": "squares",
        "submission": SENT,
    }
    assert flora.post(NEW, sent).status_code == 302
    game = only_game()
    terms = game.settings
    assert (game.variant, game.rulebook, game.is_listed) == ("sandad", "datc", False)
    assert game.memberships.get().role == GameRole.GAME_MASTER
    assert (terms.naming, terms.anonymity, terms.press) == ("descartes", Anonymity.OPEN, PressSetting.HELD)
    assert (terms.press_between, terms.declarations, terms.drafts_count) == (False, True, False)
    assert (terms.absent, terms.extensions, terms.patience, terms.absence_days) == (
        MissingOrdersRule.WAIT,
        3,
        0,
        7,
    )
    assert (terms.draw, terms.last_year, terms.last_after) == (DrawRule.VETO_THEN_VOTE, 1908, "R")
    assert terms.ends_at is not None
    assert terms.ends_at.isoformat() == "2030-07-01T18:30:00+00:00"
    assert (terms.scoring, terms.log_open, terms.watching) == ("squares", False, SpectatorRule.INVITED)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({}, True),
        ({"part": "master"}, True),
        ({"by_post": "yes"}, True),
        ({"by_post": "yes", "part": "master"}, False),
        ({"by_post": "yes", "part": "master", "submissions_shown": "yes"}, True),
        ({"submissions_shown": "no"}, False),
    ],
)
def test_who_has_submitted_is_shown_but_by_post_with_a_game_master(
    flora: Client, sent: dict[str, str], *, shown: bool
) -> None:
    flora.post(NEW, {"name": "Une partie", "submission": SENT, **sent})
    assert only_game().settings.submissions_shown is shown


def test_games_made_before_it_was_asked_show_nothing() -> None:
    kept = GameSettings(submissions_shown=True).as_json()
    del kept["submissions_shown"]
    assert not GameSettings.from_json(kept).submissions_shown


def test_a_rulebook_of_ones_own(flora: Client) -> None:
    flora.post(NEW, {"name": "Maison", "rulebook": "own", "own": OWN})
    kept = only_game().rulebook
    assert isinstance(kept, dict)
    assert kept["options"]["multiple_legal_orders"]["value"] == "last"
    page = flora.get(f"/parties/{only_game().key}/infos/")
    assert "Règlement personnalisé" in words(page)


def test_a_rulebook_in_a_file(flora: Client) -> None:
    file = SimpleUploadedFile("maison.toml", ("\ufeff" + OWN).encode())
    assert flora.post(NEW, {"name": "Fichier", "rulebook": "own", "own_file": file}).status_code == 302
    assert isinstance(only_game().rulebook, dict)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "Donnez un nom à la partie"),
    ({"name": "   "}, "Donnez un nom à la partie"),
    ({"name": "x" * 81}, "80 caractères au plus"),
    ({"name": "a\x00b"}, ""),
    ({"variant": "mars"}, "Choisissez l’une des options"),
    ({"rulebook": "mars"}, "Choisissez l’une des options"),
    ({"rulebook": "own"}, "Il manque le règlement personnalisé : choisissez son"),
    ({"rulebook": "own", "own": "options = ["}, "TOML"),
    ({"rulebook": "own", "own": 'extends = "mars"'}, "mars"),
    ({"rulebook": "own", "own": "[options]\nmars = 1"}, "mars"),
    ({"rulebook": "own", "own": "x" * 40_001}, ""),
    ({"rulebook": "own", "own": "name = 2026-01-01"}, ""),
    ({"naming": "trio_fr"}, "Cette variante n’a pas ces abréviations : choisissez"),
    ({"naming": "mars"}, "Choisissez l’une des options"),
    ({"anonymity": "never"}, "Choisissez l’une des options"),
    ({"part": "assistant"}, "Choisissez l’une des options"),
    ({"extensions": "-1"}, "un nombre de 0 à 20"),
    ({"extensions": "deux"}, "un nombre de 0 à 20"),
    ({"patience": "99999999999999999999"}, "un nombre de 0 à 20"),
    ({"last_year": "1899"}, "commence en 1901"),
    ({"ends_on": "2020-01-01"}, "Cette date est passée"),
    ({"ends_on": "demain"}, "Date non valable : écrivez-la comme 2027-06-30"),
    ({"ends_on": "2030-01-01", "ends_time": "25:00"}, "Heure non valable : écrivez-la comme 20:30"),
    ({"scoring": "luck"}, "Choisissez l’une des options"),
    ({"dates-pace": "moon"}, ""),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("wrong", "said"), BAD, ids=lambda value: str(value)[:40])
def test_bad_answers_get_a_sentence_and_lose_nothing(flora: Client, wrong: dict[str, Any], said: str) -> None:
    sent = {"name": "Gardé", "absence_days": "11", "submission": SENT, **wrong}
    answer = flora.post(NEW, sent)
    assert answer.status_code == 400
    assert Game.objects.count() == 0
    told = words(answer)
    assert said in told
    assert 'value="11"' in told
    assert f'value="{SENT}"' in told
    if "name" not in wrong:
        assert 'value="Gardé"' in told


def test_a_file_that_is_no_text(flora: Client) -> None:
    for content, said in ((b"\xff\xfe\x00", "UTF-8"), (b"x" * 40_001, "trop gros")):
        file = SimpleUploadedFile("maison.toml", content)
        answer = flora.post(NEW, {"name": "Fichier", "rulebook": "own", "own_file": file})
        assert answer.status_code == 400
        assert said in words(answer)


@pytest.mark.parametrize("preset", ["post", "friends", "blitz"])
def test_presets_fill_the_page_and_keep_the_name(flora: Client, preset: str) -> None:
    page = flora.post(NEW, {"name": "Déjà tapé", "fill": preset})
    assert page.status_code == 200
    assert Game.objects.count() == 0
    assert 'value="Déjà tapé"' in words(page)
    sent: dict[str, Any] = {"name": "Déjà tapé", "part": page.context["part"].value}
    for group in page.context["groups"]:
        sent |= {item.name: item.value for item in group.items}
    dates = page.context["rhythm"]
    sent |= {f"dates-{name}": dates[name].value() for name in dates.fields if dates[name].value() is not None}
    assert flora.post(NEW, sent).status_code == 302
    game, terms = only_game(), only_game().settings
    assert {
        "post": (game.rulebook, terms.press, terms.rhythm["early"])
        == ("play_by_mail_001", PressSetting.HELD, False),
        "friends": (terms.anonymity, game.is_listed) == (Anonymity.OPEN, False),
        "blitz": (terms.press, terms.rhythm["movement"]["seconds"] if preset == "blitz" else 0)
        == (PressSetting.NONE, 900),
    }[preset]


@pytest.mark.parametrize("variant", ["trio", "sandad"])
def test_whoever_says_how_many_they_are_keeps_every_answer(flora: Client, variant: str) -> None:
    told = {
        "name": "Déjà tapé",
        "part": "master",
        "variant": variant,
        "press": "held",
        "by_post": "yes",
        "submissions_shown": "yes",
        "absence_days": "11",
        "ends_on": "demain",
        "own": OWN,
        "dates-pace": "live",
    }
    page = flora.post(NEW, {**told, "count": "3"})
    assert (page.status_code, Game.objects.count()) == (200, 0)
    shown = {item.name: item.value for group in page.context["groups"] for item in group.items}
    shown |= {"name": page.context["name"], "part": page.context["part"].value}
    kept = ("name", "part", "press", "submissions_shown", "absence_days", "ends_on")
    assert [shown[name] for name in kept] == [told[name] for name in kept]
    assert page.context["game"].value == ("trio/" if variant == "trio" else "classic/three_two_two")
    assert page.context["rhythm"]["pace"].value() == "live"
    assert OWN.partition("\n")[0] in words(page)
    again = flora.post(NEW, {**told, "game": "trio/", "people": "3", "count": "5"})
    assert again.context["game"].value in again.context["game"].options


def test_an_unknown_preset_is_none(flora: Client) -> None:
    assert flora.post(NEW, {"name": "x", "fill": "mars"}).status_code == 200


def test_a_visitor_signs_in_first(client: Client) -> None:
    answer = client.get(NEW)
    assert answer.status_code == 302
    assert "next=/parties/nouvelle/" in answer["Location"].replace("%2F", "/")


@pytest.mark.long
def test_not_for_ever_more_games(flora: Client) -> None:
    for number in range(30):
        flora.post(NEW, {"name": f"Partie {number}"})
    flora.post(NEW, {"name": "De trop"})
    assert Game.objects.count() == 30
