"""The story of a game as its current revisions tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from talleyrand import variants
from talleyrand.formats.positions import write_position
from talleyrand.variants import Variant
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Question

from .models import Game, Json, Revision


@dataclass
class Story:
    """A game with its published phases: `number` counts from 1, `game.number` is the open one."""

    game: Game
    _read: dict[int, dict[int, Revision]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    def is_optional(self, phase: str) -> bool:
        """Whether to write nothing in a phase is a choice like another."""
        return phase[-1:] in self.variant.setting.calendar.optional

    @cached_property
    def revisions(self) -> dict[int, Revision]:
        """The current revision of each phase; number 0 is the start."""
        return {one.number: one for one in self.game.revisions.filter(current=True)}

    @cached_property
    def phases(self) -> list[str]:
        """The codes of the phases published, from number 1."""
        published = self.game.revisions.filter(current=True, number__gt=0)
        return list(published.values_list("phase", flat=True))

    def revision(self, number: int) -> Revision | None:
        """The current revision of one phase, without reading all the others."""
        if "revisions" in self.__dict__:
            return self.revisions.get(number)
        return self._around(number).get(number)

    def _around(self, number: int) -> dict[int, Revision]:
        """A phase and the one before it, without the long answers: what its beginning is told by."""
        if number not in self._read:
            wanted = self.game.revisions.filter(current=True, number__in=(number - 1, number))
            wanted = wanted.defer("answer", "sheets")
            self._read[number] = {one.number: one for one in wanted}
        return self._read[number]

    def remember(self, number: int, around: Iterable[Revision]) -> None:
        """What has been read already: the current revisions of a phase and of the one before it."""
        self._read[number] = {one.number: one for one in around if number - 1 <= one.number <= number}

    def situation(self, number: int) -> Json | None:
        """What a phase begins with; None where the game ended before it, or is not there yet."""
        known = self.revisions if "revisions" in self.__dict__ else self._around(number)
        published, before = known.get(number), known.get(number - 1)
        if published is not None and published.situation is not None:
            return published.situation
        return before.after if before else None

    def question(self, number: int) -> Question | None:
        """The question of a phase without orders; the powers without a sheet where it was published."""
        situation = self.situation(number)
        if situation is None:
            return None
        published = self.revision(number)
        absent = {"absent": published.absent} if published and published.absent else {}
        naming = {"naming": self.game.terms.naming} if self.game.terms.naming else {}
        asked = {**situation, **absent, **naming}
        return referee.ask(self.game.variant_at(number), self.game.rulebook, self.game.seed, asked)

    def choosers(self, number: int) -> tuple[str, ...]:
        """The powers that have something to decide in a phase."""
        question = self.question(number)
        return referee.choosers(question) if question else ()


def first_situation(variant: Variant, readings: Mapping[str, str] | None = None) -> Json:
    """Where a game begins that reads open points of the text so (`Terms.readings`)."""
    politics = variant.setting.politics
    affairs = politics.begun(readings or {}) if politics else {}
    return {
        **write_position(variant.setting.start, variant.board),
        **({"politics": affairs} if affairs else {}),
    }
