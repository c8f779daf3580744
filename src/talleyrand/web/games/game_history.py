"""The story of a game as its current revisions tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from django.db.models import QuerySet
from django.urls import reverse

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.formats.position_json import write_position
from talleyrand.variants import Variant
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.boards.turning_points import ChartPhase
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from .game_settings import GameSettings
from .models import DelayedGame, Game, Json, PhaseRevision


@dataclass
class GameHistory:
    """A game with its published phases: `number` counts from 1, `game.number` is the open one."""

    game: Game
    _read: dict[int, dict[int, PhaseRevision]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    def is_optional(self, phase: str) -> bool:
        """Whether to write nothing in a phase is a choice like another."""
        return phase[-1:] in self.variant.definition.calendar.optional

    @cached_property
    def revisions(self) -> dict[int, PhaseRevision]:
        """The current revision of each phase; number 0 is the start."""
        return {one.phase_number: one for one in self.game.revisions.filter(is_current=True)}

    @cached_property
    def published_phases(self) -> list[str]:
        """The codes of the phases published, from number 1."""
        phases = [phase for (phase,) in PUBLISHED.rows(game=self.game.pk)]
        return phases[: self.game.phase_number - 1] if self._is_late else phases

    @property
    def _is_late(self) -> bool:
        return isinstance(self.game, DelayedGame)

    def revision(self, number: int) -> PhaseRevision | None:
        """The current revision of one phase, without reading all the others."""
        if "revisions" in self.__dict__:
            return self.revisions.get(number)
        return self._around(number).get(number)

    def _around(self, number: int) -> dict[int, PhaseRevision]:
        """A phase and the one before it, without the long answers: what its beginning is told by."""
        if number not in self._read:
            wanted = AROUND.rows(game=self.game.pk, before=max(number - 1, 0), number=number)
            last = self.game.phase_number - 1 if self._is_late else number
            self._read[number] = {one.phase_number: one for one in wanted if one.phase_number <= last}
        return self._read[number]

    def preload(self, number: int, around: Iterable[PhaseRevision]) -> None:
        """What has been read already: the current revisions of a phase and of the one before it."""
        self._read[number] = {
            one.phase_number: one for one in around if number - 1 <= one.phase_number <= number
        }

    def situation(self, number: int) -> Json | None:
        """What a phase begins with; None where the game ended before it, or is not there yet."""
        known = self.revisions if "revisions" in self.__dict__ else self._around(number)
        published, before = known.get(number), known.get(number - 1)
        if published is not None and published.situation is not None:
            return published.situation
        return before.next_situation if before else None

    def question(self, number: int) -> Question | None:
        """The question of a phase without orders; the powers without a sheet where it was published."""
        situation = self.situation(number)
        if situation is None:
            return None
        published = self.revision(number)
        return self._question(number, situation, published.powers_without_orders if published else [])

    def open_question(self) -> Question | None:
        """That of the open phase, where nothing else is read of the story."""
        number = self.game.phase_number
        if self._is_late:
            return self.question(number)
        begun = dict(BEGINNINGS.rows(game=self.game.pk, before=max(number - 1, 0), number=number))
        if number in begun or not begun.get(number - 1):
            return self.question(number)
        return self._question(number, begun[number - 1], [])

    def _question(self, number: int, situation: Json, powers_without_orders: list[str]) -> Question:
        absent = {"absent": powers_without_orders} if powers_without_orders else {}
        naming = {"naming": self.game.settings.naming} if self.game.settings.naming else {}
        asked = {**situation, **absent, **naming}
        return adjudicator.make_question(
            self.game.variant_of_phase(number), self.game.rulebook, self.game.seed, asked
        )

    def elimination_years(self) -> dict[str, int]:
        """The year in which each power fell, as the published phases tell."""
        fallen: dict[str, int] = {}
        for number in sorted(self.revisions):
            one = self.revisions[number]
            for power in (one.answer or {}).get("eliminated", ()):
                fallen.setdefault(str(power), Phase.parse(one.phase).year)
        return fallen

    def deciding_powers(self, number: int) -> tuple[str, ...]:
        """The powers that have something to decide in a phase."""
        question = self.question(number)
        return adjudicator.deciding_powers(question) if question else ()


def _around() -> QuerySet[PhaseRevision]:
    return PhaseRevision.objects.filter(
        is_current=True,
        game=Given(PhaseRevision, "game"),
        phase_number__range=(
            Given(PhaseRevision, "phase_number", "before"),
            Given(PhaseRevision, "phase_number", "number"),
        ),
    )


AROUND = PreparedQuery(lambda: _around().defer("answer", "order_lines"))
PUBLISHED = PreparedQuery(
    lambda: PhaseRevision.objects.filter(
        game=Given(PhaseRevision, "game"), is_current=True, phase_number__gt=0
    ).values_list("phase")
)
BEGINNINGS = PreparedQuery(lambda: _around().values_list("phase_number", "next_situation"))


def opening_situation(game: Game) -> Json:
    """Where a game begins: with the position its maker set up, or as its variant and terms have it."""
    return dict(game.settings.start) or initial_situation(variants.load(game.variant), game.settings)


def initial_situation(variant: Variant, terms: GameSettings | None = None) -> Json:
    """Where a game of these terms begins: its first year, the powers left out, open points of the text."""
    agreed = terms or GameSettings()
    politics = variant.definition.politics
    affairs = politics.initial_state(agreed.readings) if politics else {}
    begun = variant.definition.begun(agreed.first_year, agreed.passive, agreed.centres_to_win)
    return {
        **write_position(begun.start, variant.board),
        **({"politics": affairs} if affairs else {}),
    }


def chart_phases(game: Game) -> tuple[Json, list[ChartPhase]]:
    """Where a game began, and the phases published, each with the position that the next one began with."""
    found = game.revisions.filter(is_current=True).order_by("phase_number")
    told = list(found.values_list("phase", "situation", "next_situation"))
    beginnings = [situation for _phase, situation, _after in told[1:]]
    phases = [
        ChartPhase(phase, corrected or after or _end(game, phase))
        for (phase, _situation, after), corrected in zip(told, [*beginnings, None], strict=False)
    ]
    if phases and not phases[0].phase:
        return dict(phases[0].next_situation), phases[1:]
    return initial_situation(variants.load(game.variant), game.settings), phases


def _end(game: Game, phase: str) -> Json:
    """Where the last phase of a game that is over left it."""
    last = game.revisions.filter(is_current=True).latest("phase_number")
    return {**(last.answer or {}), "phase": phase}


def phase_url_of(game: Game) -> Callable[[int], str]:
    """The address of each of its phases."""
    return lambda number: reverse("games:phase", args=[game.key, number])
