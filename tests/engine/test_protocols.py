"""A variant may bring a memory, words and an end of the year of its own: here, toasts at dinner."""

# ruff: noqa: ARG002 (parameters of the protocol)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import MovementRules
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.outcome import Cause, PhaseOutcome, RefusedOrder, Verdict
from talleyrand.engine.politics_protocol import (
    NameLookup,
    OrderForm,
    OrderFormChoice,
    OrderFormField,
    PoliticsTable,
    UnderstoodLine,
)
from talleyrand.engine.position import Phase, Position, UnitName
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.standard_politics import StandardPolitics
from talleyrand.formats.adjudication import resolve_question
from talleyrand.formats.question_input import Question

Toasts = tuple[str, ...]


class Dinner(MovementRules):
    """Moves, and a toast to another power with them."""

    @staticmethod
    def check_order(
        board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        if not isinstance(order, PoliticalOrder):
            return MovementRules.check_order(board, position, power, order, book)
        return OrderNotAllowed("surplus", text=order.text) if order.text.endswith(power) else order

    @staticmethod
    def adjudicate(
        board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
    ) -> PhaseOutcome:
        toasts = [
            (power, number, order)
            for power, sheet in orders.items()
            for number, order in enumerate(sheet)
            if isinstance(order, PoliticalOrder)
        ]
        moved = MovementRules.adjudicate(
            board,
            position,
            {
                power: [one for one in sheet if not isinstance(one, PoliticalOrder)]
                for power, sheet in orders.items()
            },
            book,
        )
        kept = [one for one in toasts if not one[2].text.endswith(one[0])]
        told = [
            Verdict(UnitName("", ""), power, order, ("toasted",), Cause("chosen"), number=number)
            for power, number, order in kept
        ]
        refused = [RefusedOrder(*one, OrderNotAllowed("surplus")) for one in toasts if one not in kept]
        drunk = (*drunk_to(position), *(order.text.split()[1] for _, _, order in kept))
        after = replace(moved.position_after, political_state=drunk)
        found = {"tonight": [order.text for _, _, order in kept]}
        refusals = (*moved.refused, *refused)
        return replace(
            moved, verdicts=(*moved.verdicts, *told), position_after=after, findings=found, refused=refusals
        )


def drunk_to(position: Position) -> Toasts:
    return position.political_state if isinstance(position.political_state, tuple) else ()


class Table(StandardPolitics):
    """Two toasts in a year win."""

    options: Mapping[str, tuple[str, ...]] = {}

    def initial_state(self, chosen: Mapping[str, str]) -> Mapping[str, object]:
        return {}

    def power_figures(self, board: Board) -> Mapping[str, Mapping[str, int | None]]:
        return {}

    def phase_tables(
        self, asked: Mapping[str, object], told: Mapping[str, object]
    ) -> tuple[PoliticsTable, ...]:
        return ()

    def read_state(
        self, board: Board, phase: Phase, given: Mapping[str, object]
    ) -> tuple[object, tuple[str, ...]]:
        toasts = given.get("toasts", [])
        return tuple(toasts) if isinstance(toasts, list) else (), tuple(sorted(set(given) - {"toasts"}))

    def write_state(self, board: Board, position: Position) -> Mapping[str, object]:
        return {"toasts": list(drunk_to(position))}

    def read_line(
        self, board: Board, position: Position, power: str | None, text: str, names: NameLookup
    ) -> UnderstoodLine | None:
        verb, _, whom = names.plain(text).partition(" ")
        named = names.power(whom)
        return (
            UnderstoodLine(PoliticalOrder(f"TOAST {named}", irrevocable=True))
            if verb == "TOAST" and named
            else None
        )

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        return game.capture_centres(board, position, book), {"year": position.phase.year}

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        return tuple(power for power in board.powers if drunk_to(position).count(power) > 1)

    def eliminated(self, position: Position) -> tuple[str, ...]:
        return ()

    def order_forms(
        self, board: Board, position: Position, power: str, book: Rulebook, told: Mapping[str, object]
    ) -> tuple[OrderForm, ...]:
        others = tuple(OrderFormChoice(other) for other in board.powers if other != power)
        return (OrderForm("toast", "TOAST", (OrderFormField("", others),)),)

    def describe_order(self, words: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        return (("toast", {"power": words.split()[1]}),)

    def power_table(self, board: Board, position: Position) -> Mapping[str, Mapping[str, str]]:
        return {power: {"toasts": str(drunk_to(position).count(power))} for power in board.powers}


CLASSIC = variants.load("classic")
SETTING = replace(
    CLASSIC.definition, politics=Table(), phase_rules={**CLASSIC.definition.phase_rules, "M": Dinner()}
)
VARIANT = replace(CLASSIC, definition=SETTING)
BOOK = rulebooks.load("anjou_feu")


def dinner(phase: str, sheets: Mapping[str, Sequence[str]], toasts: Toasts = ()) -> dict[str, object]:
    position = replace(CLASSIC.definition.start, phase=Phase.parse(phase), political_state=toasts)
    asked = Question(VARIANT, BOOK, position, {power: (tuple(lines),) for power, lines in sheets.items()})
    return resolve_question(asked).answer()


def test_words_memory_and_findings_go_round() -> None:
    answer = dinner("S1901M", {"FRANCE": ["Toast Angleterre", "A Par - Bou"], "ITALY": ["toast Italie"]})
    assert answer["politics"] == {"toasts": ["ENGLAND"], "tonight": ["TOAST ENGLAND"]}
    told = {one["line"]: (one["order"], one["results"]) for one in answer["orders"] if one["line"]}  # type: ignore[attr-defined]
    assert told == {
        "Toast Angleterre": ("TOAST ENGLAND", ["toasted"]),
        "A Par - Bou": ("A PAR - BUR", ["moves"]),
        "toast Italie": ("TOAST ITALY", []),
    }


def test_a_leaflet_becomes_a_line_and_a_line_its_answers() -> None:
    [leaflet] = Table().order_forms(CLASSIC.board, SETTING.start, "FRANCE", BOOK.adjudication_rules, {})
    assert leaflet.order_text(["ITALY"]) == "TOAST ITALY"
    assert leaflet.order_text([""]) == ""
    assert leaflet.answers("TOAST ITALY") == ("ITALY",)
    assert leaflet.answers("TOAST FRANCE") is None
    assert leaflet.answers("A PAR - BUR") is None
    ballot = OrderForm("ballot", "1", (OrderFormField("1", leaflet.fields[0].choices),) * 2, " ")
    assert ballot.order_text(["ITALY", "TURKEY"]) == "1 ITALY TURKEY"
    assert ballot.answers("2 RUSSIA / 1 ITALY TURKEY") == ("ITALY", "TURKEY")
    assert ballot.without("2 RUSSIA / 1 ITALY TURKEY") == "2 RUSSIA"


def test_the_year_ends_by_the_variants_own_rules() -> None:
    answer = dinner("F1901M", {"FRANCE": ["Toast Turkey"]}, ("TURKEY",))
    assert answer["winner"] == ["TURKEY"]
    assert answer["next"] is None
    assert answer["politics"]["year"] == 1901  # type: ignore[index]
    assert dinner("F1901M", {}, ("TURKEY",))["winner"] == []
