"""Recorded games played side by side, one phase of each at a time.

Compiled code plays what it can. Where orders are not in normal form, or one is illegal or missing and the
book makes something of that, the readable engine says what they come to, and compiled code plays that. A
phase goes to the engine whole, and the game comes back, where more happened than the orders say, or more was
received.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.game import play_phase
from talleyrand.engine.position import Position
from talleyrand.formats.game_record import ReplayedPhase, replay
from talleyrand.formats.json_lines import line_fault
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import NONE, UInt16Array
from talleyrand.simulation.batch_adjudicator import PhaseBatchAnswers
from talleyrand.simulation.game_batch import GameBatch, phase_codes
from talleyrand.simulation.game_runner import GameRunner

from .array_columns import PlayedPhases, adjustment_rows, movement_rows, retreat_rows
from .engine_columns import engine_rows
from .outcome_rows import FIELD, Rows, RowTexts, blank_rows
from .recorded_games import NOTHING, GameSetting, RecordedGame, RecordedPhase, TimeKey
from .sheet_writing import SheetWriter, WrittenSheets
from .unusual_orders import ReadPhase, UnusualOrders

Flags = NDArray[np.bool_]


class GamesPlayed(NamedTuple):
    """Rows, sorted by game, phase and place; what was wrong with a game, by its number; how many phases, and
    how many of them the readable engine has played."""

    rows: Rows
    faults: dict[int, TalleyrandError]
    phases: int
    by_engine: int


class GameColumns:
    """Plays games of one setting."""

    def __init__(self, setting: GameSetting) -> None:
        self.setting, self.definition = setting, setting.variant.definition
        self.sheets = SheetWriter(setting)
        self.in_arrays = self.definition.politics is None and self.definition.has_standard_phases
        if self.in_arrays:
            book = setting.header.loaded_rulebook.adjudication_rules
            self.runner = GameRunner(self.definition, book)
            self.unusual = UnusualOrders(setting, self.runner)

    def play(self, recorded: Sequence[RecordedGame], texts: RowTexts) -> GamesPlayed:
        """What became of every unit in every phase of some games, which are numbered in this order."""
        played = _PlayedGames(recorded, texts)
        which = []
        for number, game in enumerate(recorded):
            if self.in_arrays and game.phases is not None:
                which.append(number)
            else:
                played.replay_whole(number)
        if which and not _SideBySide(self, played, which).play():
            for number in which:
                played.replay_whole(number)
        rows = np.concatenate(played.rows, axis=1) if played.rows else blank_rows(0)
        return GamesPlayed(_sorted(rows, played.faults), played.faults, played.phases, played.by_engine)


def _sorted(rows: Rows, faults: Mapping[int, TalleyrandError]) -> Rows:
    if faults:
        rows = rows[:, ~np.isin(rows[FIELD["game"]], list(faults))]
    # those of a game come in the order of its phases, and those of a phase in the order of the places
    return np.ascontiguousarray(rows[:, np.argsort(rows[FIELD["game"]], kind="stable")])


class _PlayedGames:
    """What has been played so far."""

    def __init__(self, recorded: Sequence[RecordedGame], texts: RowTexts) -> None:
        self.recorded, self.texts = recorded, texts
        self.rows: list[Rows] = []
        self.faults: dict[int, TalleyrandError] = {}
        self.phases = self.by_engine = 0

    def replay(
        self, number: int, time: TimeKey | None = None, start: Position | None = None
    ) -> Iterator[ReplayedPhase]:
        """Have the engine play a game, from a position on if one is given, and keep its rows."""
        game = self.recorded[number]
        try:
            record = game.record
            if time is not None and start is not None:
                record = replace(record, start=start, phases=game.inputs_from(time))
            for played in replay(record):
                outcome = played.judged.turn.outcome
                self.add(engine_rows(number, played.position.phase, outcome, self.texts))
                yield played
        except Exception as broken:  # noqa: BLE001 the other lines outlive a fault of ours
            self.faults[number] = line_fault(broken)

    def add(self, rows: Rows) -> None:
        """Keep the rows of a phase that the engine has played."""
        self.rows.append(rows)
        self.phases, self.by_engine = self.phases + 1, self.by_engine + 1

    def replay_whole(self, number: int) -> None:
        """Have the engine play a game from its beginning."""
        for _ in self.replay(number):
            continue


class _SideBySide:
    """Games in arrays: `which` are their numbers."""

    def __init__(self, columns: GameColumns, played: _PlayedGames, which: list[int]) -> None:
        self.columns, self.played, self.which = columns, played, which
        self.runner, self.board = columns.runner, columns.definition.board
        self._opening = len(columns.definition.calendar.opening)
        self._codes = phase_codes(columns.definition)
        recorded = [played.recorded[number].phases or {} for number in which]
        self._waiting = {
            number: deque(phases.items()) for number, phases in zip(which, recorded, strict=True)
        }

    def play(self) -> bool:
        """Play them to their ends; False where arrays cannot hold their beginning."""
        one = GameBatch.blank(self.board, 1)
        try:
            self.runner.write(self.columns.setting.header.start, one, 0)
        except ValueError:
            return False
        self.games = one.copy_games([0] * len(self.which))
        for at, number in enumerate(self.which):
            if self.played.recorded[number].is_saved:
                self._enter(at, self._waiting[number][0][0])
        while self.which:
            self._step()
        return True

    def _enter(self, at: int, time: TimeKey) -> None:
        """Turn a game's clock to a phase."""
        year, clock, phase = time[0], self.games.clock[at], time[1] + self._opening
        course = self.runner.course
        clock[code.PHASE], clock[code.YEAR] = phase, year
        clock[code.SEASON], clock[code.STAGE] = course.season[phase], course.stage[phase]

    def _step(self) -> None:
        """One phase of every game that is not over, or whose record says no more."""
        clock = self.games.clock[:, [code.YEAR, code.PHASE, code.OVER]].tolist()
        times = [(year, phase - self._opening) for year, phase, _ in clock]
        received = [
            None if clock[at][2] else self._received(number, times[at])
            for at, number in enumerate(self.which)
        ]
        on = [at for at, phase in enumerate(received) if phase is not None]
        if len(on) < len(received):
            self.games, self.which = self.games.copy_games(on), [self.which[at] for at in on]
        self._play_step([received[at] or NOTHING for at in on], [times[at] for at in on])

    def _received(self, number: int, time: TimeKey) -> RecordedPhase | None:
        """What was received for a phase; None where nothing is left to play. Phases that the game has passed
        by are dropped."""
        waiting = self._waiting[number]
        while waiting and waiting[0][0] < time:
            waiting.popleft()
        if not waiting:
            return None
        return waiting.popleft()[1] if waiting[0][0] == time else NOTHING

    def _play_step(self, received: Sequence[RecordedPhase], times: Sequence[TimeKey]) -> None:
        games = self.games
        for at, phase in enumerate(received):
            if phase.position is not None:
                phase.position.write(games, at)
        before = games.copy_games(range(len(games)))
        written = self.columns.sheets.write(before, received)
        written.sound[[not phase.plain for phase in received]] = False
        settled = self._play_compiled(before, written, times)
        left = np.flatnonzero(~settled).tolist()
        lines = {at: said for at in left if (said := received[at].written) is not None}
        read: dict[int, ReadPhase] = {}
        if lines:
            read, sheets = self.columns.unusual.read(before, lines)
            settled |= self._play_compiled(before, sheets, times)
        for at in np.flatnonzero(~settled).tolist():
            if at not in read or not self._play_read(at, read[at]):
                self._by_engine(at, times[at])

    def _play_compiled(self, before: GameBatch, written: WrittenSheets, times: Sequence[TimeKey]) -> Flags:
        """Play the phases whose sheets are sound and keep their rows; gives which are settled. The others
        stay as they were."""
        games, which = self.games, written.sound
        if not which.any():
            return which
        over = games.clock[:, code.OVER].copy()
        games.clock[~which, code.OVER] = 1
        told = PhaseBatchAnswers.blank(len(games), len(self.board.provinces))
        status, illegal = self.runner.play_compiled(games, written.sheets, told)
        settled: Flags = which & (status == code.SETTLED) & (illegal == 0)
        settled &= _unit_counts(games) == _expected_counts(before, written.sheets, told)
        games.clock[~which, code.OVER] = over[~which]
        games.restore(np.flatnonzero(which & ~settled), before)
        self._keep(settled, before, written, told, times)
        return settled

    def _keep(
        self,
        settled: Flags,
        before: GameBatch,
        written: WrittenSheets,
        told: PhaseBatchAnswers,
        times: Sequence[TimeKey],
    ) -> None:
        """Read off the rows of what compiled code has settled."""
        stages, texts = before.clock[:, code.STAGE], self.played.texts
        self.played.phases += int(settled.sum())
        for stage in (code.MOVEMENT, code.RETREATS, code.ADJUSTMENTS):
            games = np.flatnonzero(settled & (stages == stage))
            if not len(games):
                continue
            numbers = np.array([self.which[at] for at in games.tolist()], np.int64)
            phases = np.array([self._phase_number(times[at]) for at in games.tolist()], np.int64)
            waived = written.waived[:, np.isin(written.waived[0], games)]
            found = PlayedPhases(
                games, numbers, phases, before.places, written.sheets, told, waived, written.supplied
            )
            if stage == code.MOVEMENT:
                self.played.rows.append(movement_rows(self.board, found, texts))
            else:
                winter = stage == code.ADJUSTMENTS
                self.played.rows.append(adjustment_rows(self.board, found) if winter else retreat_rows(found))

    def _phase_number(self, time: TimeKey) -> int:
        letters = self._codes[time[1] + self._opening]
        return self.played.texts.phase(f"{letters[0]}{time[0]}{letters[1]}")

    def _play_read(self, at: int, read: ReadPhase) -> bool:
        """Have the engine play one phase of a game; False where arrays cannot hold what it comes to."""
        number, phase, texts = self.which[at], read.position.phase, self.played.texts
        try:
            turn = play_phase(
                self.columns.definition, read.position, read.legal | read.received, self.runner.book
            )
            rows = engine_rows(number, phase, turn.outcome, texts)
            if turn.next_position is None:
                self.games.clock[at, code.OVER] = 1
            else:
                self.runner.write(turn.next_position, self.games, at)
        except Exception:  # noqa: BLE001 what is wrong is told where the record is replayed
            return False
        self.played.add(rows)
        return True

    def _by_engine(self, at: int, time: TimeKey) -> None:
        """Have the engine play one phase of a game; or all that is left, where arrays cannot hold what it
        comes to."""
        start = self.runner.read(self.games, at)
        for played in self.played.replay(self.which[at], time, start):
            reached = played.judged.turn.next_position
            if reached is None:
                break
            try:
                self.runner.write(reached, self.games, at)
            except ValueError:
                continue
            return
        self.games.clock[at, code.OVER] = 1


def _unit_counts(games: GameBatch) -> NDArray[np.int64]:
    """How many units stand in each game."""
    counts: NDArray[np.int64] = (games.places[:, code.KIND] != NONE).sum(axis=1)
    return counts


def _expected_counts(before: GameBatch, sheets: UInt16Array, told: PhaseBatchAnswers) -> NDArray[np.int64]:
    """How many will stand if no more happens than was ordered."""
    stage, what = before.clock[:, code.STAGE], sheets[:, code.ORDER_KIND]
    fallen = (told.fates[:, code.BY] != NONE).sum(axis=1)
    away = before.places[:, code.DISLODGED_KIND] != NONE
    back = (away & (told.fates[:, code.RESULT] == code.WITHDRAWN)).sum(axis=1)
    changed = (what == code.BUILD).sum(axis=1) - (what == code.REMOVE).sum(axis=1)
    counts: NDArray[np.int64] = _unit_counts(before) + np.choose(
        stage.clip(0, 3), (-fallen, back, changed, 0)
    )
    return counts
