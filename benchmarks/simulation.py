"""Positions and whole games, here and at the peers', in one run: python -m benchmarks.simulation.

First the judges on the same movement phases (`benchmarks.batch_adjudicator`), then whole games
(`benchmarks.batch_games`), as the readable engine plays them and as shards keep them, then memory and
start-up. Seconds are processor time but for the judge's start-up. Ends with status 1 where the kernel is too
slow, or where a thousand games of `values` would take more than two minutes on two cores.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from time import process_time

import numpy as np

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.game import OrdersByPower
from talleyrand.engine.position import Position
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.random_streams import stream_starts
from talleyrand.simulation.game_runner import GameRunner
from talleyrand.simulation.shards.shard_playing import play_shard
from talleyrand.simulation.shards.simulation_plan import SimulationPlan

from . import batch_adjudicator, batch_games
from .sample_positions import played, recorded

WANTED, THOUSAND, CORES = 120.0, 1000, 2
UNTIL, REPLAYED = 1920, 10
CLASSIC, BOOK = variants.load("classic").definition, rulebooks.load("datc").adjudication_rules
HIGHEST = (  # a process started by this one would be told the size of this one as its highest
    "import re, sys\n"
    "from pathlib import Path\n"
    "def highest():\n"
    "    told = Path('/proc/self/status')\n"
    "    return int(re.search(r'VmHWM:\\s*(\\d+)', told.read_text())[1]) if told.exists() else 0\n"
)
SHARD = (
    f"{HIGHEST}"
    "from talleyrand.simulation.shards.simulation_plan import SimulationPlan\n"
    "from talleyrand.simulation.shards.shard_playing import play_shard\n"
    "count = int(sys.argv[1])\n"
    "plan = SimulationPlan('classic', 'datc', ('values',) * 7, True, count, 1, 1901, 1920)\n"
    "content = play_shard(plan, 1, lambda done: None)\n"
    "print(highest(), len(content))\n"
)


def main() -> int:
    """Measure, print, and say whether it is fast enough."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=100, help="whole games in each round")
    parser.add_argument("--seed", type=int, default=1901)
    wanted = parser.parse_args()
    fast = _positions(wanted.rounds, wanted.seed)
    done = _games(wanted.games, max(1, wanted.rounds // 2), wanted.seed)
    _growth(wanted.seed)
    _memory()
    return int(not (fast and done))


def _positions(rounds: int, seed: int) -> bool:
    positions = [*recorded(), *played(12, seed)]
    contest = batch_adjudicator.Contest(positions)
    batch_adjudicator.describe(contest, rounds)
    fast = batch_adjudicator.table([contest.round() for _ in range(rounds + 1)][1:])
    batch_adjudicator.growth(positions, seed)
    return fast


# whole games --------------------------------------------------------------------------------------


def _games(count: int, rounds: int, seed: int) -> bool:
    print(f"\nwhole games to the end of {UNTIL}, {rounds} rounds of {count} side by side, one core")
    print(f"{'':34}{'games/s: min, median, max':>30}{'phases/s':>10}{'bot':>7}")
    for bot in batch_games.BOTS:
        _line(f"arrays, seven times {bot}", batch_games.rates(bot, count, UNTIL, seed, rounds))
    seconds = [_kept(count, seed + number) for number in range(rounds + 1)][1:]
    _line("the same, values, kept in shards", [count / one for one in seconds])
    _line("engine, orders of values known", list(_by_engine(rounds, seed)))
    whole = median(seconds) / count * THOUSAND / CORES
    print(f"{THOUSAND} games of values on {CORES} cores: wanted {WANTED:.0f} s; reached {whole:.1f} s")
    return whole <= WANTED


def _line(what: str, found: list[batch_games.Figures] | list[float]) -> None:
    speeds = sorted(one.rate if isinstance(one, batch_games.Figures) else one for one in found)
    told = [one for one in found if isinstance(one, batch_games.Figures)]
    phases = f"{median(one.phases / one.seconds for one in told):10.0f}" if told else ""
    thinking = f"{median(one.thinking for one in told):7.0%}" if told else ""
    spread = f"{speeds[0]:10.2f}{median(speeds):10.2f}{speeds[-1]:10.2f}"
    print(f"{what:34}{spread}{phases}{thinking}")


def _kept(count: int, seed: int) -> float:
    """Seconds of a shard: bots, judge, record and Parquet file."""
    bots = ("values",) * 7
    plan = SimulationPlan(
        "classic", "datc", bots, rotating=True, games=count, shards=1, seed=seed, until=UNTIL
    )
    begun = process_time()
    play_shard(plan, 1, lambda done: None)  # noqa: ARG005 (nobody watches)
    return process_time() - begun


def _by_engine(rounds: int, seed: int) -> Iterator[float]:
    """Games a second of `game.play`, positions and orders at hand."""
    for number in range(rounds):
        turns = list(_turns(seed + number))
        begun = process_time()
        for position, orders in turns:
            game.play_phase(CLASSIC, position, orders, BOOK)
        yield REPLAYED / (process_time() - begun)


def _turns(seed: int) -> Iterator[tuple[Position, OrdersByPower]]:
    """Every phase of some games of `values`."""
    referee, facts, player = GameRunner(CLASSIC, BOOK, UNTIL), BotContext(CLASSIC, BOOK), by_name("values")
    going, step = referee.start(REPLAYED), 0
    powers = len(CLASSIC.board.powers)
    everybody = np.ones((REPLAYED, powers), np.bool_)
    while not going.over.all():
        sheets = going.blank_orders()
        player.write_orders(
            facts, going, everybody, sheets, stream_starts(seed, range(REPLAYED), step, powers)
        )
        for at in np.flatnonzero(~going.over).tolist():
            yield referee.read(going, at), referee.orders_of(going, at, sheets)
        referee.step(going, sheets)
        step += 1


def _growth(seed: int) -> None:
    """Games a second of `values`, side by side and by board."""
    print("\ngames/s of values in arrays")
    for count in (1, 10, 100, 1000):
        _rate(f"{count} games side by side", "classic", count, seed)
    for name in variants.playable_names():
        setting = variants.load(name).definition
        if setting.politics is not None:  # not in arrays
            continue
        what = f"{len(setting.board.provinces)} provinces, {len(setting.board.powers)} powers ({name})"
        _rate(what, name, 100, seed)


def _rate(what: str, variant: str, count: int, seed: int) -> None:
    """Ten years of a hundred games at least: the better of two runs, after one that is not counted."""
    last = variants.load(variant).definition.start.phase.year + 9
    rates = []
    for run in range(3):
        found = [
            batch_games.run("values", count, last, seed + run + at, variant) for at in range(0, 100, count)
        ]
        rates.append(sum(one.games for one in found) / sum(one.seconds for one in found))
    print(f"  {what:50} {max(rates[1:]):10.1f}")


# memory ---------------------------------------------------------------------------------------------


def _memory() -> None:
    bare = int(_python(f"{HIGHEST}print(highest())")) / 1024
    print(f"\nmemory at most (0 where the system does not tell): Python alone {bare:.0f} MiB")
    for count in (1, 100, 1000):
        most, size = map(int, _python(SHARD, str(count)).split())
        kept = f"its file {size / count / 1024:.1f} KiB a game"
        print(f"  a shard of {count:4} games {most / 1024:8.0f} MiB, {kept}")


def _python(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
