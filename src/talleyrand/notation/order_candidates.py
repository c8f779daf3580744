"""From a sentence to the orders it may be, on this board and with these units.

A sheet may have the habit of writing seas in capitals and lands in small letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import NamedTuple

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from talleyrand.engine.position import Unit, UnitName

from .lexer import MAX_LINE, clean_line, tokenize
from .name_index import MIN_PREFIX, NameIndex
from .parsed_order import ParsedOrder, PlaceRef, UnitRef
from .reading_context import PhaseFamily, ReadingContext
from .vocabulary import OrderVerb


def seas_in_capitals(lines: Iterable[str], index: NameIndex) -> bool:
    """Whether a sheet writes both, and always capitals for seas and never for lands."""
    seen: set[tuple[bool, bool]] = set()
    for line in lines:
        for token in tokenize(clean_line(line[:MAX_LINE])):
            codes = index.listed_provinces(token.key, token.text)
            if len(codes) == 1 and len(token.text) >= MIN_PREFIX:
                seen.add((token.text.isupper(), index.board.is_sea(codes[0])))
    return seen == {(True, True), (False, False)}


def prefer_by_capitals(
    readings: list[OrderCandidate], sentence: ParsedOrder, board: Board
) -> list[OrderCandidate]:
    """The readings in which every form that may be two provinces is a sea if in capitals, else a land."""
    found = [reading for reading in readings if _agrees(reading, sentence, board)]
    return found or readings


def _agrees(reading: OrderCandidate, sentence: ParsedOrder, board: Board) -> bool:
    goal = getattr(reading.order, "to", None)
    pairs = (
        (sentence.unit and sentence.unit.place, reading.subject and reading.subject.location),
        (sentence.target and sentence.target.place, reading.target and reading.target.location),
        (sentence.to, goal),
    )
    return all(_fits(ref, place, board) for ref, place in pairs if ref is not None and place)


def _fits(ref: PlaceRef, place: str, board: Board) -> bool:
    return len(ref.codes) == 1 or ref.text.isupper() == board.is_sea(province_of(place))


MAX_CANDIDATES = 300


class UnitCandidate(NamedTuple):
    """One meaning of a unit: its name with the coast as written, and the unit that stands there, if any."""

    name: UnitName
    unit: Unit | None
    rank: int

    @property
    def location(self) -> str:
        """Where it stands."""
        return self.unit.location if self.unit else self.name.location


@dataclass(frozen=True, slots=True)
class OrderCandidate:
    """One meaning of a sentence: the order as written, and what the rules make of it."""

    order: Order
    result: Order | OrderRefusal
    subject: UnitCandidate | None
    target: UnitCandidate | None
    is_offered: bool = True

    @property
    def is_legal(self) -> bool:
        return not isinstance(self.result, OrderRefusal)


class OrderCandidates:
    """Reads the sentences of one context."""

    def __init__(self, context: ReadingContext) -> None:
        self.context = context
        self.board = context.variant.board

    def candidates(self, sentence: ParsedOrder) -> list[OrderCandidate]:
        """Every meaning of a sentence; none where it is not complete."""
        return list(islice(self._all_candidates(sentence), MAX_CANDIDATES))

    def _all_candidates(self, sentence: ParsedOrder) -> Iterator[OrderCandidate]:
        if sentence.verb is OrderVerb.WAIVE:
            yield self._reading(Waive(), None, None)
        elif sentence.unit is not None:
            for subject in self.unit_candidates(sentence):
                yield from self._ordered(sentence, subject)

    def unit_candidates(self, sentence: ParsedOrder) -> list[UnitCandidate]:
        """The units a sentence may be about."""
        assert sentence.unit is not None
        if self._is_build(sentence):
            return list(self._new_units(sentence.unit))
        return self._choices(sentence.unit, own=self.context.power)

    def _is_build(self, sentence: ParsedOrder) -> bool:
        if sentence.verb is not None or self.context.family is not PhaseFamily.ADJUSTMENTS:
            return sentence.verb is OrderVerb.BUILD
        if self.context.builds is not None or sentence.unit is None:
            return bool(self.context.builds)
        return not any(code in self.context.orderable_units for code in sentence.unit.place.codes)

    # units

    def _choices(self, ref: UnitRef, own: str | None = None) -> list[UnitCandidate]:
        """The units a form may mean: among several, those there, of the right letter and owner."""
        found = [self._choice(code, ref, own) for code in ref.place.codes]
        best = min(choice.rank for choice in found)
        return [choice for choice in found if choice.rank == best]

    def _choice(self, code: str, ref: UnitRef, own: str | None) -> UnitCandidate:
        unit = self.context.orderable_units.get(code)
        if unit is None:
            return UnitCandidate(
                UnitName(ref.kind or self._likely_kind(code), self.location(code, ref.place)), None, 8
            )
        foreign = not self.context.is_own(unit) if own else ref.power not in (None, unit.power)
        wrong_letter = ref.kind is not None and ref.kind != unit.kind
        location = self.location(code, ref.place) if ref.place.coast else unit.location
        rank = 2 * wrong_letter + foreign
        return UnitCandidate(UnitName(unit.kind, location), unit, rank)

    def _likely_kind(self, code: str) -> str:
        fit = [letter for letter in self.board.kinds if self.board.standable_locations(letter, code)]
        return (fit or list(self.board.kinds))[0]

    def _new_units(self, ref: UnitRef) -> Iterator[UnitCandidate]:
        for code in ref.place.codes:
            place = self.location(code, ref.place)
            for kind in [ref.kind] if ref.kind else self._buildable(code, place):
                yield UnitCandidate(UnitName(kind, place), None, 0)

    def _buildable(self, code: str, place: str) -> list[str]:
        """The kinds a build without a letter may mean (row M32): those that can stand there."""
        if place != code:
            fit = [letter for letter in self.board.kinds if self.board.can_stand(letter, place)]
            if (
                fit
                and self.context.rulebook.reading_options.get("build_type_missing") == "coast_implies_fleet"
            ):
                return fit
        return [letter for letter in self.board.kinds if self.board.standable_locations(letter, code)]

    def location(self, code: str, ref: PlaceRef) -> str:
        """A province with the coast written beside it."""
        return self.context.index.location(code, ref.coast)

    def _as_written(self, choice: UnitCandidate, ref: UnitRef | None) -> UnitName:
        """The unit with the coast written beside it, which the book may hold against it (DATC 4.B.5)."""
        if ref is None or choice.unit is None or not ref.place.coast:
            return choice.name
        place = self.location(choice.name.province, ref.place)
        return choice.name._replace(location=place) if "/" in place else choice.name

    # orders

    def _ordered(self, sentence: ParsedOrder, subject: UnitCandidate) -> Iterator[OrderCandidate]:
        unit = self._as_written(subject, sentence.unit)
        sign = self._sign(sentence)
        if sign in _ALONE:
            yield self._reading(_ALONE[sign](unit), subject, None)
        elif sign is OrderVerb.HOLD:
            yield self._reading(Hold(unit, bare=sentence.verb is None), subject, None)
        elif sign in (OrderVerb.SUPPORT, OrderVerb.CONVOY) and sentence.target is not None:
            yield from self._helped(sentence, sign, subject)
        elif sentence.to is not None and self._may_go(sentence, subject):
            for code in sentence.to.codes:
                place = self.location(code, sentence.to)
                for path in self._ways(sentence):
                    yield self._reading(self._journey(sentence, sign, subject, place, path), subject, None)

    def _sign(self, sentence: ParsedOrder) -> OrderVerb | None:
        if sentence.verb is not None:
            return sentence.verb
        if self.context.family is PhaseFamily.MOVES:
            return OrderVerb.HOLD
        if self.context.family is PhaseFamily.RETREATS:
            return None
        return OrderVerb.BUILD if self._is_build(sentence) else OrderVerb.DISBAND

    def _may_go(self, sentence: ParsedOrder, subject: UnitCandidate) -> bool:
        """A way or the sign of a convoy suits only a unit that can be carried, and a way lies at sea."""
        by_sea = sentence.path or sentence.verb is OrderVerb.CONVOY
        return not by_sea or (self._carried(subject) and self._at_sea(sentence.path))

    def _carried(self, subject: UnitCandidate) -> bool:
        return self.board.kinds[subject.name.kind].convoyable

    def _at_sea(self, path: tuple[PlaceRef, ...]) -> bool:
        return all(any(map(self.board.is_sea, place.codes)) for place in path)

    def _ways(self, sentence: ParsedOrder) -> Iterator[tuple[str, ...]]:
        """Every way over seas that the path written may mean; the one without seas where there is none."""
        seas = [[code for code in place.codes if self.board.is_sea(code)] for place in sentence.path]
        return product(*seas)

    def _journey(
        self,
        sentence: ParsedOrder,
        sign: OrderVerb | None,
        subject: UnitCandidate,
        place: str,
        path: tuple[str, ...],
    ) -> Order:
        """A dash is a retreat where units retreat; VIA is kept only for an adjacent province."""
        unit = self._as_written(subject, sentence.unit)
        if sign is OrderVerb.RETREAT or self.context.family is PhaseFamily.RETREATS:
            return Retreat(unit, place)
        near = self.board.adjacent_provinces[unit.kind].get(subject.name.location, frozenset())
        asked = self._asks(sentence) and self._carried(subject) and province_of(place) in near
        return Move(unit, place, via=asked, path=path)

    def _asks(self, sentence: ParsedOrder) -> bool:
        """Whether the book takes the words for a wish to go by sea (row M10): not each does for C."""
        marker = self.context.rulebook.adjudication_rules.convoy_marker
        if marker == "none":
            return False
        return bool(sentence.marker) and not (marker == "via_convoy" and sentence.verb is OrderVerb.CONVOY)

    def _helped(
        self, sentence: ParsedOrder, sign: OrderVerb | None, subject: UnitCandidate
    ) -> Iterator[OrderCandidate]:
        assert sentence.target is not None
        goals = [self.location(code, sentence.to) for code in sentence.to.codes] if sentence.to else [None]
        unit = self._as_written(subject, sentence.unit)
        for target, goal in product(self._choices(sentence.target), goals):
            if sentence.path and not (self._carried(target) and self._at_sea(sentence.path)):
                continue
            if sign is OrderVerb.CONVOY and goal is not None:
                yield self._reading(Convoy(unit, target.name, goal), subject, target)
            elif sign is OrderVerb.SUPPORT:
                bare = goal is None and not sentence.hold_written
                helped = self._as_written(target, sentence.target)
                yield self._reading(Support(unit, helped, goal, bare=bare), subject, target)

    # the rules

    def _reading(
        self, order: Order, subject: UnitCandidate | None, target: UnitCandidate | None
    ) -> OrderCandidate:
        result = self._checked(order, subject)
        offered = not isinstance(order, Build) or self._on_offer(order)
        return OrderCandidate(order, result, subject, target, offered)

    def _on_offer(self, order: Build) -> bool:
        """Whether such a unit may be built there, on whatever coast."""
        builds = (option.unit for option in self.context.options if isinstance(option, Build))
        return any(unit.kind == order.unit.kind and unit.province == order.unit.province for unit in builds)

    def _checked(self, order: Order, subject: UnitCandidate | None) -> Order | OrderRefusal:
        results = [self.check(order, power) for power in self._powers(subject)]
        return next((result for result in results if not isinstance(result, OrderRefusal)), results[0])

    def check(self, order: Order, power: str) -> Order | OrderRefusal:
        """What the phase's rules say of an order of this power."""
        context = self.context
        return context.rules.check_order(
            self.board, context.position, power, order, context.rulebook.adjudication_rules
        )

    def _powers(self, subject: UnitCandidate | None) -> tuple[str, ...]:
        if self.context.power:
            return (self.context.power,)
        if subject and subject.unit:
            return (subject.unit.power,)
        return self.board.powers


_ALONE: dict[OrderVerb | None, type[Disband] | type[Build]] = {
    OrderVerb.DISBAND: Disband,
    OrderVerb.BUILD: Build,
}
