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
from talleyrand.formats import asking, chains, questions
from talleyrand.formats.answers import Judged
from talleyrand.variants import Variant

from . import excerpts, picture, wording
from .referee import Lines, Question
from .results import result_words


@dataclass(frozen=True)
class Chain:
    """The steps that lead to the verdict of one province's unit."""

    judged: Judged
    province: str
    steps: tuple[chains.Step, ...]

    @property
    def variant(self) -> Variant:
        return self.judged.question.variant

    @cached_property
    def verdict(self) -> Verdict:
        return self._verdicts[self.province]

    @cached_property
    def _verdicts(self) -> dict[str, Verdict]:
        """By province; those of the variant's own rules too, which no reasons are sought for."""
        told = {one.unit.province: one for one in self.judged.turn.outcome.verdicts}
        return {**told, **(self.judged.reasons.verdicts if self.judged.reasons else {})}

    @property
    def order(self) -> str:
        """The order in full words, or the unit where it had none."""
        order = str(self.verdict.order) if self.verdict.order else None
        return picture.order_label(self.variant, order, str(self.verdict.unit))

    @property
    def results(self) -> list[dict[str, Any]]:
        return [result_words(str(result), self.variant) for result in self.verdict.results]

    @property
    def sentences(self) -> list[str]:
        return [step.sentences[wording.language()] for step in self.steps]

    @cached_property
    def _series(self) -> drawing.Series:
        outcomes = [(self._shown(step), self._contested(step)) for step in self.steps]
        position = self.judged.question.position
        return drawing.series(self.variant, position, outcomes, language=wording.language())

    def _shown(self, step: chains.Step) -> list[Verdict]:
        return [self._verdicts[province] for province in step.provinces]

    def _contested(self, step: chains.Step) -> frozenset[str]:
        """The stand-offs that the step's attacks made."""
        goals = {province_of(one.order.to) for one in self._shown(step) if isinstance(one.order, Move)}
        return self.judged.turn.outcome.after.contested & goals

    def layers(self) -> list[dict[str, str]]:
        """For each step, the layers to put into the page's map, by id."""
        return [{"layer-orders": one.orders, "layer-marks": one.marks} for one in self._series.drawn]

    def ground(self, nonce: str) -> SafeString:
        """What the pictures share; it goes into the page once, before them."""
        return excerpts.ground(self._series, nonce)

    @cached_property
    def frame(self) -> excerpts.Box:
        """The part of the board in which all the steps take place."""
        return excerpts.frame(list(self._points()), self._series.box)

    def pictures(self) -> list[SafeString]:
        """One picture a step, all of the same part of the board."""
        return [
            excerpts.picture(self.frame, drawn, self._outlines(step))
            for step, drawn in zip(self.steps, self._series.drawn, strict=True)
        ]

    def _outlines(self, step: chains.Step) -> list[str]:
        return [_outline(self.variant, province) for province in step.provinces]

    def _points(self) -> Iterator[excerpts.Point]:
        for step in self.steps:
            for verdict in self._shown(step):
                yield from excerpts.anchors(self.variant, _places(verdict))


def chain(question: Question, orders: Lines, province: str, *, apart: bool = False) -> Chain | None:
    """The chain of a phase that was played with these lines, of different people with `apart`; None where
    there is nothing to explain."""
    sheets = {power: list(lines) for power, lines in orders.items() if power}
    judged = questions.judge(asking.read_question({**question, "orders": sheets}), apart=apart)
    steps = chains.steps(judged, province)
    return Chain(judged, province, steps) if steps else None


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
