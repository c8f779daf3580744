"""The phases of Escalation: the draft (kind D), the units of 1900 (kind A), home centres (kind N)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from talleyrand.engine import adjustments
from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import AdjustmentRules, OrdersByPower, PhaseRules
from talleyrand.engine.orders import Build, Order, PoliticalOrder
from talleyrand.engine.outcome import PhaseOutcome, RefusedOrder, verdict_without_unit
from talleyrand.engine.position import Position, UnitName
from talleyrand.engine.rulebook import Rulebook

from .draft_state import HOMES, Choice, Turn, free_centres, state_of, usual_choice, usual_homes, usual_return

PICK, DROP, HOME = "PICK", "DROP", "HOME"


def words_of(order: Order) -> tuple[str, tuple[str, ...]]:
    """What a line of these rules does, and the centres that it names."""
    head, *centres = str(order).split()
    return head, tuple(centres)


def wishes(orders: Sequence[Order], head: str) -> tuple[str, ...]:
    """The centres that a power's lines of one sort name, in their order."""
    return tuple(code for order in orders if words_of(order)[0] == head for code in words_of(order)[1])


def turn_choice(board: Board, position: Position, turn: Turn, orders: Sequence[Order]) -> str:
    """The first centre to be had of those that the lists of whoever's turn it is name; "" for none."""
    allowed = position.owned_by(turn.power) if turn.gives_back else free_centres(board, position)
    listed = wishes(orders, DROP if turn.gives_back else PICK)
    return next((code for code in listed if code in allowed), "")


def lines_that_count(
    rules: PhaseRules, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
) -> tuple[dict[str, list[tuple[int, Order]]], tuple[RefusedOrder, ...]]:
    """The lines that count, each with its place among those of its power; those that do not."""
    kept: dict[str, list[tuple[int, Order]]] = {}
    refused = []
    for power, lines in orders.items():
        for number, order in enumerate(lines):
            found = rules.check_order(board, position, power, order, book)
            if isinstance(found, OrderRefusal):
                refused.append(RefusedOrder(power, number, order, found))
            else:
                kept.setdefault(power, []).append((number, found))
    return kept, tuple(refused)


class CentreDraftRules:
    """Kind D: whose turn it is chooses, or gives back; then the next ones whose list says what."""

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """One turn, by default where nothing is written that can be done, and all that lists say at once."""
        kept, refused = lines_that_count(self, board, position, orders, book)
        lists = {power: [order for _, order in lines] for power, lines in kept.items()}
        draft = _DraftWalk(board, position, lists)
        while draft.step():
            pass
        verdicts = tuple(
            verdict_without_unit(power, order, number, "used" if draft.used(power, order) else "waits")
            for power, lines in kept.items()
            for number, order in lines
        )
        return PhaseOutcome(verdicts, draft.after(), refused=refused, findings={"chosen": draft.told})

    def check_order(
        self,
        board: Board,
        position: Position,
        power: str,
        order: Order,
        book: Rulebook,  # noqa: ARG002 (PhaseRules)
    ) -> Order | OrderRefusal:
        """A list of centres to choose, or to give back, of which one at least is to be had."""
        head, centres = words_of(order)
        if not isinstance(order, PoliticalOrder) or head not in (PICK, DROP):
            return OrderNotAllowed("wrong_phase", text=str(order))
        stray = [code for code in centres if code not in board.centres]
        if stray:
            return OrderNotAllowed("no_centre_there", places=tuple(stray[:1]))
        left = state_of(position).picks_left(board, power)
        if head == PICK:
            if not left:
                return OrderNotAllowed("all_chosen")
            taken = not set(centres) & set(free_centres(board, position))
            return OrderNotAllowed("chosen_already", places=centres[:1]) if taken else order
        own = bool(left) or bool(set(centres) & set(position.owned_by(power)))
        return order if own else OrderNotAllowed("not_yours_to_return", places=centres[:1])

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG002
        """Whose turn it is."""
        turn = state_of(position).turn(board)
        return (turn.power,) if turn else ()

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:  # noqa: ARG002
        """Every centre that it may choose or give back, in its turn."""
        turn = state_of(position).turn(board)
        if turn is None or turn.power != power:
            return ()
        if turn.gives_back:
            return tuple(PoliticalOrder(f"{DROP} {code}") for code in position.owned_by(power))
        return tuple(PoliticalOrder(f"{PICK} {code}") for code in free_centres(board, position))


@dataclass
class _DraftWalk:
    """The draft as it goes on; `told` is what everybody hears of it."""

    board: Board
    position: Position
    lists: Mapping[str, Sequence[Order]]
    told: list[dict[str, str]] = field(default_factory=list)

    def step(self) -> bool:
        """One turn; False where the next one has to be waited for."""
        turn = state_of(self.position).turn(self.board)
        if turn is None:
            return False
        power = turn.power
        wanted = turn_choice(self.board, self.position, turn, self.lists.get(power, ()))
        if not wanted and self.told:
            return False
        usual = usual_return if turn.gives_back else usual_choice
        code = wanted or usual(self.board, self.position, power)[0]
        self._take(Choice(power, code), gives_back=turn.gives_back)
        how = "list" if wanted else "default"
        does = "given_back" if turn.gives_back else "chosen"
        self.told.append({"power": power, "centre": code, "does": does, "by": how})
        return True

    def _take(self, choice: Choice, *, gives_back: bool) -> None:
        state, power = state_of(self.position), choice.power
        own = set(self.position.owned_by(power)) ^ {choice.centre}
        changed = (
            replace(state, given_back=(*state.given_back, choice))
            if gives_back
            else replace(state, picks=(*state.picks, choice))
        )
        centres = {**(self.position.centres or {}), power: tuple(sorted(own))}
        self.position = self.position.changed(centres=centres, political_state=changed)

    def used(self, power: str, order: Order) -> bool:
        """Whether something was done of a list."""
        head, centres = words_of(order)
        does = "given_back" if head == DROP else "chosen"
        made = (one for one in self.told if one["power"] == power and one["does"] == does)
        return any(one["by"] == "list" and one["centre"] in centres for one in made)

    def after(self) -> Position:
        """The position with nobody in disorder; once all is chosen, each may build in all its centres."""
        over = state_of(self.position).turn(self.board) is None
        return self.position.changed(
            powers_in_disorder=frozenset(),
            torn=frozenset(),
            homes=dict(self.position.centres or {}) if over else self.position.homes,
        )


class FirstUnitsRules(AdjustmentRules):
    """Kind A: as everywhere, but while no unit stands whoever writes nothing has an army in each centre."""

    @staticmethod
    def adjudicate(board: Board, position: Position, orders: OrdersByPower, book: Rulebook) -> PhaseOutcome:
        """Builds and removals; in the winter of 1900 those of the absent too."""
        if position.units:
            return adjustments.adjudicate(board, position, orders, book)
        absent = [power for power in board.powers if not orders.get(power)]
        armies = {
            power: [Build(UnitName("A", code)) for code in position.owned_by(power)] for power in absent
        }
        ready = position.changed(powers_in_disorder=frozenset(), torn=frozenset())
        found = adjustments.adjudicate(board, ready, {**orders, **armies}, book)
        verdicts = (one._replace(number=None) if one.power in absent else one for one in found.verdicts)
        return replace(found, verdicts=tuple(verdicts))


class HomeRules:
    """Kind N: after the first autumn each names three home centres among those it owns."""

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """The homes that are named; the usual ones of whoever names none; all of whoever has no more."""
        state = state_of(position)
        if state.homes_named:
            return PhaseOutcome((), position)
        kept, refused = lines_that_count(self, board, position, orders, book)
        named = {power: words_of(lines[-1][1])[1] for power, lines in kept.items()}
        homes = {
            power: tuple(sorted(usual_homes(board, position, power, named.get(power, ()))))
            for power in board.powers
        }
        verdicts = tuple(
            verdict_without_unit(power, order, number, "named" if order is lines[-1][1] else "replaced")
            for power, lines in kept.items()
            for number, order in lines
        )
        after = position.changed(homes=homes, political_state=replace(state, homes_named=True))
        told = {power: ["list" if power in kept else "default", *codes] for power, codes in homes.items()}
        return PhaseOutcome(verdicts, after, refused=refused, findings={"homes": told})

    def check_order(
        self,
        board: Board,  # noqa: ARG002 (PhaseRules)
        position: Position,
        power: str,
        order: Order,
        book: Rulebook,  # noqa: ARG002
    ) -> Order | OrderRefusal:
        """Different centres that it owns, three at most: the usual ones are added to fewer."""
        head, centres = words_of(order)
        if not isinstance(order, PoliticalOrder) or head != HOME:
            return OrderNotAllowed("wrong_phase", text=str(order))
        stray = [code for code in centres if code not in position.owned_by(power)]
        if stray:
            return OrderNotAllowed("not_owned", places=tuple(stray[:1]))
        return order if len(set(centres)) == len(centres) <= HOMES else OrderNotAllowed("three_homes")

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG002
        """Those with more than three centres, in the first winter."""
        if state_of(position).homes_named:
            return ()
        return tuple(power for power in board.powers if len(position.owned_by(power)) > HOMES)

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every three of its centres."""
        if power not in self.powers_with_choices(board, position, book):
            return ()
        threes = combinations(position.owned_by(power), HOMES)
        return tuple(PoliticalOrder(f"{HOME} {' '.join(some)}") for some in threes)


PHASES: Mapping[str, PhaseRules] = {"D": CentreDraftRules(), "A": FirstUnitsRules(), "N": HomeRules()}
