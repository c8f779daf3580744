"""A season's orders with ballots, aid and subversion (kind M): the vote on missions, movement, then the
other votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from talleyrand.engine import legality
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import Convoy, Disband, Hold, Order, PoliticalOrder, Support, parse_normal
from talleyrand.engine.outcome import OrderResult, PhaseOutcome, RefusedOrder, Verdict, verdict_without_unit
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook

from . import mandate_movement
from .mandate_movement import is_frozen
from .political_state import (
    UN,
    PoliticalState,
    dismissed_mandates,
    may_subvert,
    political_state_of,
    seats,
    without_departed_mandates,
)
from .political_state_json import open_vote_types
from .politics_lines import order_parts
from .vote_counting import (
    VoteTally,
    apply_adopted_proposals,
    ballot_fault,
    proposals_by_seat,
    valid_ballots,
    vote_findings,
)


class WorldMovementRules:
    """Kind M."""

    def adjudicate(
        self, board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> PhaseOutcome:
        """Count the ballots, stop whom subversion stops, judge the moves, and carry out what was voted."""
        session = _SeasonSettlement(self, board, position, book)
        session.hear(orders)
        return session.outcome()

    def check_order(
        self, board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """An order as it will be followed, or why it is impossible."""
        affairs = political_state_of(position)
        if power in affairs.eliminated:
            return OrderNotAllowed("out_of_the_game", candidates=(power,))
        if isinstance(order, PoliticalOrder):
            return _unlawful(board, position, power, order) or order
        if isinstance(order, Disband):
            return _dismantled(position, power, order)
        return _off_limits(board, position, power, order) or legality.check_movement_order(
            board, position, power, order, book
        )

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG002
        """Every state in the game, and the Secretary-General."""
        gone = political_state_of(position).eliminated
        return tuple(seat for seat in seats(board) if seat not in gone)

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order to a unit of a state, and what it may do beside that."""
        listed = legality.legal_movement_orders(board, position, power, book)
        found: list[Order] = [
            order for order in listed if self.check_order(board, position, power, order, book) == order
        ]
        found += [Disband(unit.name) for unit in position.units if (unit.kind, unit.power) == ("M", power)]
        ballots = [PoliticalOrder(f"{kind} {name}") for kind in "123" for name in _choices(position, kind)]
        acts = [PoliticalOrder(f"AS {code}") for code in board.provinces]
        found += [
            one for one in (*ballots, *acts) if self.check_order(board, position, power, one, book) == one
        ]
        return tuple(found)


def _choices(position: Position, kind: str) -> list[str]:
    made = list(proposals_by_seat(political_state_of(position), kind))
    return [*made, "NONE", "ABSTAIN"] if made else []


def _dismantled(position: Position, power: str, order: Disband) -> Order | OrderRefusal:
    unit = position.units_by_province.get(order.unit.province)
    if unit is None or unit.kind != "M":
        return OrderNotAllowed("no_such_unit", units=(str(order.unit),), places=(order.unit.province,))
    if unit.power != power:
        return OrderNotAllowed("foreign_unit", units=(str(unit),), candidates=(unit.power,))
    return Disband(unit.name)


def _off_limits(board: Board, position: Position, power: str, order: Order) -> OrderRefusal | None:
    """What these rules alone have against an order to a unit."""
    unit = position.units_by_province.get(order.unit.province) if order.unit else None
    if power in political_state_of(position).eliminated:
        return OrderNotAllowed("out_of_the_game", candidates=(power,))
    if unit is not None and unit.kind == "M" and unit.power == power:
        return OrderNotAllowed("mission_by_vote", units=(str(unit),), nearest_order=f"{unit} D")
    return _frozen(board, position, order) or _dry(board, position, order)


def _frozen(board: Board, position: Position, order: Order) -> OrderRefusal | None:
    """Why a fleet cannot act towards the far north, or in it, in autumn."""
    if order.unit is None or order.unit.kind not in board.kinds or isinstance(order, Hold):
        return None
    places = [order.unit.location, getattr(order, "to", None)]
    if isinstance(order, Support | Convoy):
        places.append(order.target.location)
    closed = [place for place in places if place and is_frozen(board, position, order.unit.kind, place)]
    return OrderNotAllowed("far_north", places=(province_of(closed[-1]),)) if closed else None


def _dry(board: Board, position: Position, order: Order) -> OrderRefusal | None:
    """Why a fleet cannot convoy in a canal, where that is the reading."""
    closed = political_state_of(position).option("canal_convoy") == "no"
    if closed and isinstance(order, Convoy) and order.unit.province in board.canals:
        return OrderNotAllowed("no_canal_convoy", places=(order.unit.province,))
    return None


def _unlawful(board: Board, position: Position, power: str, order: PoliticalOrder) -> OrderRefusal | None:
    """Why a ballot, a programme of aid, a ranking or a subversion does not count."""
    title = order.text.split()[0]
    if title == "RANK":
        return None if power == UN else OrderNotAllowed("secretary_only")
    if power == UN:
        return OrderNotAllowed("intervention_in_debate" if title == "AS" else "states_only")
    if title == "AS":
        return _no_subversion(board, position, power, order.text.split()[1])
    affairs = political_state_of(position)
    if title == "AID":
        return None
    if title in open_vote_types(position.phase):
        graceless = not affairs.in_grace(power, position.phase)
        return OrderNotAllowed("in_disgrace", candidates=(power,)) if graceless else None
    return OrderNotAllowed("type_closed" if title in "123" else "wrong_phase", text=order.text)


def _no_subversion(board: Board, position: Position, power: str, code: str) -> OrderRefusal | None:
    if board.is_sea(code):
        return OrderNotAllowed("subversion_at_sea", places=(code,))
    if power in political_state_of(position).subversion:
        return OrderNotAllowed("subversion_spent")
    return None if may_subvert(board, position, power) else OrderNotAllowed("no_subversion")


@dataclass
class _SeasonSettlement:
    """One season being settled."""

    rules: WorldMovementRules
    board: Board
    position: Position
    book: Rulebook
    refused: list[RefusedOrder] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    orders: dict[str, list[tuple[int | None, Order]]] = field(default_factory=dict)
    lines: dict[str, dict[str, list[tuple[int, PoliticalOrder]]]] = field(default_factory=dict)
    leaving: set[Unit] = field(default_factory=set)
    targets: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.affairs: PoliticalState = political_state_of(self.position)

    # what was written

    def hear(self, orders: Mapping[str, Sequence[Order]]) -> None:
        """Sort what everybody wrote: orders to units, and measures by their title."""
        for seat in self.board.seats:
            for number, order in enumerate(orders.get(seat, ())):
                checked = self._checked(seat, order)
                if isinstance(checked, OrderRefusal):
                    self.refused.append(RefusedOrder(seat, number, order, checked))
                elif isinstance(checked, PoliticalOrder):
                    title = checked.text.split()[0]
                    kind = "ballots" if title in "123" else title
                    self.lines.setdefault(kind, {}).setdefault(seat, []).append((number, checked))
                elif isinstance(checked, Disband):
                    self._dismantle(seat, number, checked)
                else:
                    self.orders.setdefault(seat, []).append((number, order))
        self._subvert()

    def _checked(self, seat: str, order: Order) -> Order | OrderRefusal:
        """An order as it counts, or why it does not; whether a unit can carry it out is asked as it moves."""
        if isinstance(order, PoliticalOrder | Disband):
            return self.rules.check_order(self.board, self.position, seat, order, self.book)
        return _off_limits(self.board, self.position, seat, order) or order

    def _dismantle(self, seat: str, number: int, order: Disband) -> None:
        self.leaving.add(self.position.units_by_province[order.unit.province])
        self.verdicts.append(
            verdict_without_unit(seat, order, number, "mandate_leaves", OrderResult.DISBANDED)
        )

    def _subvert(self) -> None:
        """The targets of the year's subversion: one a state, the first line that counts."""
        for seat, lines in self.lines.get("AS", {}).items():
            (number, order), *others = lines
            code = order.text.split()[1]
            self.targets[seat] = code
            stood = code in self.position.units_by_province
            self.verdicts.append(
                verdict_without_unit(seat, order, number, "subverts" if stood else "subversion_empty")
            )
            for later, again in others:
                self.refused.append(
                    RefusedOrder(seat, later, again, OrderNotAllowed("done_this_turn", text=again.text))
                )
        if self.affairs.intervention_target is not None:
            self.targets[UN] = self.affairs.intervention_target

    def _last_parts(
        self, seat: str, lines: Sequence[tuple[int, PoliticalOrder]]
    ) -> dict[str, tuple[int, list[str]]]:
        """Part by part, the last that a seat wrote; a line of which nothing is left is superseded."""
        last = {part[0]: (number, part) for number, order in lines for part in order_parts(order)}
        kept = {number for number, _ in last.values()}
        for number, order in lines:
            if number not in kept:
                refusal = OrderNotAllowed("superseded", text=order.text)
                self.refused.append(RefusedOrder(seat, number, order, refusal))
        return last

    # votes

    def _polls(self) -> dict[str, VoteTally]:
        """Every type that has a proposal, with the ballots cast on it."""
        cast: dict[str, dict[str, list[str]]] = {kind: {} for kind in "123"}
        for seat, lines in self.lines.get("ballots", {}).items():
            results: dict[int, set[str]] = {}
            faults: dict[int, str] = {}
            for kind, (number, part) in self._last_parts(seat, lines).items():
                counted = valid_ballots(self.affairs, kind, part[1:])
                results.setdefault(number, set())
                if counted:
                    cast[kind][seat] = counted
                    results[number].add("votes")
                if len(counted) < len(part) - 1:
                    results[number].add("ballot_void")
                    faults.setdefault(number, "_" + ballot_fault(self.affairs, kind, part[1:]))
            for number, order in lines:
                if number in results:
                    words = sorted(
                        results[number] | ({"ballot_void"} if order.partial else set()), reverse=True
                    )
                    code = "votes_in_part" if len(words) > 1 else words[0]
                    self.verdicts.append(
                        verdict_without_unit(seat, order, number, code + faults.get(number, ""), *words)
                    )
        rankings = self._rankings()
        kinds = [kind for kind in "123" if proposals_by_seat(self.affairs, kind)]
        return {kind: VoteTally(self.affairs, kind, cast[kind], rankings.get(kind, ())) for kind in kinds}

    def _rankings(self) -> dict[str, list[str]]:
        """The Secretary-General's order of the proposers; the last that is written of a type stands."""
        lines = self.lines.get("RANK", {}).get(UN, ())
        last = {order.text.split()[1]: number for number, order in lines}
        found: dict[str, list[str]] = {}
        for number, order in lines:
            _, kind, *names = order.text.split()
            if last[kind] == number:
                found[kind] = names
                self.verdicts.append(verdict_without_unit(UN, order, number, "ranked"))
            else:
                self.refused.append(
                    RefusedOrder(UN, number, order, OrderNotAllowed("superseded", text=order.text))
                )
        return found

    def _programmes(self) -> None:
        """Every state's aid, place by place."""
        aid = {state: list(places) for state, places in self.affairs.aid.items()}
        for seat, lines in self.lines.get("AID", {}).items():
            places = aid.setdefault(seat, [None, None, None])
            counted = self._last_parts(seat, lines)
            for place, (_, part) in counted.items():
                places[int(place) - 1] = None if part[1] == "NONE" else part[1]
            kept = {number for number, _ in counted.values()}
            self.verdicts += [
                verdict_without_unit(seat, order, number, "aid_set")
                for number, order in lines
                if number in kept
            ]
        self.affairs = replace(self.affairs, aid={state: tuple(places) for state, places in aid.items()})

    # the rest

    def outcome(self) -> PhaseOutcome:
        """All of it, in the order of the rules."""
        polls = self._polls()
        missions = self._missions(polls.get("2"))
        moved = mandate_movement.adjudicate_season(
            self.board, self.position, self.orders, missions, self._stopped(), self.book
        )
        self._programmes()
        found = vote_findings(self.position, self.affairs, polls, self.targets)
        self.affairs = apply_adopted_proposals(self.board, self.position, self.affairs, polls, self.targets)
        after, gone = self._ended(moved)
        verdicts = [_with_fate(verdict, gone) for verdict in moved.outcome.verdicts]
        return replace(
            moved.outcome,
            verdicts=(*verdicts, *self.verdicts),
            position_after=after,
            refused=(*moved.outcome.refused, *self.refused),
            findings=found,
        )

    def _missions(self, poll: VoteTally | None) -> dict[str, Order]:
        """The order of each M that the adopted programme has one for, by province."""
        if poll is None or not poll.adopted:
            return {}
        programme = proposals_by_seat(self.affairs, "2")[poll.adopted[0]].removeprefix("2 ")
        orders = [parse_normal(text) for text in programme.split(" / ")]
        return {order.unit.province: order for order in orders if order.unit}

    def _stopped(self) -> Mapping[str, tuple[str, ...]]:
        """Who stops the unit of each province in which one is stopped."""
        found: dict[str, tuple[str, ...]] = {}
        for seat, code in self.targets.items():
            if code in self.position.units_by_province:
                found[code] = (*found.get(code, ()), seat)
        return found

    def _ended(self, moved: mandate_movement.MovementOutcome) -> tuple[Position, frozenset[str]]:
        """The position with those gone who leave without a retreat to wait for, and where they stood."""
        after = moved.outcome.position_after
        leaving = self.leaving | set(dismissed_mandates(self.affairs, self.position))
        fallen = {one.unit.province for one in after.dislodged if one.unit in leaving}
        dislodged = tuple(one for one in after.dislodged if one.unit not in leaving)
        names: dict[str, list[str]] = {}
        for unit in self.leaving & moved.places.keys():
            names.setdefault(unit.power, []).append(str(moved.places[unit]))
        affairs = replace(
            self.affairs, dismantled_mandates={seat: tuple(sorted(own)) for seat, own in names.items()}
        )
        after = replace(after, dislodged=dislodged, political_state=affairs)
        if any(one.retreats for one in dislodged):
            return after, frozenset(fallen)
        left = without_departed_mandates(after)
        dropped = {
            unit.province
            for unit, place in moved.places.items()
            if unit not in self.leaving and place not in left.units
        }
        return left, frozenset(fallen | dropped)


def _with_fate(verdict: Verdict, gone: frozenset[str]) -> Verdict:
    """The verdict of an M that is dismissed, or dislodged as it leaves: it is disbanded as well."""
    if verdict.unit.province not in gone or verdict.unit.kind != "M":
        return verdict
    kept = tuple(result for result in verdict.results if result != OrderResult.DESTROYED)
    return verdict._replace(results=(*kept, OrderResult.DISBANDED))
