"""Photographs that are something else, or much more than their bytes let one think."""

from __future__ import annotations

import struct
import subprocess
import sys
import zipfile
import zlib
from io import BytesIO
from random import Random
from typing import Any

import pytest
from PIL import Image

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.web.tournaments import photo_processing
from tests.each import each

# What Pillow says of damage is for its own log.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
CLICHE = b"<script>alert('zz-polyglot')</script>"
ORIENTATION = 274


def picture(kind: str = "JPEG", size: tuple[int, int] = (400, 300), **more: Any) -> bytes:
    made = BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(made, kind, **more)
    return made.getvalue()


def with_scans(size: tuple[int, int], count: int, **more: Any) -> bytes:
    """The last pass over a picture, so many times."""
    whole = picture(size=size, **more)
    last = whole[whole.rfind(b"\xff\xda") : -2]
    return whole[:-2] + last * count + whole[-2:]


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, data: bytes, *more: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def webp(width: int, height: int) -> bytes:
    """An empty one that says it is so large."""
    said = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0" + said
    return b"RIFF" + struct.pack("<I", len(body)) + body


def jpeg_of(width: int, height: int) -> bytes:
    """A small one whose head says that it is larger."""
    whole = bytearray(picture())
    at = whole.index(b"\xff\xc0")
    whole[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(whole)


REFUSED = {
    "a thousand passes over a large picture": with_scans((2000, 1500), 1000, progressive=True),
    "fifty passes": with_scans((100, 100), 50, progressive=True),
    "passes of a picture that has one": with_scans((100, 100), 50),
    "passes over more than is unfolded": with_scans((6000, 5000), 2, progressive=True),
    "a PNG of 65,000 by 65,000": png(65_000, 65_000, zlib.compress(bytes(1000))),
    "a PNG of two thousand million by one": png(2**31 - 1, 1, zlib.compress(bytes(1000))),
    "a PNG without height": png(100, 0, zlib.compress(b"")),
    "a profile of colours that swells": png(
        64, 64, zlib.compress(bytes(64 * 193)), chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(50 << 20), 9))
    ),
    "a remark that swells": png(
        64, 64, zlib.compress(bytes(64 * 193)), chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(50 << 20), 9))
    ),
    "a WebP of 16,000 by 16,000": webp(16_000, 16_000),
    "a JPEG of 65,000 by 65,000": jpeg_of(65_000, 65_000),
    "a JPEG without points": jpeg_of(0, 0),
    "an archive": b"PK\x03\x04" + bytes(200),
    "Postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n(/etc/passwd) (r) file\n",
    "a page": b"\xff\xd8<html>" + CLICHE + b"</html>",
    "PDF": b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>",
    "an icon": b"\0\0\1\0\1\0" + bytes(40),
}


@each("name", REFUSED)
def test_what_costs_more_than_it_shows_is_refused(name: str) -> None:
    with pytest.raises(ActRefused):
        photo_processing.clean_photo(REFUSED[name])


@pytest.mark.long
def test_passes_are_counted_as_a_reader_has_them() -> None:
    """Pictures in remarks, and behind the end, are no passes: every telephone writes those."""
    assert photo_processing.jpeg_scan_count(picture()) == 1
    assert 1 < photo_processing.jpeg_scan_count(picture(progressive=True)) < 20
    assert photo_processing.jpeg_scan_count(picture(exif=b"Exif\0\0" + picture(size=(40, 30)) * 20)) == 1
    assert photo_processing.jpeg_scan_count(picture() + picture() * 60) == 1
    assert photo_processing.jpeg_scan_count(picture("PNG")) == 0
    assert photo_processing.jpeg_scan_count(with_scans((64, 64), 10_000)) == photo_processing.MOST_SCANS + 1
    for broken in (b"", b"\xff\xd8", b"\xff\xd8\xff", b"\xff\xd8" + b"\xff" * 9000, picture()[:150]):
        assert photo_processing.jpeg_scan_count(broken) <= 1


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_what_is_two_things_is_kept_as_a_picture_alone(kind: str) -> None:
    """A page or an archive behind, before or within a picture: what is kept is made from its points."""
    zipped = BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("../../evil", CLICHE)
    kept = photo_processing.clean_photo(picture(kind) + CLICHE + zipped.getvalue()).content
    assert b"zz-polyglot" not in kept
    assert b"PK\x03\x04" not in kept
    assert not zipfile.is_zipfile(BytesIO(kept))
    with Image.open(BytesIO(kept)) as found:
        assert (found.format, found.info.get("exif"), found.info.get("icc_profile")) == ("JPEG", None, None)


def lying(kind: int, told: bytes) -> bytes:
    """How the picture is turned, as a number of this kind (3: short, 2: text) of four octets."""
    return b"Exif\0\0II*\0" + struct.pack("<IHHHI", 8, 1, ORIENTATION, kind, 1) + told + bytes(4)


@each(
    "exif",
    [
        *(lying(3, struct.pack("<HH", number, 0)) for number in (0, 9, 65535)),
        lying(2, b"6\0\0\0"),
        lying(5, b"\xff\xff\xff\xff"),
        lying(99, b"\6\0\0\0"),
        b"Exif\0\0",
        b"Exif\0\0II*\0" + b"\xff" * 40,
        b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + bytes(range(256)) * 40,
        b"Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\x08\0\0\0",  # the next table is this one
        b"http://ns.adobe.com/xap/1.0/\0<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
        b"http://ns.adobe.com/xap/1.0/\0" + b"<rdf:li>" * 8000,
    ],
)
def test_what_a_picture_says_of_itself_is_not_believed(exif: bytes) -> None:
    """It is kept, upright where it can be, or refused; nothing of what it said is kept."""
    try:
        kept = photo_processing.clean_photo(picture(exif=exif))
    except ActRefused:
        return
    assert {kept.width, kept.height} == {400, 300}
    with Image.open(BytesIO(kept.content)) as found:
        assert not dict(found.getexif())


def test_a_photograph_of_several_is_one() -> None:
    """As telephones send it: what is shown stands first, and others behind."""
    made = BytesIO()
    first = Image.linear_gradient("L").convert("RGB")
    first.save(made, "MPO", save_all=True, append_images=[Image.new("RGB", (4000, 4000))])
    kept = photo_processing.clean_photo(made.getvalue())
    assert (kept.width, kept.height) == first.size


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_damage_is_a_picture_or_a_sentence(kind: str, seed: int, full: bool) -> None:
    lot = Random(f"{seed} {kind}")
    exif = lying(3, b"\6\0\0\0")
    whole = picture(kind, (60, 40), exif=exif)
    for _ in range(3000 if full else 200):
        sent = bytearray(whole)
        for _ in range(lot.randint(1, 12)):
            sent[lot.randrange(len(sent))] = lot.randrange(256)
        if lot.random() < 0.3:
            del sent[lot.randrange(len(sent)) :]
        try:
            kept = photo_processing.clean_photo(bytes(sent))
        except ActRefused:
            continue
        assert kept.content.startswith(b"\xff\xd8")


@pytest.mark.long
def test_the_maker_of_documents_has_no_picture_read_more_kindly() -> None:
    """What it says of pictures when it is loaded would hold for the photographs that people send."""
    pytest.importorskip("weasyprint")
    code = "from PIL import ImageFile; from talleyrand.printing import pdf; pdf.is_available(); "
    told = subprocess.run(
        [sys.executable, "-c", f"{code}print(ImageFile.LOAD_TRUNCATED_IMAGES)"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert told.stdout == "False\n"
