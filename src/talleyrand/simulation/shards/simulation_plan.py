"""What is asked: which games, who plays which power in them, and how they are cut into shards.

`search:hard,values*6` is a table of bots that goes round the powers, one step a game; with the names of
powers (`FRANCE=search:hard,values`) everybody keeps the same seat. The last bot takes the seats left over.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

from talleyrand import __version__
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.json_checks import Json
from talleyrand.formats.question_input import read_rulebook
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.simulation.bots.bot_protocol import Bot, ThinkingBot
from talleyrand.simulation.bots.bot_registry import by_name, check_bot_plays
from talleyrand.variants import Split, Variant, find_split, load


class ShardError(TalleyrandError):
    """`code` names the fault, `facts` what it is about; processes can hand it to one another."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.code, self.facts)


class ShardStopped(Exception):
    """Somebody asked for an end before the shard was played."""


def _again(kind: type[ShardError], code: str, facts: dict[str, str]) -> ShardError:
    return kind(code, **facts)


ENTRY = re.compile(
    r"(?:(?P<power>[^\s=]+)\s*=\s*)?(?P<bot>[a-z_]+(?::[a-z0-9_.]+)?)(?:\s*[*x×]\s*(?P<times>\d{1,3}))?"
)


class BotSeating(NamedTuple):
    """A bot for each power, in the order of the powers; `rotating` where the table moves on from game to
    game, so that every bot gets each power equally often."""

    bots: tuple[str, ...]
    rotating: bool = True

    def bot(self, game: int, power: int) -> int:
        """The place in the table of the bot that plays a power in a game."""
        return (power - game) % len(self.bots) if self.rotating else power


class BotSeatingEntry(NamedTuple):
    """One part of what was asked."""

    power: str | None
    bot: str
    times: int


def read_seats(text: str, powers: Sequence[str]) -> BotSeating:
    """A table of bots as somebody writes it.

    Raises ShardError (`bots_not_understood`, `too_many_bots`, `unknown_seat`, `seat_twice`).
    """
    entries = [_entry(part) for part in text.split(",")]
    if any(entry.power for entry in entries):
        return BotSeating(_seated(entries, powers), rotating=False)
    bots = [entry.bot for entry in entries for _ in range(entry.times)]
    if len(bots) > len(powers):
        raise ShardError("too_many_bots", bots=str(len(bots)), powers=str(len(powers)))
    return BotSeating((*bots, *[bots[-1]] * (len(powers) - len(bots))))


def create_bot(bot: str) -> Bot:
    """A bot as a table names it: `search`, `search:hard`; whatever the machine, it plays alike. Raises
    UnknownName (`unknown_bot`, `unknown_strength`)."""
    name, _, strength = bot.partition(":")
    return by_name(name, strength or "normal", by_count=True)


def _entry(part: str) -> BotSeatingEntry:
    found = ENTRY.fullmatch(part.strip())
    times = int(found["times"] or 1) if found else 0
    if not found or not times or (found["power"] and found["times"]):
        raise ShardError("bots_not_understood", text=part.strip()[:60])
    return BotSeatingEntry(found["power"] and found["power"].upper(), found["bot"], times)


def _seated(entries: Sequence[BotSeatingEntry], powers: Sequence[str]) -> tuple[str, ...]:
    """The bot of each power: its own, or the one without a power's name."""
    named = dict(_seat_bots(entries, powers))
    others = [entry.bot for entry in entries if not entry.power]
    if len(others) > 1 or (not others and len(named) < len(powers)):
        raise ShardError("seats_left", powers=", ".join(power for power in powers if power not in named))
    return tuple(named[power] if power in named else others[0] for power in powers)


def _seat_bots(entries: Sequence[BotSeatingEntry], powers: Sequence[str]) -> Iterator[tuple[str, str]]:
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


FORM = 1  # of the files; another number means that older files cannot be read as these
MOST_GAMES, MOST_YEARS, LARGEST_SEED, LATEST_YEAR = 100_000_000, 200, (1 << 63) - 1, 9999
MOST_SHARDS, MOST_IN_SHARD = 1_000_000, 10_000  # all games of a shard are in memory at once
USUAL_YEARS, USUAL_SHARDS, USUAL_SLOW_SHARDS = 20, 50, 1000
SMALLEST_SHARD, LARGEST_SHARD = 10, 1000
SCRIPT, NOBODY = "script", "nobody"  # in the place of a bot
OF_SPLITS = ("split", "begins")  # fields that a plan of a full table does not write down


@dataclass(frozen=True)
class SimulationPlan:
    """A question. The same plan gives the same games, whoever plays which shard, and with how many at once.

    `until` is the last year played. Games are numbered from 0, shards from 1. `split`: the name of the
    variant's split by which the bots share the powers; `begins`: the first year, 0 the usual one.
    """

    variant: str
    rulebook: Json
    bots: tuple[str, ...]
    rotating: bool
    games: int
    shards: int
    seed: int
    until: int
    version: str = __version__
    form: int = FORM
    split: str = ""
    begins: int = 0

    def __reduce__(self) -> tuple[object, ...]:
        """What another process gets: not what was loaded here."""
        return SimulationPlan, tuple(getattr(self, one.name) for one in fields(self))

    @property
    def seats(self) -> BotSeating:
        """Who plays which power, of those that a bot plays."""
        return BotSeating(self.bots, self.rotating)

    def bot_of(self, game: int, power: str) -> str:
        """Who plays a seat in a game: a bot, the variant's script (`SCRIPT`), or `NOBODY`. A seat without
        land is for the last bot of the table."""
        variant = self.loaded_variant
        if power in variant.board.landless:
            return self.bots[-1]
        if power in variant.definition.scripted_powers:
            return SCRIPT
        held = [at for at, share in enumerate(self.loaded_split.shares) if power in share]
        return self.bots[self.seats.bot(game, held[0])] if held else NOBODY

    @cached_property
    def loaded_split(self) -> Split:
        """Who plays what; raises UnknownName (`unknown_split`)."""
        return find_split(load(self.variant), self.split)

    @cached_property
    def loaded_variant(self) -> Variant:
        """The variant as its games begin; raises UnknownName."""
        return load(self.variant).begun(self.loaded_split, self.begins)

    @cached_property
    def loaded_rulebook(self) -> LoadedRulebook:
        """The book; raises TalleyrandError for one that nobody defined."""
        return read_rulebook(self.rulebook)

    @cached_property
    def checksum(self) -> str:
        """What sets this plan's files apart from those of another."""
        text = json.dumps(self.as_json(), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]

    @property
    def first_year(self) -> int:
        """The year in which games begin."""
        return self.loaded_variant.definition.start.phase.year

    def games_of(self, shard: int) -> range:
        """The numbers of a shard's games; raises ShardError (`no_such_shard`)."""
        if not 1 <= shard <= self.shards:
            raise ShardError("no_such_shard", shard=str(shard), shards=str(self.shards))
        return range(self.games * (shard - 1) // self.shards, self.games * shard // self.shards)

    def shard_of(self, game: int) -> int:
        """The shard that holds a game; raises ShardError (`no_such_game`)."""
        if not 0 <= game < self.games:
            raise ShardError("no_such_game", game=str(game), last=str(self.games - 1))
        guess = game * self.shards // self.games + 1
        return next(shard for shard in (guess, guess + 1, guess - 1) if game in self.games_of(shard))

    def as_json(self) -> dict[str, Json]:
        """The plan as JSON."""
        told = asdict(self) | {"bots": list(self.bots)}
        return {name: value for name, value in told.items() if value or name not in OF_SPLITS}

    def check(self) -> None:
        """Raise TalleyrandError for a plan that cannot be played."""
        self.loaded_variant, self.loaded_rulebook  # noqa: B018 (a name that nobody defined is refused)
        for bot in self.bots:
            check_bot_plays(self.loaded_variant.definition, create_bot(bot).name)
        seats = self.loaded_split.players
        _check_range("bots", len(self.bots), seats, seats)
        _check_range("begins", self.begins, 0, LATEST_YEAR)
        _check_range("games", self.games, 1, MOST_GAMES)
        _check_range("shards", self.shards, -(-self.games // MOST_IN_SHARD), min(self.games, MOST_SHARDS))
        _check_range("seed", self.seed, 0, LARGEST_SEED)
        _check_range("until", self.until, self.first_year, self.first_year + MOST_YEARS - 1)


def read_plan(value: Json, folder: str) -> SimulationPlan:
    """A plan from its JSON, kept in a folder; raises TalleyrandError (`bad_manifest`, `other_form`, …)."""
    kinds: dict[str, Any] = {"variant": str, "games": int, "shards": int, "seed": int, "until": int}
    kinds |= {"rotating": bool, "version": str}
    names = {one.name for one in fields(SimulationPlan)}
    if not isinstance(value, dict) or not names - {*OF_SPLITS} <= value.keys() <= names:
        raise ShardError("bad_manifest", folder=folder)
    kinds |= {"split": str, "begins": int}
    if value["form"] != FORM:
        form = str(value["form"])[:20]
        raise ShardError("other_form", folder=folder, form=form, known=str(FORM))
    if any(type(value[name]) is not kinds[name] for name in kinds if name in value) or not _bots(
        value["bots"]
    ):
        raise ShardError("bad_manifest", folder=folder)
    plan = SimulationPlan(**value | {"bots": tuple(value["bots"])})
    plan.check()
    return plan


def _bots(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(bot, str) for bot in value)


def default_shard_count(games: int, bots: Sequence[str]) -> int:
    """How many shards so many games are cut into when nobody says, on every machine alike: of ten to a
    thousand games each; where a bot takes its time, of one game, so that every worker has something to do."""
    slow = any(isinstance(create_bot(bot), ThinkingBot) for bot in dict.fromkeys(bots))
    size = max(1, games // USUAL_SLOW_SHARDS) if slow else max(SMALLEST_SHARD, games // USUAL_SHARDS)
    return max(1, games // min(LARGEST_SHARD, size))


def _check_range(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ShardError("out_of_range", what=what, value=str(value), least=str(least), most=str(most))
