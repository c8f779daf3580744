"""The adjustment phase: builds and removals until a power's units equal its centres."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .board import Board, Mobility
from .errors import NotAllowed, Refusal
from .orders import Build, Disband, Order, Waive
from .outcome import Cause, CauseCode, Outcome, Refused, Result, Verdict
from .position import Position, Unit, UnitName
from .rulebook import RemovalAlphabet, RemovalReference, Rulebook, SameCentre, Surplus, SurplusRemovals

FAR = 10**6
_TOO_MANY_BUILDS = Cause(CauseCode.SURPLUS, option="too_many_builds")
_TOO_MANY_REMOVALS = Cause(CauseCode.SURPLUS, option="too_many_removals")


class Balance(NamedTuple):
    """Centres minus units, and how many builds the free home centres allow."""

    balance: int
    possible: int


def balances(board: Board, position: Position) -> dict[str, Balance]:
    """Every power's balance."""
    return {power: balance(board, position, power) for power in board.powers}


def balance(board: Board, position: Position, power: str) -> Balance:
    """One power's balance."""
    units = sum(unit.power == power for unit in position.units)
    due = len(position.owned_by(power)) - units
    return Balance(due, max(0, min(due, len(free_homes(board, position, power)))))


def free_homes(board: Board, position: Position, power: str) -> tuple[str, ...]:
    """The home centres a power still owns and nobody stands on."""
    owned = position.owned_by(power)
    return tuple(
        code for code in position.homes_of(board, power) if code in owned and code not in position.at
    )


def check(
    board: Board,
    position: Position,
    power: str,
    order: Order,
    book: Rulebook,  # noqa: ARG001 (PhaseRules)
) -> Order | Refusal:
    """An adjustment as written, or why it names nothing that exists.

    Whether a build may take place is judged in its turn, for it depends on the lines before it.
    """
    if isinstance(order, Waive):
        return order
    if isinstance(order, Build):
        return _known(board, order)
    if not isinstance(order, Disband):
        return NotAllowed("wrong_phase", text=str(order))
    unit = position.at.get(order.unit.province)
    if unit is None or unit.kind != order.unit.kind:
        return NotAllowed("no_such_unit", units=(str(order.unit),), places=(order.unit.province,))
    if unit.power != power:
        return NotAllowed("foreign_unit", units=(str(unit),), candidates=(unit.power,))
    return Disband(unit.name)


def _known(board: Board, order: Build) -> Order | Refusal:
    code, _, coast = order.unit.location.partition("/")
    if code not in board.provinces or order.unit.kind not in board.kinds:
        return NotAllowed("unknown_place", text=str(order.unit))
    needless = coast and not board.can_stand(order.unit.kind, order.unit.location)
    return Build(UnitName(order.unit.kind, code)) if needless else order


Bar = Callable[[Build, Sequence[Unit]], Cause | None]


def adjudicate(
    board: Board,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    book: Rulebook,
    bar: Bar = lambda order, built: None,  # noqa: ARG005 (nothing is barred)
) -> Outcome:
    """Carry out builds and removals; removals nobody wrote are made by the book's rule.

    `bar` tells, of a build and the units built before it, what a variant's own rule has against it.
    """
    verdicts: list[Verdict] = []
    refused: list[Refused] = []
    units = list(position.units)
    for power in board.powers:
        sheet = _Sheet(board, position, power, book, bar)
        sheet.read(orders.get(power, ()))
        refused += sheet.refused
        verdicts += sheet.settle()
        units = [unit for unit in units if unit not in sheet.gone] + sheet.built
    after = replace(position, units=tuple(units), dislodged=(), contested=frozenset())
    return Outcome(tuple(verdicts), after, refused=tuple(refused))


@dataclass
class _Sheet:
    """One power's adjustments being judged."""

    board: Board
    position: Position
    power: str
    book: Rulebook
    bar: Bar
    refused: list[Refused] = field(default_factory=list)
    orders: dict[int, Order] = field(default_factory=dict)
    built: list[Unit] = field(default_factory=list)
    gone: list[Unit] = field(default_factory=list)

    def read(self, orders: Sequence[Order]) -> None:
        for number, order in enumerate(orders):
            result = check(self.board, self.position, self.power, order, self.book)
            if isinstance(result, Refusal):
                self.refused.append(Refused(self.power, number, order, result))
            else:
                self.orders[number] = result

    def settle(self) -> list[Verdict]:
        self.due = balance(self.board, self.position, self.power).balance
        found: dict[int, Verdict] = {}
        for number, order in self._in_turn():
            verdict = self._remove(order) if isinstance(order, Disband) else self._build(number, order)
            found[number] = verdict._replace(number=number)
        return [found[number] for number in sorted(found)] + self._complete()

    def _in_turn(self) -> list[tuple[int, Order]]:
        """The lines in the order in which the book lets them count (DATC 4.D.4 to 4.D.6)."""
        lines = list(self.orders.items())
        last = self.book.too_many_builds is Surplus.LAST_LEGAL
        if self.due < 0:
            last = self.book.too_many_removals is SurplusRemovals.LAST_LEGAL
        return lines[::-1] if last else lines

    # builds

    def _build(self, number: int, order: Order) -> Verdict:
        if isinstance(order, Waive):
            return self._waive(order)
        assert isinstance(order, Build)
        cause = self._obstacle(order) or self._taken(number, order)
        if cause is not None:
            return self._verdict(order, Result.BUILD_VOID, cause)
        if self.due <= 0:
            cause = _TOO_MANY_BUILDS if self.built else Cause(CauseCode.BALANCE_NOT_POSITIVE)
            return self._verdict(order, Result.BUILD_IGNORED, cause)
        if self._too_many():
            return self._verdict(order, Result.BUILD_IGNORED, _TOO_MANY_BUILDS)
        self.due -= 1
        self.built.append(Unit(*order.unit, self.power))
        return self._verdict(order, Result.BUILDS, Cause(CauseCode.WITHIN_BALANCE))

    def _waive(self, order: Waive) -> Verdict:
        result = Result.WAIVED if self.due > 0 else Result.BUILD_IGNORED
        code = CauseCode.CHOSEN if self.due > 0 else CauseCode.BALANCE_NOT_POSITIVE
        self.due -= self.due > 0
        return self._verdict(order, result, Cause(code))

    def _too_many(self) -> bool:
        if self.book.too_many_builds is not Surplus.NONE:
            return False
        builds = [(number, order) for number, order in self.orders.items() if isinstance(order, Build)]
        wanted = [
            number for number, order in builds if not self._obstacle(order) and not self._taken(number, order)
        ]
        return len(wanted) > self.due

    def _obstacle(self, order: Build) -> Cause | None:
        """What keeps a unit from being built there, whatever the balance."""
        code, places = order.unit.province, (order.unit.location,)
        if not self.board.can_stand(order.unit.kind, order.unit.location):
            several = len(self.board.standing(order.unit.kind, code)) > 1
            return Cause(CauseCode.COAST_MISSING if several else CauseCode.UNIT_CANNOT_STAND, places=places)
        if code not in self.position.homes_of(self.board, self.power):
            return Cause(CauseCode.NOT_HOME_CENTRE, places=places)
        if code not in self.position.owned_by(self.power):
            return Cause(CauseCode.CENTRE_NOT_OWNED, places=places)
        if code in self.position.at:
            return Cause(CauseCode.CENTRE_OCCUPIED, (self.position.at[code],), places)
        return self.bar(order, self.built)

    def _taken(self, number: int, order: Build) -> Cause | None:
        """Of several builds for one centre, all legal otherwise, the book keeps one or none (DATC 4.D.5)."""
        code, places = order.unit.province, (order.unit.location,)
        used = any(unit.province == code for unit in self.built)
        if not used and number in self._kept(code):
            return None
        return Cause(CauseCode.CENTRE_USED, places=places, option="two_builds_one_centre")

    def _kept(self, code: str) -> list[int]:
        here = [
            number
            for number, order in self.orders.items()
            if isinstance(order, Build) and order.unit.province == code and not self._obstacle(order)
        ]
        if self.book.two_builds_one_centre is SameCentre.FIRST:
            return here[:1]
        if self.book.two_builds_one_centre is SameCentre.LAST:
            return here[-1:]
        return here if len(here) == 1 else []

    # removals

    def _remove(self, order: Disband) -> Verdict:
        unit = self.position.at[order.unit.province]
        if unit in self.gone:
            return self._verdict(order, Result.REMOVAL_IGNORED, Cause(CauseCode.ALREADY_REMOVED))
        if self.due >= 0:
            cause = _TOO_MANY_REMOVALS if self.gone else Cause(CauseCode.BALANCE_NOT_NEGATIVE)
            return self._verdict(order, Result.REMOVAL_IGNORED, cause)
        if self._removals_void():
            return self._verdict(order, Result.REMOVAL_IGNORED, _TOO_MANY_REMOVALS)
        self.due += 1
        self.gone.append(unit)
        return self._verdict(order, Result.REMOVED, Cause(CauseCode.CHOSEN))

    def _removals_void(self) -> bool:
        if self.book.too_many_removals is not SurplusRemovals.CIVIL_DISORDER:
            return False
        wanted = {order for order in self.orders.values() if isinstance(order, Disband)}
        return len(wanted) > len(self.gone) - self.due

    def _complete(self) -> list[Verdict]:
        """Removals that are due and that nobody wrote (DATC 4.D.8)."""
        found = []
        for unit in removal_order(self.board, self.position, self.power, self.book):
            if self.due < 0 and unit not in self.gone:
                self.due += 1
                self.gone.append(unit)
                cause = Cause(CauseCode.REMOVED_BY_RULE, option="removal_reference")
                found.append(Verdict(unit.name, self.power, None, (Result.REMOVED,), cause))
        return found

    def _verdict(self, order: Order, result: Result, cause: Cause) -> Verdict:
        name = order.unit or UnitName("", "")
        return Verdict(name, self.power, order, (result,), cause)


def removal_order(board: Board, position: Position, power: str, book: Rulebook) -> list[Unit]:
    """A power's units, the first to go first: farthest from its centres, fleets, then the alphabet
    (DATC 4.D.8; rows M50 to M53)."""
    goals = position.owned_by(power)
    if book.removal_reference is RemovalReference.HOME_CENTRES:
        goals = position.homes_of(board, power)

    def rank(unit: Unit) -> tuple[int, bool, int | str]:
        far = board.distance(unit.province, goals)
        province = board.provinces[unit.province]
        annex = book.removal_alphabet is RemovalAlphabet.ANNEX_NUMBER
        not_fleet = board.kinds[unit.kind].mobility is not Mobility.SEA
        return (-(far if far >= 0 else FAR), not_fleet, province.number if annex else province.name)

    return sorted((unit for unit in position.units if unit.power == power), key=rank)


def choosers(board: Board, position: Position) -> tuple[str, ...]:
    """The powers that may build, or must remove some of their units but not all."""
    return tuple(power for power in board.powers if _has_choice(board, position, power))


def _has_choice(board: Board, position: Position, power: str) -> bool:
    due, possible = balance(board, position, power)
    return possible > 0 or (due < 0 and len(position.owned_by(power)) > 0)


def options(
    board: Board,
    position: Position,
    power: str,
    book: Rulebook,  # noqa: ARG001 (PhaseRules)
) -> tuple[Order, ...]:
    """Every build with the waiving of one, or every removal, a power may order."""
    due, possible = balance(board, position, power)
    if due < 0:
        return tuple(Disband(unit.name) for unit in position.units if unit.power == power)
    if not possible:
        return ()
    builds = (
        Build(UnitName(letter, place))
        for code in free_homes(board, position, power)
        for letter in board.kinds
        for place in board.standing(letter, code)
    )
    return (*builds, Waive())
