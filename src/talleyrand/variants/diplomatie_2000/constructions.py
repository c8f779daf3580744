"""The winter (kind A): removals before builds, M before others, M abroad by invitation, the UN's own last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from talleyrand.engine import adjustments, removals
from talleyrand.engine.board import Board
from talleyrand.engine.errors import NotAllowed, Refusal
from talleyrand.engine.game import Adjustments
from talleyrand.engine.orders import Build, Disband, Measure, Order, Waive
from talleyrand.engine.outcome import Cause, CauseCode, Outcome, Refused, Result, Verdict
from talleyrand.engine.position import Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook, UnusedBuilds

from .affairs import affairs_of, controller, owned_by, seats, without
from .mandates import removed
from .proposals import told
from .reckoning import balance, sites, without_eliminated
from .states import UN
from .wording import ALL, parts_of


class Constructions(Adjustments):
    """Kind A."""

    @staticmethod
    def adjudicate(
        board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> Outcome:
        """Carry out removals, then builds at home, M abroad, and the M of the United Nations."""
        return _Yard(board, position, book).settled(orders)

    @staticmethod
    def check(board: Board, position: Position, power: str, order: Order, book: Rulebook) -> Order | Refusal:
        """An adjustment as it will be followed, or why it names nothing that exists."""
        if power in affairs_of(position).eliminated:
            return NotAllowed("passive_power", candidates=(power,))
        if isinstance(order, Measure):
            if not order.words.startswith("HOST"):
                return NotAllowed("wrong_phase", text=order.words)
            return NotAllowed("states_only") if power == UN else order
        if power == UN and isinstance(order, Build) and order.unit.kind != "M":
            return NotAllowed("mandate_only", units=(str(order.unit),))
        return adjustments.check(board, position, power, order, book)

    @staticmethod
    def choosers(board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG004
        """Every state in the game, for each may invite, and the Secretary-General."""
        gone = affairs_of(position).eliminated
        return tuple(seat for seat in seats(board) if seat not in gone)

    @staticmethod
    def options(board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every removal and every build at home; an M abroad depends on its host."""
        own = [unit for unit in position.units if unit.power == power]
        if power == UN:
            free = [code for code in board.provinces if code not in position.at]
            return tuple(Disband(unit.name) for unit in own) or tuple(Build(UnitName("M", at)) for at in free)
        due = balance(board, position, power)
        found: list[Order] = [Disband(unit.name) for unit in own if due.removals or unit.kind == "M"]
        leavers = any(unit.kind == "M" for unit in own)
        if due.possible or leavers:
            found += _builds(board, position, power)
            found += () if book.unused_builds is UnusedBuilds.MUST_BUILD else (Waive(),)
        return tuple(found)


def _builds(board: Board, position: Position, power: str) -> Iterator[Order]:
    own = [unit.province for unit in position.units if unit.power == power and unit.kind == "M"]
    centres = [code for code in own if code in owned_by(board, position, power)]
    for code in (*sites(board, position, power), *centres):
        for letter in board.kinds if code in board.homes[power] else ("M",):
            for place in board.standing(letter, code):
                yield Build(UnitName(letter, place))


@dataclass
class _Site:
    """One power's winter: how many units must go, what it wrote."""

    power: str
    due: int
    allowed: int
    lines: list[tuple[int, Order]] = field(default_factory=list)
    gone: list[Unit] = field(default_factory=list)
    built: list[Unit] = field(default_factory=list)


class _Yard:
    """One winter being settled."""

    def __init__(self, board: Board, position: Position, book: Rulebook) -> None:
        self.board, self.position, self.book = board, position, book
        self.affairs = affairs_of(position)
        self.verdicts: list[Verdict] = []
        self.refused: list[Refused] = []
        self.sites = [self._site(power) for power in board.powers]
        self.un = _Site(UN, 0, 1)
        self.hosts: dict[str, list[tuple[int, Measure]]] = {}
        self.used: set[tuple[str, str]] = set()
        self.units = position.units

    def _site(self, power: str) -> _Site:
        due = balance(self.board, self.position, power)
        own = sum(unit.power == power for unit in self.position.units)
        return _Site(power, due.removals, own + due.balance)

    def settled(self, orders: Mapping[str, Sequence[Order]]) -> Outcome:
        """All of it, in the order of the rules."""
        everybody = (*self.sites, self.un)
        for site in everybody:
            self._read(site, orders.get(site.power, ()))
        for site in everybody:
            self._remove(site)
        lost = [unit for site in everybody for unit in site.gone]
        self.units = without(self.position.units, lost)
        abroad = [line for site in self.sites for line in self._at_home(site)]
        self._abroad(abroad)
        self._un()
        self._hosted()
        year = replace(self.affairs, subversion=frozenset(), leaving={})
        after = replace(self.position, units=self.units, dislodged=(), contested=frozenset(), affairs=year)
        after = without_eliminated(self.board, removed(after))
        return Outcome(tuple(self.verdicts), after, refused=tuple(self.refused))

    def _read(self, site: _Site, orders: Sequence[Order]) -> None:
        for number, order in enumerate(orders):
            checked = Constructions.check(self.board, self.position, site.power, order, self.book)
            if isinstance(checked, Refusal):
                self.refused.append(Refused(site.power, number, order, checked))
            elif isinstance(checked, Measure):
                self.hosts.setdefault(site.power, []).append((number, checked))
            else:
                site.lines.append((number, checked))

    # removals

    def _remove(self, site: _Site) -> None:
        """Those written, an M at will; then those that are missing, M first."""
        for number, order in site.lines:
            if isinstance(order, Disband):
                unit = self.position.at[order.unit.province]
                others = sum(one.kind != "M" for one in site.gone)
                if unit in site.gone or (unit.kind != "M" and others >= site.due):
                    self._say(site, order, number, Result.REMOVAL_IGNORED, CauseCode.BALANCE_NOT_NEGATIVE)
                    continue
                site.gone.append(unit)
                self._say(site, order, number, Result.REMOVED, CauseCode.CHOSEN)
        missing = site.due - len(site.gone)
        for unit in self._first_to_go(site, missing):
            site.gone.append(unit)
            cause = Cause(CauseCode.REMOVED_BY_RULE, option="removal_reference")
            self.verdicts.append(Verdict(unit.name, unit.power, None, (Result.REMOVED,), cause))

    def _first_to_go(self, site: _Site, missing: int) -> list[Unit]:
        if missing <= 0:
            return []
        homes = self.board.homes[site.power]

        def farthest(unit: Unit) -> tuple[int, str]:
            way = self.board.journey("M", unit.location, homes)
            return -way if way >= 0 else -removals.FAR, unit.location

        own = [unit for unit in self.position.units if unit.power == site.power and unit not in site.gone]
        first = sorted((unit for unit in own if unit.kind == "M"), key=farthest)[:missing]
        rest = removals.chosen(
            self.board, self.position, site.power, self.book, (*site.gone, *first), missing - len(first)
        )
        return [*first, *(unit for unit, _ in rest)]

    # builds

    @property
    def _taken(self) -> set[str]:
        return {unit.province for unit in self.units}

    def _at_home(self, site: _Site) -> Iterator[tuple[_Site, int, Build]]:
        """Carry out the builds on a state's own centres; what is to stand elsewhere is given back."""
        for number, order in site.lines:
            if isinstance(order, Waive):
                self._say(site, order, number, Result.WAIVED, CauseCode.CHOSEN)
            elif isinstance(order, Build):
                if order.unit.kind == "M" and order.unit.province not in self._own(site):
                    yield site, number, order
                else:
                    self._build(site, number, order, self._obstacle(site, order))

    def _own(self, site: _Site) -> tuple[str, ...]:
        return owned_by(self.board, self.position, site.power)

    def _obstacle(self, site: _Site, order: Build) -> str | None:
        """What keeps a unit from being built on a state's own centre."""
        code = order.unit.province
        if not self.board.can_stand(order.unit.kind, order.unit.location):
            several = len(self.board.standing(order.unit.kind, code)) > 1
            return CauseCode.COAST_MISSING if several else CauseCode.UNIT_CANNOT_STAND
        if order.unit.kind != "M" and code not in self.board.homes[site.power]:
            return CauseCode.NOT_HOME_CENTRE
        if code not in self._own(site):
            return CauseCode.CENTRE_NOT_OWNED
        return self._graceless(site, order) or (CauseCode.CENTRE_OCCUPIED if code in self._taken else None)

    def _graceless(self, site: _Site, order: Build) -> str | None:
        graceful = order.unit.kind != "M" or self.affairs.in_grace(site.power, self.position.phase)
        return None if graceful else "no_mandate_in_disgrace"

    def _build(self, site: _Site, number: int, order: Build, obstacle: str | None) -> None:
        """Build, unless something is against it or there are units enough."""
        if obstacle is not None:
            self._say(site, order, number, Result.BUILD_VOID, obstacle)
            return
        standing = sum(unit.power == site.power for unit in self.units)
        if standing >= site.allowed:
            self._say(site, order, number, Result.BUILD_IGNORED, CauseCode.BALANCE_NOT_POSITIVE)
            return
        if self._for_mandates_only(site, order):
            self._say(site, order, number, Result.BUILD_VOID, "room_for_mandates")
            return
        unit = Unit(*order.unit, site.power)
        site.built.append(unit)
        self.units = (*self.units, unit)
        self._say(site, order, number, Result.BUILDS, CauseCode.WITHIN_BALANCE)

    def _for_mandates_only(self, site: _Site, order: Build) -> bool:
        """Whether only a dismantled M makes room, and the reading keeps that room for M."""
        if order.unit.kind == "M" or self.affairs.option("mixed_builds") == "any":
            return False
        before = sum(unit.power == site.power for unit in self.position.units)
        others = sum(unit.kind != "M" for unit in site.built)
        return others >= max(0, site.allowed - before)

    def _abroad(self, lines: Sequence[tuple[_Site, int, Build]]) -> None:
        """M on a foreign centre: free, in grace, with its host's word; of two guests neither."""
        guests = [order.unit.province for _, _, order in lines]
        for site, number, order in lines:
            self._build(site, number, order, self._unwelcome(site, order, guests))

    def _unwelcome(self, site: _Site, order: Build, guests: Sequence[str]) -> str | None:
        code = order.unit.province
        if not self.board.provinces[code].centre:
            return "no_centre"
        if code in self._taken:
            return CauseCode.CENTRE_OCCUPIED
        if self._graceless(site, order):
            return self._graceless(site, order)
        if guests.count(code) > 1:
            return "two_guests"
        host = controller(self.board, self.position, code)
        return None if host and self._invited(host, site.power, code) else "not_invited"

    def _invited(self, host: str, guest: str, code: str) -> bool:
        """Whether a host's lines let somebody build an M there."""
        for _, order in self.hosts.get(host, ()):
            for _, who, *where in parts_of(order):
                if (who == guest and where in ([], [code])) or (who == ALL and self._open_to(guest, code)):
                    self.used.add((host, order.words))
                    return True
        return False

    def _open_to(self, guest: str, code: str) -> bool:
        centre = self.board.provinces[code].centre
        return centre and (guest != UN or self.affairs.option("host_all") == "with_un")

    def _un(self) -> None:
        """The one M of the United Nations, wherever there is room and no state objects."""
        for number, order in self.un.lines:
            if not isinstance(order, Build):
                continue
            code = order.unit.province
            obstacle: str | None = None
            host = None if self.board.is_sea(code) else controller(self.board, self.position, code)
            if code in self._taken:
                obstacle = CauseCode.CENTRE_OCCUPIED
            elif host and not self._invited(host, UN, code):
                obstacle = "not_invited"
            self._build(self.un, number, order, obstacle)

    def _hosted(self) -> None:
        for host, lines in self.hosts.items():
            for number, order in lines:
                used = (host, order.words) in self.used
                self.verdicts.append(told(host, order, number, "hosts" if used else "host_unused"))

    def _say(self, site: _Site, order: Order, number: int, result: Result, code: str) -> None:
        name = order.unit or UnitName("", "")
        places = (name.location,) if name.location else ()
        self.verdicts.append(
            Verdict(name, site.power, order, (result,), Cause(code, places=places), number=number)
        )
