"""Centres by year and photographs of a tournament's board over the API: who writes, what comes of it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from talleyrand.tournament.acts.round_acts import RevealRound
from talleyrand.web.api import entry_point, openapi_document
from talleyrand.web.api.scopes import Scope
from talleyrand.web.tournaments import board_photos, event_documents, event_journal
from talleyrand.web.tournaments.models import AccessToken, Tournament
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused
from tests.web.tournaments import scene, weekend
from tests.web.tournaments.test_photos import private, taken

pytestmark = pytest.mark.django_db
WRITING = [Scope.TOURNAMENTS, Scope.READ]
BOARD = "/rounds/3/boards/1"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
CENTRES = dict(zip(POWERS, (5, 4, 5, 5, 4, 5, 4), strict=True))


@pytest.fixture
def played() -> Tournament:
    """Two rounds over, a third being played; Maëlle directs it, Flora plays at board 1, Renaud at board 2."""
    made = weekend.tournament()
    scene.assistant(made)
    for name, board in (("Flora", 1), ("Renaud", 2)):
        seats = event_documents.event_of(made).rounds[3].boards[board].seats.values()
        who = next(seat.person for seat in seats if seat.person)
        told = {"account": cast.person(name)}
        AccessToken.objects.update_or_create(tournament=made, person_number=who, defaults=told)
    return made


@pytest.fixture
def desk() -> Program:
    return program(cast.MASTER, WRITING)


def ways(made: Tournament, part: str) -> str:
    return f"/tournaments/{made.key}{part}"


def count(asked: Program, made: Tournament, year: int, centres: dict[str, Any], **more: Any) -> Any:
    return asked.ask("PUT", ways(made, f"{BOARD}/years/{year}"), {"centres": centres, **more})


def send(
    asked: Program, made: Tournament, picture: bytes, kind: str = "image/jpeg", board: str = BOARD
) -> Any:
    return asked.raw("POST", ways(made, f"{board}/photos"), picture, {**asked.head, "Content-Type": kind})


def years(made: Tournament, asked: Program) -> Any:
    boards = asked.get(ways(made, "/rounds/3")).json()["boards"]
    return next(one["years"] for one in boards if one["number"] == 1)


def test_the_desk_and_whoever_plays_there_enter_a_year(played: Tournament, desk: Program) -> None:
    flora = program("Flora", WRITING)
    before = years(played, flora)
    assert count(desk, played, 1901, CENTRES, neutral=2).status_code == 200
    assert years(played, flora) == {"1901": CENTRES, **before}
    assert years(played, Program()) == {}  # its centres are nobody else's while it is played
    other = {**CENTRES, "AUSTRIA": 4, "ENGLAND": 5}
    assert count(flora, played, 1901, other, neutral=2).json()["entry"]
    assert years(played, flora)["1901"] == other
    entry = played.entries.order_by("-number").first()
    assert entry is not None
    assert entry.person_number == AccessToken.objects.get(account=cast.person("Flora")).person_number
    assert count(flora, played, 1901, other, neutral=2).json()["entry"] is None  # twice: nothing changes
    assert count(desk, played, 1901, {}).status_code == 200
    assert years(played, flora) == before


def test_a_year_that_cannot_be_is_refused_with_its_reason(played: Tournament, desk: Program) -> None:
    kept = played.version
    told = {
        "act_sum": count(desk, played, 1901, {**CENTRES, "TURKEY": 9}),
        "act_year": count(desk, played, 1850, CENTRES, neutral=2),
        "act_no_power": count(desk, played, 1901, {**CENTRES, "ATLANTIS": 0}, neutral=2),
    }
    for answer in told.values():
        assert refused(answer, 409)["sentence"]
    for bad in ({"FRANCE": "many"}, {"FRANCE": -1}, {"x" * 41: 1}, {str(at): 1 for at in range(41)}):
        refused(count(desk, played, 1901, bad), 422)
    refused(desk.ask("PUT", ways(played, f"{BOARD}/years/0"), {"centres": {}}), 422)
    refused(desk.ask("PUT", ways(played, "/rounds/3/boards/99/years/1901"), {"centres": {}}), 404)
    assert Tournament.objects.get(pk=played.pk).version == kept


def test_nobody_writes_at_another_board(played: Tournament) -> None:
    renaud, stranger = program("Renaud", WRITING), program(cast.STRANGER, WRITING)
    asking = {renaud: 403, stranger: 404, program("Flora", [Scope.READ]): 403, Program(): 401}
    for one, status in asking.items():
        for answer in (count(one, played, 1901, CENTRES, neutral=2), send(one, played, taken())):
            told = refused(answer, status)
            assert one is not renaud or told["code"] == "act_not_at_board"
    assert not played.photos.exists()


def test_a_photo_is_kept_bare_and_seen_by_its_board(played: Tournament, desk: Program) -> None:
    flora, renaud = program("Flora", WRITING), program("Renaud", WRITING)
    sent = send(flora, played, private())
    assert sent.status_code == 200, sent.content
    told = sent.json()
    assert (told["width"], told["height"], told["public"]) == (20, 40, False)
    assert send(flora, played, private()).json()["key"] == told["key"]  # twice is once
    path = ways(played, f"/photos/{told['key']}")
    for asked in (flora, desk):
        answer = asked.get(path)
        assert answer["Content-Type"] == "image/jpeg"
        with Image.open(BytesIO(answer.content)) as found:
            assert (found.size, dict(found.getexif())) == ((20, 40), {})
        assert b"grandmother" not in answer.content
        assert [one["key"] for one in asked.get(ways(played, f"{BOARD}/photos")).json()["items"]] == [
            told["key"]
        ]
    for asked in (renaud, Program()):
        refused(asked.get(path), 404)
        assert asked.get(ways(played, f"{BOARD}/photos")).json() == {"items": []}
    refused(renaud.ask("DELETE", path), 404)


def test_the_desk_shows_a_photo_and_its_sender_removes_it(played: Tournament, desk: Program) -> None:
    flora, renaud = program("Flora", WRITING), program("Renaud", WRITING)
    path = ways(played, f"/photos/{send(flora, played, taken()).json()['key']}")
    refused(flora.ask("PATCH", path, {"public": True}), 403)
    assert desk.ask("PATCH", path, {"public": True}).json()["public"] is True
    assert Program().get(path).status_code == 200
    senders = {
        asked: asked.get(ways(played, f"{BOARD}/photos")).json()["items"][0]["person"]
        for asked in (flora, desk, renaud, Program())
    }
    assert (
        senders[flora] == senders[desk] == AccessToken.objects.get(account=cast.person("Flora")).person_number
    )
    assert [who for asked, who in senders.items() if asked not in (flora, desk)] == [None, None]
    refused(renaud.ask("DELETE", path), 403)
    assert flora.ask("DELETE", path).status_code == 204
    refused(flora.ask("DELETE", path), 404)
    by_desk = ways(played, f"/photos/{send(desk, played, taken(30)).json()['key']}")
    refused(flora.ask("DELETE", by_desk), 403)


def test_a_hidden_round_hides_its_boards(played: Tournament, desk: Program) -> None:
    """A draft is nobody's but the desk's."""
    for part in ("/rounds/4/boards/1/photos", "/rounds/9/boards/1/photos", "/rounds/3/boards/9/photos"):
        refused(Program().get(ways(played, part)), 404)
    event_journal.perform_acts(
        played, [RevealRound(2, shown=False)], event_journal.JournalActor(scene.director())
    )
    boards = Program().get(ways(played, "/rounds/2")).json()["boards"]
    assert all(one["years"] == {} for one in boards)


@pytest.mark.parametrize("sent", [b"", b"x", b"\xff\xd8\xff", b"GIF89a" + b"\0" * 50, b'{"a": 1}'])
def test_what_is_no_photo_is_refused(sent: bytes, played: Tournament, desk: Program) -> None:
    assert refused(send(desk, played, sent), 409)["code"].startswith("act_photo_")
    assert not played.photos.exists()


def test_what_is_too_large_or_of_another_kind_is_refused_at_the_door(
    played: Tournament, desk: Program
) -> None:
    large = refused(send(desk, played, b"\xff\xd8" + b"x" * entry_point.LARGEST_PICTURE), 413)
    assert "quatre mégaoctets" in large["sentence"]
    assert refused(desk.ask("POST", ways(played, f"{BOARD}/photos"), {}), 415)["code"] == "not_picture"
    refused(send(desk, played, taken(), "application/pdf"), 415)
    answer = desk.raw(
        "POST", ways(played, "/desk/acts"), taken(), {**desk.head, "Content-Type": "image/jpeg"}
    )
    assert refused(answer, 415)["code"] == "not_json"


def test_no_board_has_too_many(monkeypatch: pytest.MonkeyPatch, played: Tournament, desk: Program) -> None:
    monkeypatch.setattr(board_photos, "MOST_PHOTOS_A_BOARD", 2)
    assert [send(desk, played, taken(40 + at)).status_code for at in range(3)] == [200, 200, 409]
    assert send(desk, played, taken(41)).status_code == 200  # it is there already


def test_the_schema_says_what_is_sent() -> None:
    paths = openapi_document.openapi_schema()["paths"]
    body = paths["/tournaments/{tournament}/rounds/{number}/boards/{board}/photos"]["post"]["requestBody"]
    assert list(body["content"]) == ["image/jpeg", "image/png", "image/webp"]
