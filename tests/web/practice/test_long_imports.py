"""Long games are read behind a page that leads to them; short ones at once; nothing sent is ever lost."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.background import generated_documents
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.common import visitor_quota
from talleyrand.web.practice import practice_records
from talleyrand.web.practice.models import PracticeGame
from tests.formats import crowds
from tests.web.conftest import Response

pytestmark = pytest.mark.django_db
SUBMISSION = "a-long-file-of-my-own"


def long_game(*more: dict[str, Any]) -> str:
    """A game of more phases than are read while somebody waits, all hold."""
    seasons = [f"{season}{year}M" for year in range(1901, 1909) for season in "SF"]
    return json.dumps({"variant": "classic", "phases": [*({"phase": one} for one in seasons), *more]})


def crowded_game() -> str:
    """Four phases whose boards are full of units that move, convoy and support."""
    boards = [crowds.full_board(seed) for seed in range(4)]
    phases = [
        {"phase": name, "position": board, "orders": board["orders"]}
        for name, board in zip(("S1901M", "F1901M", "S1902M", "F1902M"), boards, strict=True)
    ]
    return json.dumps({"variant": "classic", "rulebook": "datc", "phases": phases})


def at(text: str) -> str:
    """Where the game of this text is waited for."""
    return f"/p/import/{SUBMISSION}-{hashlib.sha256(text.encode()).hexdigest()[:16]}/"


def send(client: Client, text: str, submission: str = SUBMISSION, **more: Any) -> Response:
    return client.post("/p/import/", {"text": text, "submission": submission}, **more)


@pytest.fixture
def nobody_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the process of low priority is still at something else."""
    monkeypatch.setattr(generated_documents, "_have_made", lambda _name: None)
    monkeypatch.setattr(generated_documents, "AT_ONCE", 0.0)
    monkeypatch.setattr(generated_documents.get_document, "__kwdefaults__", {"visitor": "", "longest": 0.0})


def test_a_short_game_is_read_at_once(client: Client) -> None:
    send(client, json.dumps({"variant": "classic", "phases": [{"phase": "S1901M"}]}))
    assert PracticeGame.objects.get().turns.count() == 1
    assert not GeneratedDocument.objects.exists()


def test_a_long_game_is_read_behind_a_page_that_leads_to_it(client: Client, nobody_makes: None) -> None:
    answer, here = send(client, long_game()), at(long_game())
    assert (answer.status_code, answer["Location"]) == (302, here)
    waiting = client.get(here)
    assert (waiting.status_code, waiting["Refresh"]) == (202, "3")
    assert "no-store" in waiting["Cache-Control"]
    assert "Chargement d’une longue partie\u00a0: son plateau s’ouvre ici" in waiting.text
    assert generated_documents.make_requested_documents() == 1
    there = client.get(here)
    game = PracticeGame.objects.get()
    assert (there.status_code, there["Location"]) == (302, f"/p/{game.key}/")
    assert game.turns.count() >= 16
    assert client.get(here)["Location"] == there["Location"], "opened again it leads there again"


def test_it_is_read_within_its_page_where_that_is_soon_done(client: Client) -> None:
    answer = send(client, long_game())
    assert answer["Location"] == f"/p/{PracticeGame.objects.get().key}/"


def test_sent_twice_it_is_one_game(client: Client, nobody_makes: None) -> None:
    for _again in range(2):
        send(client, long_game())
    generated_documents.make_requested_documents()
    send(client, long_game())
    assert PracticeGame.objects.count() == 1


@pytest.mark.long
def test_few_phases_that_take_long_are_read_there_too(client: Client, nobody_makes: None) -> None:
    assert send(client, crowded_game())["Location"] == at(crowded_game())


@pytest.mark.long
def test_what_is_found_wrong_there_is_told_with_what_was_sent(client: Client, nobody_makes: None) -> None:
    text = long_game({"phase": "X1"})
    wrong = long_game({"phase": "S2999M"})
    assert send(client, text, "another").status_code == 400, "what is wrong at once is told at once"
    send(client, wrong, HTTP_ACCEPT_LANGUAGE="fr")
    generated_documents.make_requested_documents()
    told = client.get(at(wrong))
    assert told.status_code == 400
    assert "S2999M" in told.text
    assert "plus de 300 phases" in told.text
    assert 'class="error"' in told.text
    assert not PracticeGame.objects.exists()
    right = long_game()
    send(client, right)
    generated_documents.make_requested_documents()
    assert client.get(at(right)).status_code == 302, "what is corrected and sent again is read anew"


@pytest.mark.long
def test_it_speaks_the_language_of_who_sent_it(client: Client, nobody_makes: None) -> None:
    client.post("/en/p/import/", {"text": long_game({"phase": "S2999M"}), "submission": SUBMISSION})
    generated_documents.make_requested_documents()
    found = GeneratedDocument.objects.get().content
    assert found is not None
    assert json.loads(bytes(found))["refused"] == "Game too long: more than 300 phases."


@pytest.mark.long
def test_a_game_that_is_too_dear_even_there_is_refused(
    client: Client, nobody_makes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        practice_records.import_game, "__kwdefaults__", {"most": practice_records.QUICK_EFFORT + 1}
    )
    send(client, crowded_game())
    generated_documents.make_requested_documents()
    told = client.get(at(crowded_game()))
    assert told.status_code == 400
    assert "Cette partie est trop longue à charger\u00a0: trop d’unités, ou" in told.text


def test_who_has_had_their_hour_keeps_what_they_sent(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor_quota, "HOURLY", (0, 3600))
    told = send(client, long_game())
    assert told.status_code == 400
    assert "S1908M" in told.text
    assert "essayez plus tard" in told.text


def test_where_too_many_wait_it_is_told_and_nothing_is_lost(
    client: Client, nobody_makes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generated_documents, "MOST_WAITING", 0)
    told = send(client, long_game())
    assert told.status_code == 400
    assert "S1908M" in told.text
    assert "réessayez" in told.text


def test_nobody_is_told_of_files_that_nobody_sent(client: Client) -> None:
    assert client.get("/p/import/no-file-of-anybody/").status_code == 404
    assert client.post(at("")).status_code == 405


def test_a_page_that_makes_it_dies_and_it_is_read_again(client: Client, nobody_makes: None) -> None:
    """Claimed by a process that is gone: the next one that looks does it."""
    send(client, long_game())
    until = timezone.now() + generated_documents.LONGEST
    GeneratedDocument.objects.update(claimed_by="gone", claimed_until=until)
    assert generated_documents.make_requested_documents() == 0
    generated_documents.release_claims()
    assert generated_documents.make_requested_documents() == 1
    assert PracticeGame.objects.exists()
