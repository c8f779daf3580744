"""Photographs go into as many files as it takes and come back as they were; other files are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.tournament import codec
from talleyrand.tournament.errors import BadEvent
from talleyrand.tournament.exports import album, packing
from talleyrand.tournament.exports.album import Contents, Photograph

PICTURES = [b"\xff\xd8\xff one", b"\xff\xd8\xff two", b"\xff\xd8\xff three"]


def contents(pictures: list[bytes], **more: Any) -> Contents:
    told = tuple(
        Photograph(
            round=1,
            board=at,
            at="2026-07-03T19:00:00+00:00",
            mark=packing.digest(picture),
            file=album.named(at, 1, at),
            digest=packing.digest(picture),
            person=at - 1,
            shown=at == 2,
        )
        for at, picture in enumerate(pictures, 1)
    )
    return replace(Contents(album.FORMAT, album.VERSION, "Les Chouettes", 1, 1, told), **more)


def test_they_come_back_as_they_were() -> None:
    told = contents(PICTURES)
    assert album.read(album.write(told, PICTURES)) == (told, PICTURES)
    assert album.write(told, PICTURES) == album.write(told, PICTURES)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], []),
        ([1, 2, 3], [range(3)]),
        ([album.ROOM, 1], [range(1), range(1, 2)]),
        ([album.ROOM - 1, 1, 1], [range(2), range(2, 3)]),
        ([album.ROOM * 2, 1], [range(1), range(1, 2)]),
    ],
)
def test_no_file_is_larger_than_may_be_sent(sizes: list[int], expected: list[range]) -> None:
    assert album.shares(sizes) == expected


def repacked(**changed: Any) -> bytes:
    told = codec.write(contents(PICTURES))
    files = {one["file"]: picture for one, picture in zip(told["photographs"], PICTURES, strict=True)}
    return packing.pack({album.LIST: json.dumps({**told, **changed}).encode(), **files})


ROWS = codec.write(contents(PICTURES))["photographs"]


def first(**changed: Any) -> bytes:
    told = codec.write(contents(PICTURES))["photographs"]
    return repacked(photographs=[{**told[0], **changed}, *told[1:]])


BAD: dict[str, tuple[str, bytes]] = {
    "nothing": ("archive_no_album", b""),
    "a text": ("archive_no_album", b"hello"),
    "another zip": ("archive_no_album", packing.pack({"a.txt": b""})),
    "no list": ("archive_no_album", packing.pack({"a.jpg": b""})),
    "half a zip": ("archive_damaged", album.write(contents(PICTURES), PICTURES)[:200]),
    "another format": ("archive_no_album", repacked(format="talleyrand tournament")),
    "a newer program": ("archive_newer", repacked(version=2)),
    "too large": ("archive_too_large", b"PK" + bytes(packing.LARGEST)),
    "a bomb": (
        "archive_damaged",
        packing.pack({f"{at}.jpg": bytes(4 << 20) for at in range(9)} | {album.LIST: b"{}"}),
    ),
    "another picture": ("archive_damaged", first(digest="0" * 64)),
    "one that is not there": ("archive_damaged", first(file="none.jpg")),
    "the list as a picture": ("archive_damaged", first(file=album.LIST)),
    "one that nobody names": ("archive_damaged", repacked(photographs=[])),
    "one picture twice": ("archive_damaged", repacked(photographs=[ROWS[0], *ROWS])),
    "a picture that is none": ("archive_damaged", album.write(contents([b"\x89PNG"]), [b"\x89PNG"])),
    "no hour": ("archive_damaged", first(at="yesterday")),
    "a board below": ("archive_damaged", first(board=-1)),
    "a mark that is a way": ("archive_damaged", first(mark="../x")),
    "a number that is a text": ("event_not_a_number", first(board="1")),
}


@pytest.mark.parametrize(("code", "content"), BAD.values(), ids=BAD)
def test_what_is_no_album_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(BadEvent) as refused:
        album.read(content)
    assert refused.value.code == code
