"""How well bots play: python -m benchmarks.arena FOLDER [--bots A B ...] [--pairs A:hard,B ...]

Games are kept in FOLDER and taken up again after an interruption; what is told is a table in Markdown. The
whole of it takes hours with bots that search: `--games` and `--seven` make it smaller, and say so.

- A pair `A,B`: A against six of B, `--games` games to 1910, A in each seat equally often: its share of the
  squares of all centres with twice its standard error, altogether and in the worst seat.
- All seven seats: centres owned after 1901, 1902 and 1903, and what is careless in the orders
  (`benchmarks.order_quality`), for every hundred orders.
- Agreement with the orders of people (`benchmarks/people`, a third of its games, which nothing may learn
  from): the orders that a bot gives first, and those among the five that it gives most often in twenty tries.
- Seconds of a processor for one power's moves.
"""

from __future__ import annotations

import argparse
import json
import lzma
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import NamedTuple

from talleyrand import __version__, rulebooks, variants
from talleyrand.engine.position import Position
from talleyrand.formats.game_record import read_game_record, replay
from talleyrand.formats.json_checks import Json
from talleyrand.simulation.bots.power_orders import orders_for_power
from talleyrand.simulation.shards.process_pool import run_shards
from talleyrand.simulation.shards.record_export import record_of
from talleyrand.simulation.shards.result_queries import SimulationResults
from talleyrand.simulation.shards.simulation_folder import SimulationFolder
from talleyrand.simulation.shards.simulation_plan import (
    SimulationPlan,
    create_bot,
    default_shard_count,
    read_seats,
)

from .order_quality import FAULTS, order_faults

PEOPLE = Path(__file__).parent / "people" / "games.jsonl.xz"
HELD_BACK = 3  # every third game of people is for measuring alone
FIRST_YEAR, LAST_YEAR, SEED = 1901, 1910, 1910
TRIES, LISTED = 20, 5
BOTS = ("values:easy", "values", "search:easy", "search", "search:hard")
PAIRS = ("search:hard,search", "search,search:easy", "search:easy,values", "values,values:easy")
CLASSIC, BOOK = variants.load("classic").definition, rulebooks.load("datc").adjudication_rules


def main() -> int:
    options = _options()
    print(f"# Bots\n\nTalleyrand {__version__}, Python {platform.python_version()}")
    print(f"{platform.platform(terse=True)}\n")
    if options.pairs:
        _pairs(options)
    if options.bots:
        _seven(options)
        _people(options)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bots", nargs="*", default=BOTS)
    parser.add_argument("--pairs", nargs="*", default=PAIRS)
    parser.add_argument("--games", type=int, default=210)
    parser.add_argument("--seven", type=int, default=14, help="games with one bot in all seats")
    parser.add_argument("--positions", type=int, default=60, help="positions of people's games")
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def _played(options: argparse.Namespace, bots: str, games: int, until: int) -> SimulationResults:
    """So many games, those of an earlier run among them."""
    seats = read_seats(bots, CLASSIC.players)
    shards = default_shard_count(games, seats.bots)
    plan = SimulationPlan("classic", "datc", seats.bots, seats.rotating, games, shards, SEED, until)
    path = options.folder / f"{bots.replace(':', '-').replace(',', '+')}-{games}-{until}"
    folder = SimulationFolder.open(path, plan)
    run_shards(folder, folder.missing_shards(), options.workers, _tell(bots))
    print(file=sys.stderr)
    return SimulationResults(path)


def _tell(bots: str) -> Callable[[float], None]:
    def told(done: float) -> None:
        print(f"\r{bots}: {100 * done:.0f} %  ", end="", file=sys.stderr, flush=True)

    return told


# one against six ----------------------------------------------------------------------------------


def _pairs(options: argparse.Namespace) -> None:
    print(f"## One against six, {options.games} games a pair to {LAST_YEAR}, share of the squares\n")
    print("| one | six | share | worst seat | centres | solos | last year |")
    print("|---|---|---|---|---|---|---|")
    for pair in options.pairs:
        one, six = pair.split(",")
        results = _played(options, f"{one},{six}*6", options.games, LAST_YEAR)
        (whole,) = (row for row in results.results_by(by_bot=True, by_power=False) if row["bot"] == one)
        seats = [row for row in results.results_by(by_bot=True, by_power=True) if row["bot"] == one]
        worst = min(seats, key=lambda row: row["share"])
        print(
            f"| {one} | {six} | {_share(whole)} | {worst['power'].title()} {_share(worst)} "
            f"| {whole['centres']:.1f} | {whole['solos']} | {results.overall().last_year:.1f} |",
            flush=True,
        )


def _share(row: dict[str, float]) -> str:
    return f"{100 * row['share']:.1f} ± {200 * (row['share_error'] or 0):.1f} %"


# one bot in all seats -----------------------------------------------------------------------------


def _seven(options: argparse.Namespace) -> None:
    print(f"\n## One bot in all seven seats, {options.seven} games\n")
    print("| bot | owned 1901 | 1902 | 1903 | bounces with oneself | needless | void own supports | idle |")
    print("|---|---|---|---|---|---|---|---|")
    for bot in options.bots:
        results = _played(options, bot, options.seven, FIRST_YEAR + 2)
        owned = [row["centres"] * row["seats"] / options.seven for row in results.years(by_bot=True)]
        faults: Counter[str] = Counter()
        for game in range(options.seven):
            faults.update(order_faults(record_of(results, game)))
        rates = " | ".join(f"{100 * faults[fault] / faults['orders']:.1f}" for fault in FAULTS)
        print(f"| {bot} | {' | '.join(f'{centres:.1f}' for centres in owned)} | {rates} |", flush=True)
    print("\nFaults are for every hundred orders to units.")


# people -------------------------------------------------------------------------------------------


class PeoplesOrders(NamedTuple):
    """What a person ordered in a movement phase: orders in normal form."""

    position: Position
    power: str
    orders: frozenset[str]


def held_back_games(*, held_back: bool = True) -> Iterator[Json]:
    """The games of people that are for measuring; or those that a bot may learn from."""
    for line in lzma.decompress(PEOPLE.read_bytes()).splitlines():
        game = json.loads(line)
        if (game["id"] % HELD_BACK == 0) == held_back:
            yield game


def peoples_orders(game: Json) -> Iterator[PeoplesOrders]:
    """All that people ordered in the movement phases of a game; a program's orders are left out."""
    assert isinstance(game, dict)
    record = read_game_record({name: game[name] for name in ("variant", "rulebook", "phases")})
    for played in replay(record):
        if played.position.phase.kind != "M":
            continue
        by_power: dict[str, list[str]] = {}
        for verdict in played.judged.turn.outcome.verdicts:
            if verdict.order is not None and verdict.power != game["program"]:
                by_power.setdefault(verdict.power, []).append(str(verdict.order))
        for power, orders in by_power.items():
            yield PeoplesOrders(played.position, power, frozenset(orders))


def _people(options: argparse.Namespace) -> None:
    asked = [one for game in held_back_games() for one in peoples_orders(game)]
    asked = asked[:: max(1, len(asked) // options.positions)]
    print(f"\n## Orders as people give them, {len(asked)} order sets, and time\n")
    print("| bot | first | among five | whole sets | seconds for a power, median | mean |")
    print("|---|---|---|---|---|---|")
    for bot in options.bots:
        first, listed, whole, spent = _agreement(bot, asked)
        print(
            f"| {bot} | {100 * first:.1f} % | {100 * listed:.1f} % | {100 * whole:.1f} % "
            f"| {median(spent):.3f} | {mean(spent):.3f} |",
            flush=True,
        )


def _agreement(bot: str, asked: Sequence[PeoplesOrders]) -> tuple[float, float, float, list[float]]:
    """The parts of people's orders that a bot gives at first, and among those it gives most often; the
    order sets that it gives whole; the seconds of each answer."""
    player, first, listed, whole, orders, spent = create_bot(bot), 0, 0, 0, 0, list[float]()
    for one in asked:
        given: dict[str, Counter[str]] = {}
        for attempt in range(TRIES):
            begun = process_time()
            answer = [
                str(order)
                for order in orders_for_power(CLASSIC, BOOK, one.position, one.power, player, attempt)
            ]
            spent.append(process_time() - begun)
            if not attempt:
                first += len(one.orders & set(answer))
                whole += one.orders == set(answer)
            for order in answer:
                given.setdefault(order.split(" ", 2)[1], Counter())[order] += 1
        likely = {order for often in given.values() for order, _ in often.most_common(LISTED)}
        listed += len(one.orders & likely)
        orders += len(one.orders)
    return first / orders, listed / orders, whole / len(asked), spent[1:]


if __name__ == "__main__":
    sys.exit(main())
