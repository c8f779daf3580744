"""A question as an outsider reads it: who stands where, who owns what, who is in grace."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from tests.oracle.diplomatie_2000.annexes import CENTRES, COLOURS, SEAS, STATES

Json = Any
DEFAULTS = {
    "type1_adopted": "one",
    "nine_proposals": "3",
    "unranked_tie": "nothing",
    "mandate_nationality": "one_power",
    "canal_convoy": "yes",
    "colour": "army_or_fleet",
    "mixed_builds": "any",
    "host_all": "with_un",
    "russ_subversion_from": "1",
    "disgraced_mandates": "before_winter",
    "repeated_intervention": "same_sector",
}


class Unit(NamedTuple):
    """A unit where it stands."""

    kind: str
    place: str
    power: str

    @property
    def code(self) -> str:
        """The sector."""
        return self.place[:3]

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


class Line(NamedTuple):
    """A line of a sheet: what is written, and what it means: a word, then what belongs to it."""

    text: str
    what: str
    said: tuple[Any, ...] = ()


Sheets = Mapping[str, list[Line]]
Fates = dict[tuple[str, int], tuple[str, ...]]
"""What becomes of lines, by seat and number: their results, or the kind of their error."""


def turn_of(name: str) -> int:
    """The number of a turn: `S2001`, `F2001M`; a winter goes with its autumn."""
    return 2 * int(name[1:5]) + (name[0] != "S")


class Standing:
    """A position of the world with its affairs."""

    def __init__(self, question: Mapping[str, Json]) -> None:
        self.phase: str = question["phase"]
        self.kind, self.turn, self.autumn = self.phase[-1], turn_of(self.phase), self.phase[0] != "S"
        self.affairs: Mapping[str, Json] = question.get("politics") or {}
        self.units = [
            Unit(text[0], text[2:], power) for power, texts in question["units"].items() for text in texts
        ]
        self.owner: dict[str, str] = {
            code: state for state, centres in question["centers"].items() for code in centres
        }
        self.gone: frozenset[str] = frozenset(self.table("eliminated", ()))

    def table(self, name: str, default: Json) -> Json:
        """A field of the affairs."""
        found = self.affairs.get(name)
        return default if found is None else found

    def option(self, name: str) -> str:
        """The reading of an open point."""
        return str(self.table("options", {}).get(name, DEFAULTS[name]))

    @cached_property
    def at(self) -> dict[str, Unit]:
        """Who stands in each sector."""
        return {unit.code: unit for unit in self.units}

    @property
    def limit(self) -> int:
        """The farthest that votes may move a score."""
        return 144 if self.table("game", "normal") == "long" else 125

    @property
    def goal(self) -> int:
        """The points that win."""
        return 1317 if self.table("game", "normal") == "long" else 1000

    def in_grace(self, seat: str) -> bool:
        """Whether a state votes, proposes, and may build an M; the United Nations always are."""
        last = self.table("grace", {}).get(seat)
        return last is None or turn_of(last) < self.turn

    def centres(self, state: str) -> frozenset[str]:
        """What a state owns."""
        return frozenset(code for code, who in self.owner.items() if who == state)

    def controller(self, code: str) -> str | None:
        """Who controls a sector: the owner of a centre, whoever's colour another has; nobody a sea."""
        if code in SEAS:
            return None
        if code in CENTRES:
            return self.owner.get(code)
        colours = self.table("control", {})
        return colours[code] if code in colours else COLOURS.get(code)

    def may_subvert(self, state: str) -> bool:
        """Whether the number of its centres brings a state a point of subversion."""
        least = int(self.option("russ_subversion_from")) if state == "RUSS" else 1
        return least <= len(self.centres(state)) <= STATES[state].subversion

    def aid_points(self, state: str) -> int:
        """The points of aid that a state has to give."""
        return len([least for least in STATES[state].aid if len(self.centres(state)) >= least])

    def allowance(self, state: str) -> dict[str, int]:
        """Centres, aid, the Fund's point and the embargo: what a state may have, and what it has."""
        aid = sum(to == state for _, to, place in self.paid() if place is not None)
        row = {
            "centres": len(self.centres(state)),
            "aid": aid,
            "imf": int(self.table("imf", None) == state),
            "embargo": int(self.table("embargo", None) == state),
        }
        allowed = max(0, row["centres"] + row["aid"] + row["imf"] - row["embargo"])
        return {**row, "allowed": allowed, "units": sum(unit.power == state for unit in self.units)}

    def paid(self) -> list[tuple[str, str, int | None]]:
        """The aid that is paid: by whom, to whom, from which place of the programme."""
        found: list[tuple[str, str, int | None]] = []
        for state in STATES:
            programme = self.table("aid", {}).get(state, [None, None, None])
            for place in range(1, self.aid_points(state) + 1):
                to = programme[place - 1]
                if to is not None and to != state and to not in self.gone:
                    found.append((state, to, place))
        fund = self.table("imf", None)
        if fund is not None and fund not in self.gone:
            found.append(("ONU", fund, None))
        return found

    def lives(self, state: str) -> bool:
        """Whether a state without centres could survive: an A, F or V, and something to keep it."""
        if self.centres(state):
            return True
        national = any(unit.power == state and unit.kind in "AFV" for unit in self.units)
        return national and self.allowance(state)["allowed"] >= 1
