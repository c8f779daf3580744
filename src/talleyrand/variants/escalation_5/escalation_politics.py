"""What Escalation has beside units and centres: a draft, and named home centres; their lines and forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderNotUnderstood, OrderRefusal
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.orders import Build, Disband, Order, PoliticalOrder
from talleyrand.engine.politics_protocol import (
    BotView,
    NameLookup,
    OrderForm,
    OrderFormChoice,
    OrderFormField,
    PoliticsTable,
    UnderstoodLine,
    VariantSentence,
)
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.standard_politics import StandardPolitics

from . import draft_state, escalation_phases
from .draft_state import free_centres, state_of
from .escalation_phases import DROP, HOME, PICK, turn_choice

PHASES: Mapping[str, PhaseRules] = escalation_phases.PHASES

HOME_COLUMNS = ("by", "first", "second", "third", "how")
_HEADS = {
    PICK: r"PICK|CHOOSE|TAKE|I CHOOSE|I TAKE|CHOISIR|CHOISIS|PRENDRE|JE CHOISIS|JE PRENDS|CHOIX",
    DROP: r"DROP|GIVE BACK|GIVE UP|I GIVE BACK|RENDRE|RENDS|JE RENDS|ABANDONNER|ABANDONNE|J ABANDONNE",
    HOME: r"HOME|HOMES|HOME CENTRES?|NATIONAL|NATIONAUX|CENTRES? NATIONAUX|NOMMER|DESIGNER|CHEZ MOI",
}
_LINE = re.compile("|".join(rf"(?P<{head}>{words})" for head, words in _HEADS.items()))
_BETWEEN = re.compile(r"[,;/>+]| PUIS | THEN | ET | AND ")
_HEADED = re.compile(rf"(?P<head>{'|'.join(_HEADS.values())})\b ?:? ?(?P<rest>.*)")


class EscalationPolitics(StandardPolitics):
    """The protocol `Politics`. `turns`: in every round the same order, or every second one backwards."""

    options: Mapping[str, tuple[str, ...]] = {"turns": ("same", "snake")}
    victory_centres = 18

    def initial_state(self, chosen: Mapping[str, str]) -> Mapping[str, object]:
        """The order of turns, where it is not the usual one; raises UnknownName."""
        super().initial_state(chosen)
        return {"turns": "snake"} if chosen.get("turns") == "snake" else {}

    def read_state(
        self,
        board: Board,
        phase: Phase,  # noqa: ARG002 (Politics)
        given: Mapping[str, object],
    ) -> tuple[object, tuple[str, ...]]:
        """The draft as it stands, and whether homes are named."""
        return draft_state.read_state(board, given)

    def write_state(self, board: Board, position: Position) -> Mapping[str, object]:
        """The same, without what is usual."""
        return draft_state.write_state(board, state_of(position))

    def has_secret_votes(self, asked: Mapping[str, object]) -> bool:
        """What lists say is nobody's affair while centres are chosen."""
        return not asked.get("drafted")

    def is_secret(self, words: str) -> bool:
        """Lists are."""
        return words.split(maxsplit=1)[0] in (PICK, DROP)

    def kept_orders(
        self, board: Board, position: Position, seat: str, orders: Sequence[Order]
    ) -> Sequence[Order]:
        """What is left of a seat's lists for its turns to come."""
        state = state_of(position)
        if state.turn(board) is None or any(one.power == seat for one in state.given_back):
            return ()
        left = set(free_centres(board, position)) if state.picks_left(board, seat) else set()
        picks = [code for code in escalation_phases.wishes(orders, PICK) if code in left]
        lines = ((PICK, picks), (DROP, escalation_phases.wishes(orders, DROP)))
        return [PoliticalOrder(f"{head} {' '.join(codes)}") for head, codes in lines if codes]

    def has_chosen(self, board: Board, position: Position, seat: str, orders: Sequence[Order]) -> bool:
        """Whether one centre of the list that is asked for is to be had: a list for a later turn is none."""
        turn = state_of(position).turn(board)
        return turn is not None and turn.power == seat and bool(turn_choice(board, position, turn, orders))

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """The powers that have neither centre nor unit, once there are units."""
        return super().eliminated(position) if position.units else ()

    # lines

    def read_line(
        self, board: Board, position: Position, power: str | None, text: str, names: NameLookup
    ) -> UnderstoodLine | None:
        """Centres to choose, to give back, or to be home; centres alone are what the phase asks for."""
        kind = position.phase.kind
        if power is None or kind not in "DN":
            return None
        plain = " ".join(names.plain(text).replace("'", " ").replace("’", " ").split())
        match = _HEADED.fullmatch(plain)
        rest = match["rest"] if match else plain
        found = [(part, names.province(part)) for part in _parts(rest, names)]
        unknown = [part for part, code in found if code is None]
        if match is None and (unknown or not found):
            return None
        head = _head(match["head"]) if match else self._expected_act(board, position, power)
        if unknown or not found:
            return UnderstoodLine(None, OrderNotUnderstood("centre_unknown", ", ".join(unknown) or text))
        codes = dict.fromkeys(code for _, code in found if code)
        return UnderstoodLine(PoliticalOrder(f"{head} {' '.join(codes)}"))

    def _expected_act(self, board: Board, position: Position, power: str) -> str:
        if position.phase.kind == "N":
            return HOME
        return PICK if state_of(position).picks_left(board, power) else DROP

    def describe_order(self, words: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """A list in one part."""
        head, *codes = words.split()
        return ((head, {"centres": ",".join(codes)}),)

    # pages

    def order_forms(
        self,
        board: Board,
        position: Position,
        power: str,
        book: Rulebook,
        told: Mapping[str, object],  # noqa: ARG002 (Politics)
    ) -> tuple[OrderForm, ...]:
        """A list of centres to choose or to give back; three homes."""
        if position.phase.kind == "N":
            owned = position.owned_by(power)
            more = power in PHASES["N"].powers_with_choices(board, position, book)
            return (_form("homes", HOME, owned, draft_state.HOMES),) if more else ()
        if position.phase.kind != "D":
            return ()
        state = state_of(position)
        left = state.picks_left(board, power)
        if left:
            free = free_centres(board, position)
            form = _form("choose", PICK, free, max(left, 3))
            return (form._replace(refused=_why_not(board, set(board.provinces) - set(free))),)
        gone = any(one.power == power for one in state.given_back)
        return () if gone else (_form("give_back", DROP, position.owned_by(power), 1),)

    def why_barred(self, board: Board, position: Position, power: str) -> VariantSentence | None:
        """Whose turn it is, where it is another's."""
        turn = state_of(position).turn(board) if position.phase.kind == "D" else None
        if turn is None or turn.power == power:
            return None
        return VariantSentence("gives_back" if turn.gives_back else "chooses", {"state": turn.power})

    def power_table(self, board: Board, position: Position) -> Mapping[str, Mapping[str, str]]:
        """Whose turn it is, and what for; nothing once the draft is over."""
        turn = state_of(position).turn(board)
        if position.phase.kind != "D" or turn is None:
            return {}
        does = "RETURNS" if turn.gives_back else "CHOOSES"
        return {power: {"turn": does if power == turn.power else ""} for power in board.powers}

    def phase_tables(
        self,
        asked: Mapping[str, object],
        told: Mapping[str, object],
    ) -> tuple[PoliticsTable, ...]:
        """Who chose and gave back what in a phase, or named as home centres; nothing of an open one."""
        if asked == told:
            return ()
        chosen, homes = told.get("chosen"), told.get("homes")
        if isinstance(chosen, list) and not asked.get("drafted"):
            rows = (
                (_power(power), VariantSentence(f"{does}_{by}", {"place": centre}))
                for power, centre, does, by in (one.values() for one in chosen)
            )
            return (PoliticsTable("draft", ("by", "centre"), tuple(rows)),)
        if isinstance(homes, dict) and not asked.get("homes_named"):
            return (PoliticsTable("homes", HOME_COLUMNS, tuple(_home_row(*one) for one in homes.items())),)
        return ()

    # bots

    def bot_orders(
        self, board: Board, position: Position, seat: str, book: Rulebook, view: BotView
    ) -> Sequence[Order]:
        """One of the best centres by lot, units by what they are worth, the usual homes."""
        kind = position.phase.kind
        turn = state_of(position).turn(board)
        if kind == "D" and turn and turn.power == seat:
            usual = draft_state.usual_return if turn.gives_back else draft_state.usual_choice
            best = usual(board, position, seat)[:2]
            head = DROP if turn.gives_back else PICK
            return [PoliticalOrder(f"{head} {best[view.random_below(len(best))]}")]
        if kind == "N":
            homes = draft_state.usual_homes(board, position, seat)
            return [PoliticalOrder(f"{HOME} {' '.join(homes)}")] if len(homes) == draft_state.HOMES else []
        return list(_bot_winter(board, position, seat, book, view)) if kind == "A" else []


def _power(power: str) -> VariantSentence:
    """A power as a cell: its code says nothing to whoever reads another language."""
    return VariantSentence("power", {"state": power})


def _home_row(power: str, told: Sequence[str]) -> tuple[VariantSentence | str, ...]:
    how, *codes = told
    places = (VariantSentence("place", {"place": code}) for code in codes)
    return (_power(power), *places, *[""] * (draft_state.HOMES - len(codes)), VariantSentence(f"named_{how}"))


def _form(code: str, head: str, centres: Sequence[str], blanks: int) -> OrderForm:
    picks = tuple(OrderFormChoice(centre) for centre in centres)
    slots = tuple(OrderFormField(str(n) if blanks > 1 else "", picks) for n in range(1, blanks + 1))
    return OrderForm(code, head, slots, " ", needs_all=head == HOME)


def _why_not(board: Board, provinces: set[str]) -> Mapping[str, OrderRefusal]:
    """Why provinces cannot be chosen, for whoever touches them on the map."""
    return {
        code: OrderNotAllowed("chosen_already", places=(code,))
        if board.provinces[code].centre
        else OrderNotAllowed("no_centre_there", places=(code,))
        for code in sorted(provinces)
    }


def _head(written: str) -> str:
    match = _LINE.fullmatch(written)
    return str(match.lastgroup) if match else PICK


def _parts(rest: str, names: NameLookup) -> Iterator[str]:
    """The names of a list; those without a sign between them are parted where each alone is a province."""
    for part in (one.strip(" .") for one in _BETWEEN.split(rest)):
        words = part.split()
        if words and names.province(part) is None and all(map(names.province, words)):
            yield from words
        elif words:
            yield re.sub(r"^\d+ ?[.):] ?", "", part)


def _bot_winter(
    board: Board, position: Position, seat: str, book: Rulebook, view: BotView
) -> Iterator[Order]:
    due = PHASES["A"].legal_orders(board, position, seat, book)
    worth = {order: view.unit_value(order.unit) for order in due if isinstance(order, Build | Disband)}
    count = abs(len(position.owned_by(seat)) - sum(unit.power == seat for unit in position.units))
    places: set[str] = set()
    building = any(isinstance(order, Build) for order in worth)
    for order in sorted(worth, key=lambda one: (worth[one], str(one)), reverse=building):
        assert isinstance(order, Build | Disband)
        if order.unit.province not in places and len(places) < count:
            places.add(order.unit.province)
            yield order


POLITICS = EscalationPolitics()
