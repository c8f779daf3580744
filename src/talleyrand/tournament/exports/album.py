"""Photographs of boards, in files beside the archive of their event: as many as it takes, none too large.

A zip of JPEGs that any program opens, with a list that says of which board each is, and when it was taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from talleyrand.formats.shapes import clip
from talleyrand.tournament import codec
from talleyrand.tournament.timing import moment

from .packing import LARGEST, BadArchive, digest, pack, parsed, table, unpack, written

FORMAT, VERSION = "talleyrand photographs", 1
LIST, SUFFIX = "photographs.json", ".jpg"
JPEG = b"\xff\xd8\xff"  # how a picture begins
MOST = 400  # photographs in one file
LONGEST = 1 << 20  # bytes of the list
ROOM = LARGEST - (1 << 18)  # bytes of pictures in one file, beside the list
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
class Contents:
    """What a file says of itself: of which event, which of how many."""

    format: str
    version: int
    event: str
    part: int
    parts: int
    photographs: tuple[Photograph, ...] = ()


def shares(sizes: Sequence[int]) -> list[range]:
    """Which pictures go into each file, in their order, from the bytes of each."""
    found: list[range] = []
    begun = filled = 0
    for at, size in enumerate(sizes):
        if at > begun and filled + size > ROOM:
            found.append(range(begun, at))
            begun, filled = at, 0
        filled += size
    return [*found, range(begun, len(sizes))] if sizes else found


def named(at: int, round_: int, board: int) -> str:
    """What a picture is called in the file."""
    return f"{at:03}-round-{round_}-board-{board}{SUFFIX}"


def write(contents: Contents, pictures: Sequence[bytes]) -> bytes:
    """The file of these photographs, whose pictures come in the same order."""
    files = {one.file: picture for one, picture in zip(contents.photographs, pictures, strict=True)}
    return pack({LIST: written(codec.write(contents)), **files})


def read(content: bytes) -> tuple[Contents, list[bytes]]:
    """The photographs of a file with their pictures, which are as they came; raises BadArchive, BadEvent."""
    packed = unpack(content, _limit, otherwise=OTHERWISE)
    if LIST not in packed:
        raise BadArchive(OTHERWISE)
    told = table(parsed(packed, LIST), LIST)
    version = told.get("version")
    if told.get("format") != FORMAT:
        raise BadArchive(OTHERWISE)
    if isinstance(version, int) and version > VERSION:
        raise BadArchive("archive_newer", program=clip(FORMAT))
    contents = codec.read(Contents, told, LIST)
    for one in contents.photographs:
        _check(one, packed)
    listed = [one.file for one in contents.photographs]
    if sorted([LIST, *listed]) != sorted(packed) or len(listed) > MOST:
        raise BadArchive("archive_damaged", where=LIST)
    return contents, [packed[one.file] for one in contents.photographs]


def _limit(name: str) -> int:
    return LONGEST if name == LIST else LARGEST if name.endswith(SUFFIX) else 0


def _check(one: Photograph, packed: dict[str, bytes]) -> None:
    known = one.file in packed and one.file != LIST and digest(packed[one.file]) == one.digest
    numbers = min(one.round, one.board) > 0 and one.person >= 0
    known = known and packed[one.file].startswith(JPEG)
    if not (known and numbers and moment(one.at) and 0 < len(one.mark) <= 64 and one.mark.isalnum()):
        raise BadArchive("archive_damaged", where=one.file)
