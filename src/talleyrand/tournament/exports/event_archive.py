"""An event in one file: its document, its journal and, if wanted, the links of its people.

A zip of JSON files that any program opens. `read_archive` gives back what `write_archive` was given, or says
what is wrong: a file that was cut off, changed, made by a newer program, or made to fill a machine's memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.json_checks import Json, clip_json
from talleyrand.tournament import (
    acts,
    codec,
    event_changes,
    invariants,
    regulations,
)
from talleyrand.tournament.acts.event_acts import LONGEST_NAME
from talleyrand.tournament.event_changes import EventChange
from talleyrand.tournament.model import Event
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

__all__ = [
    "MAX_FILE_BYTES",
    "ArchivedEntry",
    "ArchivedLink",
    "EventArchive",
    "EventManifest",
    "InvalidArchive",
    "read_archive",
    "write_archive",
]

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
    """The archive a file holds; raises BadArchive (`archive_*`), BadEvent or Unsound."""
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
