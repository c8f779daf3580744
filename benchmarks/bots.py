"""Bots: their speed, whole games and the strength of the one that searches: python -m benchmarks.bots.

`--trial FOLDER` tells of the games that this command has played there, in as many sittings as it took:

    talleyrand simulate --out FOLDER --bots "search:hard,values:hard*6" --games 210 --until 1910 \
        --rulebook datc --seed 1910 --shards 30 --workers 1

Ends with status 1 where a thousand games take two minutes, or the searching bot has less than a quarter.
"""

from __future__ import annotations

import argparse
import platform
import sys
from os import times as process_times
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numba
import numpy as np

from talleyrand import rulebooks, variants
from talleyrand.simulation.bots import STRENGTHS, Bot, by_name
from talleyrand.simulation.bots.bot_protocol import Asked
from talleyrand.simulation.bots.facts import Facts
from talleyrand.simulation.bots.streams import starts
from talleyrand.simulation.codes import MOVEMENT, STAGE
from talleyrand.simulation.shards.asking import Results
from talleyrand.simulation.shards.folder import Folder
from talleyrand.simulation.shards.plan import Plan
from talleyrand.simulation.shards.running import run
from talleyrand.simulation.world import Games

MOST_SECONDS, LEAST_SHARE, UNTIL = 120.0, 0.25, 1920
TIMED, SLOWEST = 200, 12


def main() -> int:
    options = _options()
    print(f"Python {platform.python_version()}, Numba {numba.__version__}, {platform.platform(terse=True)}")
    _thinking()
    done = _games(options.games, options.workers)
    return 0 if (_trial(options.trial) if options.trial else True) and done else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--trial", type=Path)
    return parser.parse_args()


# thinking -----------------------------------------------------------------------------------------


def _thinking() -> None:
    """Processor time for one power's moves, in positions from the games of the value-spreading bot."""
    facts = Facts(variants.load("classic").setting, rulebooks.load("datc").judge)
    games = _positions(facts)
    print(f"\nmilliseconds of one processor for one power's moves, in {len(games)} positions")
    thinkers = [(bot, strength) for bot in ("values", "search") for strength in STRENGTHS]
    for name, strength in [("random", "normal"), *thinkers]:
        spent = _spent(facts, by_name(name, strength), games)
        times = f"median {median(spent):9.3f}   mean {mean(spent):9.3f}   most {max(spent):9.3f}"
        print(f"  {name:8} {strength:8} {times}")


def _positions(facts: Facts) -> Games:
    games, player, found = facts.referee.start(8), by_name("values"), []
    for phase in range(30):
        asked, sheets = np.ones(games.rights.shape, np.bool_), games.sheets()
        found += [games.take([at]) for at in np.flatnonzero(games.clock[:, STAGE] == MOVEMENT).tolist()]
        player.order(
            facts, games, asked, sheets, starts(1, range(len(games)), phase, len(facts.ground.homes))
        )
        facts.referee.step(games, sheets)
    kept = games.take([0] * len(found))
    for at, one in enumerate(found):
        kept.put(at, one)
    return kept


def _spent(facts: Facts, bot: Bot, games: Games) -> list[float]:
    spent: list[float] = []
    for at in range(0, len(games), max(1, len(games) // SLOWEST) if bot.name == "search" else 1):
        one, asked = games.take([at]), np.zeros((1, len(facts.ground.homes)), np.bool_)
        asked[0, at % asked.shape[1]] = True
        spent.append(_timed(facts, bot, one, asked))
    return spent[1:]


def _timed(facts: Facts, bot: Bot, one: Games, asked: Asked) -> float:
    times = 1 if bot.name == "search" else TIMED
    sheets, streams = one.sheets(), starts(1, [0], 0, asked.shape[1])
    begun = process_time()
    for _ in range(times):
        bot.order(facts, one, asked, sheets, streams)
    return (process_time() - begun) / times * 1000


# games --------------------------------------------------------------------------------------------


def _games(games: int, workers: int) -> bool:
    """Whole games of the value-spreading bot; whether a thousand would be done in two minutes."""
    shards = max(1, games // 50)
    plan = Plan(
        "classic", "datc", ("values",) * 7, rotating=True, games=games, shards=shards, seed=1901, until=UNTIL
    )
    with TemporaryDirectory() as path:
        folder = Folder.open(Path(path), plan)
        begun, worked = perf_counter(), _worked()
        run(folder, folder.missing(), workers, lambda done: None)  # noqa: ARG005 (nobody watches)
        seconds, worked = perf_counter() - begun, _worked() - worked
        whole = Results(Path(path)).overall()
    print(f"\n{games} games of seven value-spreading bots to {UNTIL}, {workers} processes, kept in shards")
    rate = whole.phases / seconds
    print(f"  {seconds:.1f} s ({worked:.1f} s of processors); {whole.phases} phases, {rate:.0f} a second")
    most = MOST_SECONDS * games / 1000
    print(f"  wanted: less than {most:.0f} s; reached: {seconds:.1f} s")
    return seconds < most


def _worked() -> float:
    """Processor time of this process and of those that it waited for."""
    return sum(process_times()[:4])


def _trial(path: Path) -> bool:
    """What the searching bot has of the squares of all centres; whether that is enough."""
    results = Results(path)
    whole, plan = results.overall(), results.plan
    print(f"\n{plan.bots[0]} against {plan.bots[1]}, to {plan.until}: {whole.games} games of {plan.games}")
    rows = results.reached(by_bot=True, by_power=True) + results.reached(by_bot=True, by_power=False)
    mine = [row for row in rows if row["bot"] == plan.bots[0]]
    for row in mine:
        what = row.get("power") or "all powers"
        print(
            f"  {what:12} {row['seats']:4} games   share {row['share']:.3f} ± {row['share_error']:.3f}"
            f"   centres {row['centres']:.2f}   solos {row['solos']}"
        )
    share = mine[-1]["share"]
    print(f"  wanted: a share of {LEAST_SHARE}; an even one is {1 / 7:.3f}; reached: {share:.3f}")
    return bool(share >= LEAST_SHARE)


if __name__ == "__main__":
    sys.exit(main())
