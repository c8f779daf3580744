"""Why an order came to what it came to, step by step, each step with its picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Convoy, Move, Support
from talleyrand.engine.outcome import Verdict
from talleyrand.formats import asking, chains, questions
from talleyrand.formats.answers import Judged
from talleyrand.variants import Variant

from . import picture, wording
from .referee import Lines, Question
from .results import result_words

RATIO = 1.2  # the boards are six wide by five high
MARGIN, LEAST = 80.0, 0.4  # around the places, and of the board's width: nearer, a province looks lost
_ID = re.compile(r' id="[^"]*"')

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width, height


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
        return self.judged.reasons.verdicts if self.judged.reasons else {}

    @property
    def order(self) -> str:
        """The order in full words, or the unit where it had none."""
        order = str(self.verdict.order) if self.verdict.order else None
        return picture.order_label(self.variant, order, str(self.verdict.unit))

    @property
    def results(self) -> list[dict[str, Any]]:
        return [result_words(str(result)) for result in self.verdict.results]

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
        series = self._series
        # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
        return mark_safe(  # noqa: S308
            f'<svg aria-hidden="true" width="0" height="0" class="ground">'
            f'<style nonce="{nonce}">{series.style}'
            f'</style><defs><g class="board" id="ground-under">{_ID.sub("", series.under)}</g>'
            f'<g class="board" id="ground-over">{_ID.sub("", series.over)}</g></defs></svg>'
        )

    @cached_property
    def frame(self) -> Box:
        """The part of the board in which all the steps take place."""
        return _frame(list(self._points()), self._series.box)

    def pictures(self) -> list[SafeString]:
        """One picture a step, all of the same part of the board."""
        frame = " ".join(map(str, self.frame))
        return [
            _picture(frame, self._lit(step), drawn)
            for step, drawn in zip(self.steps, self._series.drawn, strict=True)
        ]

    def _lit(self, step: chains.Step) -> str:
        return "".join(
            f'<path class="lit" d="{outline}"/>'
            for outline in (_outline(self.variant, province) for province in step.provinces)
        )

    def _points(self) -> Iterator[Point]:
        for step in self.steps:
            for verdict in self._shown(step):
                yield from _anchors(self.variant, _places(verdict))


def chain(question: Question, orders: Lines, province: str) -> Chain | None:
    """The chain of a phase that was played with these lines; None where there is nothing to explain."""
    sheets = {power: list(lines) for power, lines in orders.items() if power}
    judged = questions.judge(asking.read_question({**question, "orders": sheets}))
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


def _anchors(variant: Variant, places: Iterable[str]) -> Iterator[Point]:
    for place in places:
        anchor = variant.anchors.get(place, {}).get("unit")
        if anchor:
            yield anchor[0], anchor[1]


def _outline(variant: Variant, province: str) -> str:
    found = re.search(rf'id="p-{re.escape(province)}"[^>]*? d="([^"]*)"', variant.map_svg)
    return found[1] if found else ""


def _picture(frame: str, lit: str, drawn: drawing.Layers) -> SafeString:
    """Its layers are found by nobody: identifiers would stand in the page several times."""
    inside = f'<use href="#ground-under"/>{lit}{drawn.orders}<use href="#ground-over"/>{drawn.marks}'
    return mark_safe(  # noqa: S308 as above
        f'<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" class="board" viewBox="{frame}">'
        f"{_ID.sub('', inside)}</svg>"
    )


def _frame(points: list[Point], box: tuple[float, ...]) -> Box:
    """The part of the board that holds these points, in the board's proportions."""
    left, top, wide, high = box
    xs, ys = zip(*points, strict=True) if points else ((left, left + wide), (top, top + high))
    width = max(max(xs) - min(xs) + 2 * MARGIN, RATIO * (max(ys) - min(ys) + 2 * MARGIN), LEAST * wide)
    width = min(width, wide, RATIO * high)
    height = width / RATIO
    x = _within((min(xs) + max(xs) - width) / 2, left, left + wide - width)
    y = _within((min(ys) + max(ys) - height) / 2, top, top + high - height)
    return round(x, 1), round(y, 1), round(width, 1), round(height, 1)


def _within(value: float, least: float, greatest: float) -> float:
    return max(least, min(value, greatest))
