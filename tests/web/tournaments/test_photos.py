"""Photographs of boards: taken apart and made again, seen by the board alone, bounded."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import RoundState
from talleyrand.web.notifications import topic_versions
from talleyrand.web.tournaments import board_photos, event_journal, photo_processing, private_data
from talleyrand.web.tournaments.models import BoardPhoto, Tournament
from tests.web import cast
from tests.web.tournaments import hall

pytestmark = pytest.mark.django_db

BOARD = (1, 1)
ORIENTATION, GPS, MAKER = 0x0112, 0x8825, 0x010F


def taken(width: int = 40, height: int = 20, kind: str = "JPEG", **more: Any) -> bytes:
    made = BytesIO()
    Image.new("RGB", (width, height), (200, 40, 40)).save(made, kind, **more)
    return made.getvalue()


def private() -> bytes:
    """On its side, and telling where it was taken and by which telephone."""
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = 6, "Invented Telephones"
    exif.get_ifd(GPS)[1] = "N"
    return taken(exif=exif, comment=b"at my grandmother's")


def send(made: Tournament, who: int, *sent: bytes, client: Any = None, **more: Any) -> Any:
    files = [SimpleUploadedFile("board.jpg", one, "image/jpeg") for one in sent]
    path = hall.path(made, "send_photo", *BOARD)
    return (client or hall.phone(made, who)).post(path, {"photo": files, **more}, follow=True)


def told(made: Tournament) -> list[BoardPhoto]:
    return list(made.photos.all())


def test_nothing_is_left_of_where_and_by_what_it_was_taken() -> None:
    kept = photo_processing.clean_photo(private())
    assert (kept.width, kept.height) == (20, 40)  # upright
    with Image.open(BytesIO(kept.content)) as found:
        assert found.format == "JPEG"
        assert not dict(found.getexif())
        assert "comment" not in found.info
    assert b"Invented" not in kept.content
    assert b"grandmother" not in kept.content


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_large_one_is_made_smaller(kind: str) -> None:
    kept = photo_processing.clean_photo(taken(2200, 1100, kind))
    assert (kept.width, kept.height) == (2000, 1000)


def bomb() -> bytes:
    """A PNG of a few bytes that says it is 20,000 points high and wide."""
    head = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(bytes(100)))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(64)
# a maker that is a fraction, in a photograph on its side
MISTYPED = b"Exif\0\0II*\0" + struct.pack(
    "<IHHHIIHHIIIII", 8, 2, MAKER, 5, 1, 38, ORIENTATION, 3, 1, 6, 0, 1, 3
)
BAD = [
    ("act_photo_none", b""),
    ("act_photo_kind", b"not a photograph"),
    ("act_photo_kind", HEIC),
    ("act_photo_kind", taken()[:200]),
    ("act_photo_kind", taken(exif=MISTYPED)),
    ("act_photo_kind", taken(kind="GIF")),
    ("act_photo_kind", taken(kind="TIFF")),
    ("act_photo_kind", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
    ("act_photo_points", bomb()),
    ("act_photo_large", bytes(photo_processing.LARGEST_UPLOAD + 1)),
]


@pytest.mark.parametrize(("code", "sent"), BAD, ids=range(len(BAD)))
def test_what_is_no_photograph_is_refused(code: str, sent: bytes) -> None:
    with pytest.raises(ActRefused) as refused:
        photo_processing.clean_photo(sent)
    assert refused.value.code == code


def test_a_board_sees_its_photographs_and_nobody_else_does() -> None:
    made = hall.playing()
    for _again in range(2):
        assert "Envoi enregistré." in hall.text(send(made, 1, private()))
    [kept] = told(made)
    assert kept.person_number == 1
    path = hall.path(made, "photo", kept.key)
    assert hall.phone(made, 2).get(path)["Content-Type"] == "image/jpeg"
    for who in (0, 8):
        assert hall.phone(made, who).get(path).status_code == 404
        assert kept.key not in hall.text(hall.phone(made, who).get(hall.path(made, "board", *BOARD)))
        answer = hall.phone(made, who).post(hall.path(made, "change_photo", kept.key), {"do": "show"})
        assert answer.status_code == 404
    master = cast.client_of(cast.MASTER)
    assert kept.key in hall.text(master.get(hall.path(made, "desk_board", *BOARD)))
    master.post(hall.path(made, "change_photo", kept.key), {"do": "show", "desk": "1"})
    assert hall.phone(made).get(path).status_code == 200
    master.post(hall.path(made, "change_photo", kept.key), {"do": "hide", "desk": "1"})
    assert hall.phone(made).get(path).status_code == 404


def test_who_sent_it_takes_it_away() -> None:
    made = hall.playing()
    send(made, 1, taken())
    [kept] = told(made)
    path = hall.path(made, "change_photo", kept.key)
    for who, do in ((2, "remove"), (1, "show"), (1, ""), (1, "burn")):
        answer = hall.phone(made, who).post(path, {"do": do}, follow=True)
        assert "Vous ne pouvez pas modifier cette photo." in hall.text(answer)
    assert hall.phone(made, 1).get(path).status_code == 302
    assert told(made) == [kept]
    hall.phone(made, 1).post(path, {"do": "remove"})
    assert told(made) == []
    assert hall.phone(made, 1).post(path, {"do": "remove"}).status_code == 404


@pytest.mark.long
def test_nobody_elsewhere_sends_any() -> None:
    made = hall.playing()
    for who in (0, 8):
        send(made, who, taken())
        assert told(made) == []
    assert hall.phone(made, 1).post(hall.path(made, "send_photo", 1, 7)).status_code == 404
    assert "choisissez une photo" in hall.text(send(made, 1)).lower()
    assert "n’est pas une photo" in hall.text(send(made, 1, HEIC))
    hall.changed(made, over=True)
    send(made, 1, taken())
    assert told(made) == []
    assert "Envoi enregistré." in hall.text(
        send(made, 0, taken(), client=cast.client_of(cast.MASTER), desk="1")
    )
    hall.with_round(made, 1, state=RoundState.OPEN, boards={})
    assert send(made, 1, taken()).status_code == 404


def test_there_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    made = hall.playing()
    several = [taken(40 + number) for number in range(board_photos.MOST_PHOTOS_A_BOARD)]
    send(made, 1, *several)
    assert len(told(made)) == board_photos.MOST_PHOTOS_A_BOARD
    assert "retirez-en une" in hall.text(send(made, 2, taken(99))).lower()
    monkeypatch.setattr(board_photos, "MOST_PHOTOS_A_BOARD", 99)
    monkeypatch.setattr(board_photos, "MOST_PHOTOS", 8)
    assert "ce tournoi a déjà 8 photos" in hall.text(send(made, 2, taken(99))).lower()
    assert len(told(made)) == 8


def test_a_crash_in_the_middle_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made = hall.playing()

    def crash(_topic: str) -> None:
        raise RuntimeError("the light goes out")

    monkeypatch.setattr(topic_versions, "bump", crash)
    with pytest.raises(RuntimeError):
        send(made, 1, taken())
    assert told(made) == []


def test_forgetting_takes_what_was_not_shown() -> None:
    made = hall.playing()
    send(made, 1, taken(), taken(50))
    first, _second = told(made)
    made.photos.filter(pk=first.pk).update(is_public=True)
    made = hall.changed(made, over=True)
    assert private_data.count_private_data(made).photos == 1
    assert private_data.forget_private_data(made, event_journal.JournalActor()) is not None
    assert [(one.pk, one.person_number) for one in told(made)] == [(first.pk, 0)]
    assert private_data.count_private_data(made).photos == 0
    private_data.delete_tournament(made)
    assert not BoardPhoto.objects.exists()
