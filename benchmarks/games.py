"""Whole games in arrays: python -m benchmarks.games [--games 200] [--until 1920] [--rounds 5].

Games a second of one core, all seven powers played by one bot. The first round, in which the compiler works,
is never counted.
"""

from __future__ import annotations

import argparse
import platform
from collections import Counter
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import NamedTuple

import numba
import numpy as np

from talleyrand import rulebooks, variants
from talleyrand.simulation import bots
from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.facts import Facts
from talleyrand.simulation.bots.streams import starts
from talleyrand.simulation.referee import Referee

BOTS = ("hold", "random", "values")


class Figures(NamedTuple):
    """One run of games: processor seconds, phases with a choice, the share of the time that bots took, and
    the phases that the engine played."""

    bot: str
    games: int
    seconds: float
    phases: int
    thinking: float
    by_engine: int

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / self.seconds


def run(bot: str, games: int, until: int, seed: int, variant: str = "classic", book: str = "datc") -> Figures:
    """Play so many games side by side, every power by one bot."""
    setting, judge = variants.load(variant).setting, rulebooks.load(book).judge
    referee, facts, player = Referee(setting, judge, until), Facts(setting, judge), bots.by_name(bot)
    phases, thought, left, begun = 0, 0.0, Counter[str](), process_time()
    for count, thinking, by_engine in _steps(referee, facts, player, games, seed):
        phases, thought = phases + count, thought + thinking
        left.update(by_engine)
    seconds = process_time() - begun
    return Figures(bot, games, seconds, phases, thought / seconds, left.total())


def _steps(
    referee: Referee, facts: Facts, player: Bot, count: int, seed: int
) -> Iterator[tuple[int, float, dict[str, int]]]:
    """Each step: how many games it played, how long the bot thought, what the engine did."""
    games, powers, step = referee.start(count), len(referee.names.powers), 0
    everybody = np.ones((count, powers), np.bool_)
    while not games.over.all():
        playing, sheets = int((~games.over).sum()), games.sheets()
        begun = process_time()
        player.order(facts, games, everybody, sheets, starts(seed, range(count), step, powers))
        thinking = process_time() - begun
        done = referee.step(games, sheets)
        yield playing, thinking, {str(why): number for why, number in done.by_engine.items()}
        step += 1


def rates(bot: str, games: int, until: int, seed: int, rounds: int) -> list[Figures]:
    """The figures of several rounds, each of other games, after one that is not counted."""
    run(bot, 2, until, seed)
    return [run(bot, games, until, seed + number) for number in range(rounds)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.games")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--until", type=int, default=1920)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1901)
    wanted = parser.parse_args()
    print(f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}, ", end="")
    print(f"{platform.system()} {platform.machine()}, one core")
    print(f"{wanted.rounds} rounds of {wanted.games} games on the classic map to the end of {wanted.until}\n")
    print(f"{'':10}{'games/s: min, median, max':>30}{'phases/s':>10}{'bot':>7}{'by engine':>11}")
    for bot in BOTS:
        print(_line(rates(bot, wanted.games, wanted.until, wanted.seed, wanted.rounds)))


def _line(found: list[Figures]) -> str:
    speeds = sorted(one.rate for one in found)
    phases = median(one.phases / one.seconds for one in found)
    thinking = median(one.thinking for one in found)
    left = sum(one.by_engine for one in found) / sum(one.phases for one in found)
    spread = f"{speeds[0]:10.1f}{median(speeds):10.1f}{speeds[-1]:10.1f}"
    return f"{found[0].bot:10}{spread}{phases:10.0f}{thinking:7.0%}{left:11.3%}"


if __name__ == "__main__":
    main()
