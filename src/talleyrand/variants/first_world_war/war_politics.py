"""The First World War for two: its phases, the toss for Italy, and the units that win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from talleyrand.engine import game
from talleyrand.engine.board import Board
from talleyrand.engine.errors import TalleyrandError, UnknownName
from talleyrand.engine.politics_protocol import PoliticsTable, VariantSentence, YearlyFigure
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.random_draws import draw_one
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.standard_politics import StandardPolitics

from .neutral_rules import PHASES
from .sides import (
    ITALY,
    OPTIONS,
    SIDES,
    UNITS_THAT_WIN,
    WarState,
    is_italy_neutral,
    side_of,
    side_powers,
    side_units,
    toss_seed,
    war_state_of,
)


class WarPolitics(StandardPolitics):
    """The protocol `Politics`: two sides, and Italy between them."""

    options = OPTIONS

    def initial_state(self, chosen: Mapping[str, str]) -> Mapping[str, object]:
        """The options that are not as usual; raises UnknownName."""
        super().initial_state(chosen)
        unusual = {name: value for name, value in chosen.items() if value != OPTIONS[name][0]}
        return {"options": unusual} if unusual else {}

    def read_state(
        self,
        board: Board,  # noqa: ARG002 (Politics)
        phase: Phase,  # noqa: ARG002 (Politics)
        given: Mapping[str, object],
    ) -> tuple[WarState, tuple[str, ...]]:
        """`italy`, the side that it has joined, and `options`; raises TalleyrandError (`not_a_table`),
        UnknownName (`unknown_value`, `unknown_option`)."""
        italy, options = given.get("italy"), given.get("options") or {}
        if italy is not None and str(italy) not in SIDES:
            raise UnknownName("unknown_value", option="italy", value=str(italy)[:40], values=", ".join(SIDES))
        if not isinstance(options, Mapping):
            raise TalleyrandError("not_a_table", field="politics.options", value=str(options)[:40])
        chosen = {str(name): str(value) for name, value in options.items()}
        super().initial_state(chosen)
        state = WarState(None if italy is None else str(italy), chosen)
        return state, tuple(sorted(given.keys() - {"italy", "options", "toss"}))

    def write_state(self, board: Board, position: Position) -> Mapping[str, object]:  # noqa: ARG002 (Politics)
        """The same."""
        state = war_state_of(position)
        fields = {"italy": state.italy, "options": dict(state.options)}
        return {name: value for name, value in fields.items() if value}

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        """The year's captures, and the toss at the end of the first one."""
        after = game.capture_centres(board, position, book)
        if not is_italy_neutral(position):
            return after, {}
        seed, drawn_for, sides = toss_seed(position.seed), f"{ITALY}{position.phase.year}", sorted(SIDES)
        side = draw_one(seed, drawn_for, sides)
        toss = {"seed": seed, "for": drawn_for, "among": sides, "drawn": side}
        return replace(after, political_state=replace(war_state_of(position), italy=side)), {"toss": toss}

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        """The powers of a side with 24 units once the winter's adjustments are made, or without an enemy."""
        if position.phase.kind != "A":
            return ()
        first, second = SIDES
        for side, other in ((first, second), (second, first)):
            alive = [one for one in side_powers(position, other) if one not in self.eliminated(position)]
            if side_units(position, side) >= UNITS_THAT_WIN or not alive:
                won = side_powers(position, side)
                return tuple(power for power in board.powers if power in won)
        return ()

    def sides(self, told: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
        """The two, Italy with the one that it has joined."""
        italy = told.get("italy")
        return tuple((*powers, ITALY) if side == italy else powers for side, powers in SIDES.items())

    def leader(self, position: Position, power: str) -> str:
        """Each power leads its own units; nobody neutral Italy's."""
        return "" if power == ITALY and is_italy_neutral(position) else power

    def given_seats(self, position: Position) -> Mapping[str, tuple[str, ...]]:
        """Italy: nobody's, then that of whoever plays the side that it has joined."""
        side = war_state_of(position).italy
        return {ITALY: SIDES[side] if side else ()}

    def phase_tables(
        self,
        asked: Mapping[str, object],  # noqa: ARG002 (Politics)
        told: Mapping[str, object],
    ) -> tuple[PoliticsTable, ...]:
        """The toss, with what anybody needs to draw it again."""
        toss = told.get("toss")
        if not isinstance(toss, Mapping) or str(toss.get("drawn")) not in SIDES:
            return ()
        text = VariantSentence("text", {"seed": toss.get("seed", ""), "for": toss.get("for", "")})
        rows = ((VariantSentence("of_text"), text), (VariantSentence("of_sum"), VariantSentence("sum")))
        return (PoliticsTable(f"toss_{toss['drawn']}", ("checked", "by_anyone"), rows),)

    def bot_seat(self, position: Position, seat: str) -> str:
        """One mind leads a side but in winter, when each power builds for itself."""
        side = None if position.phase.kind == "A" else side_of(position, seat)
        return SIDES[side][0] if side else seat

    def bot_position(self, board: Board, position: Position, seat: str) -> Position:
        """A side's units and centres as one power's; neutral Italy, where nobody may go, as its own land."""
        if position.phase.kind == "A":
            return super().bot_position(board, position, seat)
        leads = {power: self.bot_seat(position, power) for power in board.powers}
        if is_italy_neutral(position):
            leads[ITALY] = self.bot_seat(position, seat)
        units = tuple(
            unit._replace(power=leads[unit.power])
            for unit in position.units
            if unit.power != ITALY or not is_italy_neutral(position)
        )
        fallen = tuple(
            one._replace(unit=one.unit._replace(power=leads[one.unit.power])) for one in position.dislodged
        )
        owned: dict[str, tuple[str, ...]] = {}
        for power, centres in (position.centres or {}).items():
            owned[leads[power]] = (*owned.get(leads[power], ()), *centres)
        centres_seen = owned if position.centres is not None else None
        return replace(position, units=units, dislodged=fallen, centres=centres_seen, political_state=None)

    def power_table(self, board: Board, position: Position) -> Mapping[str, Mapping[str, str]]:
        """The side of each power, and the units of that side, which win."""
        found = {}
        for power in board.powers:
            side = side_of(position, power)
            units = "" if side is None else f"{side_units(position, side)}"
            found[power] = {"side": side or "NEUTRAL", "side_units": units}
        return found

    def yearly_figures(self, board: Board, position: Position) -> tuple[YearlyFigure, ...]:
        """The units of each power's side."""
        units = {
            power: side_units(position, side)
            for power in board.powers
            for side in (side_of(position, power),)
            if side is not None
        }
        return (YearlyFigure("side_units", units, UNITS_THAT_WIN),)


POLITICS = WarPolitics()

__all__ = ["PHASES", "POLITICS"]
