"""What a state, or the Secretary-General, may write beside orders to units, as forms to fill in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talleyrand.engine import legality
from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.orders import Build, PoliticalOrder
from talleyrand.engine.politics_protocol import OrderForm, OrderFormChoice, OrderFormField
from talleyrand.engine.position import Position, UnitName
from talleyrand.engine.rulebook import Rulebook

from .political_state import (
    AMOUNT_LIMITS,
    NO_AID,
    UN,
    centres_owned_by,
    controller,
    political_state_of,
    state_rows,
)
from .political_state_json import open_vote_types
from .politics_lines import ABSTAIN, ALL, NONE, position_for_missions
from .politics_report import public_proposals
from .vote_counting import open_ballots, proposals_by_seat

MOST_INVITATIONS = 3


def order_forms(
    rules: Mapping[str, PhaseRules],
    board: Board,
    position: Position,
    power: str,
    book: Rulebook,
    told: Mapping[str, object],
) -> tuple[OrderForm, ...]:
    """Every form of a phase that a seat may fill in; blanks without an answer are left out."""
    if power in political_state_of(position).eliminated:
        return ()
    desk = _OrderFormBuilder(rules[position.phase.kind], board, position, power, book)
    kinds = {"P": desk.debate, "M": desk.season, "A": desk.winter}
    made = kinds[position.phase.kind](told) if position.phase.kind in kinds else ()
    return tuple(one for one in made if any(slot.choices for slot in one.fields))


class _OrderFormBuilder:
    """One seat in one phase."""

    def __init__(
        self, rules: PhaseRules, board: Board, position: Position, power: str, book: Rulebook
    ) -> None:
        self.rules, self.board, self.position, self.power, self.book = rules, board, position, power, book
        self.affairs = political_state_of(position)
        self.others = [state for state in state_rows() if state not in self.affairs.eliminated]

    def _allowed(self, texts: Iterable[str]) -> Iterator[str]:
        """The measures that the rules of the phase take as they are."""
        for text in texts:
            order = PoliticalOrder(text)
            if self.rules.check_order(self.board, self.position, self.power, order, self.book) == order:
                yield text

    def _single(self, code: str, texts: Sequence[tuple[str, str]]) -> OrderForm:
        """One blank whose answers are whole measures under headings."""
        lawful = set(self._allowed(text for text, _ in texts))
        picks = tuple(OrderFormChoice(text, heading) for text, heading in texts if text in lawful)
        return OrderForm(code, "", (OrderFormField("", picks),))

    def _aimed(self, code: str) -> OrderForm:
        """One blank whose answers are sectors to stop a unit in, and why the others are none."""
        picks: list[OrderFormChoice] = []
        refused: dict[str, OrderRefusal] = {}
        for sector in self.board.provinces:
            order = PoliticalOrder(f"AS {sector}")
            found = self.rules.check_order(self.board, self.position, self.power, order, self.book)
            if found == order:
                picks.append(OrderFormChoice(str(order)))
            elif isinstance(found, OrderRefusal):
                refused[sector] = found
        return OrderForm(code, "", (OrderFormField("", tuple(picks)),), refused=refused)

    # proposals

    def debate(self, told: Mapping[str, object]) -> Iterator[OrderForm]:
        """A proposal of each type; what the Secretary-General adds."""
        for kind in open_vote_types(self.position.phase):
            yield self._missions() if kind == "2" else self._single(f"proposal_{kind}", self._about(kind))
        if self.power == UN:
            yield self._aimed("intervention")
            for motion in public_proposals(told):
                if motion.text[:2] in AMOUNT_LIMITS:
                    yield self._amount(motion.by, motion.text)

    def _about(self, kind: str) -> list[tuple[str, str]]:
        sorts = {"1": (("1A", " 20"), ("1B", " 20"), ("1C", ""), ("1D", " 2")), "3": (("3A", ""), ("3B", ""))}
        found = [(f"{sort} {state}{end}", sort) for sort, end in sorts[kind] for state in self.others]
        return [*found, ("3A NONE", "3A")] if kind == "3" else found

    def _missions(self) -> OrderForm:
        """Orders for every M, whosever they are."""
        moving = position_for_missions(self.position)
        found: dict[str, list[OrderFormChoice]] = {}
        for order in legality.legal_movement_orders(self.board, moving, UN, self.book):
            if order.unit is not None and order.unit.kind == "M":
                heading = type(order).__name__.lower()
                found.setdefault(str(order.unit), []).append(OrderFormChoice(str(order), heading))
        if not any(self._allowed(["2 M MOR H"])):
            found = {}
        return OrderForm(
            "proposal_2", "2", tuple(OrderFormField(unit, tuple(picks)) for unit, picks in found.items())
        )

    def _amount(self, proposer: str, words: str) -> OrderForm:
        kind, state, *_ = words.split()
        least, most = AMOUNT_LIMITS[kind]
        picks = tuple(OrderFormChoice(str(amount)) for amount in range(least, most + 1))
        return OrderForm(
            "amount", f"SET {proposer} {kind} {state}", (OrderFormField("", picks),), about=words, by=proposer
        )

    # ballots, aid, subversion

    def season(self, _told: Mapping[str, object]) -> Iterator[OrderForm]:
        """Ballots, the programme of aid, subversion; a ranking for ties."""
        if self.power == UN:
            yield from self._rankings()
            return
        for kind, each in open_ballots(self.affairs).items():
            made = proposals_by_seat(self.affairs, kind)
            if any(self._allowed([f"{kind} {NONE}"])):
                picks = (
                    *(OrderFormChoice(name, about=text) for name, text in made.items()),
                    OrderFormChoice(NONE),
                    OrderFormChoice(ABSTAIN),
                )
                slots = tuple(OrderFormField(str(n) if each > 1 else "", picks) for n in range(1, each + 1))
                yield OrderForm(f"ballot_{kind}", kind, slots, " ")
        yield self._aid()
        yield self._aimed("subversion")

    def _aid(self) -> OrderForm:
        others = [state for state in self.others if state != self.power]
        places = self.affairs.aid.get(self.power, NO_AID)
        slots = (
            OrderFormField(
                str(n), tuple(OrderFormChoice(f"{n} {name}") for name in (NONE, *others)), now or ""
            )
            for n, now in enumerate(places, 1)
        )
        return OrderForm("aid", "AID", tuple(slots))

    def _rankings(self) -> Iterator[OrderForm]:
        for kind in "123":
            made = proposals_by_seat(self.affairs, kind)
            if len(made) > 1:
                picks = tuple(OrderFormChoice(name, about=text) for name, text in made.items())
                slots = tuple(OrderFormField(str(n), picks) for n in range(1, min(len(made), 5) + 1))
                yield OrderForm(f"ranking_{kind}", f"RANK {kind}", slots, " ")

    # the winter

    def winter(self, _told: Mapping[str, object]) -> Iterator[OrderForm]:
        """An M on another's centre, and invitations to others."""
        if self.power == UN:
            return
        if self.affairs.in_grace(self.power, self.position.phase):
            yield OrderForm("abroad", "", (OrderFormField("", tuple(self._abroad())),))
        texts = [f"HOST {ALL}", *(f"HOST {seat}" for seat in (UN, *self.others) if seat != self.power)]
        texts += [f"HOST {UN} {code}" for code in self._coloured()]
        lawful = tuple(
            OrderFormChoice(text, "HOST" if len(text.split()) == 2 else UN) for text in self._allowed(texts)
        )
        yield OrderForm(
            "hosting", "", tuple(OrderFormField(str(n), lawful) for n in range(1, MOST_INVITATIONS + 1))
        )

    def _abroad(self) -> Iterator[OrderFormChoice]:
        for host in self.others:
            if host != self.power:
                for code in centres_owned_by(self.board, self.position, host):
                    if code not in self.position.units_by_province:
                        yield OrderFormChoice(str(Build(UnitName("M", code))), host)

    def _coloured(self) -> list[str]:
        """The free sectors of the state's colour."""
        return [
            code
            for code in self.board.provinces
            if code not in self.position.units_by_province
            and not self.board.is_sea(code)
            and controller(self.board, self.position, code) == self.power
        ]
