"""A date as one reader is told it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from .date_texts import date_text_with_zone
from .deadline_calendar import named_zone
from .deadline_errors import InvalidDeadlineSettings


@dataclass(frozen=True)
class DateForReader:
    """`iso` in UTC for machines, `text` in the reader’s zone, `game_zone_text` in the game’s where it
    differs.
    """

    iso: str
    text: str
    game_zone_text: str


def date_for_reader(moment: datetime, game_zone: str, reader_zone: str, language: str) -> DateForReader:
    """A moment for a reader; a zone that does not exist is not shown, the game’s stands for the reader’s."""
    mine = reader_zone if _exists(reader_zone) else game_zone
    differs = _exists(game_zone) and _wall(moment, mine) != _wall(moment, game_zone)
    iso = moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return DateForReader(
        iso,
        date_text_with_zone(moment, mine, language),
        date_text_with_zone(moment, game_zone, language) if differs else "",
    )


def _exists(name: str) -> bool:
    try:
        named_zone(name)
    except InvalidDeadlineSettings:
        return False
    return True


def _wall(moment: datetime, name: str) -> datetime | None:
    return moment.astimezone(named_zone(name)).replace(tzinfo=None) if _exists(name) else None
