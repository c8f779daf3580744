"""Photographs go into as many files as it takes and come back as they were; other files are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.tournament import codec
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.exports import event_archive
from talleyrand.tournament.exports.event_archive import AlbumContents, Photograph

PICTURES = [b"\xff\xd8\xff one", b"\xff\xd8\xff two", b"\xff\xd8\xff three"]


def contents(pictures: list[bytes], **more: Any) -> AlbumContents:
    told = tuple(
        Photograph(
            round=1,
            board=at,
            at="2026-07-03T19:00:00+00:00",
            mark=event_archive.sha256_hex(picture),
            file=event_archive.photograph_name(at, 1, at),
            digest=event_archive.sha256_hex(picture),
            person=at - 1,
            shown=at == 2,
        )
        for at, picture in enumerate(pictures, 1)
    )
    return replace(
        AlbumContents(event_archive.ALBUM_FORMAT, event_archive.ALBUM_VERSION, "Les Chouettes", 1, 1, told),
        **more,
    )


def test_they_come_back_as_they_were() -> None:
    told = contents(PICTURES)
    assert event_archive.read_album(event_archive.write_album(told, PICTURES)) == (told, PICTURES)
    assert event_archive.write_album(told, PICTURES) == event_archive.write_album(told, PICTURES)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], []),
        ([1, 2, 3], [range(3)]),
        ([event_archive.MAX_PICTURE_BYTES, 1], [range(1), range(1, 2)]),
        ([event_archive.MAX_PICTURE_BYTES - 1, 1, 1], [range(2), range(2, 3)]),
        ([event_archive.MAX_PICTURE_BYTES * 2, 1], [range(1), range(1, 2)]),
    ],
)
def test_no_file_is_larger_than_may_be_sent(sizes: list[int], expected: list[range]) -> None:
    assert event_archive.split_into_files(sizes) == expected


def repacked(**changed: Any) -> bytes:
    told = codec.write_value(contents(PICTURES))
    files = {one["file"]: picture for one, picture in zip(told["photographs"], PICTURES, strict=True)}
    return event_archive.pack_zip(
        {event_archive.LIST_FILE: json.dumps({**told, **changed}).encode(), **files}
    )


ROWS = codec.write_value(contents(PICTURES))["photographs"]


def first(**changed: Any) -> bytes:
    told = codec.write_value(contents(PICTURES))["photographs"]
    return repacked(photographs=[{**told[0], **changed}, *told[1:]])


BAD: dict[str, tuple[str, bytes]] = {
    "nothing": ("archive_no_album", b""),
    "text": ("archive_no_album", b"hello"),
    "another zip": ("archive_no_album", event_archive.pack_zip({"a.txt": b""})),
    "no list": ("archive_no_album", event_archive.pack_zip({"a.jpg": b""})),
    "half a zip": ("archive_damaged", event_archive.write_album(contents(PICTURES), PICTURES)[:200]),
    "another format": ("archive_no_album", repacked(format="talleyrand tournament")),
    "a newer program": ("archive_newer", repacked(version=2)),
    "too large": ("archive_too_large", b"PK" + bytes(event_archive.MAX_FILE_BYTES)),
    "a bomb": (
        "archive_damaged",
        event_archive.pack_zip(
            {f"{at}.jpg": bytes(4 << 20) for at in range(9)} | {event_archive.LIST_FILE: b"{}"}
        ),
    ),
    "another picture": ("archive_damaged", first(digest="0" * 64)),
    "one that is not there": ("archive_damaged", first(file="none.jpg")),
    "the list as a picture": ("archive_damaged", first(file=event_archive.LIST_FILE)),
    "one that nobody names": ("archive_damaged", repacked(photographs=[])),
    "one picture twice": ("archive_damaged", repacked(photographs=[ROWS[0], *ROWS])),
    "a picture that is none": (
        "archive_damaged",
        event_archive.write_album(contents([b"\x89PNG"]), [b"\x89PNG"]),
    ),
    "no hour": ("archive_damaged", first(at="yesterday")),
    "a board below": ("archive_damaged", first(board=-1)),
    "a mark that is a way": ("archive_damaged", first(mark="../x")),
    "a number that is a text": ("event_not_a_number", first(board="1")),
}


@pytest.mark.parametrize(("code", "content"), BAD.values(), ids=BAD)
def test_what_is_no_album_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(InvalidEvent) as refused:
        event_archive.read_album(content)
    assert refused.value.code == code
