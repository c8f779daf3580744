"""What the players of a game have agreed on, but for variant and rulebook: values kept with the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from talleyrand.variants.game_splits import Shares


class Anonymity(StrEnum):
    """Who may know which person plays a power."""

    OPEN = "open"
    UNTIL_END = "until_end"


class PressSetting(StrEnum):
    """Which letters may be written."""

    FULL = "full"
    PUBLIC = "public"
    NONE = "none"
    HELD = "held"  # every letter waits until the game master passes it on


class MissingOrdersRule(StrEnum):
    """What happens at the deadline where a power has no sheet."""

    DISORDER = "disorder"  # its units are in civil disorder for the phase
    EXTEND = "extend"  # the deadline moves, so often as `extensions` says; then disorder
    WAIT = "wait"  # the game waits for the game master


class DrawRule(StrEnum):
    """How the players may end the game together."""

    UNANIMOUS = "unanimous"
    VETO_THEN_VOTE = "veto_then_vote"
    NEVER = "never"


class LandlessSeatRule(StrEnum):
    """Who has the seats without land, where a variant has one: each of their decisions has a default."""

    MASTER = "master"
    PLAYER = "player"
    NOBODY = "nobody"


class SpectatorRule(StrEnum):
    """Who may look on while the game is played."""

    EVERYBODY = "everybody"
    INVITED = "invited"


class BotSeatRule(StrEnum):
    """Which seats bots play, where they play any."""

    START = "start"  # those that nobody has taken at the start
    LEFT = "left"  # those of players who leave, or are absent too long
    BOTH = "both"


@dataclass(frozen=True)
class GameSettings:
    """The agreement. Kept as JSON by `as_json`, read back by `from_json`."""

    readings: Mapping[str, str] = field(default_factory=dict)  # open points of the text not read as usual
    start: Mapping[str, Any] = field(default_factory=dict)  # its first position; empty: the variant's own
    naming: str = ""  # the abbreviations in use; "" for the rulebook's own
    anonymity: Anonymity = Anonymity.UNTIL_END
    press: PressSetting = PressSetting.FULL
    press_between: bool = True  # letters during retreats and adjustments too
    declarations: bool = False  # declarations to everybody without a signature
    rhythm: Mapping[str, Any] = field(default_factory=dict)  # `deadlines.Rhythm.kept()`
    absent: MissingOrdersRule = MissingOrdersRule.EXTEND
    extensions: int = 1  # how often a phase is extended by itself for somebody without a sheet
    patience: int = (
        2  # movement phases in a row without a sheet before a power is in civil disorder; 0: never
    )
    drafts_count: bool = True  # at the deadline a draft stands for a sheet that was never handed in
    absence_days: int = 14  # how many days of announced absence may move deadlines; 0: none
    draw: DrawRule = DrawRule.UNANIMOUS
    last_year: int = 0  # the game ends with this year; 0: none
    last_after: str = "A"  # the phase of the last year after which it ends: R (autumn's retreats) or A
    ends_at: datetime | None = None  # a date and hour: then the most units win
    scoring: str = "draw_size"
    gm_absence_days: int = 7  # unseen so long while the game waits, who leads it may be replaced; 0: never
    log_open: bool = True  # players see what the game master did
    submissions_shown: bool = False  # all see who has submitted; no in older games
    watching: SpectatorRule = SpectatorRule.EVERYBODY
    delay_phases: int = 0  # onlookers see the game so many phases late
    delay_hours: int = 0  # and no phase earlier than so long after its results
    least_reliability: int = 0  # in hundredths, of whoever joins as a player and has one; 0: any
    chair: LandlessSeatRule = LandlessSeatRule.MASTER
    bots: str = ""  # the computer's player that plays seats which nobody has; "": nobody does
    bots_when: BotSeatRule = BotSeatRule.START
    bot_seats_open: bool = False  # whoever comes may take over a bot's seat; no in older games
    split: str = (
        ""  # the variant's split by which the powers are dealt; "" for none, or one of the players' own
    )
    shares: Shares = ()  # the powers of each player; none where each has one
    passive: tuple[str, ...] = ()  # eliminated before the game: nobody's, and their units stand
    disordered: tuple[str, ...] = ()  # nobody's, in civil disorder all through
    first_year: int = 0  # 0: the variant's
    centres_to_win: int = 0  # 0: the variant's
    opens_paused: bool = False  # each phase waits, with all its time, until somebody starts the clock
    by_post: bool = False  # whoever has an address on file plays from his mail program
    language: str = ""  # in which messages are written: a site’s language; "": any
    house_rules_fr: str = ""  # what its players promise, in plain text; "": nothing of its own
    house_rules_en: str = ""

    @property
    def delay(self) -> timedelta:
        """How long after its results onlookers see a phase."""
        return timedelta(hours=self.delay_hours)

    @property
    def unplayed(self) -> frozenset[str]:
        """The powers that are no player's by these terms."""
        return frozenset((*self.passive, *self.disordered))

    @property
    def bots_at_start(self) -> str:
        """The bot that plays the seats nobody has taken at the start; "": nobody does."""
        return self.bots if self.bots_when != BotSeatRule.LEFT else ""

    @property
    def bots_for_leavers(self) -> str:
        """The bot that plays on for whoever leaves or is absent too long; "": nobody does."""
        return self.bots if self.bots_when != BotSeatRule.START else ""

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        values = asdict(self)
        values["ends_at"] = self.ends_at.isoformat() if self.ends_at else None
        return values

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> GameSettings:
        """From JSON; names that a later version added have their defaults."""
        values = {name: value for name, value in kept.items() if name in _NAMES}
        for name, kind in _KINDS.items():
            if name in values:
                values[name] = kind(values[name])
        values |= {name: tuple(values[name]) for name in ("passive", "disordered") if name in values}
        values["shares"] = tuple(map(tuple, values.get("shares", ())))
        if values.get("ends_at"):
            values["ends_at"] = datetime.fromisoformat(values["ends_at"])
        return cls(**values)


class Pace(StrEnum):
    """About how long a movement phase lasts."""

    LIVE = "live"
    DAY = "day"
    DAYS = "days"
    WEEK = "week"
    MANUAL = "hand"


HOUR = 3600
PACE_LIMITS = ((12 * HOUR, Pace.LIVE), (36 * HOUR, Pace.DAY), (5 * 24 * HOUR, Pace.DAYS))
OWN_RULEBOOK = "own"


def pace_of(rhythm: Mapping[str, Any]) -> Pace:
    """From a rule for deadlines as it is kept, one of any age."""
    rule = rhythm.get("movement") or {"seconds": rhythm.get("hours", 72) * HOUR}
    if rule.get("by") == "hand" or rule.get("seconds") == 0:
        return Pace.MANUAL
    length = 7 * 24 * HOUR / len(rule["days"]) if rule.get("days") else rule.get("seconds", 0)
    return next((pace for limit, pace in PACE_LIMITS if length < limit), Pace.WEEK)


def listing_facets(kept: Mapping[str, Any], rulebook: object) -> dict[str, Any]:
    """The columns by which games are looked for, from the agreement as JSON."""
    return {
        "rulebook_name": rulebook if isinstance(rulebook, str) else OWN_RULEBOOK,
        "pace": pace_of(kept.get("rhythm") or {}),
        "press": kept.get("press", PressSetting.FULL),
        "anonymity": kept.get("anonymity", Anonymity.UNTIL_END),
        "language": kept.get("language", ""),
        "has_bots": bool(kept.get("bots")),
        "offers_bot_seats": bool(kept.get("bots") and kept.get("bot_seats_open")),
    }


_NAMES = frozenset(one.name for one in fields(GameSettings))
_KINDS: Mapping[str, type[StrEnum]] = {
    "anonymity": Anonymity,
    "press": PressSetting,
    "absent": MissingOrdersRule,
    "draw": DrawRule,
    "watching": SpectatorRule,
    "chair": LandlessSeatRule,
    "bots_when": BotSeatRule,
}
