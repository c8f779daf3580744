"""House rules of a game and of the site: read before one joins, accepted by that, told when they change."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import house_rules
from talleyrand.web.games.lobby import game_settings_texts, membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameLogEntry, GameMembership
from talleyrand.web.mail.invitations import invitation_texts
from talleyrand.web.notifications.models import Notification
from tests.web.api.asking import program
from tests.web.cast import MASTER, STRANGER, client_of, person, table
from tests.web.games.tables import words
from tests.web.games.test_game_filters import create

pytestmark = pytest.mark.django_db
POLITE = "Soyez polis.\n\n<b>Prévenez</b> si vous partez.  \n"


def door(game: Game) -> str:
    return f"/parties/{game.key}/infos/rejoindre/"


def joined(game: Game) -> bool:
    return GameMembership.objects.filter(game=game, person=person(STRANGER), left_at=None).exists()


def test_rules_are_read_at_the_door_and_accepted_by_joining() -> None:
    game, client = create("polite", house_rules_fr=POLITE), client_of(STRANGER)
    page = client.get(door(game))
    shown = page.content.decode()
    assert "<li>Soyez polis.</li><li>&lt;b&gt;Prévenez&lt;/b&gt; si vous partez.</li>" in shown
    assert "Accepter la charte et rejoindre" in shown
    for accepts in ({}, {"accepts": "0" * 16}):
        refused = client.post(door(game), accepts)
        assert (refused.status_code, joined(game)) == (409, False)
        assert "Lisez-la, puis acceptez-la." in words(refused)
    client.post(door(game), {"accepts": page.context["accepts"]})
    assert joined(game)


def test_who_read_other_rules_reads_them_again() -> None:
    game, client = create("polite", house_rules_fr=POLITE), client_of(STRANGER)
    read = client.get(door(game)).context["accepts"]
    membership_actions.change_house_rules(game, person("Agathe"), "Soyez à l’heure.", "")
    refused = client.post(door(game), {"accepts": read})
    assert "Soyez à l’heure." in words(refused)
    assert not joined(game)


def test_a_game_without_rules_asks_for_nothing(settings: Any) -> None:
    game = create("free")
    assert "Charte" not in words(client_of(STRANGER).get(door(game)))
    assert "Accepter et rejoindre" in words(client_of(STRANGER).get(door(game)))
    client_of(STRANGER).post(door(game))
    assert joined(game)
    settings.HOUSE_RULES = {"fr": "Ni insultes ni menaces.", "en": ""}
    other = create("of the site")
    client_of(STRANGER).post(door(other))
    assert not joined(other)


def test_the_rules_are_in_the_readers_language_or_the_one_there_is(settings: Any) -> None:
    settings.HOUSE_RULES = {"fr": "", "en": "No insults."}
    game = create("both", house_rules_fr="Soyez polis.", house_rules_en="Be polite.")
    for language, own in (("fr", "Soyez polis."), ("en", "Be polite.")):
        with translation.override(language):
            assert game_settings_texts.rule_lines(game) == [own, "No insults."]
    assert "No insults." in words(Client().get("/charte/"))
    assert 'lang="en"' in Client().get("/charte/").content.decode().partition("<h1>")[2]
    assert "/charte/" in Client().get("/").content.decode()
    settings.HOUSE_RULES = {"fr": "", "en": ""}
    assert Client().get("/charte/").status_code == 404
    assert "/charte/" not in Client().get("/").content.decode()


def test_who_leads_changes_the_rules_and_all_are_told_once() -> None:
    game = table()
    address = f"/parties/{game.key}/infos/house-rules/"
    assert client_of("Flora").post(address, {"house_rules_fr": "À moi."}).status_code == 404
    master = client_of(MASTER)
    for _twice in range(2):
        master.post(address, {"house_rules_fr": POLITE, "house_rules_en": ""})
    game.refresh_from_db()
    assert game.settings.house_rules_fr == "Soyez polis.\n\n<b>Prévenez</b> si vous partez."
    assert GameLogEntry.objects.filter(game=game, kind="house_rules").count() == 1
    told = Notification.objects.filter(kind="house_rules")
    assert {one.person.name for one in told} == set(
        GameMembership.objects.filter(game=game)
        .exclude(person__name=MASTER)
        .values_list("person__name", flat=True)
    )
    assert "Charte changée." in words(client_of("Flora").get(f"/parties/{game.key}/infos/"))
    assert "La charte de la partie a changé" in words(client_of("Flora").get("/notifications/"))
    long = master.post(address, {"house_rules_fr": "a" * 2001})
    assert (long.status_code, "000 caractères au plus" in words(long)) == (409, True)
    answers = [master.post(address, {"house_rules_fr": str(number)}) for number in range(6)]
    assert [one.status_code for one in answers] == [302, 302, 302, 302, 409, 409]
    assert "continuez demain" in words(answers[-1])


def test_nobody_changes_the_rules_of_a_game_without_a_game_master_once_it_runs() -> None:
    game = table()
    game.memberships.filter(person__name=MASTER).delete()
    for name in ("Flora", STRANGER):
        answer = client_of(name).post(f"/parties/{game.key}/infos/house-rules/", {"house_rules_fr": "À moi."})
        assert answer.status_code == 404


@pytest.mark.parametrize("text", ["a" * 2001, "zéro\x00"])
def test_rules_that_cannot_be_kept_make_no_game(text: str) -> None:
    sent = {"name": "Lyon", "house_rules_en": text}
    assert client_of("Agathe").post("/parties/nouvelle/", sent).status_code == 400
    assert not Game.objects.exists()


def test_programs_read_the_rules_and_accept_them() -> None:
    asking = program(STRANGER, [Scope.READ, Scope.TABLES])
    made = asking.ask(
        "POST", "/games", {"name": "Lyon", "terms": {"house_rules_en": "Be polite.\u202e"}}
    ).json()
    assert made["terms"]["house_rules_en"] == "Be polite."
    game = create("polite", house_rules_fr="Soyez polis.")
    shown = asking.get(f"/games/{game.key}").json()
    assert shown["house_rules"] == ["Soyez polis."]
    refused = asking.ask("POST", f"/games/{game.key}/join", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "house_rules")
    assert "Soyez polis." in refused.content.decode()
    assert shown["rules_digest"] in refused.content.decode()
    assert (
        asking.ask("POST", f"/games/{game.key}/join", {"accepts": shown["rules_digest"]}).status_code == 201
    )


def test_all_in_games_that_are_not_over_hear_of_the_sites_rules(settings: Any) -> None:
    table(), create("gathering")
    person("Nouvelle")
    settings.HOUSE_RULES = {"fr": "Ni insultes ni menaces.", "en": ""}
    for _twice in range(2):
        house_rules.tell_of_site_rules()
    told = [one.person.name for one in Notification.objects.filter(kind="site_rules")]
    assert sorted(told) == sorted(set(told))
    assert {"Agathe", "Flora"} <= set(told)
    assert "Nouvelle" not in told


def test_a_refusal_has_its_words() -> None:
    game = create("polite", house_rules_fr=house_rules.clean_rules(POLITE))
    with pytest.raises(LobbyRefusal) as refused:
        membership_actions.change_house_rules(game, person("Agathe"), POLITE.strip(), "")
    assert "c’est déjà la charte" in refused.value.sentence


def test_invitations_by_mail_hold_them(settings: Any) -> None:
    settings.HOUSE_RULES = {"fr": "Ni insultes ni menaces.", "en": ""}
    game = create("polite", house_rules_fr=POLITE)
    _subject, told = invitation_texts.invitation_text(game, person("Agathe"))
    assert "Soyez polis." in told
    assert "Ni insultes ni menaces." in told
