"""Whole games of bots on every variant: python -m benchmarks.whole_games FOLDER [--bots values search:easy]

Each variant's games are played by seed to their end: a winner, or the last of so many years. Ends with
status 1 where a game did not end or a bot gave an order that was none. Games are kept in FOLDER and taken
up again; the table that is told is kept in `results/whole_games.md`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

from talleyrand import __version__, variants
from talleyrand.simulation.bots.bot_registry import bots_for_variant
from talleyrand.simulation.shards.process_pool import run_shards
from talleyrand.simulation.shards.result_queries import SimulationResults
from talleyrand.simulation.shards.simulation_folder import SimulationFolder
from talleyrand.simulation.shards.simulation_plan import SimulationPlan, default_shard_count, read_seats
from talleyrand.variants import Variant

SEED = 2028


def main() -> int:
    options = _options()
    print(f"# Whole games, at most {options.years} years, Talleyrand {__version__}, {options.rulebook}\n")
    print("| variant | bot | games | solos | last year | phases | by the engine | illegal orders | seconds |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    well = [
        _played(options, variant, bot)
        for variant in map(variants.load, options.variants)
        for bot in options.bots
        if bot.partition(":")[0] in bots_for_variant(variant.definition)
    ]
    return 0 if all(well) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bots", nargs="+", default=("values",))
    parser.add_argument("--variants", nargs="+", default=variants.playable_names())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--years", type=int, default=20)
    parser.add_argument("--rulebook", default="datc")
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def _played(options: argparse.Namespace, variant: Variant, bot: str) -> bool:
    """Play one variant's games and tell of them; whether all ended without an illegal order."""
    definition, split, begun = variant.definition, variant.each_alone, perf_counter()
    bots = read_seats(bot, [share[0] for share in split.shares]).bots
    until, shards = definition.start.phase.year + options.years - 1, default_shard_count(options.games, bots)
    plan = SimulationPlan(
        variant.name,
        options.rulebook,
        bots,
        rotating=True,
        games=options.games,
        shards=shards,
        seed=SEED,
        until=until,
    )
    path = options.folder / f"{variant.name}-{bot.replace(':', '-')}-{options.games}-{until}-{plan.checksum}"
    folder = SimulationFolder.open(path, plan)
    run_shards(folder, folder.missing_shards(), options.workers, lambda done: None)  # noqa: ARG005
    whole = SimulationResults(path).overall()
    print(
        f"| {variant.name} | {bot} | {whole.games} | {whole.solos} | {whole.last_year:.1f} | {whole.phases} "
        f"| {100 * whole.by_engine / whole.phases:.1f} % | {whole.illegal} | {perf_counter() - begun:.0f} |",
        flush=True,
    )
    return whole.games == options.games and not whole.illegal


if __name__ == "__main__":
    sys.exit(main())
