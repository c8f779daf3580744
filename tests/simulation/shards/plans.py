"""Small plans, and folders in which they are played."""

from pathlib import Path

from talleyrand import variants
from talleyrand.simulation.shards.shard_playing import play_shard
from talleyrand.simulation.shards.simulation_folder import SimulationFolder
from talleyrand.simulation.shards.simulation_plan import SimulationPlan, read_seats


def plan(
    bots: str = "random,hold",
    *,
    variant: str = "classic",
    rulebook: object = "datc",
    games: int = 7,
    shards: int = 2,
    seed: int = 1901,
    years: int = 3,
) -> SimulationPlan:
    loaded = variants.load(variant)
    seats = read_seats(bots, loaded.definition.players)
    last = loaded.definition.start.phase.year + years - 1
    made = SimulationPlan(variant, rulebook, seats.bots, seats.rotating, games, shards, seed, last)
    made.check()
    return made


def silent(done: float) -> None:
    """Nobody watches."""


def played(path: Path, asked: SimulationPlan) -> SimulationFolder:
    """A folder with every shard of a plan."""
    folder = SimulationFolder.open(path, asked)
    for shard in folder.missing_shards():
        folder.store_shard(shard, play_shard(asked, shard, silent))
    return folder
