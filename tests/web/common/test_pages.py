"""Every page in both languages, its headers, and the pages for what went wrong."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from talleyrand import rulebooks, variants
from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import Player

pytestmark = pytest.mark.django_db


def test_first_page_speaks_french_and_english(client: Client) -> None:
    french, english = client.get("/"), client.get("/en/")
    assert 'lang="fr"' in french.text
    assert "Jouer à plusieurs" in french.text
    assert 'lang="en"' in english.text
    assert "Play with others" in english.text
    assert 'href="/en/?lang=en"' in french.text


@pytest.mark.parametrize("path", ["/", "/reglements/comparer/", "/apprendre/", "/nowhere/"])
def test_every_page_leads_to_the_lessons_the_rules_and_the_rest(client: Client, path: str) -> None:
    page = client.get(path).text
    head, foot = page.partition("<main")[0], page.rpartition("</main>")[2]
    assert re.search(r'href="/apprendre/">Apprendre</a>\s*<a class="[^"]*" href="/reglements/regles/">', head)
    for address in ("/reglements/regles/", "/reglements/comparer/", "/p/position/"):
        assert f'href="{address}"' in foot  # where a phone has them


@pytest.mark.parametrize("preferred", ["en", "de", "en-GB,en;q=0.9", "\udcff"])
def test_address_decides_the_language_for_a_program(client: Client, preferred: str) -> None:
    assert "Jouer à plusieurs" in client.get("/", headers={"Accept-Language": preferred}).text


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", variants.playable_names())
@pytest.mark.parametrize("rulebook", rulebooks.names())
def test_every_variant_and_rulebook_begins_in_one_touch(client: Client, variant: str, rulebook: str) -> None:
    sent = {"variant": variant, "rulebook": rulebook, "submission": f"{variant}-{rulebook}-0123456789"}
    response = client.post("/p/new/", sent, follow=True)
    assert response.status_code == 200
    assert 'id="viewport"' in response.text
    assert PracticeGame.objects.get().rulebook == rulebook


def test_new_game_sent_twice_is_one_game(client: Client) -> None:
    sent = {"variant": "classic", "submission": "the-same-submission"}
    first, second = client.post("/p/new/", sent), client.post("/p/new/", sent)
    assert first["Location"] == second["Location"]
    assert PracticeGame.objects.count() == 1


@pytest.mark.parametrize(
    "sent",
    [
        {"variant": "nowhere"},
        {"variant": "classic", "rulebook": "none"},
        {"variant": "x\x00y"},
    ],
)
def test_unknown_variant_or_rulebook_gets_a_sentence(client: Client, sent: dict[str, str]) -> None:
    response = client.post("/p/new/", sent, follow=True)
    assert "Cette variante ou ce règlement n’existe pas ici" in response.text
    assert not PracticeGame.objects.exists()


def test_headers_keep_a_page_to_itself(player: Player) -> None:
    response = player.client.get(player.address())
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"


def test_no_script_or_style_is_inline_but_the_map_s(player: Player) -> None:
    response = player.client.get(player.address())
    scripts = re.findall(r"<script(?![^>]*(?:src=|application/json))", response.text)
    assert scripts == []
    nonces = set(re.findall(r'<style nonce="([^"]+)"', response.text))
    assert len(nonces) == 1
    assert f"'nonce-{nonces.pop()}'" in response["Content-Security-Policy"]
    assert response.text.count("<style") == 1
    assert not re.search(r"<[^>]+\sstyle=", response.text)


@pytest.mark.parametrize(("prefix", "words"), [("", "Page introuvable"), ("/en", "Not found")])
@pytest.mark.parametrize("path", ["/nowhere/", "/p/unknown/", "/s/unknown/", "/p/unknown/game.json"])
def test_nothing_there(client: Client, prefix: str, words: str, path: str) -> None:
    response = client.get(prefix + path)
    assert response.status_code == 404
    assert words in response.text


def test_phases_that_are_not_there(player: Player) -> None:
    for path in ("0/", "2/", "99999999999999999999/", "2/map.svg", "1/map.gif", "game.exe", "2/position/"):
        assert player.client.get(player.address(path)).status_code == 404, path


@pytest.mark.parametrize("path", ["1/draft/", "1/resolve/", "1/sheet/", "1/back/", "1/copy/", "power/"])
def test_what_changes_something_is_never_a_link(player: Player, path: str) -> None:
    response = player.client.get(player.address(path))
    assert response.status_code == 405
    assert response["Allow"] == "POST"
    assert "bouton" in response.text


@pytest.mark.parametrize(("prefix", "words"), [("", "Non autorisé"), ("/en", "Not allowed")])
def test_forms_of_other_sites_are_refused(game: PracticeGame, prefix: str, words: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(f"{prefix}/p/{game.key}/1/resolve/", {"submission": "0123456789abcdef"})
    assert response.status_code == 403
    assert words in response.text
    assert not game.turns.exists()


def test_a_script_is_told_in_json(game: PracticeGame) -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(f"/p/{game.key}/1/draft/", b"{}", content_type="application/json")
    assert response.status_code == 403
    assert "cookie" in json.loads(response.content)["message"]


@pytest.mark.parametrize(("prefix", "words"), [("", "Trop gros"), ("/en", "Too large")])
def test_too_much_at_once(player: Player, prefix: str, words: str) -> None:
    response = player.client.post(f"{prefix}/p/new/", {"variant": "x" * 5_000_000})
    assert response.status_code == 413
    assert words in response.text


@pytest.mark.parametrize(
    ("prefix", "words"),
    [("", "ne répond pas sous le nom"), ("/en", "This site doesn’t answer to the name and port in this")],
)
def test_a_name_the_site_does_not_go_by(
    client: Client, prefix: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    response = client.get(f"{prefix}/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert words in response.text
    assert not caplog.records


@pytest.mark.parametrize(
    ("prefix", "words"), [("", "Une erreur est survenue"), ("/en", "Something went wrong")]
)
def test_our_own_fault_is_logged_and_not_shown(
    player: Player, prefix: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    PracticeGame.objects.filter(pk=player.game.pk).update(variant="vanished")
    player.client.raise_request_exception = False
    response = player.client.get(f"{prefix}/p/{player.game.key}/")
    assert response.status_code == 500
    assert ("dernier envoi" if not prefix else "last change") in response.text
    assert words in response.text
    assert "Traceback" not in response.text
    assert "vanished" not in response.text
    assert "vanished" in caplog.text
