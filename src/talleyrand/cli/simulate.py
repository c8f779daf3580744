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
from .failures import DONE, INTERRUPTED, USAGE, CommandError
from .inputs import rulebook_of
from .sentences import Speaker

if TYPE_CHECKING:
    from talleyrand.simulation.shards.folder import Folder
    from talleyrand.simulation.shards.plan import Plan

GAMES, BOTS, VARIANT = 100, "values", "classic"
MOST_WORKERS = 1024
OFTEN, SELDOM = 0.5, 30.0  # seconds between two lines of progress, on a terminal and elsewhere
EARLY = 2.0  # seconds before which nobody can say how long the rest will take
PART = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)


def describe(command: Callable[[str], argparse.ArgumentParser], say: Speaker) -> None:
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


def simulate(options: argparse.Namespace, say: Speaker) -> int:
    """Play the shards that are missing."""
    part, workers = _part(options.shard), _workers(options.workers)
    with simulated.faults():
        folder = _folder(options)
        shards = folder.missing(_wanted(part, folder.plan))
        if not shards:
            print(say("simulate.nothing", folder=str(folder.path)), file=sys.stderr)
            return DONE
        return _play(folder, shards, workers, options.dask, say)


def _play(folder: Folder, shards: Sequence[int], workers: int, address: str | None, say: Speaker) -> int:
    from talleyrand.simulation import compiling, judging

    progress = Progress(folder.plan, shards, say)
    if not compiling.AVAILABLE:
        print(say("simulate.slow"), file=sys.stderr)
        warnings.simplefilter("ignore", judging.SlowJudge)
    try:
        if address is None:
            import_module("talleyrand.simulation.shards.running").run(folder, shards, workers, progress)
        else:
            cluster = import_module("talleyrand.simulation.shards.cluster")
            cluster.run_on_cluster(folder, shards, address, progress)
    except KeyboardInterrupt:
        _tell(folder, shards, progress, say("simulate.interrupted"), say)
        return INTERRUPTED
    except BaseException:
        progress.end()
        raise
    _tell(folder, shards, progress, "", say)
    return DONE


def _tell(folder: Folder, shards: Sequence[int], progress: Progress, more: str, say: Speaker) -> None:
    """How many shards the folder holds now."""
    progress.end()
    left = len(folder.missing(shards))
    kept = say(
        "simulate.kept",
        done=str(len(shards) - left),
        asked=str(len(shards)),
        folder=str(folder.path),
        time=duration(monotonic() - progress.begun, say),
    )
    print(" ".join(filter(None, (kept, more))), file=sys.stderr)


# what is asked ------------------------------------------------------------------------------------


def _folder(options: argparse.Namespace) -> Folder:
    """The folder that is asked for: what it holds already speaks where the options do not."""
    simulated.need()
    from talleyrand.simulation.shards.folder import Folder, kept_plan

    path = options.out or Path(simulated.FOLDER)
    plan = _plan(options, kept_plan(path))
    plan.check()
    return Folder.open(path, plan)


def _plan(options: argparse.Namespace, kept: Plan | None) -> Plan:
    """What is asked: by the options, else as it was asked before, else as usual."""
    from talleyrand.simulation.shards import plan as plans
    from talleyrand.simulation.shards.seats import read_seats

    def first(*values: Any) -> Any:
        return next(value for value in values if value is not None)

    def before(name: str) -> Any:
        return None if kept is None else getattr(kept, name)

    variant = first(options.variant, before("variant"), VARIANT)
    setting = load(variant).setting
    if kept is not None and options.bots is None:
        seats = kept.seats
    else:
        seats = read_seats(first(options.bots, BOTS), setting.players)
    games = first(options.games, before("games"), GAMES)
    return plans.Plan(
        variant=variant,
        rulebook=first(rulebook_of(options.rulebook), before("rulebook"), FALLBACK),
        bots=seats.bots,
        rotating=seats.rotating,
        games=games,
        shards=first(options.shards, before("shards"), plans.usual_shards(games)),
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


def _wanted(part: tuple[int, int], plan: Plan) -> range:
    """Every n-th shard, from the i-th on."""
    wanted = range(part[0], plan.shards + 1, part[1])
    if not wanted:
        raise CommandError("simulate.no_such_part", part=str(part[0]), shards=str(plan.shards))
    return wanted


def _workers(number: int | None) -> int:
    if number is None:
        return os.cpu_count() or 1
    if not 1 <= number <= MOST_WORKERS:
        raise CommandError("simulate.bad_workers", USAGE, number=str(number), most=str(MOST_WORKERS))
    return number


# progress -----------------------------------------------------------------------------------------


class Progress:
    """A line that says how much is done and how long the rest will take: written again and again on a
    terminal, else now and then."""

    def __init__(self, plan: Plan, shards: Sequence[int], say: Speaker) -> None:
        self.begun, self._say = monotonic(), say
        self._games = sum(len(plan.games_of(shard)) for shard in shards)
        self._live = sys.stderr.isatty()
        self._told, self._width = self.begun - SELDOM, 0

    def __call__(self, done: float) -> None:
        """Tell how much is done, from 0 to 1, unless that was told just now."""
        now = monotonic()
        if now - self._told < (OFTEN if self._live else SELDOM):
            return
        self._told, passed = now, now - self.begun
        line = self._say(
            "simulate.progress",
            percent=f"{100 * done:.0f}",
            games=str(round(done * self._games)),
            all=str(self._games),
        )
        if done > 0 and passed > EARLY:
            line += self._say("simulate.left", time=duration(passed / done - passed, self._say))
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


def duration(seconds: float, say: Speaker) -> str:
    """A time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return say("duration.seconds", seconds=str(whole))
    if whole < 3600:
        return say("duration.minutes", minutes=str(whole // 60), seconds=f"{whole % 60:02}")
    return say("duration.hours", hours=str(whole // 3600), minutes=f"{whole % 3600 // 60:02}")
