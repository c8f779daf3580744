"""Splits: who plays which powers of a board where there are not as many players as powers.

`variant.toml` names them, each under `[splits.NAME]`: a title, the `shares` (the powers of each player), the
powers that are eliminated before the game (`passive`: their units stand), in civil disorder all through
(`absent`) or nobody's until the rules give them to a player (`given`), the year of the first moves and the
text it comes from. `people` lists for how many the game is made as it is, each with one power; without it, as
many as it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Shares = tuple[tuple[str, ...], ...]
LEAST_PLAYERS = 2


@dataclass(frozen=True)
class Split:
    """Who plays what. `first_year`: 0 where it is the variant's; a split that players made themselves has no
    `name` and no `title`."""

    shares: Shares
    passive: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    first_year: int = 0
    name: str = ""
    title: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    given: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        """How many people it is for."""
        return len(self.shares)


@dataclass(frozen=True)
class SplitFault:
    """What is wrong with a split: `code` is `unknown`, `twice`, `left_out`, `empty` or `alone`."""

    code: str
    power: str = ""


def read_splits(table: Mapping[str, Any]) -> dict[str, Split]:
    """The splits of a `variant.toml`, by name."""
    return {
        name: Split(
            tuple(tuple(share) for share in entry["shares"]),
            tuple(entry.get("passive", ())),
            tuple(entry.get("absent", ())),
            entry.get("first_year", 0),
            name,
            entry["title"],
            entry.get("source", ""),
            tuple(entry.get("given", ())),
        )
        for name, entry in table.get("splits", {}).items()
    }


def split_faults(split: Split, powers: Iterable[str]) -> Iterator[SplitFault]:
    """Every power once, every player at least one, at least two players."""
    known = tuple(powers)
    told = Counter(
        power for part in (*split.shares, split.passive, split.absent, split.given) for power in part
    )
    yield from (SplitFault("unknown", power) for power in told if power not in known)
    yield from (SplitFault("twice", power) for power, times in told.items() if times > 1)
    yield from (SplitFault("left_out", power) for power in known if power not in told)
    if not all(split.shares):
        yield SplitFault("empty")
    if split.players < LEAST_PLAYERS:
        yield SplitFault("alone")
