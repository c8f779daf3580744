"""What is sent to a copy: the event as all may see it, in one piece, or a word that it is the same still."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone, translation

from talleyrand.tournament import codec, public
from talleyrand.tournament.errors import BadEvent
from talleyrand.tournament.model import Event, Words
from talleyrand.variants import LANGUAGES
from talleyrand.web.tournaments.documents import event_of
from talleyrand.web.tournaments.hall import prize_list
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.sight import Sight

LARGEST = 1024 * 1024  # bytes that are sent
OPENED = 8 * 1024 * 1024  # bytes that they hold
MARK = 64  # characters that tell what it holds
KIND = "application/gzip"
GZIP = 16 + zlib.MAX_WBITS


class TooLarge(Exception):
    """More than a copy takes."""


@dataclass(frozen=True)
class Won:
    """A prize as pages tell it: its title, who has it and why, by language."""

    title: Words
    holders: tuple[str, ...] = ()
    why: Mapping[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Parcel:
    """`version` of the event at its source, and `mark` of what it holds; without an event: the same still.

    `now`: what the clock of the source says. `end`: the copy is to be taken away.
    """

    version: int
    now: str
    mark: str = ""
    event: Event | None = None
    prizes: tuple[Won, ...] = ()
    end: bool = False


def made(row: Tournament) -> Parcel:
    """All that is public of a tournament. Nothing else of it leaves."""
    sight = Sight(row)
    event = replace(public.seen(event_of(row)), signups=False)
    won = _won(sight) if prize_list.is_shown(sight) else ()
    told = json.dumps([codec.write(event), codec.write(won)], sort_keys=True)
    mark = hashlib.sha256(told.encode()).hexdigest()
    return Parcel(row.version, _now(), mark, event, won)


def same(version: int, mark: str = "") -> Parcel:
    """That nothing has changed."""
    return Parcel(version, _now(), mark)


def ending(version: int) -> Parcel:
    """That the copy is to go."""
    return Parcel(version, _now(), end=True)


def _now() -> str:
    return timezone.now().isoformat(timespec="milliseconds")


def _won(sight: Sight) -> tuple[Won, ...]:
    told = {}
    for language in LANGUAGES:
        with translation.override(language):
            told[language] = prize_list.prizes(sight)
    return tuple(
        Won(
            {language: told[language][at].title for language in told},
            one.holders,
            {language: told[language][at].why for language in told},
        )
        for at, one in enumerate(next(iter(told.values())))
    )


def write(parcel: Parcel) -> bytes:
    """As it leaves."""
    packer = zlib.compressobj(9, zlib.DEFLATED, GZIP)
    told = json.dumps(codec.write(parcel), ensure_ascii=False, separators=(",", ":"))
    return packer.compress(told.encode("utf-8", "replace")) + packer.flush()


def read(sent: bytes) -> Parcel:
    """As it comes; raises TooLarge, and BadEvent for half of one or what is none."""
    if len(sent) > LARGEST:
        raise TooLarge
    parcel = codec.read(Parcel, _opened(sent))
    if parcel.version < 0:
        raise BadEvent("event_not_a_number", where="version", value=str(parcel.version))
    if len(parcel.mark) > MARK:
        raise BadEvent("event_too_long", where="mark", most=str(MARK))
    return parcel


def _opened(sent: bytes) -> Any:
    opener = zlib.decompressobj(GZIP)
    try:
        told = opener.decompress(sent, OPENED)
        if opener.unconsumed_tail:
            raise TooLarge
        if not opener.eof or opener.unused_data:
            raise BadEvent("event_not_a_table", where="", value="")
        return json.loads(told)
    except (zlib.error, ValueError, RecursionError) as problem:
        raise BadEvent("event_not_a_table", where="", value="") from problem
