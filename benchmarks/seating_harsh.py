"""How far from the proven bound the draws of `talleyrand.seating` end where an event is unruly.

    python -m benchmarks.seating_harsh [--events 120] [--first 0] [--keep]

Of 14 to 91 people, three to five rounds: up to a quarter stay away and up to a quarter are new in each round,
so that the number of boards changes; boards of six and seven; teams, pairs kept apart, recorders. Nothing is
left out for being hard. Of each round above the bound, `benchmarks.seating_proof` says whether fewer repeats
are possible under its rules, without more third meetings. It ends with status 1 where a hard rule is broken
or a round takes ten seconds.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time

from talleyrand.seating import (
    ApartRule,
    HardRule,
    PastGame,
    RoundDraw,
    SeatingHistory,
    SeatingRequest,
    SoftRules,
    TeamRule,
    draw,
)
from tests.seating.events import boards

from . import seating_proof

RESULTS = Path(__file__).with_name("results") / "seating_harsh.txt"
CHURN = (0.0, 0.05, 0.15, 0.25)
LONGEST = 10.0


@dataclass(frozen=True)
class Kind:
    """What an event is like, by its number: every mixture comes in turn."""

    people: int
    rounds: int
    churn: float
    six: bool
    teams: bool
    apart: bool

    @classmethod
    def of(cls, seed: int) -> Kind:
        """The kind of the event of this number."""
        return cls(
            14 + seed * 29 % 78,
            3 + seed % 3,
            CHURN[seed // 3 % 4],
            *(bool(seed >> bit & 1) for bit in range(3)),
        )

    @property
    def field(self) -> str:
        """How many boards it begins with."""
        few = self.people // 7
        return next(name for most, name in ((3, "2-3"), (6, "4-6"), (8, "7-8"), (99, "9-13")) if few <= most)


@dataclass(frozen=True)
class Measure:
    """How far a round ended from its bounds, and how long it took."""

    round: int
    pairs: int
    powers: int
    seconds: float
    broken: int
    told: str  # of a round above the bound: what is proven of it


def event(seed: int) -> Iterator[Measure]:
    """Draw the rounds of an event one after the other."""
    kind, chance = Kind.of(seed), Random(seed)
    known, games = list(range(kind.people)), list[PastGame]()
    recorders = frozenset(chance.sample(range(200), 60))
    for number in range(kind.rounds):
        here = _present(known, kind, chance) if number else known
        sizes = _sizes(len(here), six=kind.six)
        people = tuple(sorted(chance.sample(here, sum(sizes))))
        rules = _rules(people, kind, len(sizes))
        asked = SeatingRequest(
            boards(*sizes),
            people,
            f"{seed} {number}",
            SeatingHistory(tuple(games)),
            rules,
            SoftRules(recorders=recorders),
        )
        begun = process_time()
        drawn = draw(asked)
        seconds = process_time() - begun
        yield _measured(number + 1, asked, drawn, seconds)
        games += [PastGame(seats) for seats in drawn.seats.values()]


def _measured(number: int, asked: SeatingRequest, drawn: RoundDraw, seconds: float) -> Measure:
    powers = drawn.power_repeats - drawn.power_bound
    over = drawn.repeats - drawn.bound
    told = seating_proof.prove_least(asked, drawn) if over else ""
    return Measure(number, over, powers, seconds, len(drawn.broken_rules), told)


def above(measures: Sequence[tuple[Kind, Measure]]) -> Iterator[str]:
    """The rounds above the bound by what is proven of them: whether rules and third meetings allow fewer."""
    told = Counter((kind.field, one.told) for kind, one in measures if one.told)
    yield f"{'above the bound':22} rounds  {'what an exhaustive search says':40}"
    for (field, proof), count in sorted(told.items()):
        yield f"boards {field:15} {count:6}  {proof}"
    all_told = Counter(one.told for _, one in measures if one.told)
    yield from (f"{'all':22} {count:6}  {proof}" for proof, count in sorted(all_told.items()))


def _present(known: list[int], kind: Kind, chance: Random) -> list[int]:
    """Who is there: some stay away, and some are new and known from now on."""
    here = [person for person in known if chance.random() >= kind.churn]
    new = range(len(known), len(known) + chance.randint(0, int(kind.people * kind.churn)))
    known.extend(new)
    least = chance.sample(known, 14) if len(here) + len(new) < 14 else []
    return sorted({*here, *new, *least})


def _sizes(people: int, *, six: bool) -> list[int]:
    """Boards of seven for all, some of six if that leaves nobody out; else whoever is too many rests."""
    many = -(-people // 7)
    missing = 7 * many - people
    if six and missing <= many:
        return [7] * (many - missing) + [6] * missing
    return [7] * (people // 7)


def _rules(people: Sequence[int], kind: Kind, boards: int) -> tuple[HardRule, ...]:
    """Teams of those who registered one after the other, and pairs of others."""
    size = min(boards, 4)
    teams = [frozenset(range(at, at + size)) for at in range(0, kind.people, size)] if kind.teams else []
    pairs = [(person, person + 7) for person in people if person % 6 == 0] if kind.apart else []
    present = set(people)
    return (
        *(TeamRule(team & present) for team in teams if len(team & present) > 1),
        *(ApartRule(*two) for two in pairs if present.issuperset(two)),
    )


def table(measures: Sequence[tuple[Kind, Measure]]) -> Iterator[str]:
    """The distances class by class."""
    yield f"{'':22} rounds  at the bound  pairs over: all, most   powers over   longest"
    classes: dict[str, list[Measure]] = {}
    for kind, one in measures:
        for name in _classes(kind, one):
            classes.setdefault(name, []).append(one)
    for name in sorted(classes):
        yield f"{name:22} {_line(classes[name])}"


def _classes(kind: Kind, one: Measure) -> Iterator[str]:
    yield "all"
    yield f"boards {kind.field}, round {one.round}"
    yield f"churn {kind.churn:.0%}"
    yield "rules: " + (" and ".join(["teams"] * kind.teams + ["apart"] * kind.apart) or "none")
    yield "sizes: " + ("six and seven" if kind.six else "seven")


def _line(found: Sequence[Measure]) -> str:
    reached = sum(not one.pairs for one in found)
    over = [one.pairs for one in found]
    powers, longest = sum(one.powers for one in found), max(one.seconds for one in found)
    return f"{len(found):6} {reached:13} {sum(over):16} {max(over):6} {powers:13} {longest:9.2f}"


def main() -> int:
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=120)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="write results/seating_harsh.txt")
    options = parser.parse_args()
    found, whole = list[tuple[Kind, Measure]](), Counter[bool]()
    for seed in range(options.first, options.first + options.events):
        rounds = list(event(seed))
        found += [(Kind.of(seed), one) for one in rounds]
        whole[all(not one.pairs for one in rounds)] += 1
        print(seed, [(one.pairs, one.told) for one in rounds if one.told], file=sys.stderr, flush=True)
    lines = [
        f"Python {platform.python_version()}, one core; seconds are processor time",
        "",
        f"{options.events} unruly events; {whole[True]} at the bound of pairs in every round",
        "",
        *table(found),
        "",
        *above(found),
    ]
    print("\n".join(lines))
    if options.keep:
        RESULTS.write_text("\n".join(lines) + "\n", "utf-8")
    return int(any(one.broken or one.seconds >= LONGEST for _, one in found))


if __name__ == "__main__":
    sys.exit(main())
