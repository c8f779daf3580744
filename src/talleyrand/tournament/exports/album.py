"""Photographs of boards, in files beside the archive of their event: as many as it takes, none too large.

A zip of JPEGs that any program opens, with a list that says of which board each is, and when it was taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from talleyrand.formats.json_checks import clip_json
from talleyrand.tournament import codec
from talleyrand.tournament.round_timing import parse_time

from .packing import (
    MAX_FILE_BYTES,
    InvalidArchive,
    json_bytes,
    pack_zip,
    parse_member,
    require_object,
    sha256_hex,
    unpack_zip,
)

FORMAT, VERSION = "talleyrand photographs", 1
LIST_FILE, SUFFIX = "photographs.json", ".jpg"
JPEG = b"\xff\xd8\xff"  # how a picture begins
MAX_PHOTOGRAPHS = 400  # photographs in one file
MAX_LIST_BYTES = 1 << 20  # bytes of the list
MAX_PICTURE_BYTES = MAX_FILE_BYTES - (1 << 18)  # bytes of pictures in one file, beside the list
OTHERWISE = "archive_no_album"


@dataclass(frozen=True)
class Photograph:
    """One of them: of which board; who of the event sent it, 0 for the desk. `mark`: of what was sent, so
    that the same one comes once. `shown`: to all. `file` and `digest`: the picture in this file."""

    round: int
    board: int
    at: str
    mark: str
    file: str
    digest: str
    person: int = 0
    shown: bool = False


@dataclass(frozen=True)
class AlbumContents:
    """What a file says of itself: of which event, which of how many."""

    format: str
    version: int
    event: str
    part: int
    parts: int
    photographs: tuple[Photograph, ...] = ()


def split_into_files(sizes: Sequence[int]) -> list[range]:
    """Which pictures go into each file, in their order, from the bytes of each."""
    found: list[range] = []
    begun = filled = 0
    for at, size in enumerate(sizes):
        if at > begun and filled + size > MAX_PICTURE_BYTES:
            found.append(range(begun, at))
            begun, filled = at, 0
        filled += size
    return [*found, range(begun, len(sizes))] if sizes else found


def photograph_name(at: int, round_: int, board: int) -> str:
    """What a picture is called in the file."""
    return f"{at:03}-round-{round_}-board-{board}{SUFFIX}"


def write_album(contents: AlbumContents, pictures: Sequence[bytes]) -> bytes:
    """The file of these photographs, whose pictures come in the same order."""
    files = {one.file: picture for one, picture in zip(contents.photographs, pictures, strict=True)}
    return pack_zip({LIST_FILE: json_bytes(codec.write_value(contents)), **files})


def read_album(content: bytes) -> tuple[AlbumContents, list[bytes]]:
    """The photographs of a file with their pictures, which are as they came; raises BadArchive, BadEvent."""
    packed = unpack_zip(content, _limit, otherwise=OTHERWISE)
    if LIST_FILE not in packed:
        raise InvalidArchive(OTHERWISE)
    told = require_object(parse_member(packed, LIST_FILE), LIST_FILE)
    version = told.get("version")
    if told.get("format") != FORMAT:
        raise InvalidArchive(OTHERWISE)
    if isinstance(version, int) and version > VERSION:
        raise InvalidArchive("archive_newer", program=clip_json(FORMAT))
    contents = codec.read_value(AlbumContents, told, LIST_FILE)
    for one in contents.photographs:
        _check(one, packed)
    listed = [one.file for one in contents.photographs]
    if sorted([LIST_FILE, *listed]) != sorted(packed) or len(listed) > MAX_PHOTOGRAPHS:
        raise InvalidArchive("archive_damaged", where=LIST_FILE)
    return contents, [packed[one.file] for one in contents.photographs]


def _limit(name: str) -> int:
    return MAX_LIST_BYTES if name == LIST_FILE else MAX_FILE_BYTES if name.endswith(SUFFIX) else 0


def _check(one: Photograph, packed: dict[str, bytes]) -> None:
    known = one.file in packed and one.file != LIST_FILE and sha256_hex(packed[one.file]) == one.digest
    numbers = min(one.round, one.board) > 0 and one.person >= 0
    known = known and packed[one.file].startswith(JPEG)
    if not (known and numbers and parse_time(one.at) and 0 < len(one.mark) <= 64 and one.mark.isalnum()):
        raise InvalidArchive("archive_damaged", where=one.file)
