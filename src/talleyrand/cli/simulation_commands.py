"""`talleyrand simulate`: games between bots by the thousand, in shards, and what they have to tell."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from talleyrand.rulebooks import FALLBACK
from talleyrand.variants import load

from . import simulated
from .console import CliSentences
from .failures import DONE, INTERRUPTED, USAGE, CommandError
from .inputs import parse_rulebook_option

if TYPE_CHECKING:
    from talleyrand.simulation.shards.simulation_folder import SimulationFolder
    from talleyrand.simulation.shards.simulation_plan import SimulationPlan

DEFAULT_GAMES, DEFAULT_BOTS, DEFAULT_VARIANT = 100, "values", "classic"
MAX_WORKERS = 1024
TERMINAL_INTERVAL, LOG_INTERVAL = (
    0.5,
    30.0,
)  # seconds between two lines of progress, on a terminal and elsewhere
MIN_ESTIMATE_SECONDS = 2.0  # seconds before which nobody can say how long the rest will take
PART = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command and those below it."""
    parser = command("simulate")
    whole, name = say("metavar.number"), say("metavar.name")
    parser.add_argument("--out", type=Path, metavar=say("metavar.folder"), help=say("help.simulate.out"))
    parser.add_argument("--games", type=int, metavar=whole, help=say("help.simulate.games"))
    parser.add_argument("--bots", metavar=say("metavar.bots"), help=say("help.simulate.bots"))
    parser.add_argument("--variant", metavar=name, help=say("help.simulate.variant"))
    parser.add_argument("--rulebook", metavar=say("metavar.rulebook"), help=say("help.simulate.rulebook"))
    parser.add_argument("--until", type=int, metavar=say("metavar.year"), help=say("help.simulate.until"))
    parser.add_argument("--seed", type=int, metavar=whole, help=say("help.simulate.seed"))
    parser.add_argument("--shards", type=int, metavar=whole, help=say("help.simulate.shards"))
    parser.add_argument("--shard", metavar="I/N", help=say("help.simulate.shard"))
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar=whole, help=say("help.simulate.workers"))
    where.add_argument("--dask", metavar=say("metavar.address"), help=say("help.simulate.dask"))
    parser.set_defaults(run=simulate)
    simulated.describe(parser, say)


def simulate(options: argparse.Namespace, say: CliSentences) -> int:
    """Play the shards that are missing."""
    part, workers = _part(options.shard), _workers(options.workers)
    with simulated.simulation_errors():
        folder = _folder(options)
        shards = folder.missing_shards(_wanted(part, folder.plan))
        if not shards:
            print(say("simulate.nothing", folder=str(folder.path)), file=sys.stderr)
            return DONE
        return _play(folder, shards, workers, options.dask, say)


def _play(
    folder: SimulationFolder, shards: Sequence[int], workers: int, address: str | None, say: CliSentences
) -> int:
    from talleyrand.simulation import batch_adjudicator, numba_compiler

    progress = SimulationProgress(folder.plan, shards, say)
    if not numba_compiler.NUMBA_AVAILABLE:
        print(say("simulate.slow"), file=sys.stderr)
        warnings.simplefilter("ignore", batch_adjudicator.NumbaMissingWarning)
    try:
        if address is None:
            import_module("talleyrand.simulation.shards.process_pool").run_shards(
                folder, shards, workers, progress
            )
        else:
            cluster = import_module("talleyrand.simulation.shards.dask_cluster")
            cluster.run_on_cluster(folder, shards, address, progress)
    except KeyboardInterrupt:
        _tell(folder, shards, progress, say("simulate.interrupted"), say)
        return INTERRUPTED
    except BaseException:
        progress.end()
        raise
    _tell(folder, shards, progress, "", say)
    return DONE


def _tell(
    folder: SimulationFolder,
    shards: Sequence[int],
    progress: SimulationProgress,
    more: str,
    say: CliSentences,
) -> None:
    """How many shards the folder holds now."""
    progress.end()
    left = len(folder.missing_shards(shards))
    kept = say(
        "simulate.kept",
        done=str(len(shards) - left),
        asked=str(len(shards)),
        folder=str(folder.path),
        time=format_duration(monotonic() - progress.begun, say),
    )
    print(" ".join(filter(None, (kept, more))), file=sys.stderr)


# what is asked ------------------------------------------------------------------------------------


def _folder(options: argparse.Namespace) -> SimulationFolder:
    """The folder that is asked for: what it holds already speaks where the options do not."""
    simulated.require_simulation_extra()
    from talleyrand.simulation.shards.simulation_folder import SimulationFolder, existing_plan

    path = options.out or Path(simulated.DEFAULT_FOLDER)
    plan = _plan(options, existing_plan(path))
    plan.check()
    return SimulationFolder.open(path, plan)


def _plan(options: argparse.Namespace, kept: SimulationPlan | None) -> SimulationPlan:
    """What is asked: by the options, else as it was asked before, else as usual."""
    from talleyrand.simulation.shards import simulation_plan as plans
    from talleyrand.simulation.shards.simulation_plan import read_seats

    def first(*values: Any) -> Any:
        return next(value for value in values if value is not None)

    def before(name: str) -> Any:
        return None if kept is None else getattr(kept, name)

    variant = first(options.variant, before("variant"), DEFAULT_VARIANT)
    setting = load(variant).definition
    if kept is not None and options.bots is None:
        seats = kept.seats
    else:
        seats = read_seats(first(options.bots, DEFAULT_BOTS), setting.players)
    games = first(options.games, before("games"), DEFAULT_GAMES)
    return plans.SimulationPlan(
        variant=variant,
        rulebook=first(parse_rulebook_option(options.rulebook), before("rulebook"), FALLBACK),
        bots=seats.bots,
        rotating=seats.rotating,
        games=games,
        shards=first(options.shards, before("shards"), plans.default_shard_count(games)),
        seed=first(options.seed, before("seed"), 0),
        until=first(options.until, before("until"), setting.start.phase.year + plans.USUAL_YEARS - 1),
    )


def _part(text: str | None) -> tuple[int, int]:
    """Which of how many machines this is."""
    found = PART.fullmatch(text or "1/1")
    part, parts = map(int, found.groups()) if found else (0, 0)
    if not 1 <= part <= parts:
        raise CommandError("simulate.bad_part", USAGE, text=str(text))
    return part, parts


def _wanted(part: tuple[int, int], plan: SimulationPlan) -> range:
    """Every n-th shard, from the i-th on."""
    wanted = range(part[0], plan.shards + 1, part[1])
    if not wanted:
        raise CommandError("simulate.no_such_part", part=str(part[0]), shards=str(plan.shards))
    return wanted


def _workers(number: int | None) -> int:
    if number is None:
        return os.cpu_count() or 1
    if not 1 <= number <= MAX_WORKERS:
        raise CommandError("simulate.bad_workers", USAGE, number=str(number), most=str(MAX_WORKERS))
    return number


# progress -----------------------------------------------------------------------------------------


class SimulationProgress:
    """A line that says how much is done and how long the rest will take: written again and again on a
    terminal, else now and then."""

    def __init__(self, plan: SimulationPlan, shards: Sequence[int], say: CliSentences) -> None:
        self.begun, self._say = monotonic(), say
        self._games = sum(len(plan.games_of(shard)) for shard in shards)
        self._live = sys.stderr.isatty()
        self._told, self._width = self.begun - LOG_INTERVAL, 0

    def __call__(self, done: float) -> None:
        """Tell how much is done, from 0 to 1, unless that was told just now."""
        now = monotonic()
        if now - self._told < (TERMINAL_INTERVAL if self._live else LOG_INTERVAL):
            return
        self._told, passed = now, now - self.begun
        line = self._say(
            "simulate.progress",
            percent=f"{100 * done:.0f}",
            games=str(round(done * self._games)),
            all=str(self._games),
        )
        if done > 0 and passed > MIN_ESTIMATE_SECONDS:
            line += self._say("simulate.left", time=format_duration(passed / done - passed, self._say))
        if self._live:
            print(f"\r{line:{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0


def format_duration(seconds: float, say: CliSentences) -> str:
    """A time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return say("duration.seconds", seconds=str(whole))
    if whole < 3600:
        return say("duration.minutes", minutes=str(whole // 60), seconds=f"{whole % 60:02}")
    return say("duration.hours", hours=str(whole // 3600), minutes=f"{whole % 3600 // 60:02}")
