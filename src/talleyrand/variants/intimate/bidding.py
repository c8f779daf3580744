"""Its own two phases: the choice of home powers (H), once, and sealed bids (B) before each spring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import OrdersByPower
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.outcome import PhaseOutcome, RandomDraw, RefusedOrder, verdict_without_unit
from talleyrand.engine.position import Position
from talleyrand.engine.random_draws import draw_one
from talleyrand.engine.rulebook import Rulebook

from .duel_state import SIDES, DuelState, duel_state_of, mercenaries, powers_of_board

LIST, BID = "LIST", "BID"
"""The first words of the two normal forms: `LIST FRANCE RUSSIA`, `BID ITALY 8 / GERMANY 5`."""
Bids = Mapping[str, int]


def bids_of(order: Order | str) -> list[tuple[str, int]]:
    """The powers and credits of a bid in normal form."""
    parts = str(order).removeprefix(f"{BID} ").split(" / ")
    return [(power, int(amount)) for power, _, amount in (part.partition(" ") for part in parts)]


class HomeChoiceRules:
    """Kind H."""

    def adjudicate(
        self,
        board: Board,
        position: Position,
        orders: OrdersByPower,
        book: Rulebook,
    ) -> PhaseOutcome:
        """Give each side the first choice in which their lists differ, or draw lots between equal lists."""
        heard = _Hearing(self, board, position, book)
        lists: dict[str, list[str]] = {}
        for side in SIDES:
            wished: list[str] = []
            for order in heard.lawful(side, orders.get(side, ())):
                if wished:
                    heard.refuse_last(OrderNotAllowed("one_list"))
                wished = wished or order.text.split()[1:]
            lists[side] = [*wished, *(power for power in powers_of_board(board) if power not in wished)]
        homes, draws = _homes(position, lists["FIRST"], lists["SECOND"])
        state = duel_state_of(position)
        state = replace(
            state, homes=homes, credits={side: state.reserve(home) for side, home in homes.items()}
        )
        return heard.outcome("listed", state, draws, {"lists": lists})

    def check_order(
        self,
        board: Board,
        position: Position,
        power: str,
        order: Order,
        book: Rulebook,
    ) -> Order | OrderRefusal:
        """A list of home powers, or why it is none."""
        words = order.text.split() if isinstance(order, PoliticalOrder) else [""]
        if words[0] != LIST:
            return OrderNotAllowed("wrong_phase", text=str(order))
        strange = next((word for word in words[1:] if word not in powers_of_board(board)), "")
        if strange:
            return OrderNotAllowed("not_for_hire", candidates=(strange,))
        twice = next((word for word in words[1:] if words.count(word) > 1), "")
        return OrderNotAllowed("named_twice", candidates=(twice,)) if twice else order

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """Both sides."""
        return SIDES

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """A list of one power each: the orders of seven are without number."""
        return tuple(PoliticalOrder(f"{LIST} {home}") for home in powers_of_board(board))


def _homes(
    position: Position, first: Sequence[str], second: Sequence[str]
) -> tuple[dict[str, str], tuple[RandomDraw, ...]]:
    """The home powers by the published rule: the first place at which two whole lists differ."""
    differing = next((pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]), None)
    if differing:
        return dict(zip(SIDES, differing, strict=True)), ()
    drawn = draw_one(position.seed, str(position.phase), SIDES)
    other = next(side for side in SIDES if side != drawn)
    return {drawn: first[0], other: first[1]}, (RandomDraw("home_power", first[0], SIDES, drawn),)


class BiddingRules:
    """Kind B."""

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """Open the bids: the higher one pays and commands for the year, equal ones leave a power alone."""
        heard = _Hearing(self, board, position, book)
        bids = {side: self._sealed(heard, side, orders.get(side, ())) for side in SIDES}
        state, paid = _opened(board, duel_state_of(position), bids)
        return heard.outcome("bid_heard", state, (), {"bids": bids, "paid": paid})

    def _sealed(self, heard: _Hearing, side: str, orders: Sequence[Order]) -> dict[str, int]:
        """A side's bids: the first for each power, and all within its credits unless it may ruin itself."""
        found: dict[str, int] = {}
        state = duel_state_of(heard.position)
        for order in heard.lawful(side, orders):
            bids = dict(bids_of(order))
            again = next((power for power in bids if power in found), "")
            total = sum(found.values()) + sum(bids.values())
            if again:
                heard.refuse_last(OrderNotAllowed("bid_twice", candidates=(again,)))
            elif total > state.credits.get(side, 0) and state.option("overbidding") == "refused":
                heard.refuse_last(_too_much(state, side))
            else:
                found |= bids
        return {power: amount for power, amount in found.items() if amount}

    def check_order(
        self,
        board: Board,
        position: Position,
        power: str,
        order: Order,
        book: Rulebook,
    ) -> Order | OrderRefusal:
        """A bid, or why it may not be made."""
        if not isinstance(order, PoliticalOrder) or order.text.split()[0] != BID:
            return OrderNotAllowed("wrong_phase", text=str(order))
        state, bids = duel_state_of(position), bids_of(order)
        names = [name for name, _ in bids]
        strange = next((name for name in names if name not in mercenaries(board, state)), "")
        if strange:
            return OrderNotAllowed("not_for_hire", candidates=(strange,))
        twice = next((name for name in names if names.count(name) > 1), "")
        if twice:
            return OrderNotAllowed("named_twice", candidates=(twice,))
        total = sum(amount for _, amount in bids)
        over = total > state.credits.get(power, 0) and state.option("overbidding") == "refused"
        return _too_much(state, power) if over else order

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """Both sides, while they have credits to bid."""
        state = duel_state_of(position)
        return tuple(side for side in SIDES if state.credits.get(side, 0))

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every bid for one power."""
        state = duel_state_of(position)
        return tuple(
            PoliticalOrder(f"{BID} {name} {amount}")
            for name in mercenaries(board, state)
            for amount in range(1, state.credits.get(power, 0) + 1)
        )


def _too_much(state: DuelState, side: str) -> OrderRefusal:
    return OrderNotAllowed("bids_beyond_credits", candidates=(str(state.credits.get(side, 0)),))


def _opened(board: Board, state: DuelState, bids: Mapping[str, Bids]) -> tuple[DuelState, dict[str, int]]:
    """The state once the bids are paid, and what each side paid.

    A side that would have to pay more than it has is ruined: it pays all that it has for nothing, and the
    other, unless that ruins it too, pays half, rounded up, where the ruined side had bid as well.
    """
    ruined: set[str] = set()
    owed = _owed(board, state, bids, ruined)
    while over := {side for side in SIDES if owed[side] > state.credits.get(side, 0)} - ruined:
        ruined |= over
        owed = _owed(board, state, bids, ruined)
    winning = [side for side in SIDES if side not in ruined]
    hired = {power: side for side in winning for power in _won(board, state, bids, side, ruined)}
    paid = {side: state.credits.get(side, 0) if side in ruined else owed[side] for side in SIDES}
    left = {side: state.credits.get(side, 0) - paid[side] for side in SIDES}
    return replace(state, hired=hired, credits=left), paid


def _owed(board: Board, state: DuelState, bids: Mapping[str, Bids], ruined: set[str]) -> dict[str, int]:
    """What each side has to pay; half where one that is ruined had bid."""
    spoilt = {power for side in ruined for power in bids[side]}
    return {
        side: sum(
            (amount + 1) // 2 if power in spoilt else amount
            for power, amount in _won(board, state, bids, side, ruined).items()
        )
        for side in SIDES
    }


def _won(
    board: Board, state: DuelState, bids: Mapping[str, Bids], side: str, ruined: set[str]
) -> dict[str, int]:
    """The powers for which a side bids more than the other, unless that is ruined, with what it bids."""
    other = next(one for one in SIDES if one != side)
    against = {} if other in ruined else bids[other]
    own = {power: bids[side].get(power, 0) for power in mercenaries(board, state)}
    return {power: amount for power, amount in own.items() if amount > against.get(power, 0)}


class _Hearing:
    """The lines of a phase that is about no unit, being heard."""

    def __init__(
        self, rules: HomeChoiceRules | BiddingRules, board: Board, position: Position, book: Rulebook
    ) -> None:
        self.rules, self.board, self.position, self.book = rules, board, position, book
        self.taken: list[tuple[str, int, PoliticalOrder]] = []
        self.refused: list[RefusedOrder] = []

    def lawful(self, side: str, orders: Sequence[Order]) -> Iterator[PoliticalOrder]:
        """A side's lawful lines in turn; the others are refused."""
        for number, order in enumerate(orders):
            checked = self.rules.check_order(self.board, self.position, side, order, self.book)
            if isinstance(checked, PoliticalOrder):
                self.taken.append((side, number, checked))
                yield checked
            elif isinstance(checked, OrderRefusal):
                self.refused.append(RefusedOrder(side, number, order, checked))

    def refuse_last(self, refusal: OrderRefusal) -> None:
        """The line that was given last does not count."""
        side, number, order = self.taken.pop()
        self.refused.append(RefusedOrder(side, number, order, refusal))

    def outcome(
        self, code: str, state: DuelState, draws: tuple[RandomDraw, ...], findings: Mapping[str, object]
    ) -> PhaseOutcome:
        """The phase as it ended, with `code` said of each line that counted."""
        verdicts = tuple(
            verdict_without_unit(side, order, number, code) for side, number, order in self.taken
        )
        after = self.position.changed(political_state=state)
        return PhaseOutcome(
            verdicts, after, refused=tuple(self.refused), random_draws=draws, findings=findings
        )
