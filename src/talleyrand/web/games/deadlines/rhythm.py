"""The rule by which the deadlines of a game follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain, pairwise
from typing import Any

from . import rules
from .almanac import Almanac
from .errors import Unfit
from .resting import Resting
from .rules import DAY, ByHand, Days, Every, Rule

NONE = timedelta(0)
# A phase opens a little after the date of the one before: a week is a week all the same.
SLACK = timedelta(minutes=10)
LARGEST_GAP = timedelta(days=366)
# What each length may be at most.
MOST = {
    "grace": timedelta(days=7),
    "first": timedelta(days=90),
    "minimum": timedelta(days=30),
    "extension": timedelta(days=30),
}
Absent = tuple[datetime, datetime]


@dataclass(frozen=True)
class Planned:
    """A deadline to come for movements, and the one for retreats if some follow."""

    movement: datetime
    between: datetime | None


@dataclass(frozen=True)
class Rhythm:
    """`movement` dates the movements, `between` retreats and adjustments, `proposals` what is proposed before
    movements where a board has that (None: by the same rule as movements).

    `early`: as soon as nobody is waited for, else never before the date; the dates by weekdays stay the
    same either way. `grace`: how long a late sheet is still taken. `first`: the least time of a game's
    first phase; `minimum`: a weekday's date that is nearer goes to the next one. `extension`: how far a
    phase is extended by itself; 0: to the next date. Raises Unfit.
    """

    movement: Rule = field(default_factory=lambda: Every(timedelta(hours=72)))
    between: Rule | None = None
    zone: str = "Europe/Paris"
    early: bool = True
    grace: timedelta = NONE
    first: timedelta = NONE
    minimum: timedelta = NONE
    extension: timedelta = NONE
    resting: Resting = field(default_factory=Resting)
    proposals: Rule | None = None

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            if not NONE <= getattr(self, name) <= most:
                raise Unfit(name)
        self.almanac  # noqa: B018 (a zone that does not exist is refused here)

    @property
    def almanac(self) -> Almanac:
        """The clocks and days of rest that count."""
        return Almanac(self.zone, self.resting)

    @property
    def rules(self) -> tuple[Rule, Rule, Rule]:
        """For movements, for retreats and adjustments, for proposals."""
        return self.movement, self.between or self.movement, self.proposals or self.movement

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Rhythm:
        """From JSON; `{"hours": n}` is so long for every phase, and 0 by hand. Raises Unfit."""
        lengths = {name: rules.seconds(kept.get(name, 0), name) for name in MOST}
        between, proposals = kept.get("between"), kept.get("proposals")
        return cls(
            movement=_movement(kept),
            between=rules.read(between) if between else None,
            proposals=rules.read(proposals) if proposals else None,
            zone=kept.get("zone", "Europe/Paris"),
            early=bool(kept.get("early", True)),
            resting=Resting.read(kept.get("resting", {})),
            **lengths,
        )

    def kept(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "movement": self.movement.kept(),
            "between": self.between.kept() if self.between else None,
            **({"proposals": self.proposals.kept()} if self.proposals else {}),
            "zone": self.zone,
            "early": self.early,
            **{name: int(getattr(self, name).total_seconds()) for name in MOST},
            "resting": self.resting.kept(),
        }

    def rule(self, kind: str) -> Rule:
        """The rule for a kind of phase: M, R, A or P."""
        movement, between, proposals = self.rules
        return {"M": movement, "P": proposals, "": ByHand()}.get(kind, between)

    def due(
        self,
        kind: str,
        opened: datetime,
        *,
        absences: Iterable[Absent] = (),
        most: timedelta = timedelta(days=14),
        first: bool = False,
    ) -> datetime | None:
        """When a phase of this kind (M, R, A, P) that opens now is due; None: when the game master says.

        A date that lies in an absence announced goes to the first date after it, at most `most` later.
        `first`: it is the first phase of the game.
        """
        minimum = max(self.minimum - SLACK - self.grace, NONE)
        dates = self._dates(kind, opened, minimum, self.first if first else NONE)
        return _present(dates, list(absences), most)

    def extended(self, due: datetime, kind: str = "M") -> datetime:
        """Where a deadline moves that is extended by itself: later in any case."""
        rule, almanac = self.rule(kind), self.almanac
        if self.extension:
            return almanac.after(due, self.extension) or due + self.extension
        if isinstance(rule, Days):
            return next(self._dates(kind, due), due + DAY)
        step = rule.step if isinstance(rule, Every) else DAY
        return almanac.after(due, step) or due + step

    def resumed(self, left: timedelta, now: datetime, kind: str = "M") -> datetime:
        """The deadline of a phase that had so much time left when it was paused."""
        left = max(left, rules.MINUTE)
        if isinstance(self.rule(kind), Days):
            return next(self._dates(kind, now, left), now + left)
        return self.almanac.after(now, left) or now + left

    def next_dates(self, after: datetime, count: int = 5) -> list[Planned]:
        """The dates to come of a game that begins then, if every phase takes all its time."""
        found: list[Planned] = []
        opened = after
        while len(found) < count:
            movement = self.due("M", opened, first=not found)
            if movement is None:
                break
            found.append(Planned(movement, self.due("R", movement)))
            opened = found[-1].between or movement
        return found

    def check(self, now: datetime) -> None:
        """Raises Unfit (`never`) for a rule that leaves no date for over a year."""
        if isinstance(self.movement, ByHand):
            return
        planned = self.next_dates(now)
        by_hand = isinstance(self.between, ByHand)
        if len(planned) < 5 or (not by_hand and any(one.between is None for one in planned)):
            raise Unfit("never")
        dates = [now, *(one.movement for one in planned)]
        if any(later - sooner > LARGEST_GAP for sooner, later in pairwise(dates)):
            raise Unfit("never")

    def _dates(
        self, kind: str, opened: datetime, minimum: timedelta = NONE, first: timedelta = NONE
    ) -> Iterator[datetime]:
        return self.rule(kind).dates(opened, self.almanac, minimum, first)


def _movement(kept: Mapping[str, Any]) -> Rule:
    if "movement" in kept:
        return rules.read(kept["movement"])
    hours = kept.get("hours", 72)
    if type(hours) not in (int, float) or not 0 <= hours <= 24 * 90:
        raise Unfit("length")
    return Every(timedelta(hours=hours)) if hours else ByHand()


def _present(dates: Iterator[datetime], absences: list[Absent], most: timedelta) -> datetime | None:
    """The first date at which nobody is away; the last one that is not too far where there is none."""
    plain = chosen = next(dates, None)
    if plain is None:
        return None
    for date in chain([plain], dates):
        if date - plain > most:
            break
        chosen = date
        if not any(since <= date <= until for since, until in absences):
            break
    return chosen
