"""The winter (kind A): removals before builds, M before others, M abroad by invitation, the UN's own last.

What the rules leave to the rulebook is settled as it says: surplus builds and removals, two builds on one
centre, builds given up, the removals of A, F and V that nobody wrote. Rights to build are never kept: the
rules say what a state may have, year by year.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from talleyrand.engine import adjustments, removals
from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import AdjustmentRules
from talleyrand.engine.orders import Build, Disband, Order, PoliticalOrder, Waive
from talleyrand.engine.outcome import (
    AdjudicationNote,
    Cause,
    CauseCode,
    OrderResult,
    PhaseOutcome,
    RandomDraw,
    RefusedOrder,
    Verdict,
    verdict_without_unit,
)
from talleyrand.engine.position import Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook

from .political_state import (
    UN,
    centres_owned_by,
    controller,
    political_state_of,
    seats,
    units_without,
    without_departed_mandates,
)
from .politics_lines import ALL, order_parts
from .year_end import adjustment_count, build_sites, without_eliminated


class WorldAdjustmentRules(AdjustmentRules):
    """Kind A."""

    @staticmethod
    def adjudicate(
        board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> PhaseOutcome:
        """Carry out removals, then builds at home, M abroad, and the M of the United Nations."""
        return _WinterSettlement(board, position, book).settled(orders)

    @staticmethod
    def check_order(
        board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """An adjustment as it will be followed, or why it names nothing that exists."""
        if power in political_state_of(position).eliminated:
            return OrderNotAllowed("out_of_the_game", candidates=(power,))
        if isinstance(order, PoliticalOrder):
            if not order.text.startswith("HOST"):
                return OrderNotAllowed("wrong_phase", text=order.text)
            return OrderNotAllowed("states_only") if power == UN else order
        if power == UN and isinstance(order, Build) and order.unit.kind != "M":
            return OrderNotAllowed("mandate_only", units=(str(order.unit),))
        return adjustments.check_adjustment(board, position, power, order, book)

    @staticmethod
    def powers_with_choices(board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG004
        """Every state in the game, for each may invite, and the Secretary-General."""
        gone = political_state_of(position).eliminated
        return tuple(seat for seat in seats(board) if seat not in gone)

    @staticmethod
    def legal_orders(board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every removal and every build at home; an M abroad depends on its host."""
        own = [unit for unit in position.units if unit.power == power]
        if power == UN:
            free = [code for code in board.provinces if code not in position.units_by_province]
            return tuple(Disband(unit.name) for unit in own) or tuple(Build(UnitName("M", at)) for at in free)
        due = adjustment_count(board, position, power)
        found: list[Order] = [Disband(unit.name) for unit in own if due.removals or unit.kind == "M"]
        leavers = any(unit.kind == "M" for unit in own)
        if due.possible or leavers:
            found += _builds(board, position, power)
            found += () if book.unused_builds == "must_build" else (Waive(),)
        return tuple(found)


def _builds(board: Board, position: Position, power: str) -> Iterator[Order]:
    own = [unit.province for unit in position.units if unit.power == power and unit.kind == "M"]
    centres = [code for code in own if code in centres_owned_by(board, position, power)]
    for code in (*build_sites(board, position, power), *centres):
        for letter in board.kinds if code in board.homes[power] else ("M",):
            for place in board.standable_locations(letter, code):
                yield Build(UnitName(letter, place))


WantedBuilds = list[tuple[int, Build | Waive]]
"""Builds that nothing stands against, and those given up, with their place on the sheet."""
_BY_RULE = Cause(CauseCode.REMOVED_BY_RULE, option="removal_reference")
_BY_LOT = Cause(CauseCode.REMOVED_BY_RULE, option="missing_removals")
_TOO_MANY_BUILDS = Cause(CauseCode.SURPLUS, option="too_many_builds")
_TOO_MANY_REMOVALS = Cause(CauseCode.SURPLUS, option="too_many_removals")
_NO_ROOM = Cause(CauseCode.BALANCE_NOT_POSITIVE)


@dataclass
class _PowerWinter:
    """One power's winter: how many units it may have, how many must go, what it wrote."""

    power: str
    due: int
    allowed: int
    lines: list[tuple[int, Order]] = field(default_factory=list)
    turned: set[int] = field(default_factory=set)
    gone: list[Unit] = field(default_factory=list)
    built: list[Unit] = field(default_factory=list)
    waived: int = 0


class _WinterSettlement:
    """One winter being settled."""

    def __init__(self, board: Board, position: Position, book: Rulebook) -> None:
        self.board, self.position, self.book = board, position, book
        self.affairs = political_state_of(position)
        self.verdicts: list[Verdict] = []
        self.refused: list[RefusedOrder] = []
        self.chance: list[RandomDraw] = []
        self.sites = [self._site(power) for power in board.powers]
        self.un = _PowerWinter(UN, 0, 1)
        self.hosts: dict[str, list[tuple[int, PoliticalOrder]]] = {}
        self.used: set[tuple[str, int]] = set()
        self.units = position.units

    def _site(self, power: str) -> _PowerWinter:
        due = adjustment_count(self.board, self.position, power)
        own = sum(unit.power == power for unit in self.position.units)
        return _PowerWinter(power, due.removals, own + due.balance)

    def settled(self, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
        """All of it, in the order of the rules."""
        everybody = (*self.sites, self.un)
        for site in everybody:
            self._check_orders(site, orders.get(site.power, ()))
        for site in everybody:
            self._remove(site)
        self.units = units_without(self.position.units, [unit for site in everybody for unit in site.gone])
        for site in self.sites:
            self._at_home(site)
        self._abroad()
        self._un()
        self._hosted()
        year = replace(self.affairs, subversion=frozenset(), dismantled_mandates={})
        after = replace(
            self.position, units=self.units, dislodged=(), contested=frozenset(), political_state=year
        )
        after = without_eliminated(self.board, without_departed_mandates(after))
        return PhaseOutcome(
            tuple(self.verdicts), after, tuple(self._notes()), tuple(self.refused), tuple(self.chance)
        )

    def _check_orders(self, site: _PowerWinter, orders: Sequence[Order]) -> None:
        for number, order in enumerate(orders):
            checked = WorldAdjustmentRules.check_order(
                self.board, self.position, site.power, order, self.book
            )
            if isinstance(checked, OrderRefusal):
                self.refused.append(RefusedOrder(site.power, number, order, checked))
            elif isinstance(checked, PoliticalOrder):
                self.hosts.setdefault(site.power, []).append((number, checked))
            else:
                site.lines.append((number, self._turned(site, number, checked)))

    def _turned(self, site: _PowerWinter, number: int, order: Order) -> Order:
        """A build as it is made: where no fleet can stand, an army if the book says so."""
        if not isinstance(order, Build):
            return order
        unit = adjustments.unit_as_built(self.board, order.unit, self.book)
        site.turned |= {number} if unit != order.unit else set()
        return Build(unit)

    def _notes(self) -> Iterator[AdjudicationNote]:
        if self.chance and not self.position.seed:
            yield AdjudicationNote("lot_without_seed")
        if self.book.unused_builds == "must_build":
            for site in self.sites:
                missing = adjustment_count(self.board, self.position, site.power).possible - len(site.built)
                if missing > 0:
                    yield AdjudicationNote("builds_missing", (("power", site.power), ("count", str(missing))))

    # removals

    def _remove(self, site: _PowerWinter) -> None:
        """Those written, an M at will; then those that are missing, M first."""
        lines = [(number, order) for number, order in site.lines if isinstance(order, Disband)]
        others = {order for _, order in lines if order.unit.kind != "M"}
        void = self.book.too_many_removals == "civil_disorder" and len(others) > site.due
        if self.book.too_many_removals == "last_legal":
            lines.reverse()
        for number, order in lines:
            self._record_removal(site, number, order, void=void)
        missing = site.due - len(site.gone)
        for unit, lot in self._first_to_go(site, missing) if missing > 0 else ():
            site.gone.append(unit)
            self.chance += [lot] if lot else []
            cause = _BY_LOT if lot else _BY_RULE
            self.verdicts.append(Verdict(unit.name, unit.power, None, (OrderResult.REMOVED,), cause))

    def _record_removal(self, site: _PowerWinter, number: int, order: Disband, *, void: bool) -> None:
        """A removal: of an M at will, of others as far as the state must."""
        unit = self.position.units_by_province[order.unit.province]
        others = sum(one.kind != "M" for one in site.gone)
        if unit in site.gone:
            self._say(site, order, number, OrderResult.REMOVAL_IGNORED, Cause(CauseCode.ALREADY_REMOVED))
        elif unit.kind != "M" and (void or others >= site.due):
            surplus = site.due > 0
            cause = _TOO_MANY_REMOVALS if surplus else Cause(CauseCode.BALANCE_NOT_NEGATIVE)
            self._say(site, order, number, OrderResult.REMOVAL_IGNORED, cause)
        else:
            site.gone.append(unit)
            self._say(site, order, number, OrderResult.REMOVED, Cause(CauseCode.CHOSEN))

    def _first_to_go(self, site: _PowerWinter, missing: int) -> Iterator[removals.ChosenRemoval]:
        """M first, the farthest from the state's arsenals; then those whom the book chooses."""
        homes = self.board.homes[site.power]

        def farthest(unit: Unit) -> tuple[int, str]:
            way = self.board.moves_to_nearest("M", unit.location, homes)
            return -way if way >= 0 else -removals.FAR, unit.location

        own = [unit for unit in self.position.units if unit.power == site.power and unit not in site.gone]
        first = sorted((unit for unit in own if unit.kind == "M"), key=farthest)[:missing]
        yield from ((unit, None) for unit in first)
        gone = (*site.gone, *first)
        yield from removals.choose_removals(
            self.board, self.position, site.power, self.book, gone, missing - len(first)
        )

    # builds

    @property
    def _taken_places(self) -> set[str]:
        return {unit.province for unit in self.units}

    def _at_home(self, site: _PowerWinter) -> None:
        """Carry out the builds on a state's own centres, and those given up."""
        wanted: WantedBuilds = []
        for number, order in site.lines:
            if isinstance(order, Waive):
                wanted.append((number, order))
            elif isinstance(order, Build) and not self._is_abroad(site, order):
                wanted += self._unopposed(site, number, order, self._obstacle(site, order))
        self._carry_out(site, wanted)

    def _is_abroad(self, site: _PowerWinter, order: Build) -> bool:
        return order.unit.kind == "M" and order.unit.province not in self._own(site)

    def _own(self, site: _PowerWinter) -> tuple[str, ...]:
        return centres_owned_by(self.board, self.position, site.power)

    def _unopposed(self, site: _PowerWinter, number: int, order: Build, obstacle: str | None) -> WantedBuilds:
        """A build that nothing stands against; of another is said what does."""
        if obstacle is None:
            return [(number, order)]
        places = (order.unit.location,)
        standing = self.position.units_by_province.get(order.unit.province)
        occupied = obstacle == CauseCode.CENTRE_OCCUPIED and standing is not None
        units = (standing,) if occupied and standing else ()
        self._say(site, order, number, OrderResult.BUILD_VOID, Cause(obstacle, units, places))
        return []

    def _obstacle(self, site: _PowerWinter, order: Build) -> str | None:
        """What keeps a unit from being built on a state's own centre."""
        code = order.unit.province
        if not self.board.can_stand(order.unit.kind, order.unit.location):
            several = len(self.board.standable_locations(order.unit.kind, code)) > 1
            return CauseCode.COAST_MISSING if several else CauseCode.UNIT_CANNOT_STAND
        if order.unit.kind != "M" and code not in self.board.homes[site.power]:
            return CauseCode.NOT_HOME_CENTRE
        if code not in self._own(site):
            return CauseCode.CENTRE_NOT_OWNED
        return self._graceless(site, order) or (
            CauseCode.CENTRE_OCCUPIED if code in self._taken_places else None
        )

    def _graceless(self, site: _PowerWinter, order: Build) -> str | None:
        graceful = order.unit.kind != "M" or self.affairs.in_grace(site.power, self.position.phase)
        return None if graceful else "no_mandate_in_disgrace"

    def _carry_out(self, site: _PowerWinter, wanted: WantedBuilds) -> list[Build]:
        """Build as far as there is room, as the book has it where there is too little; what was built."""
        kept = self._one_a_centre(site, wanted)
        builds = sum(isinstance(order, Build) for _, order in kept)
        void = self.book.too_many_builds == "none" and builds > self._room(site)
        if self.book.too_many_builds == "last_legal":
            kept.reverse()
        done: list[Build] = []
        for number, order in kept:
            if self._room(site) <= 0 or (void and isinstance(order, Build)):
                cause = _TOO_MANY_BUILDS if site.built or void else _NO_ROOM
                self._say(site, order, number, OrderResult.BUILD_IGNORED, cause)
            elif isinstance(order, Waive):
                site.waived += 1
                self._say(site, order, number, OrderResult.WAIVED, Cause(CauseCode.CHOSEN))
            elif self._for_mandates_only(site, order):
                self._say(site, order, number, OrderResult.BUILD_VOID, Cause("room_for_mandates"))
            else:
                self._build(site, number, order)
                done.append(order)
        return done

    def _room(self, site: _PowerWinter) -> int:
        """How many units a power may still build."""
        standing = sum(unit.power == site.power for unit in self.units)
        return site.allowed - standing - site.waived

    def _one_a_centre(self, site: _PowerWinter, wanted: WantedBuilds) -> WantedBuilds:
        """Of several builds on one centre the first, the last, or none, as the book has it."""
        choice = self.book.two_builds_one_centre
        kept: WantedBuilds = []
        for number, order in wanted:
            code = order.unit.province if isinstance(order, Build) else None
            same = [n for n, one in wanted if isinstance(one, Build) and one.unit.province == code]
            stays = same[:1] if choice == "first" else same[-1:]
            if choice == "none" and len(same) > 1:
                stays = []
            if code is None or number in stays:
                kept.append((number, order))
            else:
                cause = Cause(CauseCode.CENTRE_USED, places=(code,), option="two_builds_one_centre")
                self._say(site, order, number, OrderResult.BUILD_VOID, cause)
        return kept

    def _for_mandates_only(self, site: _PowerWinter, order: Build) -> bool:
        """Whether only a dismantled M makes room, and the reading keeps that room for M."""
        if order.unit.kind == "M" or self.affairs.option("mixed_builds") == "any":
            return False
        before = sum(unit.power == site.power for unit in self.position.units)
        others = sum(unit.kind != "M" for unit in site.built)
        return others >= max(0, site.allowed - before)

    def _build(self, site: _PowerWinter, number: int, order: Build) -> None:
        unit = Unit(*order.unit, site.power)
        site.built.append(unit)
        self.units = (*self.units, unit)
        option = "build_fleet_inland" if number in site.turned else None
        self._say(site, order, number, OrderResult.BUILDS, Cause(CauseCode.WITHIN_BALANCE, option=option))

    # M on others' centres, and that of the United Nations

    def _abroad(self) -> None:
        """M on a foreign centre: free, in grace, with its host's word; of two guests on one, neither.

        Who may not build, or has no room, is no guest.
        """
        welcome: dict[str, WantedBuilds] = {}
        for site in self.sites:
            for number, order in site.lines:
                if isinstance(order, Build) and self._is_abroad(site, order):
                    obstacle = self._unwelcome(site, order)
                    welcome.setdefault(site.power, []).extend(self._unopposed(site, number, order, obstacle))
        able = {site.power for site in self.sites if self._room(site) > 0}
        guests = {(_site_of(order), power) for power in able for _, order in welcome.get(power, ())}
        crowded = {code for code, _ in guests if sum(code == other for other, _ in guests) > 1}
        for site in self.sites:
            alone: WantedBuilds = []
            for number, order in welcome.get(site.power, ()):
                if _site_of(order) in crowded and site.power in able:
                    cause = Cause("two_guests", places=(_site_of(order),))
                    self._say(site, order, number, OrderResult.BUILD_VOID, cause)
                else:
                    alone.append((number, order))
            for order in self._carry_out(site, alone):
                self._thank(site.power, order)

    def _unwelcome(self, site: _PowerWinter, order: Build) -> str | None:
        """What keeps a state from building an M on a centre that is not its own."""
        code = order.unit.province
        if not self.board.provinces[code].centre:
            return "no_centre"
        if code in self._taken_places:
            return CauseCode.CENTRE_OCCUPIED
        graceless = self._graceless(site, order)
        return graceless or (None if self._invitation(site.power, code) else "not_invited")

    def _invitation(self, guest: str, code: str) -> tuple[str, int] | None:
        """The line by which whoever controls a sector lets somebody build an M there."""
        host = controller(self.board, self.position, code)
        for number, order in self.hosts.get(host, ()) if host else ():
            for _, who, *where in order_parts(order):
                if (who == guest and where in ([], [code])) or (who == ALL and self._open_to(guest, code)):
                    return str(host), number
        return None

    def _open_to(self, guest: str, code: str) -> bool:
        centre = self.board.provinces[code].centre
        return centre and (guest != UN or self.affairs.option("host_all") == "with_un")

    def _thank(self, guest: str, order: Build) -> None:
        """Note whose line was of use."""
        invitation = self._invitation(guest, order.unit.province)
        self.used |= {invitation} if invitation else set()

    def _un(self) -> None:
        """The one M of the United Nations, wherever there is room and no state objects."""
        for number, order in self.un.lines:
            if not isinstance(order, Build):
                continue
            code = order.unit.province
            host = None if self.board.is_sea(code) else controller(self.board, self.position, code)
            obstacle: str | None = CauseCode.CENTRE_OCCUPIED if code in self._taken_places else None
            if host and not obstacle and not self._invitation(UN, code):
                obstacle = "not_invited"
            for built in self._carry_out(self.un, self._unopposed(self.un, number, order, obstacle)):
                self._thank(UN, built)

    def _hosted(self) -> None:
        for host, lines in self.hosts.items():
            for number, order in lines:
                used = (host, number) in self.used
                self.verdicts.append(
                    verdict_without_unit(host, order, number, "hosts" if used else "host_unused")
                )

    def _say(self, site: _PowerWinter, order: Order, number: int, result: OrderResult, cause: Cause) -> None:
        name = order.unit or UnitName("", "")
        cause = cause if cause.places or not name.location else cause._replace(places=(name.location,))
        self.verdicts.append(Verdict(name, site.power, order, (result,), cause, number=number))


def _site_of(order: Build | Waive) -> str:
    return order.unit.province if isinstance(order, Build) else ""
