"""Adjustments that will not be made, known as soon as the lines are read: why, and what could be built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from talleyrand import messages
from talleyrand.engine.game import ResolvedPhase
from talleyrand.engine.orders import Build, Waive
from talleyrand.engine.outcome import CauseCode, OrderResult, Verdict
from talleyrand.variants import LANGUAGES

from .json_checks import Json
from .question_input import Question

MAX_BUILDS_SHOWN = 12
_UNMADE = frozenset((OrderResult.BUILD_VOID, OrderResult.BUILD_IGNORED, OrderResult.REMOVAL_IGNORED))
_SURPLUS = frozenset((CauseCode.SURPLUS, CauseCode.BALANCE_NOT_POSITIVE, CauseCode.BALANCE_NOT_NEGATIVE))


@dataclass(frozen=True)
class UnmadeAdjustments:
    """The adjustments of a question as judged."""

    question: Question
    turn: ResolvedPhase

    def error(self, verdict: Verdict) -> dict[str, Json] | None:
        """The error of a line whose build or removal will not be made; None of one that will be.

        A removal written twice is one; a power that has nothing to build may say that it builds nothing.
        """
        if _UNMADE.isdisjoint(verdict.results) or verdict.cause.code is CauseCode.ALREADY_REMOVED:
            return None
        if isinstance(verdict.order, Waive) and self._due(verdict.power) <= 0:
            return None
        asked, builds = self.question, tuple(self._possible(verdict))
        kind = "surplus" if verdict.cause.code in _SURPLUS else "illegal"
        said = {
            language: messages.unmade_adjustment_sentence(
                verdict, asked.variant, language, asked.rulebook, builds
            )
            for language in LANGUAGES
        }
        return {"kind": kind, "message": said}

    def _due(self, power: str) -> int:
        asked = self.question
        owed = asked.variant.definition.adjustment_counts(
            asked.position, asked.rulebook.adjudication_rules
        ).get(power)
        return owed.builds if owed else 0

    def _possible(self, verdict: Verdict) -> Iterator[str]:
        """The units that the power could build instead, beside those that it builds."""
        asked, power = self.question, verdict.power
        rules, board = asked.variant.definition.rules_for(asked.position.phase), asked.variant.board
        built = {
            one.unit.province
            for one in self.turn.outcome.verdicts
            if one.power == power and OrderResult.BUILDS in one.results
        }
        if not isinstance(verdict.order, Build) or len(built) >= self._due(power):
            return
        options = rules.legal_orders(board, asked.position, power, asked.rulebook.adjudication_rules)
        units = [one.unit for one in options if isinstance(one, Build) and one.unit.province not in built]
        yield from map(str, units[:MAX_BUILDS_SHOWN])
