"""Small plans, and folders in which they are played."""

from pathlib import Path

from talleyrand import variants
from talleyrand.simulation.shards.folder import Folder
from talleyrand.simulation.shards.plan import Plan
from talleyrand.simulation.shards.playing import play_shard
from talleyrand.simulation.shards.seats import read_seats


def plan(
    bots: str = "random,hold",
    *,
    variant: str = "classic",
    rulebook: object = "datc",
    games: int = 7,
    shards: int = 2,
    seed: int = 1901,
    years: int = 3,
) -> Plan:
    loaded = variants.load(variant)
    seats = read_seats(bots, loaded.setting.players)
    last = loaded.setting.start.phase.year + years - 1
    made = Plan(variant, rulebook, seats.bots, seats.rotating, games, shards, seed, last)
    made.check()
    return made


def silent(done: float) -> None:
    """Nobody watches."""


def played(path: Path, asked: Plan) -> Folder:
    """A folder with every shard of a plan."""
    folder = Folder.open(path, asked)
    for shard in folder.missing():
        folder.keep(shard, play_shard(asked, shard, silent))
    return folder
