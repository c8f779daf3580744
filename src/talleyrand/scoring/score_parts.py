"""What a score is made of: each part gives points to some powers, and says why.

The parts are those that organisers describe in words: a place, centres, survival, a lead, a share of a pot,
years. A system is a list of them (`system`), written as data (`reading`). Each has `lines`, which takes the
end of a game and gives a line of working for each power that it concerns; raises InvalidGameEnding for a fact
that is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import ClassVar

from .game_ending import GameEnding
from .tied_places import TIE_RULES, TiedPlace, rank_with_ties

WHO = ("all", "alive", "dead")


@dataclass(frozen=True)
class ScoreLine:
    """A step of the working: the kind of part, what it hangs on, and the points it gives."""

    kind: str
    points: Fraction
    facts: Mapping[str, str | Fraction] = field(default_factory=dict)


ScoreLines = dict[str, ScoreLine]


def _powers_meant(end: GameEnding, who: str) -> tuple[str, ...]:
    return {"all": tuple(end.centres), "alive": end.alive, "dead": end.dead}[who]


@dataclass(frozen=True)
class FlatPart:
    """So many points for each of those concerned."""

    kind: ClassVar[str] = "flat"
    points: Fraction
    who: str = "alive"

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        return {power: ScoreLine(f"flat_{self.who}", self.points) for power in _powers_meant(end, self.who)}


@dataclass(frozen=True)
class CentrePart:
    """So many points a centre, or by a table from none on, `beyond` for each centre after its end."""

    kind: ClassVar[str] = "centres"
    per: Fraction = Fraction(0)
    table: tuple[Fraction, ...] = ()
    beyond: Fraction = Fraction(0)
    who: str = "alive"

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        return {power: self._line(end.centres[power]) for power in _powers_meant(end, self.who)}

    def _line(self, held: int) -> ScoreLine:
        facts = {"centres": Fraction(held)}
        if not self.table:
            return ScoreLine(self.kind, self.per * held, {**facts, "each": self.per})
        last = len(self.table) - 1
        points = self.table[min(held, last)] + self.beyond * max(held - last, 0)
        return ScoreLine("centres_table", points, facts)


@dataclass(frozen=True)
class PlacePart:
    """Points of a place by centres.

    `ties`: shared places share their points equally (`split`) or all take the lowest (`lower`). `dead`: the
    eliminated are equal, or the later one falls the better (`by_year`), or they have no place (`none`). With
    `draw`, those who share a draw share the first places.
    """

    kind: ClassVar[str] = "places"
    points: tuple[Fraction, ...]
    ties: str = "split"
    dead: str = "equal"
    draw: bool = False

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        placed = end.alive if self.dead == "none" else end.centres
        ranked = rank_with_ties({power: self._rank(end, power) for power in placed})
        paid = {power: place for power, place in ranked.items() if place.first <= len(self.points)}
        return {power: self._line(place) for power, place in paid.items()}

    def _rank(self, end: GameEnding, power: str) -> tuple[int, ...]:
        if power in end.dead:
            return (0, end.years_played(power) if self.dead == "by_year" else 0)
        if self.draw and power in ((end.winner,) if end.winner else end.draw_members):
            return (2, 0)
        return (1, end.centres[power])

    def _line(self, place: TiedPlace) -> ScoreLine:
        facts = {"place": Fraction(place.first), "shared": Fraction(place.shared)}
        kind = self.kind if place.shared == 1 else "places_shared"
        return ScoreLine(kind, TIE_RULES[self.ties](self.points, place), facts)


@dataclass(frozen=True)
class NearLeaderPart:
    """A pot that is shared equally by those at most so many centres behind the most."""

    kind: ClassVar[str] = "within"
    pot: Fraction
    behind: int = 0

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        near = [power for power in end.alive if end.most_centres - end.centres[power] <= self.behind]
        facts = {"pot": self.pot, "shared": Fraction(len(near)), "near": Fraction(self.behind)}
        kind = self.kind if self.behind else "leaders"
        return {power: ScoreLine(kind, self.pot / len(near), facts) for power in near}


@dataclass(frozen=True)
class SurvivorPart:
    """A pot that is shared equally by all who are not eliminated."""

    kind: ClassVar[str] = "survivors"
    pot: Fraction

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        facts = {"pot": self.pot, "shared": Fraction(len(end.alive))}
        return {power: ScoreLine(self.kind, self.pot / len(end.alive), facts) for power in end.alive}


@dataclass(frozen=True)
class DrawPart:
    """A pot that is shared equally by those who share the victory: who wins by the terms of the game, else
    those voted, or all who are alive.
    """

    kind: ClassVar[str] = "draw"
    pot: Fraction

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        sharing = tuple(end.ahead) or end.draw_members
        facts = {"pot": self.pot, "shared": Fraction(len(sharing))}
        return {power: ScoreLine(self.kind, self.pot / len(sharing), facts) for power in sharing}


@dataclass(frozen=True)
class WavePart:
    """A pot that is shared by numbers of shares: the first for the most centres, then for one behind, …"""

    kind: ClassVar[str] = "waves"
    pot: Fraction
    shares: tuple[Fraction, ...]

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        mine = {power: self._shares(end.most_centres - end.centres[power]) for power in end.alive}
        whole = sum(mine.values(), Fraction(0))
        return {power: self._line(share, whole) for power, share in mine.items() if share and whole}

    def _line(self, share: Fraction, whole: Fraction) -> ScoreLine:
        return ScoreLine(self.kind, self.pot * share / whole, {"pot": self.pot, "share": share, "of": whole})

    def _shares(self, behind: int) -> Fraction:
        return self.shares[behind] if behind < len(self.shares) else Fraction(0)


@dataclass(frozen=True)
class RatioPart:
    """A pot that is shared by a weight of one's centres, `weights[0] + weights[1] C + weights[2] C²`.

    `dead_count`: the weights of the eliminated, who get nothing, are in the sum all the same. Where nobody
    weighs anything, those who share the victory share the pot.
    """

    kind: ClassVar[str] = "ratio"
    pot: Fraction
    weights: tuple[Fraction, ...]
    dead_count: bool = False

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        counted = end.centres if self.dead_count else end.alive
        whole = sum((self._weight(end, power) for power in counted), Fraction(0))
        if not whole:
            return DrawPart(self.pot).lines(end)
        return {power: self._line(self._weight(end, power), whole) for power in end.alive}

    def _weight(self, end: GameEnding, power: str) -> Fraction:
        held = 0 if power in end.dead else end.centres[power]
        return sum((weight * held**degree for degree, weight in enumerate(self.weights)), Fraction(0))

    def _line(self, weight: Fraction, whole: Fraction) -> ScoreLine:
        return ScoreLine(
            self.kind, self.pot * weight / whole, {"pot": self.pot, "share": weight, "of": whole}
        )


@dataclass(frozen=True)
class LeadPart:
    """For one who leads alone: so many points, and more for each centre of his lead and each of his own."""

    kind: ClassVar[str] = "lead"
    points: Fraction = Fraction(0)
    per_lead: Fraction = Fraction(0)
    per_own: Fraction = Fraction(0)

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        if len(end.leaders) != 1:
            return {}
        (leader,) = end.leaders
        lead = end.most_centres - max(
            (held for power, held in end.centres.items() if power != leader), default=0
        )
        points = self.points + self.per_lead * lead + self.per_own * end.most_centres
        return {
            leader: ScoreLine(
                self.kind, points, {"lead": Fraction(lead), "centres": Fraction(end.most_centres)}
            )
        }


@dataclass(frozen=True)
class YearPart:
    """So many points for each year in the game, `less` years not counted, at most `most` points."""

    kind: ClassVar[str] = "years"
    per: Fraction
    less: int = 0
    most: Fraction | None = None
    who: str = "dead"

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        return {power: self._line(end.years_played(power)) for power in _powers_meant(end, self.who)}

    def _line(self, played: int) -> ScoreLine:
        counted = max(played - self.less, 0)
        points = self.per * counted
        facts = {"years": Fraction(counted), "each": self.per}
        if self.most is not None and points > self.most:
            return ScoreLine("years_most", self.most, {**facts, "most": self.most})
        return ScoreLine(self.kind, points, facts)


@dataclass(frozen=True)
class LevyPart:
    """What those alive pay to those who lead, `per` for each centre of the leaders above `above`.

    Nobody pays more than his share of a pot of `most_of` among those alive. The leaders share it equally.
    """

    kind: ClassVar[str] = "levy"
    per: Fraction
    above: int
    most_of: Fraction

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        if not end.alive:
            return {}
        due = min(self.most_of / len(end.alive), self.per * max(0, end.most_centres - self.above))
        payers = [power for power in end.alive if power not in end.leaders]
        taken = due * len(payers) / len(end.leaders)
        paid = {
            power: ScoreLine("levy_paid", -due, {"centres": Fraction(end.most_centres)}) for power in payers
        }
        facts = {"payers": Fraction(len(payers)), "each": due, "shared": Fraction(len(end.leaders))}
        return paid | {power: ScoreLine("levy_taken", taken, facts) for power in end.leaders}


@dataclass(frozen=True)
class TributePart:
    """What everybody pays to those who lead: `per` for each centre he is behind them.

    The eliminated pay too, out of points that they lose. Each of L leaders gets the whole divided by L²,
    rounded down.
    """

    kind: ClassVar[str] = "tribute"
    per: Fraction

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for each power that this part concerns."""
        if not end.alive:
            return {}
        behind = {power: max(end.most_centres - held, 0) for power, held in end.centres.items()}
        whole, count = self.per * sum(behind.values()), len(end.leaders)
        facts = {"whole": whole, "shared": Fraction(count)}
        kind = "tribute_taken" if count == 1 else "tribute_shared"
        taken = ScoreLine(kind, Fraction(floor(whole / count**2)), facts)
        paid = {
            power: ScoreLine("tribute_paid", -self.per * behind[power], {"behind": Fraction(behind[power])})
            for power in end.alive
            if behind[power]
        }
        return paid | dict.fromkeys(end.leaders, taken)


@dataclass(frozen=True)
class TwoEntryRow:
    """The points of one count of centres, as printed from the column `first` on.

    `ahead`: while the others have fewer; `behind`: from the first printed column where one of them has more.
    """

    own_centres: int
    first: int
    ahead: tuple[Fraction, ...] = ()
    behind: tuple[Fraction, ...] = ()

    def points_at(self, others: int) -> Fraction | None:
        """The points of a column; those of the first printed one for columns before, None after the last."""
        printed, start = self.ahead, self.first
        if others > self.own_centres:
            printed, start = self.behind, max(self.first, self.own_centres + 1)
        place = max(others - start, 0)
        return printed[place] if place < len(printed) else None


@dataclass(frozen=True)
class TwoEntryTable:
    """A two-entry table. Centres that somebody eliminated still holds are nobody's: Anjou Feu, VI, note 1.

    `ties`: by the centres of those who lead together, the points for two of them, three, and so on. What is
    not printed is worth at least `floor` to one who leads alone, and `tie_floors` to two, three and more who
    lead together; nothing to others. Source of the shape: Anjou Feu, VI, the Baf.
    """

    kind: ClassVar[str] = "table"
    rows: Mapping[int, TwoEntryRow]
    ties: Mapping[int, tuple[Fraction, ...]]
    floor: Fraction
    tie_floors: tuple[Fraction, ...]

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for everybody who is alive."""
        return {power: self._line(end, power) for power in end.alive}

    def _line(self, end: GameEnding, power: str) -> ScoreLine:
        held = end.centres[power]
        others = max((end.centres[other] for other in end.alive if other != power), default=0)
        facts = {"centres": Fraction(held), "others": Fraction(others)}
        if held != others:
            return ScoreLine("table", self._untied(held, others), facts)
        tied = sum(end.centres[other] == held for other in end.alive)
        return ScoreLine("table_tied", self._tied(held, tied), {**facts, "shared": Fraction(tied)})

    def _tied(self, held: int, tied: int) -> Fraction:
        printed, column = self.ties.get(held, ()), tied - 2
        if column < len(printed):
            return printed[column]
        return self.tie_floors[min(column, len(self.tie_floors) - 1)]

    def _untied(self, held: int, others: int) -> Fraction:
        row = self.rows.get(min(held, max(self.rows)))
        found = row.points_at(others) if row else None
        least = self.floor if held > others else Fraction(0)
        return max(found or Fraction(0), least)
