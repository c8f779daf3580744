"""The values of an event: people, rounds, boards, results. Frozen; `codec` makes JSON of them and back.

Whatever is numbered is kept by its number, and the number of a thing never changes, so that what changed
between two states of an event can be told by paths (`event_changes`). Points and coefficients are texts that
hold an exact fraction ("6/9", "58.143"). Times are texts of ISO 8601 in UTC. `private` facts never leave the
desk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from talleyrand.formats.json_checks import Json

LocalisedText = Mapping[str, str]  # a text by language
FIRST_YEAR = 1901  # of every game


class Office(StrEnum):
    """What somebody is for the organisation; a volunteer stands down when it helps."""

    ORGANISER = "organiser"
    ASSISTANT = "assistant"
    VOLUNTEER = "volunteer"
    NONE = "none"


@dataclass(frozen=True)
class PrivateFacts:
    """What the desk alone knows of a person. `born`: a date or a year; `minutes`: by car to the place."""

    born: str = ""
    mail: str = ""
    phone: str = ""
    note: str = ""
    due: str = "0"
    paid: str = "0"
    prefers: tuple[str, ...] = ()


@dataclass(frozen=True)
class EventPerson:
    """Somebody of the event. `rounds`: those he has signed up for; `gone`: withdrew from the event.

    `recorder`: can keep the record of a board.
    """

    name: str
    club: str = ""
    town: str = ""
    country: str = ""
    office: Office = Office.NONE
    beginner: bool = False
    youth: bool = False  # where the date of birth is not known
    recorder: bool = False
    minutes: int | None = None
    rounds: tuple[int, ...] = ()
    gone: bool = False
    accepted: bool = False  # the regulations
    private: PrivateFacts = field(default_factory=PrivateFacts)


@dataclass(frozen=True)
class EventTeam:
    """A team: its name and its members. `powers`: who plays what, where they choose among themselves;
    `asking`: who wishes to join, and waits for one of them, or the desk, to agree."""

    name: str
    members: tuple[int, ...] = ()
    powers: tuple[tuple[int, str], ...] = ()
    asking: tuple[int, ...] = ()


class RoundState(StrEnum):
    """PLANNED, then people arrive (OPEN), seats are drawn (DRAFT), shown (PLAYING), all is in (CLOSED)."""

    PLANNED = "planned"
    OPEN = "open"
    DRAFT = "draft"
    PLAYING = "playing"
    CLOSED = "closed"


class ByeReason(StrEnum):
    """Why somebody who is present does not play a round."""

    ORGANISATION = "organisation"  # organiser, assistant or volunteer
    LOT = "lot"  # drawn by lot
    DIRECTOR = "director"  # chosen by the director, with his consent
    OWN = "own"  # wished it himself
    LATE = "late"  # came when the boards were full


@dataclass(frozen=True)
class Bye:
    """Somebody who stands down. `asked`: at the organisation's request, which the ranking makes good."""

    why: ByeReason
    asked: bool = True


@dataclass(frozen=True)
class SeatReplacement:
    """A newcomer who took over a seat, and how many seasons he played.

    `rested`: he had stood down at the organisation's request, which holds where the game is not his.
    """

    person: int
    seasons: int
    rested: bool = False


@dataclass(frozen=True)
class PowerSeat:
    """Who plays a power of a board; nobody: the power plays by its script, or stands in disorder.

    `missed`: seasons over when he sat down (late). `reliefs`: who took over, in order. `locked`: a new
    draw leaves it alone.
    """

    person: int | None = None
    missed: int = 0
    reliefs: tuple[SeatReplacement, ...] = ()
    locked: bool = False


class GameEnd(StrEnum):
    """How a game ended."""

    TIME = "time"  # after its last year
    SOLO = "solo"
    VOTE = "vote"
    CONCEDED = "conceded"
    STOPPED = "stopped"  # shortened by the director


@dataclass(frozen=True)
class BoardResult:
    """What a board ended with.

    `centres` names every power of the board. `out`: powers eliminated though they hold a centre.
    `reached`: the farthest province each power's units were in, for the traveller. `by` and `confirmed`:
    who entered it and who confirmed it, a person's number, or "desk"; an unconfirmed result counts nowhere
    but in what is provisional. `year`: the last one played. `neutral`: centres that nobody holds.
    """

    centres: Mapping[str, int]
    ended: GameEnd = GameEnd.TIME
    year: int | None = None
    winner: str = ""
    draw: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    eliminated_in: Mapping[str, int] = field(default_factory=dict)
    reached: Mapping[str, str] = field(default_factory=dict)
    neutral: int = 0
    by: str = "desk"
    confirmed: str = ""


class EndVoteState(StrEnum):
    """A vote to end a game: asked; vetoed; being voted on; ended by unanimity; not unanimous; withdrawn."""

    ASKED = "asked"
    VETOED = "vetoed"
    VOTING = "voting"
    CARRIED = "carried"
    LOST = "lost"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class PowerHoldings:
    """What a power has when the end is asked: `homes` of its own home centres, `free` of its centres without
    a foreign unit in them, `abroad` of its units in centres that are not its own."""

    centres: int = 0
    homes: int = 0
    units: int = 0
    free: int = 0
    abroad: int = 0

    @property
    def is_consistent(self) -> bool:
        """Whether these numbers can be."""
        within = 0 <= self.homes <= self.centres and 0 <= self.free <= self.centres
        return within and 0 <= self.abroad <= self.units

    @property
    def is_alive(self) -> bool:
        """Not eliminated: a home centre, or a centre and a unit."""
        return self.homes > 0 or (self.centres > 0 and self.units > 0)


@dataclass(frozen=True)
class EndVote:
    """A proposal to end a game. `when`: the phase after which it was asked, "S1904R", "F1904R", "W1904A".

    `autumn`: after spring, whether autumn is played with all in disorder before the count. `powers`: who has
    a ballot, the proposer's counted in favour. `table`: what each power had when the end was asked. `voted`:
    who has voted; what he voted is in `yes`, told to nobody but the desk before all have, and to the others
    only as a number.
    """

    by: str  # power
    when: str
    autumn: bool = False
    state: EndVoteState = EndVoteState.ASKED
    vetoed: str = ""
    powers: tuple[str, ...] = ()
    table: Mapping[str, PowerHoldings] = field(default_factory=dict)
    voted: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()


@dataclass(frozen=True)
class EventBoard:
    """A board of a round. `variant`: `classic`, `survivor_turkey`, or another; `final`: the final table.

    `counts`: its points count. `place`: where it stands in the room. `game`: key of its game on the site.
    `now`: centres as somebody told them while it was played, for what would be if it ended now; `years`: at
    the end of each year, where somebody wrote them down (`boards.years_of` reads them with the result).
    `last_year`: its own, where it is not the round's. `offset`: seconds ahead of the clock, or behind it (-).
    """

    variant: str = "classic"
    seats: Mapping[str, PowerSeat] = field(default_factory=dict)
    final: bool = False
    counts: bool = True
    place: str = ""
    game: str = ""
    last_year: int | None = None
    offset: int = 0
    now: Mapping[str, int] = field(default_factory=dict)
    years: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    result: BoardResult | None = None
    votes: Mapping[int, EndVote] = field(default_factory=dict)


@dataclass(frozen=True)
class DrawnLot:
    """A lot that was drawn, so that anybody can draw it again: `what` for, among whom, who it fell on.

    `what`: `stand_down`, `final`, `powers` (those of a game of few).
    """

    what: str
    among: tuple[str, ...]
    drawn: tuple[str, ...]


@dataclass(frozen=True)
class SeatingRepeat:
    """Two who meet again on a board, or somebody who plays a power again (`other` 0); `times`: before."""

    board: int
    times: int
    person: int
    other: int = 0
    power: str = ""


@dataclass(frozen=True)
class TogetherWish:
    """The best who should share boards, in `pairs`, and the price: how many pairs do, `together` for so many
    meetings and powers again, `together_free` where nothing gives way to it.

    `granted`: whether the draw is the dearer one. `third`: who would meet for the third time for it; then it
    never is.
    """

    people: tuple[int, ...]
    granted: bool = False
    pairs: int = 0
    together: int = 0
    together_free: int = 0
    meetings: int = 0
    meetings_free: int = 0
    powers: int = 0
    powers_free: int = 0
    third: tuple[SeatingRepeat, ...] = ()

    @property
    def is_free(self) -> bool:
        """Whether the wish costs nothing."""
        return self.meetings <= self.meetings_free and self.powers <= self.powers_free and not self.third

    @property
    def is_paid(self) -> bool:
        """Whether the draw has the wish at a price."""
        return self.granted and not self.is_free


@dataclass(frozen=True)
class DrawRecord:
    """How seats were drawn: seed, what was reached against what is proven, each repeat as it was shown.

    `meetings` and `powers` count those who meet again and powers played again; no draw has fewer than `bound`
    and `power_bound`, nor fewer third meetings than `third_bound`. `lots`: those drawn for who stands
    down, for the last seat of the final. `wish`: the best together, where the regulations want it.
    """

    seed: str
    meetings: int = 0
    bound: int = 0
    powers: int = 0
    power_bound: int = 0
    repeats: tuple[SeatingRepeat, ...] = ()
    lots: tuple[DrawnLot, ...] = ()
    third_bound: int = 0
    wish: TogetherWish | None = None


@dataclass(frozen=True)
class ClockState:
    """The one clock of a round. `season`: 0 is the first; `started`: when it last began to run, or "" while
    it stands; `elapsed`: seconds of this season before that; `lengths`: seconds of seasons changed by hand.
    """

    season: int = 0
    started: str = ""
    elapsed: int = 0
    lengths: Mapping[int, int] = field(default_factory=dict)
    over: bool = False


@dataclass(frozen=True)
class EventRound:
    """A round. `present`: who is there, the organiser included, and since when; `resting`: who does not play.

    `best`: who should share a board (article 12). `final`: whether its first board is the final table, once
    decided. `revealed`: whether its standings are shown to all.
    """

    state: RoundState = RoundState.PLANNED
    starts: str = ""
    present: Mapping[int, str] = field(default_factory=dict)
    resting: Mapping[int, Bye] = field(default_factory=dict)
    boards: Mapping[int, EventBoard] = field(default_factory=dict)
    drawn: DrawRecord | None = None
    clock: ClockState = field(default_factory=ClockState)
    final: bool | None = None
    cancelled: bool = False
    revealed: bool = True


class AdjustmentEffect(StrEnum):
    """What an adjustment of a score does: adds points, multiplies, or sets."""

    ADD = "add"
    TIMES = "times"
    SET = "set"


@dataclass(frozen=True)
class ScoreAdjustment:
    """A sanction, or any ruling on points: on the score of a round, or on the total (`round` 0)."""

    person: int
    round: int
    effect: AdjustmentEffect
    value: str
    why: str


@dataclass(frozen=True)
class DirectorRuling:
    """An entry of the notebook. `shown`: on the public pages too."""

    at: str
    text: str
    round: int = 0
    board: int = 0
    shown: bool = False


@dataclass(frozen=True)
class PrizeBallot:
    """Whom a player names for the voted prizes after a game: a number for each prize he names anybody for.

    `voter` 0: who it was has been forgotten.
    """

    round: int
    board: int
    voter: int
    names: Mapping[str, int]


@dataclass(frozen=True)
class RememberedYoungest:
    """Who is the youngest of those who share a prize, or may be, as dates of birth told it before they were
    forgotten; numbers of people, or of `teams`."""

    among: tuple[int, ...]
    kept: tuple[int, ...]
    teams: bool = False


@dataclass(frozen=True)
class RideOffer:
    """A place in a car, or one looked for."""

    person: int
    text: str
    seats: int = 0  # below 0: looked for


@dataclass(frozen=True)
class Announcement:
    """The public page: texts by language, plain paragraphs. `opens`, `ends`: dates of the event."""

    place: str = ""
    opens: str = ""
    ends: str = ""
    zone: str = "Europe/Paris"
    summary: LocalisedText = field(default_factory=dict)
    schedule: LocalisedText = field(default_factory=dict)
    lodging: LocalisedText = field(default_factory=dict)
    initiation: LocalisedText = field(default_factory=dict)
    regulations: LocalisedText = field(default_factory=dict)
    contact: str = ""
    fee: str = ""


class OnlineBoards(StrEnum):
    """Whether boards are games on a site; HIDDEN: who plays which power is told once a board has a result."""

    NONE = "none"
    OPEN = "open"
    HIDDEN = "hidden"


@dataclass(frozen=True)
class Event:
    """A whole event. `regulations`: the name of a preset, or a table that extends one."""

    name: str
    regulations: str | Mapping[str, Json] = "anjou_feu"
    seed: str = ""
    announcement: Announcement = field(default_factory=Announcement)
    signups: bool = True  # people may sign up by themselves
    live: bool = False  # standings as if all ended now are shown to all
    online: OnlineBoards = OnlineBoards.NONE
    terms: Mapping[str, str] = field(default_factory=dict)  # of games on line; none: the site makes no games
    people: Mapping[int, EventPerson] = field(default_factory=dict)
    teams: Mapping[int, EventTeam] = field(default_factory=dict)
    apart: tuple[tuple[int, int], ...] = ()  # pairs never seated together
    rides: Mapping[int, RideOffer] = field(default_factory=dict)
    rounds: Mapping[int, EventRound] = field(default_factory=dict)
    adjustments: Mapping[int, ScoreAdjustment] = field(default_factory=dict)
    ballots: Mapping[int, PrizeBallot] = field(default_factory=dict)
    rulings: Mapping[int, DirectorRuling] = field(default_factory=dict)
    youngest: tuple[RememberedYoungest, ...] = ()
    over: bool = False

    @property
    def takes_sign_ups(self) -> bool:
        """Whether somebody may sign up by themselves: to an event on line before its last round is drawn."""
        begun = {RoundState.DRAFT, RoundState.PLAYING, RoundState.CLOSED}
        all_begun = bool(self.rounds) and {one.state for one in self.rounds.values()} <= begun
        return self.signups and not self.over and (self.online is OnlineBoards.NONE or not all_begun)
