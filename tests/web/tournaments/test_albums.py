"""Photographs follow their tournament to another site, once, and to the desk alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from talleyrand.tournament.exports import event_archive
from talleyrand.web.tournaments import board_photos, photo_processing
from talleyrand.web.tournaments.models import BoardPhoto, Tournament
from talleyrand.web.tournaments.papers import tournament_archives
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer
from tests.web import cast
from tests.web.tournaments import hall, scene

from .test_photos import taken

pytestmark = pytest.mark.django_db


def photographed() -> Tournament:
    made = hall.playing()
    sight = TournamentViewer(hall.fresh(made), scene.director())
    board_photos.save_photo(sight, 1, 1, taken(60, 40))
    player = TournamentViewer(hall.fresh(made), None, 2)
    board_photos.save_photo(player, 1, 1, taken(50, 30))
    board_photos.set_photo_public(sight, made.photos.get(width=60), shown=True)
    return hall.fresh(made)


def elsewhere(made: Tournament) -> Tournament:
    return tournament_archives.tournament_from_archive(
        tournament_archives.archive_of(made, links=False), scene.director()
    )


def file_of(made: Tournament, part: int = 1, name: str = cast.MASTER) -> Any:
    return cast.client_of(name).get(reverse("tournaments:paper_album", args=[made.key, part]))


def take(made: Tournament, content: bytes, name: str = cast.MASTER) -> Any:
    file = SimpleUploadedFile("photos.zip", content)
    path = reverse("tournaments:take_album", args=[made.key])
    return cast.client_of(name).post(path, {"file": file}, follow=True)


def kept(made: Tournament) -> list[tuple[Any, ...]]:
    return [
        (one.round_number, one.board_number, one.person_number, one.content_digest, one.is_public, one.width)
        for one in made.photos.all()
    ]


def test_they_come_with_their_board_and_who_sent_them() -> None:
    made = photographed()
    content = file_of(made).content
    other = elsewhere(made)
    assert "2 photos enregistrées." in hall.text(take(other, content))
    assert kept(other) == kept(made)
    assert abs(other.photos.all()[0].sent_at - made.photos.all()[0].sent_at).total_seconds() < 1
    assert "2 étaient déjà là." in hall.text(take(other, content))
    assert kept(other) == kept(made)


def test_in_as_many_files_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    made = photographed()
    monkeypatch.setattr(event_archive, "MAX_PICTURE_BYTES", 1)
    page = hall.text(cast.client_of(cast.MASTER).get(reverse("tournaments:papers", args=[made.key])))
    assert "Photos, fichier 2 sur 2" in page
    other = elsewhere(made)
    assert "C’était le fichier 1 sur 2." in hall.text(take(other, file_of(made).content))
    take(other, file_of(made, 2).content)
    assert kept(other) == kept(made)
    assert file_of(made, 3).status_code == 404


def test_the_desk_alone_has_them() -> None:
    made = photographed()
    content = file_of(made).content
    assert file_of(made, name=cast.STRANGER).status_code == 404
    assert take(made, content, name=cast.STRANGER).status_code == 404
    hidden = hall.phone(made, 3).get(hall.path(made, "paper_album", 1))
    assert hidden.status_code == 404


def test_what_does_not_fit_is_left_out_with_the_reason() -> None:
    made = photographed()
    content = file_of(made).content
    empty = scene.tournament(7)
    said = hall.text(take(empty, content))
    assert "ronde" in said
    assert not BoardPhoto.objects.filter(tournament=empty).exists()


def test_a_picture_that_there_is_no_room_for_is_not_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    made = photographed()
    content = file_of(made).content
    other = elsewhere(made)
    monkeypatch.setattr(board_photos, "MOST_PHOTOS_A_BOARD", 0)
    monkeypatch.setattr(photo_processing, "clean_photo", lambda _sent: pytest.fail("taken apart"))
    take(other, content)
    assert kept(other) == []


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04"])
def test_no_album_is_refused_with_a_sentence(content: bytes) -> None:
    made = photographed()
    answer = take(made, content)
    assert answer.status_code == 200
    assert "Ce fichier ne contient pas de photos de tables. Prenez" in hall.text(
        answer
    ) or "incomplète" in hall.text(answer)
    assert len(kept(made)) == 2


def test_a_picture_is_made_again_whoever_packed_it() -> None:
    """What somebody else put into the file beside the points of the picture is not kept."""
    made = photographed()
    contents, pictures = event_archive.read_album(file_of(made).content)
    hostile = pictures[0] + b"<script>hidden</script>"
    first = replace(contents.photographs[0], digest=event_archive.sha256_hex(hostile))
    told = replace(contents, photographs=(first, *contents.photographs[1:]))
    other = elsewhere(made)
    take(other, event_archive.write_album(told, [hostile, *pictures[1:]]))
    assert len(kept(other)) == 2
    assert not any(b"script" in bytes(one.content) for one in other.photos.all())
