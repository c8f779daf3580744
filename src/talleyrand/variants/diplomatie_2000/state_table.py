"""What each state's centres are worth: victory points, aid to give, subversion (annex 3 of the rules)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

UN = "ONU"
"""The Secretary-General's seat."""
POINTS_NORMAL_GAME, POINTS_LONG_GAME = 1000, 1317
"""The points that win a normal game and a long one."""
FAR_NORTH = frozenset(("BAR", "BBA", "MBF", "MGR", "MSI"))


class StateRow(NamedTuple):
    """A state's row of annex 3: `base` centres score nothing, each beyond them `rate` points, each M
    `per_mandate`; it may subvert with no more than `subversion` centres, and `aid` are the numbers of
    centres from which it has one point of aid, two, three."""

    base: int
    rate: int
    per_mandate: int
    subversion: int
    aid: tuple[int, ...]

    def aid_points(self, centres: int) -> int:
        """The points of aid that so many centres bring."""
        return sum(centres >= least for least in self.aid)

    def subversion_points(self, centres: int, least: int = 1) -> int:
        """One point while there are few centres, but `least` at all."""
        return int(least <= centres <= self.subversion)

    def centres_for(self, points: int) -> int:
        """The centres that are enough for so many points by themselves."""
        return self.base - -points // self.rate

    def table_row(self) -> dict[str, int | None]:
        """The row as a table shows it, with the centres that win; None where the state never gets there."""
        aid = (*self.aid, None, None, None)[:3]
        return {
            "base": self.base,
            "rate": self.rate,
            "goal": self.centres_for(POINTS_NORMAL_GAME),
            "goal_long": self.centres_for(POINTS_LONG_GAME),
            "per_mandate": self.per_mandate,
            "subversion": self.subversion,
            **{f"aid_{place}": least for place, least in enumerate(aid, 1)},
        }


@cache
def state_rows() -> Mapping[str, StateRow]:
    """Every state with its row, in the order of their codes."""
    text = (resources.files(__package__) / "states.toml").read_text("utf-8")
    return {
        code: StateRow(**{**row, "aid": tuple(row["aid"])})
        for code, row in sorted(tomllib.loads(text).items())
    }
