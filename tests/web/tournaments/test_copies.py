"""A public copy of a tournament on another site: sent, shown, kept fresh, ended; nothing private leaves."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from talleyrand.tournament import codec, public_view, standings
from talleyrand.tournament.acts import event_acts, round_acts, ruling_acts
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import ClockState, DirectorRuling
from talleyrand.web.common import http_delivery
from talleyrand.web.common.http_delivery import HttpResult
from talleyrand.web.tournaments import event_documents, event_journal, event_times, tournament_creation
from talleyrand.web.tournaments.copies import (
    copies_personal_data,
    copy_links,
    copy_parcels,
    copy_sending,
    copy_texts,
    copy_urls,
    held_copies,
)
from talleyrand.web.tournaments.copies.held_copies import ParcelOutcome
from talleyrand.web.tournaments.copies.models import CopyLink, HeldCopy
from talleyrand.web.tournaments.models import JournalEntry, Tournament
from talleyrand.web.tournaments.public_site import public_prizes
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer
from tests.web import cast
from tests.web.tournaments import scene, weekend
from tests.web.tournaments.visibility import secrets

pytestmark = pytest.mark.django_db
OFFLINE = HttpResult(error="nowhere")


class Line:
    """The way from the desk to the copy: through the door of the other site, or cut."""

    def __init__(self) -> None:
        self.cut = False
        self.sent: list[bytes] = []
        self.client = Client(enforce_csrf_checks=True)

    def post(self, to: Any, head: dict[str, str], body: bytes) -> HttpResult:
        if self.cut:
            return OFFLINE
        self.sent.append(body)
        kind, rest = (
            head["Content-Type"],
            {key: value for key, value in head.items() if key != "Content-Type"},
        )
        return HttpResult(
            self.client.generic("POST", to.target, body, content_type=kind, headers=rest).status_code
        )


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    made = Line()
    monkeypatch.setattr(http_delivery, "post_once", made.post)
    return made


def held(name: str = "Edmond") -> tuple[HeldCopy, str]:
    """A new copy of somebody's, and what its page shows: its address with its secret."""
    copy, secret = held_copies.create_copy(cast.person(name), "a form")
    return copy, f"https://ailleurs.example/tournois/copies/{copy.tournament.key}/#{secret}"


def linked(row: Tournament) -> HeldCopy:
    copy, written = held()
    copy_links.set_copy_link(row, written, timezone.now())
    return copy


def rule(row: Tournament, text: str) -> JournalEntry | None:
    ruling = DirectorRuling("2026-07-04T10:00:00Z", text, shown=True)
    return event_journal.perform_acts(row, [ruling_acts.AddRuling(ruling)], event_journal.JournalActor())


def shown(copy: HeldCopy) -> Tournament:
    return Tournament.objects.get(pk=copy.tournament_id)


def test_nothing_private_leaves_and_all_that_is_public_arrives(line: Line) -> None:
    row = secrets.tournament()
    copy = linked(row)
    assert copy_sending.send_due_copies() == 1
    told = zlib.decompress(line.sent[0], copy_parcels.GZIP).decode()
    found = [name for name, (marks, _who) in secrets.SECRETS.items() if any(mark in told for mark in marks)]
    assert found == []
    event = event_documents.event_of(shown(copy))
    assert event == replace(public_view.visible_event(event_documents.event_of(row)), signups=False)
    assert standings.compute_standings(event, 1) == standings.compute_standings(
        public_view.visible_event(event_documents.event_of(row)), 1
    )
    visitor = Client()
    for path in ("", "joueurs/", "rondes/", "rondes/1/", "rondes/1/1/", "classement/", "prix/", "ecrans/"):
        page = visitor.get(f"/tournois/{copy.tournament.key}/{path}")
        assert page.status_code == 200, path
    text = visitor.get(f"/tournois/{copy.tournament.key}/").content.decode()
    copied = shown(copy).copied_at
    assert copied is not None
    with translation.override("fr"):
        assert f"Copie, état du {event_times.full_time(event, copied.isoformat())}".split(",")[0] in text


def test_prizes_are_told_as_their_source_tells_them(line: Line) -> None:
    """What they rest on stays there."""
    row = tournament_creation.create_tournament(replace(weekend.event(), over=True), scene.director())
    copy = linked(row)
    copy_sending.send_due_copies()
    for language in ("fr", "en"):
        with translation.override(language):
            there, here = (public_prizes.public_prizes(TournamentViewer(one)) for one in (row, shown(copy)))
        assert there == here
        assert any(one.holders for one in here)


def test_it_follows_and_says_little_where_nothing_has_changed(line: Line) -> None:
    row = weekend.tournament()
    copy = linked(row)
    now = timezone.now()
    assert [copy_sending.send_due_copies(now), copy_sending.send_due_copies(now)] == [1, 0]
    rule(row, "Zut")
    assert copy_sending.send_due_copies(now) == 1
    assert [one.text for one in event_documents.event_of(shown(copy)).rulings.values()] == ["Zut"]
    before = shown(copy)
    assert copy_sending.send_due_copies(now + copy_sending.CONFIRM_EVERY) == 1
    assert len(line.sent[-1]) < 300 < len(line.sent[-2])
    after = shown(copy)
    assert (after.state_token, after.document) == (before.state_token, before.document)
    assert before.copied_at is not None
    assert after.copied_at is not None
    assert after.copied_at > before.copied_at


def test_without_a_network_it_goes_on_by_itself(line: Line) -> None:
    row = weekend.tournament()
    copy = linked(row)
    now = timezone.now()
    copy_sending.send_due_copies(now)
    line.cut = True
    rule(row, "Zut")
    tried = [copy_sending.send_due_copies(now + timedelta(seconds=at)) for at in range(0, 120, 5)]
    link = CopyLink.objects.get()
    assert (sum(tried), link.failing_since, link.error) == (0, now, "nowhere")
    with translation.override("fr"):
        assert "de lui-même" in copy_texts.copy_status_text(
            row, event_documents.event_of(row), link
        ) or "d’elle-même" in copy_texts.copy_status_text(row, event_documents.event_of(row), link)
    assert event_documents.event_of(shown(copy)).rulings == {}
    line.cut = False
    assert copy_sending.send_due_copies(now + timedelta(seconds=200)) == 1
    assert len(event_documents.event_of(shown(copy)).rulings) == 1
    assert CopyLink.objects.get().failing_since is None


def test_newer_alone_takes_the_place_of_older(line: Line) -> None:
    row = weekend.tournament()
    copy = linked(row)
    old = copy_parcels.full_parcel(row)
    rule(row, "Zut")
    copy_sending.send_due_copies()
    assert held_copies.accept_parcel(copy, old) is ParcelOutcome.OLDER
    assert len(event_documents.event_of(shown(copy)).rulings) == 1
    again = copy_parcels.full_parcel(Tournament.objects.get(pk=row.pk))
    stamp = shown(copy).state_token
    assert held_copies.accept_parcel(copy, again) is ParcelOutcome.ACCEPTED
    assert shown(copy).state_token == stamp
    assert (
        held_copies.accept_parcel(copy, copy_parcels.unchanged_parcel(again.version, "another"))
        is ParcelOutcome.WHOLE_NEEDED
    )
    held_copies.renew_copy_secret(copy)  # the event was restored: its numbers begin again
    assert held_copies.accept_parcel(copy, old) is ParcelOutcome.ACCEPTED
    assert event_documents.event_of(shown(copy)).rulings == {}


def test_a_copy_that_has_lost_what_it_held_is_sent_all_again(line: Line) -> None:
    row = weekend.tournament()
    copy = linked(row)
    now = timezone.now()
    copy_sending.send_due_copies(now)
    HeldCopy.objects.update(version=None, content_mark="")
    assert [
        copy_sending.send_due_copies(now + copy_sending.CONFIRM_EVERY),
        copy_sending.send_due_copies(now + copy_sending.CONFIRM_EVERY),
    ] == [0, 1]
    assert HeldCopy.objects.get().version == row.version
    assert copy.tournament_id == HeldCopy.objects.get().tournament_id


def test_clocks_run_by_the_hour_of_the_site_that_shows_them() -> None:
    """The laptop's own is ten minutes slow; what is left of a season is what its room sees."""
    row = weekend.tournament()
    copy, _written = held()
    sent = copy_parcels.full_parcel(row)
    assert sent.event is not None
    slow = timezone.now() - timedelta(minutes=10)
    begun = replace(
        sent.event.rounds[3], clock=ClockState(started=(slow - timedelta(seconds=90)).isoformat())
    )
    event = replace(sent.event, rounds={**sent.event.rounds, 3: begun})
    held_copies.accept_parcel(copy, replace(sent, event=event, now=slow.isoformat()))
    started = event_documents.event_of(shown(copy)).rounds[3].clock.started
    ago = timezone.now() - timezone.datetime.fromisoformat(started)  # type: ignore[attr-defined]
    assert timedelta(seconds=89) < ago < timedelta(minutes=9)


def test_a_game_of_the_other_site_is_none_of_ours() -> None:
    """Whoever holds a copy could name any game of this one."""
    copy, _written = held()
    sent = copy_parcels.full_parcel(weekend.tournament())
    assert sent.event is not None
    one = sent.event.rounds[3]
    named = replace(one, boards={at: replace(board, game="abc") for at, board in one.boards.items()})
    held_copies.accept_parcel(
        copy, replace(sent, event=replace(sent.event, rounds={**sent.event.rounds, 3: named}))
    )
    assert {board.game for board in event_documents.event_of(shown(copy)).rounds[3].boards.values()} == {""}


def test_nobody_changes_a_copy(line: Line) -> None:
    copy = linked(weekend.tournament())
    copy_sending.send_due_copies()
    row = shown(copy)
    with pytest.raises(ActRefused, match="act_copy"):
        event_journal.perform_acts(row, [event_acts.RenameEvent("Chez moi")], event_journal.JournalActor())
    keeper = cast.client_of("Edmond")
    for path in ("bureau/", "bureau/copie/", "papiers/archive.zip"):
        assert keeper.get(f"/tournois/{row.key}/{path}").status_code == 404
    answer = Client().post(f"/tournois/{row.key}/inscription/", {"name": "Zut", "rounds": "4"})
    assert answer.status_code in (302, 404, 409)
    assert event_documents.event_of(shown(copy)).people == event_documents.event_of(row).people


SENT: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "nothing": (lambda _whole: b"", 422),
    "half": (lambda whole: whole[: len(whole) // 2], 422),
    "two": (lambda whole: whole + whole, 422),
    "no gzip": (lambda _whole: b"{}", 422),
    "another thing": (lambda _whole: _packed([1]), 422),
    "another form": (lambda _whole: _packed({"version": 1, "now": "", "zz": 1}), 422),
    "below nothing": (lambda _whole: _packed({"version": -1, "now": ""}), 422),
    "a long mark": (lambda _whole: _packed({"version": 1, "now": "", "mark": "a" * 65}), 422),
    "no event of ours": (lambda _whole: _packed({"version": 1, "now": "", "event": {"name": " "}}), 422),
    "no such rules": (
        lambda _whole: _packed({"version": 1, "now": "", "event": {"name": "a", "regulations": "zz"}}),
        422,
    ),
    "too large": (lambda _whole: b"a" * (copy_parcels.LARGEST_SENT + 1), 413),
    "a bomb": (lambda _whole: _packed("a" * (copy_parcels.LARGEST_UNPACKED + 1)), 413),
    "deep": (lambda _whole: _squeezed(b"[" * 100_000), 422),
}


def _packed(told: Any) -> bytes:
    return _squeezed(json.dumps(told).encode())


def _squeezed(told: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, copy_parcels.GZIP)
    return packer.compress(told) + packer.flush()


def test_half_a_parcel_is_nothing(line: Line) -> None:
    row = weekend.tournament()
    copy, written = held()
    address, secret = written.split("#")
    whole = copy_parcels.pack_parcel(copy_parcels.full_parcel(row))
    for name, (spoil, status) in SENT.items():
        assert _post(address, secret, spoil(whole)) == status, name
    assert not shown(copy).is_listed
    assert _post(address, secret, whole) == 204


def _post(address: str, secret: str, body: bytes) -> int:
    path = "/" + address.split("/", 3)[3]
    head = {"Authorization": f"Bearer {secret}"} if secret else {}
    answer = Client(enforce_csrf_checks=True).generic("POST", path, body, "application/gzip", headers=head)
    return int(answer.status_code)


def test_without_the_secret_nothing_is_there() -> None:
    _copy, written = held()
    address, _secret = written.split("#")
    other, more = held_copies.create_copy(cast.person("Flora"), "a form")
    for secret in ("", "zz", "tlc_" + "a" * 43, more, "é" * 47):
        assert _post(address, secret, b"") == 404
    assert _post(address.replace("copies/", "copies/zz"), more, b"") == 404
    assert Client().get("/" + address.split("/", 3)[3]).status_code == 404  # nothing has been sent yet
    assert other.tournament.copied_at


def test_its_end_by_either_side(line: Line) -> None:
    row = weekend.tournament()
    copy = linked(row)
    copy_sending.send_due_copies()
    copy_links.request_copy_removal(row, timezone.now())
    line.cut = True
    assert copy_sending.send_due_copies() == 0
    line.cut = False
    assert copy_sending.send_due_copies(timezone.now() + timedelta(minutes=2)) == 1
    assert not Tournament.objects.filter(pk=copy.tournament_id).exists()
    assert not CopyLink.objects.exists()
    copy = linked(row)
    held_copies.delete_copy(copy)
    assert copy_sending.send_due_copies() == 0
    link = CopyLink.objects.get()
    assert link.error == copy_sending.GONE
    assert "n’existe plus" in copy_texts.copy_status_text(row, event_documents.event_of(row), link)
    copy_links.request_copy_removal(row, timezone.now())
    copy_sending.send_due_copies(timezone.now())
    assert not CopyLink.objects.exists()
    assert Tournament.objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("", "secret"),
        ("https://ailleurs.example/copies/a/", "secret"),
        ("https://ailleurs.example/copies/a/#tlc_court", "secret"),
        ("http://ailleurs.example/#{secret}", "scheme"),
        ("file:///etc/passwd#{secret}", "scheme"),
        ("https://192.168.1.20/#{secret}", "inner"),
        ("https://localhost/#{secret}", "inner"),
        ("https://ailleurs.example:22/#{secret}", "port"),
        ("https://a@ailleurs.example/#{secret}", "user"),
        ("https://ailleurs.example/a b/#{secret}", "shape"),
        ("https://ailleurs.example/" + "a" * 600 + "#{secret}", "long"),
    ],
)
def test_where_no_copy_leads(address: str, code: str) -> None:
    with pytest.raises(copy_links.CopyLinkRefusal) as refused:
        copy_links.set_copy_link(scene.tournament(), address.format(secret="tlc_" + "a" * 43), timezone.now())
    assert refused.value.code == code
    assert copy_texts.copy_link_refusal_text(code)


def test_a_club_may_allow_its_own_network(settings: Any) -> None:
    settings.COPIES_LOCAL = True
    for address in ("http://192.168.1.20:8000/copies/a/", "http://localhost:8000/", "https://[fd00::1]/"):
        assert copy_urls.parse_copy_url(address).may_be_internal
    for address in ("http:///", "ftp://192.168.1.20/", "http://a:b@192.168.1.20/", "zz"):
        with pytest.raises(copy_urls.UrlNotAllowed):
            copy_urls.parse_copy_url(address)


def test_the_pages_of_both_sides(line: Line) -> None:
    """Made with one button, shown once; pasted at the desk; refused with what was typed."""
    row = weekend.tournament()
    keeper, director = cast.client_of("Edmond"), cast.client_of(cast.MASTER)
    once = {"press": "hold", "submission": "one-form"}
    page = keeper.post("/tournois/copies/", once).content.decode()
    secret = held_copies.SECRET_PATTERN.search(page)
    assert secret is not None
    again = keeper.post("/tournois/copies/", once, follow=True).content.decode()
    assert held_copies.SECRET_PATTERN.search(again) is None
    assert HeldCopy.objects.count() == 1
    key, desk = HeldCopy.objects.get().tournament.key, f"/tournois/{row.key}/bureau/copie/"
    refused = director.post(desk, {"press": "link", "address": "https://exemple.example/"})
    assert refused.status_code == 409
    assert "https://exemple.example/" in refused.content.decode()
    written = f"https://ailleurs.example/tournois/copies/{key}/#{secret[0]}"
    assert director.post(desk, {"press": "link", "address": written}).status_code == 302
    assert secret[0] not in director.get(desk).content.decode()
    copy_sending.send_due_copies()
    assert "à jour" in director.get(desk).content.decode()
    assert "à jour" in director.get(f"/tournois/{row.key}/bureau/").content.decode()
    assert cast.client_of(cast.ASSISTANT).get(desk).status_code == 404
    other = cast.client_of("Flora")
    assert other.post("/tournois/copies/", {"press": f"drop?{key}"}).status_code == 404
    assert keeper.get(f"/tournois/copies/{key}/").url == f"/tournois/{key}/"  # type: ignore[attr-defined]
    keeper.post("/tournois/copies/", {"press": f"drop?{key}"})
    assert not Tournament.objects.filter(key=key).exists()
    assert director.post(desk, {"press": "unlink"}).status_code == 302
    assert not CopyLink.objects.exists()


def test_a_copy_goes_with_the_account_that_holds_it() -> None:
    copy, _written = held()
    account = cast.person("Edmond")
    assert copies_personal_data.export_copies(account)[0]["key"] == copy.tournament.key
    assert len(copies_personal_data.copy_deletion_notes(account)) == 1
    copies_personal_data.delete_copies_of(account)
    assert not Tournament.objects.filter(pk=copy.tournament_id).exists()
    assert copies_personal_data.export_copies(account) == []


def test_so_many_and_no_more() -> None:
    keeper = cast.person("Edmond")
    for at in range(held_copies.MOST_COPIES):
        held_copies.create_copy(keeper, f"form {at}")
    with pytest.raises(held_copies.TooManyCopies):
        held_copies.create_copy(keeper, "one more")
    client = cast.client_of("Edmond")
    assert client.post("/tournois/copies/", {"press": "hold", "submission": "more"}).status_code == 409


def test_a_parcel_is_read_as_it_was_written() -> None:
    row = weekend.tournament()
    event_journal.perform_acts(row, [round_acts.OpenRound(4)], event_journal.JournalActor())
    sent = copy_parcels.full_parcel(Tournament.objects.get(pk=row.pk))
    assert copy_parcels.unpack_parcel(copy_parcels.pack_parcel(sent)) == sent
    assert codec.read_value(copy_parcels.CopyParcel, codec.write_value(sent)) == sent
