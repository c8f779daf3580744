"""How good the draws of `talleyrand.seating` are, and how long they take. Plain Python, one core.

    python -m benchmarks.seating [--events 100] [--keep]

Ends with status 1 where a mark is missed: the best known value of every size planned ahead; no repeat where a
construction has none; the bound round by round while everybody comes; the bound in 95 of a hundred events
with absences and walk-ins; ten seconds a round for 210 people.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time

from talleyrand.seating import PastGame, SeatingHistory, SeatingRequest, TeamRule, draw, plan
from talleyrand.seating.bounds import fewest_repeats_of_rounds
from tests.seating.events import boards, weekend
from tests.seating.test_plans import BEST_KNOWN, WITHOUT_REPEAT

RESULTS = Path(__file__).with_name("results") / "seating.txt"
ROUND_BY_ROUND = (
    (14, 3),
    (21, 4),
    (28, 5),
    (35, 4),
    (42, 4),
    (42, 5),
    (42, 6),
    (49, 5),
    (49, 7),
    (56, 5),
    (70, 5),
    (105, 5),
    (210, 5),
)
SEEDS = 3


class Report:
    """Lines that are shown as they come, and whether every mark was reached."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.reached = True

    def say(self, line: str = "", *, good: bool = True) -> None:
        """Show a line; one that tells of a missed mark says so."""
        self.reached &= good
        self.lines.append(line if good else f"{line}   MISSED")
        print(self.lines[-1], flush=True)


def ahead(report: Report) -> None:
    """Every size planned ahead."""
    report.say("Planned ahead: repeats (bound), most meetings of a pair, powers again (bound), seconds")
    known = {(players, rounds): (best, most) for players, rounds, best, most in BEST_KNOWN}
    for players, rounds in (*known, *WITHOUT_REPEAT):
        begun = process_time()
        found = plan(range(players), rounds, "1901")
        took = process_time() - begun
        good = (found.repeats, found.most_meetings) <= known.get((players, rounds), (0, 1))
        good &= found.power_repeats == found.power_bound
        told = f"{found.repeats:4} ({found.bound:3})  {found.most_meetings}"
        told += f"  {found.power_repeats:3} ({found.power_bound:3})"
        report.say(f"{players:4} x {rounds}  {told}  {took:6.2f}", good=good)
    report.say()


def by_rounds(report: Report) -> None:
    """Everybody comes to every round, and no round is drawn with a thought of those to come."""
    report.say(
        f"Round by round, {SEEDS} seeds: repeats of the event, powers again, seconds of the longest round"
    )
    for players, rounds in ROUND_BY_ROUND:
        runs = [list(_rounds(players, rounds, seed)) for seed in range(SEEDS)]
        repeats = " ".join(str(sum(one[0] for one in run)) for run in runs)
        powers = " ".join(str(sum(one[1] for one in run)) for run in runs)
        longest = max(one[2] for run in runs for one in run)
        bound = fewest_repeats_of_rounds(players // 7, rounds)
        good = longest < 10 and all(sum(one[0] for one in run) == bound for run in runs)
        report.say(f"{players:4} x {rounds}  {repeats:12} {powers:8} {longest:6.2f}", good=good)
    report.say()


def _rounds(players: int, rounds: int, seed: int, new: int = 0) -> Iterator[tuple[int, int, float]]:
    """`new`: how many stay away in each round, with as many others in their places."""
    games: list[PastGame] = []
    chance = Random(seed)
    everybody = range(players + new)
    for number in range(rounds):
        asked = boards(*[7] * (players // 7))
        people = tuple(sorted(chance.sample(everybody, players)))
        begun = process_time()
        drawn = draw(SeatingRequest(asked, people, f"{seed} {number}", SeatingHistory(tuple(games))))
        yield drawn.repeats, drawn.power_repeats, process_time() - begun
        games += [PastGame(seats) for seats in drawn.seats.values()]


def changing(report: Report) -> None:
    """As many boards in every round, but not always the same people: some of a few too many stay away."""
    report.say(
        f"Four rounds, others in a few places, {SEEDS} seeds: repeats, powers again, seconds of the longest"
    )
    for players, new in ((49, 2), (49, 5), (56, 5), (70, 5)):
        runs = [list(_rounds(players, 4, seed, new)) for seed in range(SEEDS)]
        repeats = " ".join(str(sum(one[0] for one in run)) for run in runs)
        powers = " ".join(str(sum(one[1] for one in run)) for run in runs)
        longest = max(one[2] for run in runs for one in run)
        told = f"{players:4} of {players + new}  {repeats:12} {powers:8} {longest:6.2f}"
        report.say(told, good=longest < 10)
    report.say()


def events(report: Report, count: int) -> None:
    """Events of 17 to 110 people, who stay away now and then, with walk-ins."""
    begun = process_time()
    found = [list(weekend(seed)) for seed in range(count)]
    took = (process_time() - begun) / sum(map(len, found))
    pairs = sum(all(one.repeats == one.bound for one in event) for event in found)
    powers = sum(all(one.power_repeats == one.power_bound for one in event) for event in found)
    report.say(f"{count} events of three or four rounds with absences and walk-ins")
    report.say(f"  {pairs} at the bound of pairs in every round", good=pairs >= 0.95 * count)
    report.say(f"  {powers} at the bound of powers in every round", good=powers >= 0.95 * count)
    report.say(f"  {took:.2f} seconds a round")
    report.say()


def teams(report: Report) -> None:
    """Teams of seven, no two members on a board or with a power."""
    report.say("Second round with teams of seven on all boards: repeats (bound), powers again, seconds")
    for players in (49, 105, 210):
        first = draw(SeatingRequest(boards(*[7] * (players // 7)), tuple(range(players)), "first"))
        past = SeatingHistory(tuple(PastGame(seats) for seats in first.seats.values()))
        rules = tuple(TeamRule(frozenset(range(at, at + 7))) for at in range(0, players, 7))
        begun = process_time()
        drawn = draw(
            SeatingRequest(boards(*[7] * (players // 7)), tuple(range(players)), "second", past, rules)
        )
        took = process_time() - begun
        told = f"{drawn.repeats:4} ({drawn.bound})  {drawn.power_repeats}"
        report.say(f"{players:4}  {told}  {took:6.2f}", good=not drawn.broken_rules and took < 10)


def main() -> int:
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--keep", action="store_true", help="write results/seating.txt")
    options = parser.parse_args()
    report = Report()
    report.say(f"Python {platform.python_version()}, one core; seconds are processor time")
    report.say()
    ahead(report)
    by_rounds(report)
    changing(report)
    events(report, options.events)
    teams(report)
    if options.keep:
        RESULTS.write_text("\n".join(report.lines) + "\n", "utf-8")
    return 0 if report.reached else 1


if __name__ == "__main__":
    sys.exit(main())
