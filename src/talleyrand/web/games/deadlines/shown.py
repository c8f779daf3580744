"""A date as one reader is told it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from .almanac import zone
from .errors import Unfit
from .words import said


@dataclass(frozen=True)
class Shown:
    """`iso` in UTC for machines, `words` in the reader’s zone, `elsewhere` in the game’s where it differs."""

    iso: str
    words: str
    elsewhere: str


def shown(moment: datetime, game_zone: str, reader_zone: str, language: str) -> Shown:
    """A moment for a reader; a zone that does not exist is not shown, the game’s stands for the reader’s."""
    mine = reader_zone if _exists(reader_zone) else game_zone
    differs = _exists(game_zone) and _wall(moment, mine) != _wall(moment, game_zone)
    iso = moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Shown(iso, said(moment, mine, language), said(moment, game_zone, language) if differs else "")


def _exists(name: str) -> bool:
    try:
        zone(name)
    except Unfit:
        return False
    return True


def _wall(moment: datetime, name: str) -> datetime | None:
    return moment.astimezone(zone(name)).replace(tzinfo=None) if _exists(name) else None
