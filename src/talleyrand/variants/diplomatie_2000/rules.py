"""The rules of Diplomatie 2000 (version 2.31): its phases, and what it has beside units and centres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine.balances import Balance
from talleyrand.engine.board import Board
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import Note, Verdict
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.protocols import (
    BotView,
    Count,
    Leaflet,
    Lookup,
    Minutes,
    Motion,
    Phrase,
    Politics,
    Understood,
    Yearly,
)
from talleyrand.engine.rulebook import Rulebook

from . import bot, bulletin, exchange, leaflets, minutes, reckoning, slips, spoken, wording
from .affairs import DEFAULTS, affairs_of, controller, together, turn_named
from .constructions import Constructions
from .evasions import Evasions
from .proposals import Debate
from .season import Season
from .states import states


class World:
    """The protocol `Politics`: states, votes, aid, subversion, points."""

    options: Mapping[str, tuple[str, ...]] = {"game": ("normal", "long"), **DEFAULTS}

    def begun(self, chosen: Mapping[str, str]) -> Mapping[str, object]:
        """The length of the game, and the open points."""
        return exchange.begun(chosen)

    def read(self, board: Board, phase: Phase, given: Mapping[str, object]) -> tuple[object, tuple[str, ...]]:
        """The affairs of a question."""
        return exchange.read(board, phase, given)

    def write(self, board: Board, position: Position) -> Mapping[str, object]:
        """The affairs as they stand for the position's phase."""
        return exchange.write(board, affairs_of(position), position.phase)

    def line(
        self, board: Board, position: Position, power: str | None, text: str, names: Lookup
    ) -> Understood | None:
        """A proposal, a ballot, a programme of aid, a permission."""
        found = wording.line(board, position, power, text, names)
        if found is None and slips.owned(position.phase.kind, wording.plain_text(text, names)):
            return slips.slip(board, position, power, text, names)
        return found

    def slip(
        self, board: Board, position: Position, power: str | None, text: str, names: Lookup
    ) -> Understood | None:
        """Why a line is none of these, and which one it comes nearest to."""
        return slips.slip(board, position, power, text, names)

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        """Owners, colours, points, aid, scores, eliminations."""
        return reckoning.close_year(board, position, book)

    def balances(self, board: Board, position: Position, book: Rulebook) -> Mapping[str, Balance]:
        """Centres and aid less units."""
        return reckoning.balances(board, position, book)

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        """Every state with enough points at the end of an autumn."""
        return reckoning.winners(board, position)

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """The states that are out."""
        return tuple(sorted(affairs_of(position).eliminated))

    def worth(self, board: Board) -> Mapping[str, Mapping[str, int | None]]:  # noqa: ARG002 (Politics)
        """The row of each state in annex 3."""
        return {state: worth.figures() for state, worth in states().items()}

    def minutes(self, asked: Mapping[str, object], told: Mapping[str, object]) -> tuple[Minutes, ...]:
        """Interventions, subversion, aid, scores."""
        return minutes.minutes(asked, told)

    def bot_position(self, board: Board, position: Position) -> Position:  # noqa: ARG002 (Politics)
        """The position with every M under the United Nations while they move by vote."""
        if position.phase.kind == "R":
            return position
        return replace(position, units=together(position.units))

    def bot_orders(
        self,
        board: Board,
        position: Position,
        seat: str,
        book: Rulebook,
        view: BotView,
    ) -> Sequence[Order]:
        """What a bot proposes, votes, grants and builds."""
        return bot.orders(board, position, seat, book, view)

    def leaflets(
        self, board: Board, position: Position, power: str, book: Rulebook, told: Mapping[str, object]
    ) -> tuple[Leaflet, ...]:
        """Proposals, ballots, aid, subversion, invitations."""
        return leaflets.leaflets(PHASES, board, position, power, book, told)

    def spoken(self, words: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """A measure, part by part."""
        return spoken.spoken(words)

    def agenda(self, told: Mapping[str, object]) -> tuple[Motion, ...]:
        """The proposals of the turn."""
        return bulletin.agenda(told)

    def counts(self, told: Mapping[str, object]) -> tuple[Count, ...]:
        """The votes of a season."""
        return bulletin.counts(told)

    def secretive(self, asked: Mapping[str, object]) -> bool:
        """Whether ballots are secret."""
        return bulletin.secretive(asked)

    def public(self, asked: Mapping[str, object], told: Mapping[str, object]) -> Mapping[str, object]:
        """The affairs without secret ballots."""
        return bulletin.public(asked, told)

    def is_secret(self, words: str) -> bool:
        """Ballots are."""
        return words[:1] in ("1", "2", "3")

    def colours(self, board: Board, position: Position) -> Mapping[str, str]:
        """The colours of sectors without a centre."""
        return bulletin.colours(board, position)

    def standing(self, board: Board, position: Position) -> Mapping[str, Mapping[str, str]]:
        """Units allowed, points, aid, grace."""
        return bulletin.standing(board, position)

    def yearly(self, board: Board, position: Position) -> tuple[Yearly, ...]:
        """Points, and what they are made of."""
        return bulletin.yearly(board, position)

    def outlook(
        self, board: Board, position: Position, power: str, orders: Sequence[Order], book: Rulebook
    ) -> Phrase | None:
        """Units allowed and units: after a winter, or in autumn as centres and aid stand."""
        if power not in board.powers or position.centres is None:
            return None
        if (position.phase.season, position.phase.kind) == ("F", "M"):
            return reckoning.foreseen(position, power, orders)
        if position.phase.kind != "A":
            return None
        settled = PHASES["A"].adjudicate(board, position, {power: orders}, book)
        granted = reckoning.allowance(settled.after, power)
        waiting = {one.order for one in settled.verdicts if self.awaited(board, position, one)}
        hoped = min(granted["allowed"], granted["units"] + len(waiting))
        fits = "hoped" if hoped > granted["units"] else "fits"
        code = "over" if granted["units"] > granted["allowed"] else fits
        return Phrase(code, {**granted, "hoped": hoped})

    def barred(self, position: Position, power: str) -> Phrase | None:
        """Disgrace."""
        affairs = affairs_of(position)
        if affairs.in_grace(power, position.phase):
            return None
        return Phrase("disgrace", {"season": turn_named(affairs.grace[power])})

    def awaited(self, board: Board, position: Position, verdict: Verdict) -> Note | None:
        """The word of the state that controls a place, for an M to be built there."""
        if verdict.cause.code != "not_invited":
            return None
        host = controller(board, position, verdict.unit.province)
        if host is None:
            return None
        return Note("if_allowed", (("power", host),))


PHASES: Mapping[str, PhaseRules] = {
    "P": Debate(),
    "M": Season(),
    "R": Evasions(),
    "A": Constructions(),
}
POLITICS: Politics = World()
