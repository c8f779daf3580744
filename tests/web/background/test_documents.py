"""Documents that workers make: asked for once, made once, opened by themselves, and forgotten in time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone, translation

from talleyrand.web import background
from talleyrand.web.background import generated_documents, jobs
from talleyrand.web.background.generated_documents import (
    DocumentFailed,
    DocumentPending,
    QuotaUsedUp,
    get_document,
    make_requested_documents,
)
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.boards import file_downloads
from talleyrand.web.claims import Sweep
from talleyrand.web.common import rate_limits, visitor_quota
from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import begin

pytestmark = pytest.mark.django_db

MADE: list[str] = []


def shout(text: str) -> bytes:
    MADE.append(text)
    if text == "":
        raise ValueError("nothing to shout")
    return text.upper().encode()


@pytest.fixture(autouse=True)
def _workers(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with workers, but nobody is called: each test does what a worker would."""
    settings.WORKERS = True
    settings.DATA = tmp_path
    monkeypatch.setattr(jobs, "JOBS", known := dict(jobs.JOBS))
    for module in ("generated_documents", "triggers"):
        monkeypatch.setattr(f"talleyrand.web.background.{module}.JOBS", known)
    background.register("shout", f"{__name__}.shout")
    MADE.clear()


def ask(name: str = "a", text: str = "hear", visitor: str = "") -> bytes:
    return get_document(name, "shout", {"text": text}, visitor=visitor, longest=0)


def test_it_is_made_once_for_all_who_ask() -> None:
    for _ in range(2):
        with pytest.raises(DocumentPending):
            ask()
    assert make_requested_documents() == 1
    assert make_requested_documents() == 0
    assert [ask(), ask()] == [b"HEAR", b"HEAR"]
    assert MADE == ["hear"]
    assert GeneratedDocument.objects.get().arguments == {}


def test_whoever_waits_is_told_for_how_long_and_beside_whom(rf: RequestFactory) -> None:
    for name in ("a", "b"):
        with pytest.raises(DocumentPending):
            ask(name)
    GeneratedDocument.objects.filter(pk="a").update(requested_at=timezone.now() - timedelta(seconds=75))
    with pytest.raises(DocumentPending) as pending:
        ask()
    assert (int(pending.value.seconds), pending.value.others) == (75, 1)
    request = rf.get("/")
    request.user = AnonymousUser()
    for language, told in (
        ("fr", "Demandé il y a 75 secondes. 1 autre"),
        ("en", "Requested 75 seconds ago. 1 other"),
    ):
        with translation.override(language):
            answer = file_downloads.document_error_page(request, pending.value)
        assert told in answer.content.decode()
        assert (answer.status_code, answer["Refresh"]) == (202, "3")


def test_what_fails_is_said_and_tried_again_later(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(DocumentPending):
        ask(text="")
    make_requested_documents()
    with pytest.raises(DocumentFailed, match="ValueError"):
        ask(text="")
    assert make_requested_documents() == 0
    GeneratedDocument.objects.update(
        requested_at=timezone.now() - generated_documents.AGAIN - timedelta(seconds=1)
    )
    with pytest.raises(DocumentPending):
        ask(text="")
    assert make_requested_documents() == 1


def test_a_worker_that_died_is_followed_by_another() -> None:
    with pytest.raises(DocumentPending):
        ask()
    now = timezone.now()
    GeneratedDocument.objects.update(claimed_by="dead", claimed_until=now + timedelta(minutes=1))
    assert make_requested_documents() == 0
    GeneratedDocument.objects.update(claimed_until=now - timedelta(seconds=1))
    assert make_requested_documents() == 1
    assert ask() == b"HEAR"


def test_what_ends_worker_after_worker_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(DocumentPending):
        ask()
    for _ in range(generated_documents.TRIES):
        now = timezone.now()
        assert Sweep(generated_documents.QUEUE, now).claim_next()  # and the worker dies
        GeneratedDocument.objects.update(claimed_until=now - timedelta(seconds=1))
    assert make_requested_documents() == 0
    assert "given up" in caplog.text
    with pytest.raises(DocumentFailed, match="WorkerLost"):
        ask()
    GeneratedDocument.objects.update(
        requested_at=timezone.now() - generated_documents.AGAIN - timedelta(seconds=1)
    )
    with pytest.raises(DocumentPending):
        ask()
    assert make_requested_documents() == 1


def test_no_more_wait_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_documents, "MOST_WAITING", 2)
    for name in "abc":
        with pytest.raises(DocumentPending):
            ask(name)
    assert set(GeneratedDocument.objects.values_list("name", flat=True)) == {"a", "b"}
    assert make_requested_documents() == 2
    assert ask("a") == b"HEAR"
    with pytest.raises(DocumentPending):
        ask("c")
    assert make_requested_documents() == 1


def test_no_more_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_documents, "MOST", 2)
    for name in "abcd":
        with pytest.raises(DocumentPending):
            ask(name)
    assert make_requested_documents() == 4
    assert set(GeneratedDocument.objects.values_list("name", flat=True)) == {"c", "d"}


def test_nor_more_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_documents, "MOST_BYTES", 9)
    for name in "abcd":
        with pytest.raises(DocumentPending):
            ask(name)
    assert make_requested_documents() == 4
    assert set(GeneratedDocument.objects.values_list("name", flat=True)) == {"c", "d"}


def test_an_hour_has_so_much_for_one_visitor() -> None:
    with pytest.raises(DocumentPending):
        ask("a", visitor="someone")
    make_requested_documents()
    assert GeneratedDocument.objects.get().cpu_seconds > 0
    assert not visitor_quota.quota_exceeded("someone")
    visitor_quota.charge_cpu_seconds("someone", 900)
    with pytest.raises(QuotaUsedUp):
        ask("b", visitor="someone")
    assert ask("a", visitor="someone") == b"HEAR", "what is made already costs nothing"
    with pytest.raises(DocumentPending):
        ask("c", visitor="another")
    caches["lasting"].clear()  # as the hour does
    with pytest.raises(DocumentPending):
        ask("b", visitor="someone")


def test_what_fails_is_paid_for_too() -> None:
    with pytest.raises(DocumentPending):
        ask("a", text="", visitor="someone")
    make_requested_documents()
    assert rate_limits.recent_hits(visitor_quota.KIND, "someone", visitor_quota.HOURLY, lasting=True) >= 1


def test_without_workers_it_is_made_at_once(settings: Any) -> None:
    settings.WORKERS = False
    assert ask() == b"HEAR"


def test_what_a_dead_process_had_begun_is_wanted_again(settings: Any) -> None:
    with pytest.raises(DocumentPending):
        ask()
    GeneratedDocument.objects.update(claimed_by="dead", claimed_until=timezone.now() + timedelta(minutes=9))
    assert make_requested_documents() == 0
    generated_documents.release_claims()
    assert make_requested_documents() == 1


def test_those_that_nobody_asks_for_go(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcd":
        with pytest.raises(DocumentPending):
            ask(name)
    now = timezone.now()
    GeneratedDocument.objects.filter(name="a").update(
        requested_at=now - generated_documents.KEPT - timedelta(days=1)
    )
    assert generated_documents.prune(now) == 1
    monkeypatch.setattr(generated_documents, "MOST", 2)
    assert generated_documents.prune(now) == 1
    assert GeneratedDocument.objects.count() == 2


def test_asking_keeps_a_document() -> None:
    with pytest.raises(DocumentPending):
        ask()
    make_requested_documents()
    GeneratedDocument.objects.update(requested_at=timezone.now() - timedelta(days=29))
    ask()
    assert generated_documents.prune(timezone.now()) == 0
    assert timezone.now() - GeneratedDocument.objects.get().requested_at < timedelta(days=1)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits: a document is there, or it is being prepared."""
    monkeypatch.setattr(generated_documents, "_content", partial(_at_once, generated_documents._content))


def _at_once(
    content: Callable[[GeneratedDocument, float], bytes], row: GeneratedDocument, _end: float
) -> bytes:
    return content(row, 0.0)


@pytest.mark.long
@pytest.mark.usefixtures("waiting")
def test_a_page_says_that_it_is_being_prepared_and_opens_it(client: Client) -> None:
    path = f"/p/{begin().key}/1/map.png"
    page = client.get(path)
    assert page.status_code == 202
    assert page["Refresh"] == "3"
    assert "Document en préparation" in page.content.decode()
    assert make_requested_documents() == 1
    picture = client.get(path)
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


@pytest.mark.usefixtures("waiting")
def test_every_document_of_the_site_is_asked_for(client: Client) -> None:
    """A worker finds the job of each; what it makes is for the tests of each."""
    game: PracticeGame = begin()
    addresses = {
        f"/p/{game.key}/1/map.png": "picture",
        f"/s/{game.shared_key}/1/preview.png": "picture",
        f"/p/{game.key}/game.pdf": "history",
        reverse("library:conference_pdf"): "book",
    }
    for path, maker in addresses.items():
        GeneratedDocument.objects.all().delete()
        assert client.get(path).status_code in (202, 503), path
        assert GeneratedDocument.objects.get().job_name == maker
        assert maker in jobs.JOBS


@pytest.mark.usefixtures("waiting")
def test_one_that_could_not_be_made_has_a_sentence(client: Client) -> None:
    path = f"/p/{begin().key}/game.pdf"
    client.get(path)
    GeneratedDocument.objects.update(error="ValueError")
    page = client.get(path)
    assert page.status_code == 500
    assert "Ce document n’a pas pu être créé. L’erreur vient de nous et" in page.content.decode()
    GeneratedDocument.objects.update(error="PdfUnavailable")
    assert client.get(path).status_code == 501


def test_every_visitor_has_their_turn() -> None:
    """Whoever asks for a hundred holds up nobody who asks for one."""
    for number in range(5):
        with pytest.raises(DocumentPending):
            ask(f"many-{number}", visitor="many")
    with pytest.raises(DocumentPending):
        ask("one", visitor="one")
    claimed = [row for _ in range(3) for row in Sweep(generated_documents.QUEUE).claim_next()]
    assert [row.name for row in claimed] == ["many-0", "one", "many-1"]


def test_one_visitor_does_not_fill_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_documents, "MOST_A_VISITOR", 2)
    for number in range(4):
        with pytest.raises(DocumentPending):
            ask(f"many-{number}", visitor="many")
    with pytest.raises(DocumentPending):
        ask("one", visitor="one")
    assert set(GeneratedDocument.objects.values_list("name", flat=True)) == {"many-0", "many-1", "one"}


def test_without_workers_only_what_is_asked_for_is_made_here(settings: Any) -> None:
    """A page does not wait for all that others have asked for."""
    with pytest.raises(DocumentPending):
        ask("theirs", text="theirs")
    settings.WORKERS = False
    assert ask("mine", text="mine") == b"MINE"
    assert MADE == ["mine"]
