"""What a page and the API tell of a person: of finished games in the public list, and of running ones in
which everyone may know who plays what.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.model_fields import json_text
from talleyrand.web.games import visibility
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import RUNNING_STATES, Game, Json, PowerAssignment
from talleyrand.web.games.player_records import person_page_access
from talleyrand.web.games.record_models import PagePart, PlayedGame, PlayerProfile, RatingChange, RatingPool

MOST_GAMES, MOST_RUNNING, MOST_OF_A_KIND = 1000, 20, 5


class FinishedRow(NamedTuple):
    """One of a person's finished games."""

    finished: int
    key: str
    name: str
    variant: str
    ended_at: Any
    powers: list[str]
    outcome: str
    points: str
    centres: int
    openings: list[Json]
    alliances: list[Json]


class Opening(NamedTuple):
    """The first orders of a power, and how often a person gave them."""

    variant: str
    power: str
    orders: tuple[str, ...]
    times: int
    games: int


class Alliance(NamedTuple):
    """Supports that went both ways in a game, with the power `ally`; `person` is who played it, where they
    show that."""

    game: FinishedRow
    ally: str
    first: int
    last: int
    supports: int
    person: Person | None


class RatingPoint(NamedTuple):
    """A rating after a game."""

    ended_at: Any
    key: str
    name: str
    rating: float
    deviation: float


@dataclass
class PersonFacts:
    """A person as a reader (None: a visitor) may see them; what they do not show is empty."""

    owner: Person
    reader: Person | None

    @cached_property
    def parts(self) -> frozenset[str]:
        return person_page_access.shown_parts(self.owner, self.reader)

    @cached_property
    def profile(self) -> PlayerProfile:
        return person_page_access.profile_of(self.owner)

    @cached_property
    def _rows(self) -> list[FinishedRow]:
        played = PlayedGame.objects.filter(person=self.owner, finished__due_at=None)
        found = played.order_by("-finished__ended_at", "-finished").values_list(
            "finished",
            "finished__game__key",
            "finished__game__name",
            "finished__game__variant",
            "finished__ended_at",
            "powers",
            "outcome",
            "points",
            "centres",
            "openings",
            "alliances",
        )
        return [FinishedRow(*row) for row in found[:MOST_GAMES]]

    @property
    def finished(self) -> list[FinishedRow]:
        """The finished games, the last one first."""
        return self._rows if PagePart.GAMES in self.parts else []

    @cached_property
    def running(self) -> list[Game]:
        """The games that everyone may watch and in which it is no secret who plays what."""
        if PagePart.GAMES not in self.parts:
            return []
        holds = PowerAssignment.objects.filter(
            seat__game=OuterRef("pk"), person=self.owner, ended_at=None, is_stand_in=False
        )
        games = visibility.watchable_games(Game.objects.filter(is_listed=True, state__in=RUNNING_STATES))
        games = games.annotate(naming_of_players=json_text("settings_json__anonymity")).filter(
            Q(naming_of_players=Anonymity.OPEN) | Q(powers_revealed_at__isnull=False), Exists(holds)
        )
        return list(games.order_by("-started_at", "-pk")[:MOST_RUNNING])

    @property
    def results(self) -> dict[tuple[str, str], Counter[str]]:
        """By variant and power how often each outcome came; a game of several powers counts for each."""
        found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for row in self._rows if PagePart.RESULTS in self.parts else ():
            for power in row.powers:
                found[row.variant, power][row.outcome] += 1
        return found

    @property
    def openings(self) -> list[Opening]:
        """The first orders that came most often, each with how many games of its power there are."""
        counts: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
        games: Counter[tuple[str, str]] = Counter()
        for row in self._rows if PagePart.OPENINGS in self.parts else ():
            for one in row.openings:
                counts[row.variant, one["power"], tuple(one["orders"])] += 1
                games[row.variant, one["power"]] += 1
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_OF_A_KIND]
        return [Opening(*key, count, games[key[:2]]) for key, count in most]

    @cached_property
    def alliances(self) -> list[Alliance]:
        """The longest ones."""
        every = [
            (row, one)
            for row in (self._rows if PagePart.ALLIANCES in self.parts else ())
            for one in row.alliances
        ]
        every.sort(key=lambda pair: (pair[1]["first"] - pair[1]["last"], -pair[1]["supports"]))
        longest = every[:MOST_OF_A_KIND]
        known = self._players({row.finished for row, _one in longest})
        return [
            Alliance(
                row,
                one["power"],
                one["first"],
                one["last"],
                one["supports"],
                known.get((row.finished, one["power"])),
            )
            for row, one in longest
        ]

    def _players(self, finished: Iterable[int]) -> dict[tuple[int, str], Person]:
        """Who played which power of some games, of those who show the reader their games."""
        rows = PlayedGame.objects.filter(finished__in=finished).select_related("person__profile")
        return {
            (row.finished_id, power): row.person
            for row in rows
            if PagePart.GAMES in person_page_access.shown_parts(row.person, self.reader)
            for power in row.powers
        }

    @cached_property
    def ratings(self) -> dict[str, list[RatingPoint]]:
        """By pool the ratings after each game, the first one first."""
        found: dict[str, list[RatingPoint]] = defaultdict(list)
        if PagePart.RATINGS not in self.parts:
            return found
        rows = RatingChange.objects.filter(person=self.owner).order_by("-finished__ended_at", "-finished")
        columns = ("finished__ended_at", "finished__game__key", "finished__game__name", "rating", "deviation")
        for pool, *point in rows.values_list("pool", *columns)[:MOST_GAMES]:
            found[pool].insert(0, RatingPoint(*point))
        return {str(pool): found[pool] for pool in RatingPool if pool in found}
