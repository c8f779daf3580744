"""The winter: what it owes each power (rows M48, M59); builds and removals until units equal centres."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .board import Board, Mobility
from .civil_disorder import may_build
from .errors import OrderNotAllowed, OrderRefusal
from .legality import eliminated_power_refusal
from .orders import Build, Disband, Order, Waive
from .outcome import (
    AdjudicationNote,
    Cause,
    CauseCode,
    OrderResult,
    PhaseOutcome,
    RandomDraw,
    RefusedOrder,
    Verdict,
)
from .position import Position, Unit, UnitName
from .removals import choose_removals
from .rulebook import Rulebook


class AdjustmentCount(NamedTuple):
    """`adjustment_count` is builds less removals; `possible` the builds that free home centres allow.

    The balance is centres minus units, unless the book lets a power keep an old right to build.
    """

    balance: int
    possible: int
    removals: int = 0

    @property
    def builds(self) -> int:
        """The units a power may build, free home centres or not."""
        return self.balance + self.removals


def adjustment_counts(board: Board, position: Position, book: Rulebook) -> dict[str, AdjustmentCount]:
    """Every power's balance."""
    return {power: adjustment_count(board, position, power, book) for power in board.powers}


def adjustment_count(board: Board, position: Position, power: str, book: Rulebook) -> AdjustmentCount:
    """One power's balance."""
    removals = _removals(position, power, book)
    builds = len(position.owned_by(power)) - _count(position, power) + removals
    if book.unused_builds == "kept" and not removals:
        builds = max(builds, position.kept_builds.get(power, 0))
    free = len(free_home_centres(board, position, power)) if may_build(position, power, book) else 0
    return AdjustmentCount(builds - removals, min(builds, free), removals)


def _removals(position: Position, power: str, book: Rulebook) -> int:
    """The units that must go: those beyond the centres; under the gross rule, one for each centre lost in
    the year as well, while there are units."""
    if power in position.passive and book.eliminated_removals == "none":
        return 0
    units, owned, before = _count(position, power), position.owned_by(power), position.centres_before
    if book.adjust_balance == "net" or before is None:
        return max(0, units - len(owned))
    had = before.get(power, ())
    lost = len(set(had) - set(owned))
    return min(units, lost + max(0, units - len(had)))


def _count(position: Position, power: str) -> int:
    return [unit.power for unit in position.units].count(power)


def free_home_centres(board: Board, position: Position, power: str) -> tuple[str, ...]:
    """The home centres a power still owns and nobody stands on."""
    owned = position.owned_by(power)
    return tuple(
        code
        for code in position.homes_of(board, power)
        if code in owned and code not in position.units_by_province
    )


def kept_build_rights(power: str, book: Rulebook, unused: int, removals: int) -> dict[str, int]:
    """The right to build that a power takes into the next winter (row M48): none once it must remove."""
    keeps = book.unused_builds == "kept" and unused > 0 and not removals
    return {power: unused} if keeps else {}


_TOO_MANY_BUILDS = Cause(CauseCode.SURPLUS, option="too_many_builds")
_TOO_MANY_REMOVALS = Cause(CauseCode.SURPLUS, option="too_many_removals")
_BY_RULE = Cause(CauseCode.REMOVED_BY_RULE, option="removal_reference")
_BY_LOT = Cause(CauseCode.REMOVED_BY_RULE, option="missing_removals")
_IN_DISORDER = Cause(CauseCode.POWER_IN_DISORDER, option="civil_disorder_builds")


def check_adjustment(
    board: Board, position: Position, power: str, order: Order, book: Rulebook
) -> Order | OrderRefusal:
    """An adjustment as it will be followed, or why it names nothing that exists.

    Refuses whatever an eliminated power writes, and a waiver where the book wants builds made (4.D.7).
    Whether a build may take place is judged in its turn, for it depends on the lines before it.
    """
    if power in position.passive:
        return eliminated_power_refusal(power)
    if isinstance(order, Waive):
        must = book.unused_builds == "must_build"
        return OrderNotAllowed("waiver_forbidden") if must else order
    if isinstance(order, Build):
        return _known(board, order, book)
    if isinstance(order, Disband):
        return _removable(position, power, order)
    return OrderNotAllowed("wrong_phase", text=str(order))


def _removable(position: Position, power: str, order: Disband) -> Order | OrderRefusal:
    unit = position.units_by_province.get(order.unit.province)
    if unit is None or unit.kind != order.unit.kind:
        return OrderNotAllowed("no_such_unit", units=(str(order.unit),), places=(order.unit.province,))
    if unit.power != power:
        return OrderNotAllowed("foreign_unit", units=(str(unit),), candidates=(unit.power,))
    return Disband(unit.name)


def _known(board: Board, order: Build, book: Rulebook) -> Order | OrderRefusal:
    code, _, coast = order.unit.location.partition("/")
    if code not in board.provinces or order.unit.kind not in board.kinds:
        return OrderNotAllowed("unknown_place", text=str(order.unit))
    if not coast or board.can_stand(order.unit.kind, order.unit.location):
        return order
    if book.irrelevant_coast == "fails":
        return OrderNotAllowed("coast_needless", places=(order.unit.location,), candidates=(code,))
    return Build(UnitName(order.unit.kind, code))


def unit_as_built(board: Board, unit: UnitName, book: Rulebook) -> UnitName:
    """What is built for a unit: where no fleet can stand, an army if the book says so (DATC 4.C.4)."""
    afloat = board.kinds[unit.kind].mobility is Mobility.SEA
    if book.build_fleet_inland != "army" or not afloat:
        return unit
    if board.standable_locations(unit.kind, unit.province):
        return unit
    armies = (kind.letter for kind in board.kinds.values() if kind.mobility is Mobility.LAND)
    return UnitName(next(armies, unit.kind), unit.province)


BuildVeto = Callable[[Build, Sequence[Unit]], Cause | None]


def adjudicate(
    board: Board,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    book: Rulebook,
    bar: BuildVeto = lambda order, built: None,  # noqa: ARG005 (nothing is barred)
) -> PhaseOutcome:
    """Carry out builds and removals; removals nobody wrote are made by the book's rule, or by lot.

    `bar` tells, of a build and the units built before it, what a variant's own rule has against it.
    `after` holds the rights to build that the book lets a power keep, and the year's captures no more.
    """
    sheets = [_PowerAdjustments(board, position, power, book, bar) for power in board.powers]
    verdicts: list[Verdict] = []
    for sheet in sheets:
        sheet.read_orders(orders.get(sheet.power, ()))
        verdicts += sheet.settle()
    gone = {unit for sheet in sheets for unit in sheet.removed_units}
    units = [unit for unit in position.units if unit not in gone]
    units += [unit for sheet in sheets for unit in sheet.built_units]
    rights = {power: right for sheet in sheets for power, right in sheet.kept_build_rights().items()}
    after = replace(
        position,
        units=tuple(units),
        dislodged=(),
        contested=frozenset(),
        centres_before=None,
        kept_builds=rights,
    )
    refused = tuple(entry for sheet in sheets for entry in sheet.refused)
    chance = tuple(lot for sheet in sheets for lot in sheet.random_draws)
    return PhaseOutcome(tuple(verdicts), after, tuple(_notes(position, sheets, book)), refused, chance)


@dataclass
class _PowerAdjustments:
    """One power's adjustments being judged. `builds` and `removals` are what is still due."""

    board: Board
    position: Position
    power: str
    book: Rulebook
    bar: BuildVeto
    refused: list[RefusedOrder] = field(default_factory=list)
    orders: dict[int, Order] = field(default_factory=dict)
    turned: set[int] = field(default_factory=set)
    built_units: list[Unit] = field(default_factory=list)
    removed_units: list[Unit] = field(default_factory=list)
    random_draws: list[RandomDraw] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.due = adjustment_count(self.board, self.position, self.power, self.book)
        self.builds, self.removals = self.due.builds, self.due.removals

    def read_orders(self, orders: Sequence[Order]) -> None:
        for number, order in enumerate(orders):
            result = check_adjustment(self.board, self.position, self.power, order, self.book)
            if isinstance(result, OrderRefusal):
                self.refused.append(RefusedOrder(self.power, number, order, result))
            else:
                self.orders[number] = self._turned(number, result)

    def _turned(self, number: int, order: Order) -> Order:
        if not isinstance(order, Build):
            return order
        unit = unit_as_built(self.board, order.unit, self.book)
        self.turned |= {number} if unit != order.unit else set()
        return Build(unit)

    def settle(self) -> list[Verdict]:
        found: dict[int, Verdict] = {}
        for number, order in self._in_turn():
            verdict = self._remove(order) if isinstance(order, Disband) else self._build(number, order)
            found[number] = verdict._replace(number=number)
        return [found[number] for number in sorted(found)] + list(self._complete())

    def _in_turn(self) -> list[tuple[int, Order]]:
        """The lines in the order in which the book lets them count (DATC 4.D.4 to 4.D.6)."""
        leaving = [line for line in self.orders.items() if isinstance(line[1], Disband)]
        coming = [line for line in self.orders.items() if not isinstance(line[1], Disband)]
        if self.book.too_many_removals == "last_legal":
            leaving.reverse()
        if self.book.too_many_builds == "last_legal":
            coming.reverse()
        return leaving + coming

    def kept_build_rights(self) -> dict[str, int]:
        """The right to build that the power takes into the next winter."""
        unused = self.due.builds - len(self.built_units)
        return kept_build_rights(self.power, self.book, unused, self.due.removals)

    def missing_builds(self) -> int:
        """The builds that could be made, and are not."""
        return self.due.possible - len(self.built_units)

    # builds

    def _build(self, number: int, order: Order) -> Verdict:
        if isinstance(order, Waive):
            return self._waive(order)
        assert isinstance(order, Build)
        cause = self._obstacle(order) or self._build_conflict(number, order)
        if cause is not None:
            return self._verdict(order, OrderResult.BUILD_VOID, cause)
        if not may_build(self.position, self.power, self.book):
            return self._verdict(order, OrderResult.BUILD_IGNORED, _IN_DISORDER)
        if self.builds <= 0:
            cause = _TOO_MANY_BUILDS if self.built_units else Cause(CauseCode.BALANCE_NOT_POSITIVE)
            return self._verdict(order, OrderResult.BUILD_IGNORED, cause)
        if self._too_many():
            return self._verdict(order, OrderResult.BUILD_IGNORED, _TOO_MANY_BUILDS)
        self.builds -= 1
        self.built_units.append(Unit(*order.unit, self.power))
        option = "build_fleet_inland" if number in self.turned else None
        return self._verdict(order, OrderResult.BUILDS, Cause(CauseCode.WITHIN_BALANCE, option=option))

    def _waive(self, order: Waive) -> Verdict:
        if self.builds <= 0:
            return self._verdict(order, OrderResult.BUILD_IGNORED, Cause(CauseCode.BALANCE_NOT_POSITIVE))
        self.builds -= 1
        keeps = self.book.unused_builds == "kept" and not self.due.removals
        option = "unused_builds" if keeps else None
        return self._verdict(order, OrderResult.WAIVED, Cause(CauseCode.CHOSEN, option=option))

    def _too_many(self) -> bool:
        if self.book.too_many_builds != "none":
            return False
        builds = [(number, order) for number, order in self.orders.items() if isinstance(order, Build)]
        wanted = [
            number
            for number, order in builds
            if not self._obstacle(order) and not self._build_conflict(number, order)
        ]
        return len(self.built_units) + len(wanted) > self.due.builds

    def _obstacle(self, order: Build) -> Cause | None:
        """What keeps a unit from being built there, whatever the balance."""
        code, places = order.unit.province, (order.unit.location,)
        if not self.board.can_stand(order.unit.kind, order.unit.location):
            several = len(self.board.standable_locations(order.unit.kind, code)) > 1
            return Cause(CauseCode.COAST_MISSING if several else CauseCode.UNIT_CANNOT_STAND, places=places)
        if code not in self.position.homes_of(self.board, self.power):
            return Cause(CauseCode.NOT_HOME_CENTRE, places=places)
        if code not in self.position.owned_by(self.power):
            return Cause(CauseCode.CENTRE_NOT_OWNED, places=places)
        if code in self.position.units_by_province:
            return Cause(CauseCode.CENTRE_OCCUPIED, (self.position.units_by_province[code],), places)
        return self.bar(order, self.built_units)

    def _build_conflict(self, number: int, order: Build) -> Cause | None:
        """Of several builds for one centre, all legal otherwise, the book keeps one or none (DATC 4.D.5)."""
        code, places = order.unit.province, (order.unit.location,)
        used = any(unit.province == code for unit in self.built_units)
        if not used and number in self._kept_builds(code):
            return None
        return Cause(CauseCode.CENTRE_USED, places=places, option="two_builds_one_centre")

    def _kept_builds(self, code: str) -> list[int]:
        here = [
            number
            for number, order in self.orders.items()
            if isinstance(order, Build) and order.unit.province == code and not self._obstacle(order)
        ]
        if self.book.two_builds_one_centre == "first":
            return here[:1]
        if self.book.two_builds_one_centre == "last":
            return here[-1:]
        return here if len(here) == 1 else []

    # removals

    def _remove(self, order: Disband) -> Verdict:
        unit = self.position.units_by_province[order.unit.province]
        if unit in self.removed_units:
            return self._verdict(order, OrderResult.REMOVAL_IGNORED, Cause(CauseCode.ALREADY_REMOVED))
        if self.removals <= 0:
            cause = _TOO_MANY_REMOVALS if self.removed_units else Cause(CauseCode.BALANCE_NOT_NEGATIVE)
            return self._verdict(order, OrderResult.REMOVAL_IGNORED, cause)
        if self._removals_void():
            return self._verdict(order, OrderResult.REMOVAL_IGNORED, _TOO_MANY_REMOVALS)
        self.removals -= 1
        self.removed_units.append(unit)
        return self._verdict(order, OrderResult.REMOVED, Cause(CauseCode.CHOSEN))

    def _removals_void(self) -> bool:
        if self.book.too_many_removals != "civil_disorder":
            return False
        wanted = {order for order in self.orders.values() if isinstance(order, Disband)}
        return len(wanted) > len(self.removed_units) + self.removals

    def _complete(self) -> Iterator[Verdict]:
        """Removals that are due and that nobody wrote (DATC 4.D.8)."""
        left = choose_removals(
            self.board, self.position, self.power, self.book, tuple(self.removed_units), self.removals
        )
        for unit, lot in left:
            self.removed_units.append(unit)
            self.random_draws += [lot] if lot else []
            yield Verdict(unit.name, self.power, None, (OrderResult.REMOVED,), _BY_LOT if lot else _BY_RULE)

    def _verdict(self, order: Order, result: OrderResult, cause: Cause) -> Verdict:
        name = order.unit or UnitName("", "")
        return Verdict(name, self.power, order, (result,), cause)


def _notes(
    position: Position, sheets: Sequence[_PowerAdjustments], book: Rulebook
) -> Iterator[AdjudicationNote]:
    """What the game master should know of a winter as a whole."""
    gross = book.adjust_balance == "gross" and position.phase.kind == "A"
    if gross and position.centres_before is None:
        yield AdjudicationNote("centres_before_unknown")
    if not position.seed and any(sheet.random_draws for sheet in sheets):
        yield AdjudicationNote("lot_without_seed")
    if book.unused_builds == "must_build":
        for sheet in sheets:
            if sheet.missing_builds() > 0:
                yield AdjudicationNote(
                    "builds_missing", (("power", sheet.power), ("count", str(sheet.missing_builds())))
                )


def powers_with_choices(board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
    """The powers that may build, or must remove some of their units but not all."""
    return tuple(power for power in board.powers if _has_choice(board, position, power, book))


def _has_choice(board: Board, position: Position, power: str, book: Rulebook) -> bool:
    due = adjustment_count(board, position, power, book)
    units = sum(unit.power == power for unit in position.units)
    return power not in position.passive and (due.possible > 0 or 0 < due.removals < units)


def legal_orders(board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
    """Every removal, and every build with the waiving of one, a power may order."""
    if power in position.passive:
        return ()
    due = adjustment_count(board, position, power, book)
    found: list[Order] = []
    if due.removals:
        found += (Disband(unit.name) for unit in position.units if unit.power == power)
    if due.possible:
        found += _builds(board, position, power)
        found += () if book.unused_builds == "must_build" else (Waive(),)
    return tuple(found)


def _builds(board: Board, position: Position, power: str) -> Iterator[Order]:
    for code in free_home_centres(board, position, power):
        for letter in board.kinds:
            for place in board.standable_locations(letter, code):
                yield Build(UnitName(letter, place))
