"""What is asked of a draw and what it answers. People are numbers, boards are numbers, powers are names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from talleyrand.engine.errors import TalleyrandError

Pair = tuple[int, int]  # two people, the lower number first
Seats = Mapping[int, Mapping[str, int]]  # the person of each power of each board


def pair(one: int, other: int) -> Pair:
    """Two people as a key: the lower number first."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True)
class PastGame:
    """A board of an earlier round: who played what; a power that nobody played is left out.

    `counts_powers`: whether these powers count as played (a game of five or fewer may not).
    """

    seats: Mapping[str, int]
    counts_powers: bool = True


@dataclass(frozen=True)
class SeatingHistory:
    """What was before this round: its games, and further meetings, of earlier events say, by `pair`."""

    games: tuple[PastGame, ...] = ()
    met: Mapping[Pair, int] = field(default_factory=dict)


@dataclass(frozen=True)
class LockRule:
    """Hard: this person sits on this board, plays this power, or both. None leaves it open."""

    code: ClassVar[str] = "lock"
    person: int
    board: int | None = None
    power: str | None = None


@dataclass(frozen=True)
class ApartRule:
    """Hard: these two never share a board."""

    code: ClassVar[str] = "apart"
    first: int
    second: int


def _group(members: Iterable[int]) -> frozenset[int]:
    """People in whatever collection; raises SeatingError (`seating_members`) for what is none."""
    try:
        return frozenset(members)
    except TypeError:
        raise SeatingError("seating_members", members=str(members)) from None


@dataclass(frozen=True)
class TeamRule:
    """Hard: the members, in whatever collection, sit on different boards and play different powers."""

    code: ClassVar[str] = "team"
    members: frozenset[int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", _group(self.members))


@dataclass(frozen=True)
class BarredPowerRule:
    """Hard: this person does not play this power."""

    code: ClassVar[str] = "barred"
    person: int
    power: str


@dataclass(frozen=True)
class TwoBoardsRule:
    """Hard: this person sits on two boards, with two powers."""

    code: ClassVar[str] = "twice"
    person: int


HardRule = LockRule | ApartRule | TeamRule | BarredPowerRule | TwoBoardsRule


@dataclass(frozen=True)
class SoftRuleWeights:
    """What each wish costs where it is not met: the dearer, the more others give way to it.

    Meetings, powers and groups come first: of all the rest together, nothing is worth one of them.
    """

    meetings: int = 100_000  # for each pair, times how often they have met
    powers: int = 60_000  # for each person, times how often he has played that power
    neighbours: int = 6  # for each pair, times how often they were neighbours
    spheres: int = 3  # for each person, times how often he has played in that part of the map
    together: int = 500_000  # for each pair of a group that does not share a board
    recorders: int = 20  # for each pair of recorders that shares one
    prefers: int = 1  # for each place down somebody's list of powers


@dataclass(frozen=True)
class SoftRules:
    """The soft rules. `neighbours`: powers that are neighbours on the map, each pair in alphabetical order.

    `together`: groups that should share a board; `recorders`: people of whom each board should have one; both
    in whatever collection;
    `power_preferences`: powers somebody would like, best first; `spheres`: the part of the map of each power.
    """

    together: tuple[frozenset[int], ...] = ()
    recorders: frozenset[int] = frozenset()
    power_preferences: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    neighbours: frozenset[tuple[str, str]] = frozenset()
    spheres: Mapping[str, str] = field(default_factory=dict)
    weights: SoftRuleWeights = field(default_factory=SoftRuleWeights)

    def __post_init__(self) -> None:
        object.__setattr__(self, "together", tuple(map(_group, self.together)))
        object.__setattr__(self, "recorders", _group(self.recorders))


@dataclass(frozen=True)
class SeatingRequest:
    """A round to be drawn: the powers to be played on each board, and who is there, each person once.

    There are as many seats as people, those on two boards (`TwoBoardsRule`) counted twice. A rule or a wish
    about somebody who is not there is passed over, but a `LockRule` or `TwoBoardsRule` is refused. The same
    request gives the same draw, whatever the machine.

    `event`: the same for all rounds of an event, another for each event. On many boards rounds follow each
    other by a pattern, and only who knows this text can tell how they will go on.
    """

    boards: Mapping[int, tuple[str, ...]]
    people: tuple[int, ...]
    seed: str = ""
    history: SeatingHistory = field(default_factory=SeatingHistory)
    hard_rules: tuple[HardRule, ...] = ()
    soft_rules: SoftRules = field(default_factory=SoftRules)
    event: str = ""


@dataclass(frozen=True)
class RepeatedMeeting:
    """Two who meet again, or are neighbours again, on a board; `times`: how often before."""

    first: int
    second: int
    board: int
    times: int


@dataclass(frozen=True)
class RepeatedPower:
    """Somebody who plays a power again; `times`: how often before."""

    person: int
    power: str
    board: int
    times: int


@dataclass(frozen=True)
class RoundDraw:
    """A draw, and how good it is; `judge` gives one for seats made by hand, too.

    `repeats` counts each pair that meets again as often as it has met; no draw has fewer than `bound`.
    `power_repeats` counts those who play a power again; no draw has fewer than `power_bound`. Both bounds are
    of draws that keep locked seats. No draw has fewer third meetings than `third_bound`; ours has one only
    where none was found without, whatever else but hard rules gives way. `cost`: what each wish of
    `SoftRuleWeights` costs. `broken_rules`: hard rules that are broken by seats made by hand; none in ours.
    """

    seats: Seats
    seed: str
    repeated_meetings: tuple[RepeatedMeeting, ...]
    repeated_powers: tuple[RepeatedPower, ...]
    repeated_neighbours: tuple[RepeatedMeeting, ...]
    cost: Mapping[str, int]
    repeats: int
    bound: int
    power_repeats: int
    power_bound: int
    third_bound: int = 0
    broken_rules: tuple[HardRule, ...] = ()

    @property
    def third_meetings(self) -> tuple[RepeatedMeeting, ...]:
        """Those who meet for the third time or more often."""
        return tuple(meeting for meeting in self.repeated_meetings if meeting.times > 1)

    @property
    def is_proven_optimal(self) -> bool:
        """Whether no draw has fewer repeats, neither of pairs nor of powers, nor fewer third meetings."""
        return (
            self.repeats == self.bound
            and self.power_repeats == self.power_bound
            and len(self.third_meetings) == self.third_bound
        )


@dataclass(frozen=True)
class EventPlan:
    """All rounds of an event, planned ahead: the seats of each round.

    `repeats`: the sum over all pairs of C(m, 2), where a pair meets m times; no plan has fewer than `bound`.
    `power_repeats`: how often somebody plays a power he has played; no plan has less than `power_bound`.
    `most_meetings`: how often the pair meets that meets most. `resting`: who does not play, by round.
    """

    rounds: tuple[Seats, ...]
    resting: tuple[tuple[int, ...], ...]
    seed: str
    repeats: int
    bound: int
    power_repeats: int
    power_bound: int
    most_meetings: int


class SeatingError(TalleyrandError):
    """A request that makes no sense: `code` says why, `facts` what it is about."""


class ImpossibleSeating(SeatingError):
    """Hard rules that no draw obeys.

    `rules` are those that collide: without any one of them there is a draw (code `seating_impossible`). Or
    none was found though it is not proven that there is none (`seating_not_found`): then they are all rules.
    """

    def __init__(self, code: str, rules: Sequence[HardRule]) -> None:
        super().__init__(code)
        self.rules = tuple(rules)
