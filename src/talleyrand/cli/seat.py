"""`talleyrand seat`: who plays what on which board, in every round of an event."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from itertools import combinations
from secrets import token_hex
from textwrap import wrap

from talleyrand import seating, variants
from talleyrand.seating import EventPlan, Pair, Seats
from talleyrand.seating.event_planning import POWERS

from .console import CliSentences
from .failures import DONE, USAGE, CommandError
from .output import print_json

NO_BREAK = "\u00a0"
ROUNDS, WIDTH = 4, 100
POWERS_BY_SIZE = {7: POWERS, 6: POWERS[:-1]}  # on a board of six, nobody plays Turkey


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("seat")
    parser.add_argument(
        "--players", type=int, required=True, metavar=say("metavar.number"), help=say("help.players")
    )
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, metavar=say("metavar.number"), help=say("help.rounds")
    )
    parser.add_argument("--boards", metavar=say("metavar.sizes"), help=say("help.boards"))
    parser.add_argument("--seed", metavar=say("metavar.text"), help=say("help.seat_seed"))
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.set_defaults(run=seat)


def seat(options: argparse.Namespace, say: CliSentences) -> int:
    """Plan an event of people who are numbered from 1 on, for people or as JSON."""
    boards = None if options.boards is None else _boards(options.boards)
    if options.players < 0:
        raise CommandError("error.players", USAGE)
    seed = token_hex(4) if options.seed is None else options.seed
    plan = seating.plan(range(1, options.players + 1), options.rounds, seed, boards)
    if options.json:
        print_json(_value(plan))
    else:
        _print(plan, say)
    return DONE


def _boards(text: str) -> Mapping[int, tuple[str, ...]]:
    """The powers of boards from their sizes as they are typed: 7,7,6."""
    sizes = text.replace(",", " ").split()
    if not sizes or not all(size in ("6", "7") for size in sizes):
        raise CommandError("error.boards", USAGE, text=text[:60])
    return {number: POWERS_BY_SIZE[int(size)] for number, size in enumerate(sizes, 1)}


def _value(plan: EventPlan) -> dict[str, object]:
    return {
        "rounds": [
            [{"board": board, "seats": dict(given)} for board, given in seats.items()]
            for seats in plan.rounds
        ],
        "repeats": plan.repeats,
        "bound": plan.bound,
        "power_repeats": plan.power_repeats,
        "power_bound": plan.power_bound,
        "most": plan.most_meetings,
        "again": [{"players": list(two), "rounds": rounds} for two, rounds in _again(plan).items()],
        "resting": [list(rest) for rest in plan.resting],
        "seed": plan.seed,
    }


def _again(plan: EventPlan) -> dict[Pair, list[int]]:
    """The pairs that meet twice or more often, and in which rounds."""
    met: dict[Pair, list[int]] = {}
    for number, seats in enumerate(plan.rounds, 1):
        for given in seats.values():
            for two in combinations(sorted(given.values()), 2):
                met.setdefault(two, []).append(number)
    return {two: rounds for two, rounds in sorted(met.items()) if len(rounds) > 1}


def _print(plan: EventPlan, say: CliSentences) -> None:
    for number, (seats, rest) in enumerate(zip(plan.rounds, plan.resting, strict=True), 1):
        _print_round(number, seats, say)
        if rest:
            print(say("seat.resting", people=", ".join(map(str, rest))))
        print()
    _print_repeats(plan, say)
    print(say("seat.seed", seed=plan.seed))


def _print_round(number: int, seats: Seats, say: CliSentences) -> None:
    names = variants.load("classic").names(say.language).powers
    title = say("seat.round", number=str(number))
    first = max(len(title), *(len(say("seat.board", number=str(board))) for board in seats))
    heads = {code[:3]: power.name for code, power in names.items()}
    print("  ".join([f"{title:{first}}", *(heads[code] for code in POWERS)]))
    for board, given in seats.items():
        cells = [f"{given.get(code, '-'):>{len(heads[code])}}" for code in POWERS]
        print("  ".join([f"{say('seat.board', number=str(board)):{first}}", *cells]))


def _print_repeats(plan: EventPlan, say: CliSentences) -> None:
    facts = {"repeats": str(plan.repeats), "bound": str(plan.bound), "most": str(plan.most_meetings)}
    if not plan.repeats:
        print(say("seat.never"))
    else:
        reached = plan.repeats == plan.bound
        print(say("seat.best" if reached else "seat.above", **facts))
        print(say("seat.most", **facts))
        print("\n".join(wrap(_listed(plan), WIDTH, break_on_hyphens=False)))
    repeats = {"repeats": str(plan.power_repeats), "bound": str(plan.power_bound)}
    print(say("seat.powers" if plan.power_repeats else "seat.no_powers", **repeats))


def _listed(plan: EventPlan) -> str:
    """Each pair that meets again with its rounds, which no line break parts."""
    told = []
    for (one, other), rounds in _again(plan).items():
        told.append(f"{one}-{other}{NO_BREAK}({f',{NO_BREAK}'.join(map(str, rounds))})")
    return " ".join(told)
