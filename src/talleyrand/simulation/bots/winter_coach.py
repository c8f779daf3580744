"""What else a power could have ordered in retreats and winters: each set is played on through the moves that
follow, as little shows at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from talleyrand.engine.game import GameDefinition, play_phase
from talleyrand.engine.outcome import OrderResult, Verdict
from talleyrand.engine.position import Position, province_of
from talleyrand.engine.rulebook import Rulebook
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, UInt16Array
from talleyrand.simulation.game_batch import GameBatch

from . import coach
from .coach import MARGIN, Answered, CoachReview, Loss, MoveEffects, PhaseCoach
from .order_trials import OrderTrial
from .place_values import FloatArray
from .position_values import position_values
from .random_streams import stream_starts

IDLE = frozenset(
    (OrderResult.BUILD_VOID, OrderResult.BUILD_IGNORED, OrderResult.REMOVAL_IGNORED, OrderResult.ILLEGAL)
)


def review_orders(
    setting: GameDefinition,
    book: Rulebook,
    position: Position,
    played: Sequence[Verdict],
    power: str,
    seed: int,
) -> CoachReview:
    """`review_moves`, for any phase in which a power decides something; raises ValueError elsewhere."""
    if position.phase.kind == "M":
        return coach.review_moves(setting, book, position, played, power, seed)
    if setting.politics is not None or position.phase.kind not in "RA":
        raise ValueError("only moves, retreats and adjustments without votes can be reviewed")
    found = WinterCoach(setting, book, position, played, power, seed)
    if not found.columns.any():
        raise ValueError(f"{power} has nothing to order")
    return found.review()


class YearTrial(OrderTrial):
    """Plays each sheet on until the year of the next moves is over."""

    @cached_property
    def until(self) -> int:
        """That year."""
        phase = self.facts.runner.read(self.root, 0).phase
        return self.facts.definition.calendar.year_of_moves(phase)

    def played_on(self, sheets: UInt16Array, chances: Int64Array) -> GameBatch:
        """The positions at the end, with the chances of a number for each sheet."""
        games, phase = self.root.copy_games([0] * len(sheets)), 0
        self.facts.runner.step(games, np.ascontiguousarray(sheets))
        while True:
            moves = games.clock[:, code.STAGE] == code.MOVEMENT
            games.clock[moves & (games.clock[:, code.YEAR] > self.until), code.OVER] = 1
            if games.over.all():
                return games
            phase += 1
            numbers = range(int(chances.max()) + 1)
            streams = stream_starts(self.seed, numbers, phase, len(self.columns))[chances]
            written = games.blank_orders()
            asked = np.ones(streams.shape, np.bool_)
            self._player.write_orders(self.facts, games, asked, written, streams)
            self.facts.runner.step(games, written)

    def values(self, sheets: UInt16Array, chances: Int64Array) -> FloatArray:
        """What each sheet is worth to each power in the end."""
        return position_values(self.facts, self.played_on(sheets, chances))


class WinterCoach(PhaseCoach):
    """One power's retreats, or its builds and removals: compared by the centres at the end of the year."""

    trial_kind = YearTrial
    trial: YearTrial

    @property
    def until(self) -> int:
        """The year to whose end each set is played on."""
        return self.trial.until

    def needed(self, sheet: UInt16Array) -> UInt16Array | None:
        """The sheet as it is, since half of its builds are another set; None where it is no better, or orders
        more than is due."""
        if not self._changed(sheet) or not (self.checked(sheet) - self.was > MARGIN).any():
            return None
        own = (one for one in self._verdicts(sheet) if one.power == self.name)
        return None if any(IDLE.intersection(one.results) for one in own) else sheet

    def effects(self, own: UInt16Array) -> Answered:
        """What becomes of dislodged units at once, and of centres in each likely year."""
        sheets = self.trial.beside(self.power, own[None], self.likely)
        games = self.trial.played_on(sheets, np.arange(len(sheets)))
        return self._at_once(own), [*self._after_year(games)]

    def _verdicts(self, own: UInt16Array) -> tuple[Verdict, ...]:
        """What becomes of a sheet beside what the others truly ordered."""
        orders = self.all_orders(self.trial.beside(self.power, own[None], self.true[None])[0])
        return play_phase(self.setting, self.position, orders, self.book).outcome.verdicts

    def _at_once(self, own: UInt16Array) -> MoveEffects:
        """Where dislodged units stand, and which are lost; builds show later."""
        mine = [
            one for one in self._verdicts(own) if one.power == self.name and self.position.phase.kind == "R"
        ]
        stands = frozenset(province_of(str(one.to)) for one in mine if OrderResult.RETREATS in one.results)
        lost = tuple(
            Loss("unit", str(one.unit), "", "") for one in mine if OrderResult.RETREATS not in one.results
        )
        return MoveEffects(frozenset(), stands, frozenset(), frozenset(), lost)

    def _after_year(self, games: GameBatch) -> Iterator[MoveEffects]:
        """The centres of others that it owns in the end, and those of its own that others do."""
        board, called = self.setting.board, self.runner.names.provinces
        for owners in games.places[:, code.CENTRE].tolist():
            owned = {called[at]: board.seats[who] for at, who in enumerate(owners) if who != code.NONE}
            mine = frozenset(place for place, who in owned.items() if who == self.name)
            lost = tuple(Loss("centre", one, owned.get(one, ""), "") for one in sorted(self.owned - mine))
            yield MoveEffects(mine - self.owned, frozenset(), frozenset(), frozenset(), lost)
