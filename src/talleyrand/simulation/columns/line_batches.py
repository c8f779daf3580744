"""Lines of a file in batches, and a batch as parts of a file: by this process or by several, in order."""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from typing import BinaryIO, NamedTuple

import pyarrow as pa

from talleyrand import messages
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.json_checks import MAX_JSON_BYTES, Json
from talleyrand.formats.json_lines import QuestionLine, line_fault, read_json_line
from talleyrand.parent_process import end_pool, end_with_parent

from .game_columns import GameColumns
from .outcome_rows import RowTexts
from .parquet import file_part
from .recorded_games import MOST_SETTINGS, GameSetting, RecordedGame, RecordedGameReader

BATCH_LINES, BATCH_BYTES = 256, 8 << 20
BATCHES_A_JOB = 2
OBJECTS_BETWEEN_COLLECTIONS = 100_000
SMALLEST_GAME: Json = {"phases": [{"phase": "S1901M"}]}
NumberedLine = tuple[int, QuestionLine]


class LineFault(NamedTuple):
    """What is wrong with a line, in words."""

    line: int
    sentence: str


@dataclass
class BatchColumns:
    """What became of the games of a batch; `by_engine` of its phases were played by the readable engine."""

    parts: list[pa.RecordBatch] = field(default_factory=list)
    faults: list[LineFault] = field(default_factory=list)
    games: int = 0
    phases: int = 0
    by_engine: int = 0


def numbered_batches(source: BinaryIO) -> Iterator[list[NumberedLine]]:
    """The lines of a stream that are not blank with their numbers, some at a time; None for one over the
    limit."""
    batch, size = list[NumberedLine](), 0
    for number, line in enumerate(iter(lambda: _read_line(source), b""), 1):
        if line is None or line.strip():
            batch.append((number, line))
            size += len(line or b"")
        if len(batch) >= BATCH_LINES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read_line(source: BinaryIO) -> QuestionLine:
    """The next line, empty at the end; None for one over the limit, which is passed over."""
    line = source.readline(MAX_JSON_BYTES + 1)
    if len(line) <= MAX_JSON_BYTES or line.endswith(b"\n"):
        return line
    while line and not line.endswith(b"\n"):
        line = source.readline(MAX_JSON_BYTES)
    return None


class ColumnMaker:
    """Makes parts of a file of lines; what is wrong with a line is told in `language`, and the rulebook
    stands in for those of the games if one is given."""

    def __init__(self, rulebook: Json, language: str) -> None:
        self._reader, self._language = RecordedGameReader(rulebook), language
        self._players: dict[int, GameColumns] = {}

    def columns(self, batch: Iterable[NumberedLine]) -> BatchColumns:
        """The rows of the games of some lines; a line at fault has none."""
        usual = gc.get_threshold()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *usual[1:])  # what is read holds no circles
        try:
            return self._read_and_play(batch)
        finally:
            gc.set_threshold(*usual)

    def _read_and_play(self, batch: Iterable[NumberedLine]) -> BatchColumns:
        made, games = BatchColumns(), list[RecordedGame]()
        for number, line in batch:
            try:
                games.append(self._reader.read(number, read_json_line(line)))
            except Exception as broken:  # noqa: BLE001 the other lines outlive a fault of ours
                made.faults.append(self._line_fault(number, line_fault(broken)))
        for _, alike in groupby(games, lambda game: id(game.setting)):
            self._play(list(alike), made)
        made.faults.sort()
        return made

    def _play(self, games: list[RecordedGame], made: BatchColumns) -> None:
        setting = games[0].setting
        texts, lines = RowTexts(setting.variant.board), [game.line for game in games]
        played = self._player(setting).play(games, texts)
        made.parts.append(file_part(played.rows, texts.values(lines, [game.identity for game in games])))
        made.faults += (self._line_fault(lines[at], fault) for at, fault in played.faults.items())
        made.games += len(games) - len(played.faults)
        made.phases += played.phases
        made.by_engine += played.by_engine

    def _player(self, setting: GameSetting) -> GameColumns:
        known = self._players.get(id(setting))
        if known is None or known.setting is not setting:
            if len(self._players) >= MOST_SETTINGS:
                self._players.clear()
            known = self._players[id(setting)] = GameColumns(setting)
        return known

    def _line_fault(self, line: int, fault: TalleyrandError) -> LineFault:
        return LineFault(line, messages.error_sentence(fault, self._language))


def columns_in_order(
    batches: Iterable[list[NumberedLine]], rulebook: Json, language: str, jobs: int
) -> Generator[BatchColumns, None, None]:
    """What becomes of each batch, in order, by so many processes.

    Raises BrokenProcessPool where one of them ends by itself, and what reading the batches raises.
    """
    if jobs == 1:
        yield from map(ColumnMaker(rulebook, language).columns, batches)
        return
    if multiprocessing.get_start_method() == "fork":
        game = RecordedGameReader().read(1, SMALLEST_GAME)  # loads compiled code, for all of them
        GameColumns(game.setting).play([game], RowTexts(game.setting.variant.board))
    before, waiting = multiprocessing.active_children(), deque[Future[BatchColumns]]()
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(rulebook, language))
    try:
        for batch in batches:
            waiting.append(pool.submit(_columns, batch))
            if len(waiting) >= BATCHES_A_JOB * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        pool.shutdown()
    finally:
        end_pool(pool, before)


# in the processes

_MAKER: list[ColumnMaker] = []


def _begin(rulebook: Json, language: str) -> None:
    """Who asked ends this process: neither Ctrl-C nor anything else does; and it does not outlive them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _MAKER[:] = [ColumnMaker(rulebook, language)]
    gc.freeze()
    end_with_parent()


def _columns(batch: list[NumberedLine]) -> BatchColumns:
    return _MAKER[0].columns(batch)
