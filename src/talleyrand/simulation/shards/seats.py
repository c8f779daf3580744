"""Who plays which power.

`search:hard,values*6` is a table of bots that goes round the powers, one step a game; with the names of
powers (`FRANCE=search:hard,values`) everybody keeps the same seat. The last bot takes the seats left over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.registry import by_name

from .faults import ShardError

ENTRY = re.compile(
    r"(?:(?P<power>[^\s=]+)\s*=\s*)?(?P<bot>[a-z_]+(?::[a-z0-9_.]+)?)(?:\s*[*x×]\s*(?P<times>\d{1,3}))?"
)


class Seats(NamedTuple):
    """A bot for each power, in the order of the powers; `rotating` where the table moves on from game to
    game, so that every bot gets each power equally often."""

    bots: tuple[str, ...]
    rotating: bool = True

    def bot(self, game: int, power: int) -> int:
        """The place in the table of the bot that plays a power in a game."""
        return (power - game) % len(self.bots) if self.rotating else power


class Entry(NamedTuple):
    """One part of what was asked."""

    power: str | None
    bot: str
    times: int


def read_seats(text: str, powers: Sequence[str]) -> Seats:
    """A table of bots as somebody writes it.

    Raises ShardError (`bots_not_understood`, `too_many_bots`, `unknown_seat`, `seat_twice`).
    """
    entries = [_entry(part) for part in text.split(",")]
    if any(entry.power for entry in entries):
        return Seats(_seated(entries, powers), rotating=False)
    bots = [entry.bot for entry in entries for _ in range(entry.times)]
    if len(bots) > len(powers):
        raise ShardError("too_many_bots", bots=str(len(bots)), powers=str(len(powers)))
    return Seats((*bots, *[bots[-1]] * (len(powers) - len(bots))))


def called(bot: str) -> Bot:
    """A bot as a table names it: `search`, `search:hard`; whatever the machine, it plays alike. Raises
    UnknownName (`unknown_bot`, `unknown_strength`)."""
    name, _, strength = bot.partition(":")
    return by_name(name, strength or "normal", by_count=True)


def _entry(part: str) -> Entry:
    found = ENTRY.fullmatch(part.strip())
    times = int(found["times"] or 1) if found else 0
    if not found or not times or (found["power"] and found["times"]):
        raise ShardError("bots_not_understood", text=part.strip()[:60])
    return Entry(found["power"] and found["power"].upper(), found["bot"], times)


def _seated(entries: Sequence[Entry], powers: Sequence[str]) -> tuple[str, ...]:
    """The bot of each power: its own, or the one without a power's name."""
    named = dict(_named(entries, powers))
    others = [entry.bot for entry in entries if not entry.power]
    if len(others) > 1 or (not others and len(named) < len(powers)):
        raise ShardError("seats_left", powers=", ".join(power for power in powers if power not in named))
    return tuple(named[power] if power in named else others[0] for power in powers)


def _named(entries: Sequence[Entry], powers: Sequence[str]) -> Iterator[tuple[str, str]]:
    seen = set()
    for entry in entries:
        if not entry.power:
            continue
        if entry.power not in powers:
            raise ShardError("unknown_seat", power=entry.power[:40], known=", ".join(powers))
        if entry.power in seen:
            raise ShardError("seat_twice", power=entry.power)
        seen.add(entry.power)
        yield entry.power, entry.bot
