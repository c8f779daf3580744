"""An event in one file: its document, its journal and, if wanted, the links of its people.

A zip of JSON files that any program opens, the same each time. `read_archive` gives back what `write_archive`
was given, or says what is wrong: a file that was cut off, changed, made by a newer program, or made to fill a
machine's memory. Photographs are in albums beside it: as many as it takes, none too large.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, cast
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.json_checks import InvalidQuestion, Json, clip_json
from talleyrand.formats.json_lines import read_json
from talleyrand.tournament import acts, codec, event_changes, invariants, regulations
from talleyrand.tournament.acts.event_acts import LONGEST_NAME
from talleyrand.tournament.event_changes import EventChange
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import Event
from talleyrand.tournament.round_timing import parse_time

MAX_FILE_BYTES = 5 << 20  # bytes of a file that is sent
MAX_UNPACKED_BYTES = 32 << 20  # bytes of all that is in it
FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the hour of each file: the same event gives the same archive
Limit = Callable[[str], int]  # bytes of a file of this name unpacked, 0 where it has no business here
BROKEN = (BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


class InvalidArchive(InvalidEvent):
    """A file that is no archive of an event, or not one that can be trusted: `archive_*`."""


def pack_zip(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(_dated(name), content, ZIP_DEFLATED)
    return made.getvalue()


def _dated(name: str) -> ZipInfo:
    info = ZipInfo(name, FIXED_DATE)
    info.external_attr = 0o644 << 16
    return info


def unpack_zip(content: bytes, limit: Limit, *, otherwise: str = "archive_not_one") -> dict[str, bytes]:
    """The files of a zip by their names; raises InvalidArchive, `otherwise` for a file of another kind."""
    if len(content) > MAX_FILE_BYTES:
        raise InvalidArchive("archive_too_large", most=str(MAX_FILE_BYTES >> 20))
    try:
        with ZipFile(BytesIO(content)) as file:
            found = _checked(file.infolist(), limit, otherwise)
            return {one.filename: _read_entry(file, one, limit) for one in found}
    except BROKEN as error:
        if isinstance(error, InvalidArchive):
            raise
        if isinstance(error, BadZipFile) and not content.startswith(b"PK"):
            raise InvalidArchive(otherwise) from None
        raise InvalidArchive("archive_damaged", where="zip") from None


def _checked(found: list[ZipInfo], limit: Limit, otherwise: str) -> list[ZipInfo]:
    if len({one.filename for one in found}) < len(found):
        raise InvalidArchive(otherwise)
    if sum(one.file_size for one in found) > MAX_UNPACKED_BYTES:
        raise InvalidArchive("archive_damaged", where="zip")
    for one in found:
        if not limit(one.filename):
            raise InvalidArchive(otherwise)
        if one.file_size > limit(one.filename):
            raise InvalidArchive("archive_damaged", where=one.filename)
    return found


def _read_entry(file: ZipFile, info: ZipInfo, limit: Limit) -> bytes:
    """No more than it said is ever unpacked."""
    most = min(limit(info.filename), info.file_size)
    with file.open(info) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise InvalidArchive("archive_damaged", where=info.filename)
    return content


def json_bytes(told: Any) -> bytes:
    """JSON as it is kept in a file."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def parse_member(packed: Mapping[str, bytes], name: str) -> Json:
    """The JSON of one of the files; raises InvalidArchive."""
    try:
        return read_json(packed[name].decode("utf-8"))
    except (UnicodeDecodeError, InvalidQuestion):
        raise InvalidArchive("archive_damaged", where=name) from None


def require_object(told: Json, where: str) -> dict[str, Json]:
    """What has to be a table; raises InvalidArchive."""
    if not isinstance(told, dict):
        raise InvalidArchive("archive_damaged", where=where)
    return cast(dict[str, Json], told)


def sha256_hex(content: bytes) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()


FORMAT, VERSION = "talleyrand tournament", 1
MANIFEST, DOCUMENT, JOURNAL, LINKS = "manifest.json", "event.json", "journal.json", "links.json"
LIMITS = {MANIFEST: 1 << 16, DOCUMENT: 8 << 20, JOURNAL: 16 << 20, LINKS: 1 << 20}  # bytes unpacked
MAX_JOURNAL_ENTRIES = 50_000  # entries of the journal
HAND_PATTERN = re.compile("(director|assistant|former) [1-9][0-9]{0,3}")


@dataclass(frozen=True)
class ArchivedEntry:
    """What was done in one piece, as a site's journal has it.

    By whom: `person` of the event; else `hand`, somebody of the desk by his role and a number, "assistant 2",
    for an account's name is its own.
    """

    number: int
    at: str
    once: str
    person: int = 0
    hand: str = ""
    acts: tuple[Json, ...] = ()
    changes: tuple[Json, ...] = ()
    undoes: int | None = None
    undone: int | None = None


@dataclass(frozen=True)
class ArchivedLink:
    """The key of somebody's own link, and when a phone took it.

    `follows`: whom it opens, where the event has nobody of this number: two entries have become one.
    """

    person: int
    key: str
    claimed: str = ""
    follows: int = 0


@dataclass(frozen=True)
class EventManifest:
    """What a file says of itself. `files`: the SHA-256 of each other file."""

    format: str
    version: int
    program: str
    made: str
    event: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class EventArchive:
    """A whole event. `document` is the event as it is kept; `made`, the hour of the copy."""

    document: Mapping[str, Json]
    entries: tuple[ArchivedEntry, ...] = ()
    links: tuple[ArchivedLink, ...] = ()
    made: str = ""
    program: str = ""
    event: Event = field(default_factory=lambda: Event(""))


def write_archive(archive: EventArchive) -> bytes:
    """The archive as a file."""
    contents = {DOCUMENT: archive.document, JOURNAL: codec.write_value(archive.entries)}
    if archive.links:
        contents[LINKS] = codec.write_value(archive.links)
    packed = {name: json_bytes(content) for name, content in contents.items()}
    digests = {name: sha256_hex(content) for name, content in packed.items()}
    name = str(archive.document.get("name", ""))
    told = EventManifest(FORMAT, VERSION, archive.program, archive.made, name, digests)
    return pack_zip({MANIFEST: json_bytes(codec.write_value(told)), **packed})


def read_archive(content: bytes) -> EventArchive:
    """The archive a file holds; raises InvalidArchive (`archive_*`), InvalidEvent or InconsistentEvent."""
    packed = unpack_zip(content, lambda name: LIMITS.get(name, 0))
    if not {MANIFEST, DOCUMENT, JOURNAL} <= packed.keys():
        raise InvalidArchive("archive_not_one")
    manifest = _manifest(packed)
    document = require_object(parse_member(packed, DOCUMENT), DOCUMENT)
    event = codec.read_value(Event, document)
    if not event.name.strip() or len(event.name) > LONGEST_NAME:
        raise InvalidArchive("archive_damaged", where=DOCUMENT)
    invariants.check_invariants(event)
    regulations.read_regulations(event.regulations)
    entries, links = _entries(parse_member(packed, JOURNAL)), _links(packed, event)
    _check_story(document, entries)
    return EventArchive(document, entries, links, manifest.made, manifest.program, event)


def _manifest(packed: Mapping[str, bytes]) -> EventManifest:
    told = require_object(parse_member(packed, MANIFEST), MANIFEST)
    if told.get("format") != FORMAT:
        raise InvalidArchive("archive_not_one")
    version = told.get("version")
    if isinstance(version, int) and version > VERSION:
        raise InvalidArchive("archive_newer", program=clip_json(told.get("program", "")))
    manifest = codec.read_value(EventManifest, told, MANIFEST)
    if manifest.version != VERSION:
        raise InvalidArchive("archive_damaged", where=MANIFEST)
    _check_digests(packed, manifest.files)
    return manifest


def _check_digests(packed: Mapping[str, bytes], files: Mapping[str, str]) -> None:
    if set(files) != set(packed) - {MANIFEST}:
        raise InvalidArchive("archive_damaged", where=MANIFEST)
    for name, told in files.items():
        if sha256_hex(packed[name]) != told:
            raise InvalidArchive("archive_damaged", where=name)


def _rows(told: Json, where: str, most: int) -> list[Json]:
    if not isinstance(told, list) or len(told) > most:
        raise InvalidArchive("archive_damaged", where=where)
    return told


def _entries(told: Json) -> tuple[ArchivedEntry, ...]:
    rows = _rows(told, JOURNAL, MAX_JOURNAL_ENTRIES)
    entries = tuple(codec.read_value(ArchivedEntry, one, f"{JOURNAL}[{at}]") for at, one in enumerate(rows))
    if [one.number for one in entries] != list(range(1, len(entries) + 1)):
        raise InvalidArchive("archive_damaged", where=JOURNAL)
    if len({one.once for one in entries}) < len(entries):
        raise InvalidArchive("archive_damaged", where=JOURNAL)
    for one in entries:
        _check_entry(one)
    return entries


def _check_entry(entry: ArchivedEntry) -> None:
    where = f"{JOURNAL}[{entry.number - 1}]"
    if parse_time(entry.at) is None or not 0 < len(entry.once) <= 64 or entry.person < 0:
        raise InvalidArchive("archive_damaged", where=where)
    if entry.hand and not HAND_PATTERN.fullmatch(entry.hand):
        raise InvalidArchive("archive_damaged", where=where)
    before, after = entry.undoes, entry.undone
    if (before is not None and not 0 < before < entry.number) or not (after is None or after > entry.number):
        raise InvalidArchive("archive_damaged", where=where)
    for act in entry.acts:
        acts.read_act(require_object(act, where))
    if not all(_is_change(one) for one in entry.changes):
        raise InvalidArchive("archive_damaged", where=where)


def _is_change(told: Json) -> bool:
    if not isinstance(told, dict) or set(told) != {"at", "before", "after"}:
        return False
    at, sides = told["at"], (told["before"], told["after"])
    named = isinstance(at, list) and bool(at) and all(isinstance(key, str) for key in at)
    return named and all(isinstance(one, list) and len(one) <= 1 for one in sides) and sides[0] != sides[1]


def _check_story(document: Mapping[str, Json], entries: Iterable[ArchivedEntry]) -> None:
    """Taken back from the last to the first, the entries lead to an event that can have been the first."""
    back = (cast(EventChange, change) for entry in reversed(list(entries)) for change in entry.changes)
    try:
        codec.read_value(Event, event_changes.undo_changes(document, back))
    except (TalleyrandError, RecursionError):
        raise InvalidArchive("archive_damaged", where=JOURNAL) from None


def _links(packed: Mapping[str, bytes], event: Event) -> tuple[ArchivedLink, ...]:
    if LINKS not in packed:
        return ()
    rows = _rows(parse_member(packed, LINKS), LINKS, codec.MAX_ENTRIES)
    links = tuple(codec.read_value(ArchivedLink, one, f"{LINKS}[{at}]") for at, one in enumerate(rows))
    people, keys = {one.person for one in links}, {one.key for one in links}
    twice = min(len(people), len(keys)) < len(links)
    known = {*event.people, *(one.person for one in links if one.follows)}
    led = {one.follows or one.person for one in links}
    if twice or not led <= known or not all(map(_is_link, links)):
        raise InvalidArchive("archive_damaged", where=LINKS)
    return links


def _is_link(link: ArchivedLink) -> bool:
    safe = link.key.isascii() and link.key.replace("-", "a").replace("_", "a").isalnum()
    sound = safe and 16 <= len(link.key) <= 32 and link.person > 0 and link.follows >= 0
    return sound and (not link.claimed or parse_time(link.claimed) is not None)


# An album: a zip of JPEGs with a list that says of which board each is, and when it was taken.

ALBUM_FORMAT, ALBUM_VERSION = "talleyrand photographs", 1
LIST_FILE, SUFFIX = "photographs.json", ".jpg"
JPEG = b"\xff\xd8\xff"  # how a picture begins
MAX_PHOTOGRAPHS = 400  # photographs in one file
MAX_LIST_BYTES = 1 << 20  # bytes of the list
MAX_PICTURE_BYTES = MAX_FILE_BYTES - (1 << 18)  # bytes of pictures in one file, beside the list
NO_ALBUM = "archive_no_album"


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
    """The photographs of a file with their pictures, which are as they came; raises InvalidArchive,
    InvalidEvent.
    """
    packed = unpack_zip(content, _album_limit, otherwise=NO_ALBUM)
    if LIST_FILE not in packed:
        raise InvalidArchive(NO_ALBUM)
    told = require_object(parse_member(packed, LIST_FILE), LIST_FILE)
    version = told.get("version")
    if told.get("format") != ALBUM_FORMAT:
        raise InvalidArchive(NO_ALBUM)
    if isinstance(version, int) and version > ALBUM_VERSION:
        raise InvalidArchive("archive_newer", program=clip_json(ALBUM_FORMAT))
    contents = codec.read_value(AlbumContents, told, LIST_FILE)
    for one in contents.photographs:
        _check(one, packed)
    listed = [one.file for one in contents.photographs]
    if sorted([LIST_FILE, *listed]) != sorted(packed) or len(listed) > MAX_PHOTOGRAPHS:
        raise InvalidArchive("archive_damaged", where=LIST_FILE)
    return contents, [packed[one.file] for one in contents.photographs]


def _album_limit(name: str) -> int:
    return MAX_LIST_BYTES if name == LIST_FILE else MAX_FILE_BYTES if name.endswith(SUFFIX) else 0


def _check(one: Photograph, packed: dict[str, bytes]) -> None:
    known = one.file in packed and one.file != LIST_FILE and sha256_hex(packed[one.file]) == one.digest
    numbers = min(one.round, one.board) > 0 and one.person >= 0
    known = known and packed[one.file].startswith(JPEG)
    if not (known and numbers and parse_time(one.at) and 0 < len(one.mark) <= 64 and one.mark.isalnum()):
        raise InvalidArchive("archive_damaged", where=one.file)
