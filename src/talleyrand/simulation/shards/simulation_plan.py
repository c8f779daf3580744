"""What is asked: which games, and how they are cut into shards."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from talleyrand import __version__
from talleyrand.formats.json_checks import Json
from talleyrand.formats.question_input import read_rulebook
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.simulation.bots.bot_registry import check_bot_plays
from talleyrand.variants import Variant, load

from .bot_seating import BotSeating, create_bot
from .shard_errors import ShardError

FORM = 1  # of the files; another number means that older files cannot be read as these
MOST_GAMES, MOST_YEARS, LARGEST_SEED = 100_000_000, 200, (1 << 63) - 1
MOST_SHARDS, MOST_IN_SHARD = 1_000_000, 10_000  # all games of a shard are in memory at once
USUAL_YEARS, USUAL_SHARDS = 20, 50
SMALLEST_SHARD, LARGEST_SHARD = 10, 1000
SCRIPT = "script"  # in the place of a bot


@dataclass(frozen=True)
class SimulationPlan:
    """A question. The same plan gives the same games, whoever plays which shard, and with how many at once.

    `until` is the last year played. Games are numbered from 0, shards from 1.
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

    def __reduce__(self) -> tuple[object, ...]:
        """What another process gets: not what was loaded here."""
        return SimulationPlan, tuple(getattr(self, one.name) for one in fields(self))

    @property
    def seats(self) -> BotSeating:
        """Who plays which power, of those that a bot plays."""
        return BotSeating(self.bots, self.rotating)

    def bot_of(self, game: int, power: str) -> str:
        """Who plays a seat in a game: a bot, or the variant's script (`SCRIPT`). A seat without land is
        for the last bot of the table."""
        players = self.loaded_variant.definition.players
        if power in self.loaded_variant.board.landless:
            return self.bots[-1]
        if power not in players:
            return SCRIPT
        return self.bots[self.seats.bot(game, players.index(power))]

    @cached_property
    def loaded_variant(self) -> Variant:
        """The variant; raises UnknownName."""
        return load(self.variant)

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
        return asdict(self) | {"bots": list(self.bots)}

    def check(self) -> None:
        """Raise TalleyrandError for a plan that cannot be played."""
        self.loaded_variant, self.loaded_rulebook  # noqa: B018 (a name that nobody defined is refused)
        for bot in self.bots:
            check_bot_plays(self.loaded_variant.definition, create_bot(bot).name)
        seats = len(self.loaded_variant.definition.players)
        _within("bots", len(self.bots), seats, seats)
        _within("games", self.games, 1, MOST_GAMES)
        _within("shards", self.shards, -(-self.games // MOST_IN_SHARD), min(self.games, MOST_SHARDS))
        _within("seed", self.seed, 0, LARGEST_SEED)
        _within("until", self.until, self.first_year, self.first_year + MOST_YEARS - 1)


def read_plan(value: Json, folder: str) -> SimulationPlan:
    """A plan from its JSON, kept in a folder; raises TalleyrandError (`bad_manifest`, `other_form`, …)."""
    kinds: dict[str, Any] = {"variant": str, "games": int, "shards": int, "seed": int, "until": int}
    kinds |= {"rotating": bool, "version": str}
    if not isinstance(value, dict) or value.keys() != {one.name for one in fields(SimulationPlan)}:
        raise ShardError("bad_manifest", folder=folder)
    if value["form"] != FORM:
        form = str(value["form"])[:20]
        raise ShardError("other_form", folder=folder, form=form, known=str(FORM))
    if any(type(value[name]) is not kind for name, kind in kinds.items()) or not _bots(value["bots"]):
        raise ShardError("bad_manifest", folder=folder)
    plan = SimulationPlan(**value | {"bots": tuple(value["bots"])})
    plan.check()
    return plan


def _bots(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(bot, str) for bot in value)


def default_shard_count(games: int) -> int:
    """How many shards so many games are cut into when nobody says: of ten to a thousand games each."""
    size = min(LARGEST_SHARD, max(SMALLEST_SHARD, games // USUAL_SHARDS))
    return max(1, games // size)


def _within(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ShardError("out_of_range", what=what, value=str(value), least=str(least), most=str(most))
