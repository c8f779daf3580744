"""Why an order came to what it came to, step by step, each step with its picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString

from talleyrand import drawing
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Convoy, Move, Support
from talleyrand.engine.outcome import Verdict
from talleyrand.formats import adjudication, cause_chain, question_input
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.variants import Variant

from . import display_names, map_excerpts, map_shapes, phase_maps
from .adjudicator import Lines, Question
from .result_rows import result_label


@dataclass(frozen=True)
class Explanation:
    """The steps that lead to the verdict of one province's unit."""

    adjudicated: AdjudicatedQuestion
    province: str
    steps: tuple[cause_chain.CauseStep, ...]

    @cached_property
    def variant(self) -> Variant:
        """That of the phase, in the reader's shape of the map."""
        return map_shapes.in_readers_shape(self.adjudicated.question.variant)

    @cached_property
    def verdict(self) -> Verdict:
        return self._verdicts[self.province]

    @cached_property
    def _verdicts(self) -> dict[str, Verdict]:
        """By province; those of the variant's own rules too, which no reasons are sought for."""
        told = {one.unit.province: one for one in self.adjudicated.turn.outcome.verdicts}
        return {**told, **(self.adjudicated.reasons.verdicts if self.adjudicated.reasons else {})}

    @property
    def order(self) -> str:
        """The order in full words, or the unit where it had none."""
        order = str(self.verdict.order) if self.verdict.order else None
        return phase_maps.order_label(self.variant, order, str(self.verdict.unit))

    @property
    def results(self) -> list[dict[str, Any]]:
        return [result_label(str(result), self.variant) for result in self.verdict.results]

    @property
    def sentences(self) -> list[str]:
        return [step.sentences[display_names.reader_language()] for step in self.steps]

    @cached_property
    def _series(self) -> drawing.DrawingSeries:
        outcomes = [(self._verdicts_shown(step), self._contested(step)) for step in self.steps]
        position = self.adjudicated.question.position
        return drawing.draw_series(self.variant, position, outcomes, language=display_names.reader_language())

    def _verdicts_shown(self, step: cause_chain.CauseStep) -> list[Verdict]:
        return [self._verdicts[province] for province in step.provinces]

    def _contested(self, step: cause_chain.CauseStep) -> frozenset[str]:
        """The stand-offs that the step's attacks made."""
        goals = {
            province_of(one.order.to) for one in self._verdicts_shown(step) if isinstance(one.order, Move)
        }
        return self.adjudicated.turn.outcome.position_after.contested & goals

    def layers(self) -> list[dict[str, str]]:
        """For each step, the layers to put into the page's map, by id."""
        return [{"layer-orders": one.orders, "layer-marks": one.marks} for one in self._series.drawn]

    def shared_ground(self, nonce: str) -> SafeString:
        """What the pictures share; it goes into the page once, before them."""
        return map_excerpts.shared_ground(self._series, nonce)

    @cached_property
    def excerpt_box(self) -> map_excerpts.ExcerptBox:
        """The part of the board in which all the steps take place."""
        return map_excerpts.excerpt_box(list(self._points()), self._series.box)

    def pictures(self) -> list[SafeString]:
        """One picture a step, all of the same part of the board."""
        return [
            map_excerpts.excerpt_svg(
                self.excerpt_box, drawn, [_outline(self.variant, province) for province in step.provinces]
            )
            for step, drawn in zip(self.steps, self._series.drawn, strict=True)
        ]

    def _points(self) -> Iterator[map_excerpts.MapPoint]:
        for step in self.steps:
            for verdict in self._verdicts_shown(step):
                yield from map_excerpts.unit_points(self.variant, _places(verdict))


def explain_order(
    question: Question, orders: Lines, province: str, *, apart: bool = False
) -> Explanation | None:
    """The chain of a phase that was played with these lines, of different people with `apart`; None where
    there is nothing to explain."""
    sheets = {power: list(lines) for power, lines in orders.items() if power}
    judged = adjudication.resolve_question(
        question_input.read_question({**question, "orders": sheets}), apart=apart
    )
    steps = cause_chain.cause_steps(judged, province)
    return Explanation(judged, province, steps) if steps else None


def _places(verdict: Verdict) -> Iterator[str]:
    yield verdict.unit.province
    order = verdict.order
    if isinstance(order, Move):
        yield province_of(order.to)
    if isinstance(order, Support | Convoy):
        yield order.target.province
        yield province_of(order.to or order.target.location)


def _outline(variant: Variant, province: str) -> str:
    found = re.search(rf'id="p-{re.escape(province)}"[^>]*? d="([^"]*)"', variant.map_svg)
    return found[1] if found else ""
