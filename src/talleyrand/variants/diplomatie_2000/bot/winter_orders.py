"""The winter: whom to receive, what to remove, what to build and where."""

from __future__ import annotations

from collections.abc import Iterator

from talleyrand.engine.orders import Build, Disband, Order, PoliticalOrder
from talleyrand.engine.politics_protocol import BotView
from talleyrand.engine.position import Unit, UnitName
from talleyrand.variants.diplomatie_2000.political_state import UN, mandates_of, state_rows
from talleyrand.variants.diplomatie_2000.year_end import MOST_CONTRIBUTION, adjustment_count, build_sites

from .seat_outlook import SeatOutlook

WELCOME, GUEST = 0.5, 0.8
"""The regard from which a state receives another's M, and from which it counts on being received."""
CARRIERS, SPARE = 4, 6
"""One V for so many units at most; a unit in so many under mandate while nobody threatens."""
CARRIER = 0.7
"""What a V is worth, which takes no centre, beside an A or F."""


def winter_orders(view: SeatOutlook, dice: BotView) -> Iterator[Order]:
    """A state's winter."""
    yield from _invitations(view)
    due = adjustment_count(view.board, view.position, view.seat)
    if due.removals:
        yield from _removals(view, dice, due.removals)
        return
    yield from _StateBuilds(view, dice).orders(due.balance)


def _invitations(view: SeatOutlook) -> Iterator[PoliticalOrder]:
    """Those who have helped may build here; the United Nations as well where there is danger."""
    guests = [state for state in view.others if view.regard[state] > WELCOME]
    guests += [UN] if view.is_under_pressure else []
    if guests:
        yield PoliticalOrder(" / ".join(f"HOST {guest}" for guest in guests))


def _removals(view: SeatOutlook, dice: BotView, count: int) -> Iterator[Disband]:
    """Those of least worth; under attack, or without a centre, the M before the others."""
    own = [unit for unit in view.position.units if unit.power == view.seat]
    own.sort(key=lambda unit: (_value_to_keep(view, dice, unit), unit))
    for unit in own[:count]:
        yield Disband(unit.name)


def _value_to_keep(view: SeatOutlook, dice: BotView, unit: Unit) -> float:
    if unit.kind == "M":  # without a centre, an M keeps nobody in the game
        first = view.is_under_pressure or not view.position.owned_by(view.seat)
        return float("-inf") if first else float("inf")
    return dice.unit_value(unit.name) * (1.0 if view.board.kinds[unit.kind].captures else CARRIER)


class _StateBuilds:
    """What a state builds."""

    def __init__(self, view: SeatOutlook, dice: BotView) -> None:
        self.view, self.dice = view, dice
        self.own = [unit for unit in view.position.units if unit.power == view.seat]
        self.free = list(build_sites(view.board, view.position, view.seat))
        self.graceful = view.affairs.in_grace(view.seat, view.position.phase)
        self.kinds = [unit.kind for unit in self.own]

    def orders(self, count: int) -> Iterator[Order]:
        """As many builds as are due; an M in the way of a defender makes room first."""
        count = max(0, count)
        if self.view.is_under_pressure:
            for unit in mandates_of(self.own, self.view.seat):
                if unit.province in self._arsenals():
                    yield Disband(unit.name)
                    self.free.append(unit.province)
                    self.kinds.remove("M")
                    count += 1
        for _ in range(count):
            name = self._next()
            if name is None:
                break
            self.kinds.append(name.kind)
            if name.province in self.free:
                self.free.remove(name.province)
            yield Build(name)

    def _next(self) -> UnitName | None:
        """What to build next, and where; abroad where there is no room at home."""
        fighter = self._fighter()
        if self._wants_mandate() or fighter is None:
            return self._mandate() or fighter
        return fighter

    def _arsenals(self) -> list[str]:
        owned = set(self.view.position.owned_by(self.view.seat))
        return [code for code in self.view.board.homes[self.view.seat] if code in owned]

    def _fighter(self) -> UnitName | None:
        """The A, F or V that is worth most on a free arsenal."""
        board, arsenals = self.view.board, set(self._arsenals()) & set(self.free)
        carriers = self.kinds.count("V") * CARRIERS <= len(self.kinds)
        names = [
            UnitName(kind, place)
            for code in sorted(arsenals)
            for kind in ("AFV" if carriers else "AF")
            for place in board.standable_locations(kind, code)
        ]
        return max(names, key=lambda name: (self._worth(name), name), default=None)

    def _worth(self, name: UnitName) -> float:
        """A unit's worth: less the more of its kind there are, and a V, which takes nothing, less as well."""
        share = self.kinds.count(name.kind) / max(1, len(self.kinds))
        factor = 1.0 if self.view.board.kinds[name.kind].captures else CARRIER
        worth = self.dice.unit_value(name)
        return worth * factor - abs(worth) * 0.3 * share

    def _wants_mandate(self) -> bool:
        """Whether points by an M are worth more than another unit of one's own."""
        most = MOST_CONTRIBUTION // state_rows()[self.view.seat].per_mandate
        have = self.kinds.count("M")
        return not self.view.is_under_pressure and have < most and have * SPARE < len(self.kinds)

    def _mandate(self) -> UnitName | None:
        """An M where it is least in the way: a centre that is no arsenal, abroad, an arsenal."""
        if not self.graceful:
            return None
        arsenals = set(self._arsenals())
        foreign = [code for code in self.free if code not in arsenals]
        place = next(iter((*sorted(foreign), *self._abroad(), *sorted(self.free))), None)
        return None if place is None else UnitName("M", place)

    def _abroad(self) -> list[str]:
        """A free centre of a state that may well receive guests."""
        for state in self.view.others:
            if self.view.regard[state] < GUEST:
                break
            free = [
                code
                for code in self.view.position.owned_by(state)
                if code not in self.view.position.units_by_province
            ]
            if free:
                return [sorted(free)[self.dice.random_below(len(free))]]
        return []


def secretary_build(view: SeatOutlook) -> Iterator[Build]:
    """The M of the United Nations: in the sea beside the state that needs it most."""
    if any(unit.power == UN for unit in view.position.units):
        return
    for state in view.others:
        for code in sorted(view.position.owned_by(state)):
            for sea in sorted(view.board.neighbours[code]):
                if view.board.is_sea(sea) and sea not in view.position.units_by_province:
                    yield Build(UnitName("M", sea))
                    return
