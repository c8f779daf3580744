"""`talleyrand adjudicate --columns`: recorded games to a file of columns, a row for each unit and phase."""

from __future__ import annotations

import argparse
import signal
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NoReturn

from .console import (
    DONE,
    FAULT,
    USAGE,
    CliSentences,
    CommandError,
    ProgressLine,
    open_input,
    parse_rulebook_option,
    require_packages,
)
from .parallel_answers import MAX_JOBS

if TYPE_CHECKING:
    from talleyrand.simulation.columns.line_batches import BatchColumns

COLUMN_PACKAGES = ("numpy", "pyarrow")
ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def write_columns(options: argparse.Namespace, say: CliSentences) -> int:
    """Write what became of every unit of the games of a file, and tell which lines are at fault."""
    if options.file is None:
        raise CommandError("error.no_file", USAGE)
    if not 1 <= options.jobs <= MAX_JOBS:
        raise CommandError("error.jobs", USAGE, most=str(MAX_JOBS))
    if options.columns.exists() and not (options.columns.is_file() or options.columns.is_dir()):
        raise CommandError("columns.no_file", USAGE, file=str(options.columns))
    require_packages(COLUMN_PACKAGES, "columns.no_extra")
    from talleyrand.simulation import batch_adjudicator, numba_compiler
    from talleyrand.simulation.columns.line_batches import BatchColumns, columns_in_order, numbered_batches
    from talleyrand.simulation.columns.parquet import ParquetFile

    if not numba_compiler.NUMBA_AVAILABLE:
        print(say("columns.slow"), file=sys.stderr)
        warnings.simplefilter("ignore", batch_adjudicator.NumbaMissingWarning)
    rulebook, done = parse_rulebook_option(options.rulebook), BatchColumns()
    progress = ProgressLine(at_once=False)
    with _put_away_when_ended(), open_input(options.file) as source, ParquetFile(options.columns) as file:
        batches = columns_in_order(numbered_batches(source), rulebook, say.language, options.jobs)
        try:
            with closing(batches):
                for made in batches:
                    for part in made.parts:
                        file.add(part)
                    _count(done, made)
                    _tell(progress, done, made, say)
        except BrokenProcessPool:
            raise CommandError("columns.process_ended") from None
        finally:
            progress.end()
    print(say("columns.done", rows=str(file.rows), **_counts(done)), file=sys.stderr)
    return FAULT if done.faults else DONE


@contextmanager
def _put_away_when_ended() -> Iterator[None]:
    """Have a signal end the block as an exception does, so that no parts of a file are left beside it."""

    def end(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    ours = [one for one in ENDING_SIGNALS if signal.getsignal(one) is signal.SIG_DFL]  # not under nohup
    for one in ours:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


def _count(done: BatchColumns, made: BatchColumns) -> None:
    done.games += made.games
    done.phases += made.phases
    done.by_engine += made.by_engine
    done.faults = [*done.faults, *made.faults][:1]


def _counts(done: BatchColumns) -> dict[str, str]:
    return {"games": str(done.games), "phases": str(done.phases), "by_engine": str(done.by_engine)}


def _tell(progress: ProgressLine, done: BatchColumns, made: BatchColumns, say: CliSentences) -> None:
    if made.faults:
        progress.end()
    for line, sentence in made.faults:
        print(say("columns.line", line=str(line), sentence=sentence), file=sys.stderr)
    if progress.is_due():
        progress.write(say("columns.progress", **_counts(done)))
