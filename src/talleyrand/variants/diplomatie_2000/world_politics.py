"""The rules of Diplomatie 2000 (version 2.31): its phases, and what it has beside units and centres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine.board import Board
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import AdjudicationNote, Verdict
from talleyrand.engine.politics_protocol import (
    NameLookup,
    OrderForm,
    Politics,
    UnderstoodLine,
    VariantSentence,
)
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.standard_politics import StandardPolitics

from . import bot, order_forms, political_state_json, politics_lines, politics_report, unread_lines, year_end
from .political_state import (
    OPTION_VALUES,
    controller,
    political_state_of,
    state_rows,
    turn_code,
    with_mandates_under_un,
)
from .proposal_rules import WorldProposalRules
from .retreat_rules import WorldRetreatRules
from .season_rules import WorldMovementRules
from .winter_rules import WorldAdjustmentRules


class WorldPolitics(StandardPolitics):
    """The protocol `Politics`: states, votes, aid, subversion, points."""

    options: Mapping[str, tuple[str, ...]] = {"game": ("normal", "long"), **OPTION_VALUES}

    initial_state = staticmethod(political_state_json.initial_political_state)
    read_state = staticmethod(political_state_json.read_political_state)
    explain_unread_line = staticmethod(unread_lines.explain_unread_line)
    close_year = staticmethod(year_end.close_year)
    adjustment_counts = staticmethod(year_end.adjustment_counts)
    winners = staticmethod(year_end.winners)
    phase_tables = staticmethod(politics_report.phase_tables)
    bot_orders = staticmethod(bot.phase_orders)
    describe_order = staticmethod(politics_report.describe_order)
    public_proposals = staticmethod(politics_report.public_proposals)
    vote_counts = staticmethod(politics_report.vote_counts)
    has_secret_votes = staticmethod(politics_report.has_secret_votes)
    without_secrets = staticmethod(politics_report.without_secrets)
    province_colours = staticmethod(politics_report.province_colours)
    power_table = staticmethod(politics_report.power_table)
    yearly_figures = staticmethod(politics_report.yearly_figures)

    def write_state(self, board: Board, position: Position) -> Mapping[str, object]:
        """The affairs as they stand for the position's phase."""
        return political_state_json.write_political_state(board, political_state_of(position), position.phase)

    def read_line(
        self, board: Board, position: Position, power: str | None, text: str, names: NameLookup
    ) -> UnderstoodLine | None:
        """A proposal, a ballot, a programme of aid, a permission."""
        found = politics_lines.read_line(board, position, power, text, names)
        if found is None and unread_lines.is_political_line(
            position.phase.kind, politics_lines.plain_text(text, names)
        ):
            return unread_lines.explain_unread_line(board, position, power, text, names)
        return found

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """The states that are out."""
        return tuple(sorted(political_state_of(position).eliminated))

    def power_figures(self, board: Board) -> Mapping[str, Mapping[str, int | None]]:  # noqa: ARG002 (Politics)
        """The row of each state in annex 3."""
        return {state: worth.table_row() for state, worth in state_rows().items()}

    def bot_position(self, board: Board, position: Position, seat: str) -> Position:  # noqa: ARG002 (Politics)
        """The position with every M under the United Nations while they move by vote."""
        if position.phase.kind == "R":
            return position
        return replace(position, units=with_mandates_under_un(position.units))

    def order_forms(
        self, board: Board, position: Position, power: str, book: Rulebook, told: Mapping[str, object]
    ) -> tuple[OrderForm, ...]:
        """Proposals, ballots, aid, subversion, invitations."""
        return order_forms.order_forms(PHASES, board, position, power, book, told)

    def is_secret(self, words: str) -> bool:
        """Ballots are."""
        return words[:1] in ("1", "2", "3")

    def unit_forecast(
        self, board: Board, position: Position, power: str, orders: Sequence[Order], book: Rulebook
    ) -> VariantSentence | None:
        """Units allowed and units: after a winter, or in autumn as centres and aid stand."""
        if power not in board.powers or position.centres is None:
            return None
        if (position.phase.season, position.phase.kind) == ("F", "M"):
            return year_end.autumn_forecast(position, power, orders)
        if position.phase.kind != "A":
            return None
        settled = PHASES["A"].adjudicate(board, position, {power: orders}, book)
        granted = year_end.unit_allowance(settled.position_after, power)
        waiting = {one.order for one in settled.verdicts if self.awaited_permission(board, position, one)}
        hoped = min(granted["allowed"], granted["units"] + len(waiting))
        fits = "hoped" if hoped > granted["units"] else "fits"
        code = "over" if granted["units"] > granted["allowed"] else fits
        return VariantSentence(code, {**granted, "hoped": hoped})

    def why_barred(
        self,
        board: Board,  # noqa: ARG002 (Politics)
        position: Position,
        power: str,
    ) -> VariantSentence | None:
        """Disgrace."""
        affairs = political_state_of(position)
        if affairs.in_grace(power, position.phase):
            return None
        return VariantSentence("disgrace", {"season": turn_code(affairs.disgrace_until[power])})

    def awaited_permission(
        self, board: Board, position: Position, verdict: Verdict
    ) -> AdjudicationNote | None:
        """The word of the state that controls a place, for an M to be built there."""
        if verdict.cause.code != "not_invited":
            return None
        host = controller(board, position, verdict.unit.province)
        if host is None:
            return None
        return AdjudicationNote("if_allowed", (("power", host),))


PHASES: Mapping[str, PhaseRules] = {
    "P": WorldProposalRules(),
    "M": WorldMovementRules(),
    "R": WorldRetreatRules(),
    "A": WorldAdjustmentRules(),
}
POLITICS: Politics = WorldPolitics()
