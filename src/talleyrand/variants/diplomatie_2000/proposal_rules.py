"""Proposals to the United Nations, with the Secretary-General's amounts and intervention (kind P)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.outcome import PhaseOutcome, RefusedOrder, Verdict, verdict_without_unit
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from .political_state import AMOUNT_LIMITS, UN, PoliticalState, controller, political_state_of, seats
from .political_state_json import open_vote_types
from .vote_counting import open_ballots


class WorldProposalRules:
    """Kind P."""

    def adjudicate(
        self, board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> PhaseOutcome:
        """Take every proposal, then what the Secretary-General adds to them."""
        debate = _ProposalRound(self, board, position, book)
        for seat in board.seats:
            debate.hear(seat, orders.get(seat, ()))
        for number, order in debate.amounts:
            debate.set_amount(number, order)
        debate.tell_amounts()
        affairs = political_state_of(position)
        proposals = {seat: tuple(sorted(made.values())) for seat, made in debate.made.items()}
        affairs = replace(affairs, proposals=proposals, intervention_target=debate.target)
        after = replace(position, dislodged=(), contested=frozenset(), political_state=affairs)
        found = {"open": open_ballots(affairs)}
        return PhaseOutcome(tuple(debate.verdicts), after, refused=tuple(debate.refused), findings=found)

    def check_order(
        self,
        board: Board,
        position: Position,
        power: str,
        order: Order,
        book: Rulebook,  # noqa: ARG002 (PhaseRules)
    ) -> Order | OrderRefusal:
        """A proposal as it will stand, or why it may not be made."""
        affairs = political_state_of(position)
        if not isinstance(order, PoliticalOrder):
            return OrderNotAllowed("wrong_phase", text=str(order))
        if power in affairs.eliminated:
            return OrderNotAllowed("out_of_the_game", candidates=(power,))
        words = order.text.split()
        if words[0] == "AS":
            return _intervention(board, position, power, words[1]) or order
        if words[0] == "SET":
            return (
                order if power == UN and words[2] in AMOUNT_LIMITS else OrderNotAllowed("amount_not_to_set")
            )
        return _barred(position, affairs, power, words) or order

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG002
        """Everybody who may propose."""
        affairs = political_state_of(position)
        return tuple(
            seat
            for seat in seats(board)
            if seat not in affairs.eliminated and affairs.in_grace(seat, position.phase)
        )

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every lawful proposal about a state; programmes for the M are without number."""
        affairs = political_state_of(position)
        known = [state for state in board.powers if state not in affairs.eliminated]
        texts = [f"1{letter} {state}{amount}" for letter, amount in _SORTS for state in known]
        texts += [f"3{letter} {state}" for letter in "AB" for state in known] + ["3A NONE"]
        texts += [f"AS {code}" for code in board.provinces] if power == UN else []
        found = (PoliticalOrder(text) for text in texts)
        return tuple(one for one in found if self.check_order(board, position, power, one, book) == one)


_SORTS = (("A", " 20"), ("B", " 20"), ("C", ""), ("D", " 2"))


def _barred(
    position: Position, affairs: PoliticalState, power: str, words: Sequence[str]
) -> OrderRefusal | None:
    """Why a proposal may not be made: closed types, disgrace, the economic barriers."""
    kind = words[0]
    if kind[0] not in open_vote_types(position.phase):
        return OrderNotAllowed("type_closed")
    if not affairs.in_grace(power, position.phase):
        return OrderNotAllowed("in_disgrace", candidates=(power,))
    return None if kind == "2" else _no_target(affairs, kind, words[1])


def _no_target(affairs: PoliticalState, kind: str, state: str) -> OrderRefusal | None:
    """Why a proposal cannot be about a state."""
    about = (state,)
    bars = (
        (state == UN, OrderNotAllowed("not_a_state", candidates=about)),
        (state in affairs.eliminated, OrderNotAllowed("state_is_out", candidates=about)),
        (kind == "3A" and state == affairs.embargo, OrderNotAllowed("under_embargo", candidates=about)),
        (kind == "3B" and state == affairs.imf, OrderNotAllowed("has_imf_point", candidates=about)),
    )
    return next((refusal for holds, refusal in bars if holds), None)


def _intervention(board: Board, position: Position, power: str, code: str) -> OrderRefusal | None:
    """Why the Secretary-General may not intervene there."""
    affairs = political_state_of(position)
    if power != UN:
        return OrderNotAllowed("subversion_with_orders")
    if board.is_sea(code):
        return OrderNotAllowed("subversion_at_sea", places=(code,))
    if UN in affairs.subversion:
        return OrderNotAllowed("subversion_spent")
    if affairs.last_intervention is None:
        return None
    sector, state = affairs.last_intervention
    now = controller(board, position, code)
    same_state = affairs.option("repeated_intervention") == "same_state" and state is not None
    again = state == now and (same_state or sector == code)
    return OrderNotAllowed("intervention_again", places=(code,)) if again else None


def _same(known: str, words: str) -> bool:
    """Whether a proposal is the one known, whose amount may have been set since."""
    return known == words or (known[:2] in AMOUNT_LIMITS and known.split()[:2] == words.split()[:2])


class _ProposalRound:
    """One phase of proposals being heard."""

    def __init__(self, rules: WorldProposalRules, board: Board, position: Position, book: Rulebook) -> None:
        self.rules, self.board, self.position, self.book = rules, board, position, book
        known = political_state_of(position).proposals
        self.known = {seat: {text[0]: text for text in texts} for seat, texts in known.items()}
        self.made = {seat: dict(texts) for seat, texts in self.known.items()}
        self.amounts: list[tuple[int, PoliticalOrder]] = []
        self.told: dict[str, tuple[int, PoliticalOrder]] = {}
        self.target: str | None = political_state_of(position).intervention_target
        self.announced = False
        self.verdicts: list[Verdict] = []
        self.refused: list[RefusedOrder] = []

    def hear(self, seat: str, orders: Sequence[Order]) -> None:
        """Take what a seat wrote: the first lawful proposal of a type stands, for none can be taken back."""
        for number, order in enumerate(orders):
            checked = self.rules.check_order(self.board, self.position, seat, order, self.book)
            if isinstance(checked, OrderRefusal):
                self.refused.append(RefusedOrder(seat, number, order, checked))
            elif isinstance(checked, PoliticalOrder):
                self._take(seat, number, checked)

    def _take(self, seat: str, number: int, order: PoliticalOrder) -> None:
        words = order.text.split()
        if words[0] == "SET":
            self.amounts.append((number, order))
        elif words[0] == "AS":
            self._announce(number, order, words[1])
        else:
            self._propose(seat, number, order, words[0][0])

    def _propose(self, seat: str, number: int, order: PoliticalOrder, kind: str) -> None:
        """The first of a type stands; what is known of the phase already has been said before."""
        before = self.known.get(seat, {}).pop(kind, "")
        stands = self.made.setdefault(seat, {}).setdefault(kind, order.text)
        if before and not _same(before, order.text):
            self.known[seat][kind] = before
            refusal = OrderNotAllowed("already_proposed", text=before)
            self.refused.append(RefusedOrder(seat, number, order, refusal))
        elif before or stands is order.text:
            self.verdicts.append(verdict_without_unit(seat, order, number, "proposed"))
        else:
            self.refused.append(
                RefusedOrder(seat, number, order, OrderNotAllowed("done_this_turn", text=order.text))
            )

    def _announce(self, number: int, order: PoliticalOrder, code: str) -> None:
        if self.announced or self.target not in (None, code):
            self.refused.append(
                RefusedOrder(UN, number, order, OrderNotAllowed("done_this_turn", text=order.text))
            )
            return
        self.target, self.announced = code, True
        self.verdicts.append(verdict_without_unit(UN, order, number, "announced"))

    def set_amount(self, number: int, order: PoliticalOrder) -> None:
        """Set the amount of a proposal; the last one said for its proposer stands."""
        _, proposer, kind, state, amount = order.text.split()
        made = self.made.get(proposer, {}).get("1", "")
        if made.split()[:2] != [kind, state]:
            nearest = (
                f"SET {proposer} {' '.join(made.split()[:2])} {amount}" if made[:2] in AMOUNT_LIMITS else ""
            )
            refusal = OrderNotAllowed("no_such_proposal", nearest_order=nearest)
            self.refused.append(RefusedOrder(UN, number, order, refusal))
            return
        self.made[proposer]["1"] = f"{kind} {state} {amount}"
        if proposer in self.told:
            before, again = self.told[proposer]
            self.refused.append(
                RefusedOrder(UN, before, again, OrderNotAllowed("superseded", text=again.text))
            )
        self.told[proposer] = number, order

    def tell_amounts(self) -> None:
        """Say which amounts stand."""
        self.verdicts += [
            verdict_without_unit(UN, order, number, "amount_set") for number, order in self.told.values()
        ]
