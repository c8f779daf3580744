"""Proposals to the United Nations, with the Secretary-General's amounts and intervention (kind P)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine.board import Board
from talleyrand.engine.errors import NotAllowed, Refusal
from talleyrand.engine.orders import Measure, Order
from talleyrand.engine.outcome import Cause, Outcome, Refused, Verdict
from talleyrand.engine.position import Position, UnitName
from talleyrand.engine.rulebook import Rulebook

from .affairs import LIMITS, Affairs, affairs_of, controller, seats
from .exchange import types_open
from .polls import ballots_of
from .states import UN

NO_UNIT = UnitName("", "")


def told(power: str, order: Order, number: int, code: str, *results: str) -> Verdict:
    """What became of a line that is about no unit."""
    return Verdict(order.unit or NO_UNIT, power, order, results or (code,), Cause(code), number=number)


class Debate:
    """Kind P."""

    def adjudicate(
        self, board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> Outcome:
        """Take every proposal, then what the Secretary-General adds to them."""
        debate = _Debate(self, board, position, book)
        for seat in board.seats:
            debate.hear(seat, orders.get(seat, ()))
        for number, order in debate.amounts:
            debate.set_amount(number, order)
        debate.tell_amounts()
        affairs = affairs_of(position)
        proposals = {seat: tuple(sorted(made.values())) for seat, made in debate.made.items()}
        affairs = replace(affairs, proposals=proposals, target=debate.target)
        after = replace(position, dislodged=(), contested=frozenset(), affairs=affairs)
        found = {"open": ballots_of(affairs)}
        return Outcome(tuple(debate.verdicts), after, refused=tuple(debate.refused), findings=found)

    def check(
        self,
        board: Board,
        position: Position,
        power: str,
        order: Order,
        book: Rulebook,  # noqa: ARG002 (PhaseRules)
    ) -> Order | Refusal:
        """A proposal as it will stand, or why it may not be made."""
        affairs = affairs_of(position)
        if not isinstance(order, Measure):
            return NotAllowed("wrong_phase", text=str(order))
        if power in affairs.eliminated:
            return NotAllowed("out_of_the_game", candidates=(power,))
        words = order.words.split()
        if words[0] == "AS":
            return _intervention(board, position, power, words[1]) or order
        if words[0] == "SET":
            return order if power == UN and words[2] in LIMITS else NotAllowed("amount_not_to_set")
        return _barred(position, affairs, power, words) or order

    def choosers(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG002
        """Everybody who may propose."""
        affairs = affairs_of(position)
        return tuple(
            seat
            for seat in seats(board)
            if seat not in affairs.eliminated and affairs.in_grace(seat, position.phase)
        )

    def options(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every lawful proposal about a state; programmes for the M are without number."""
        affairs = affairs_of(position)
        known = [state for state in board.powers if state not in affairs.eliminated]
        texts = [f"1{letter} {state}{amount}" for letter, amount in _SORTS for state in known]
        texts += [f"3{letter} {state}" for letter in "AB" for state in known] + ["3A NONE"]
        texts += [f"AS {code}" for code in board.provinces] if power == UN else []
        found = (Measure(text) for text in texts)
        return tuple(one for one in found if self.check(board, position, power, one, book) == one)


_SORTS = (("A", " 20"), ("B", " 20"), ("C", ""), ("D", " 2"))


def _barred(position: Position, affairs: Affairs, power: str, words: Sequence[str]) -> Refusal | None:
    """Why a proposal may not be made: closed types, disgrace, the economic barriers."""
    kind = words[0]
    if kind[0] not in types_open(position.phase):
        return NotAllowed("type_closed")
    if not affairs.in_grace(power, position.phase):
        return NotAllowed("in_disgrace", candidates=(power,))
    return None if kind == "2" else _no_target(affairs, kind, words[1])


def _no_target(affairs: Affairs, kind: str, state: str) -> Refusal | None:
    """Why a proposal cannot be about a state."""
    about = (state,)
    bars = (
        (state == UN, NotAllowed("not_a_state", candidates=about)),
        (state in affairs.eliminated, NotAllowed("state_is_out", candidates=about)),
        (kind == "3A" and state == affairs.embargo, NotAllowed("under_embargo", candidates=about)),
        (kind == "3B" and state == affairs.imf, NotAllowed("has_imf_point", candidates=about)),
    )
    return next((refusal for holds, refusal in bars if holds), None)


def _intervention(board: Board, position: Position, power: str, code: str) -> Refusal | None:
    """Why the Secretary-General may not intervene there."""
    affairs = affairs_of(position)
    if power != UN:
        return NotAllowed("subversion_with_orders")
    if board.is_sea(code):
        return NotAllowed("subversion_at_sea", places=(code,))
    if UN in affairs.subversion:
        return NotAllowed("subversion_spent")
    if affairs.last is None:
        return None
    sector, state = affairs.last
    now = controller(board, position, code)
    same_state = affairs.option("repeated_intervention") == "same_state" and state is not None
    again = state == now and (same_state or sector == code)
    return NotAllowed("intervention_again", places=(code,)) if again else None


def _same(known: str, words: str) -> bool:
    """Whether a proposal is the one known, whose amount may have been set since."""
    return known == words or (known[:2] in LIMITS and known.split()[:2] == words.split()[:2])


class _Debate:
    """One phase of proposals being heard."""

    def __init__(self, rules: Debate, board: Board, position: Position, book: Rulebook) -> None:
        self.rules, self.board, self.position, self.book = rules, board, position, book
        known = affairs_of(position).proposals
        self.known = {seat: {text[0]: text for text in texts} for seat, texts in known.items()}
        self.made = {seat: dict(texts) for seat, texts in self.known.items()}
        self.amounts: list[tuple[int, Measure]] = []
        self.told: dict[str, tuple[int, Measure]] = {}
        self.target: str | None = affairs_of(position).target
        self.announced = False
        self.verdicts: list[Verdict] = []
        self.refused: list[Refused] = []

    def hear(self, seat: str, orders: Sequence[Order]) -> None:
        """Take what a seat wrote: the first lawful proposal of a type stands, for none can be taken back."""
        for number, order in enumerate(orders):
            checked = self.rules.check(self.board, self.position, seat, order, self.book)
            if isinstance(checked, Refusal):
                self.refused.append(Refused(seat, number, order, checked))
            elif isinstance(checked, Measure):
                self._take(seat, number, checked)

    def _take(self, seat: str, number: int, order: Measure) -> None:
        words = order.words.split()
        if words[0] == "SET":
            self.amounts.append((number, order))
        elif words[0] == "AS":
            self._announce(number, order, words[1])
        else:
            self._propose(seat, number, order, words[0][0])

    def _propose(self, seat: str, number: int, order: Measure, kind: str) -> None:
        """The first of a type stands; what is known of the phase already has been said before."""
        before = self.known.get(seat, {}).pop(kind, "")
        stands = self.made.setdefault(seat, {}).setdefault(kind, order.words)
        if before and not _same(before, order.words):
            self.known[seat][kind] = before
            refusal = NotAllowed("already_proposed", text=before)
            self.refused.append(Refused(seat, number, order, refusal))
        elif before or stands is order.words:
            self.verdicts.append(told(seat, order, number, "proposed"))
        else:
            self.refused.append(Refused(seat, number, order, NotAllowed("done_this_turn", text=order.words)))

    def _announce(self, number: int, order: Measure, code: str) -> None:
        if self.announced or self.target not in (None, code):
            self.refused.append(Refused(UN, number, order, NotAllowed("done_this_turn", text=order.words)))
            return
        self.target, self.announced = code, True
        self.verdicts.append(told(UN, order, number, "announced"))

    def set_amount(self, number: int, order: Measure) -> None:
        """Set the amount of a proposal; the last one said for its proposer stands."""
        _, proposer, kind, state, amount = order.words.split()
        made = self.made.get(proposer, {}).get("1", "")
        if made.split()[:2] != [kind, state]:
            nearest = f"SET {proposer} {' '.join(made.split()[:2])} {amount}" if made[:2] in LIMITS else ""
            refusal = NotAllowed("no_such_proposal", nearest=nearest)
            self.refused.append(Refused(UN, number, order, refusal))
            return
        self.made[proposer]["1"] = f"{kind} {state} {amount}"
        if proposer in self.told:
            before, again = self.told[proposer]
            self.refused.append(Refused(UN, before, again, NotAllowed("superseded", text=again.words)))
        self.told[proposer] = number, order

    def tell_amounts(self) -> None:
        """Say which amounts stand."""
        self.verdicts += [told(UN, order, number, "amount_set") for number, order in self.told.values()]
