"""What is sent to a copy: the event as all may see it, in one piece, or a word that it is the same still."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone, translation

from talleyrand.tournament import codec, public_view
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import Event, LocalisedText
from talleyrand.variants import LANGUAGES
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.public_site import public_prizes
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

LARGEST_SENT = 1024 * 1024  # bytes that are sent
LARGEST_UNPACKED = 8 * 1024 * 1024  # bytes that they hold
LONGEST_MARK = 64  # characters that tell what it holds
CONTENT_TYPE = "application/gzip"
GZIP = 16 + zlib.MAX_WBITS


class ParcelTooLarge(Exception):
    """More than a copy takes."""


@dataclass(frozen=True)
class CopiedPrize:
    """A prize as pages tell it: its title, who has it and why, by language."""

    title: LocalisedText
    holders: tuple[str, ...] = ()
    why: Mapping[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class CopyParcel:
    """`version` of the event at its source, and `mark` of what it holds; without an event: the same still.

    `now`: what the clock of the source says. `end`: the copy is to be taken away.
    """

    version: int
    now: str
    mark: str = ""
    event: Event | None = None
    prizes: tuple[CopiedPrize, ...] = ()
    end: bool = False


def full_parcel(row: Tournament) -> CopyParcel:
    """All that is public of a tournament. Nothing else of it leaves."""
    sight = TournamentViewer(row)
    event = replace(public_view.visible_event(event_of(row)), signups=False)
    won = _won(sight) if public_prizes.are_prizes_public(sight) else ()
    told = json.dumps([codec.write_value(event), codec.write_value(won)], sort_keys=True)
    mark = hashlib.sha256(told.encode()).hexdigest()
    return CopyParcel(row.version, _now(), mark, event, won)


def unchanged_parcel(version: int, mark: str = "") -> CopyParcel:
    """That nothing has changed."""
    return CopyParcel(version, _now(), mark)


def removal_parcel(version: int) -> CopyParcel:
    """That the copy is to go."""
    return CopyParcel(version, _now(), end=True)


def _now() -> str:
    return timezone.now().isoformat(timespec="milliseconds")


def _won(sight: TournamentViewer) -> tuple[CopiedPrize, ...]:
    told = {}
    for language in LANGUAGES:
        with translation.override(language):
            told[language] = public_prizes.public_prizes(sight)
    return tuple(
        CopiedPrize(
            {language: told[language][at].title for language in told},
            one.holders,
            {language: told[language][at].why for language in told},
        )
        for at, one in enumerate(next(iter(told.values())))
    )


def pack_parcel(parcel: CopyParcel) -> bytes:
    """As it leaves."""
    packer = zlib.compressobj(9, zlib.DEFLATED, GZIP)
    told = json.dumps(codec.write_value(parcel), ensure_ascii=False, separators=(",", ":"))
    return packer.compress(told.encode("utf-8", "replace")) + packer.flush()


def unpack_parcel(sent: bytes) -> CopyParcel:
    """As it comes; raises ParcelTooLarge, and InvalidEvent for half of one or what is none."""
    if len(sent) > LARGEST_SENT:
        raise ParcelTooLarge
    parcel = codec.read_value(CopyParcel, _opened(sent))
    if parcel.version < 0:
        raise InvalidEvent("event_not_a_number", where="version", value=str(parcel.version))
    if len(parcel.mark) > LONGEST_MARK:
        raise InvalidEvent("event_too_long", where="mark", most=str(LONGEST_MARK))
    return parcel


def _opened(sent: bytes) -> Any:
    opener = zlib.decompressobj(GZIP)
    try:
        told = opener.decompress(sent, LARGEST_UNPACKED)
        if opener.unconsumed_tail:
            raise ParcelTooLarge
        if not opener.eof or opener.unused_data:
            raise InvalidEvent("event_not_a_table", where="", value="")
        return json.loads(told)
    except (zlib.error, ValueError, RecursionError) as problem:
        raise InvalidEvent("event_not_a_table", where="", value="") from problem
