"""The world of Diplomatie 2000 with 140 units: python -m benchmarks.diplomatie_2000 [--rounds 7] [--keep].

A season of random legal orders is judged by the compiled judge and by the readable one, the legal orders of
every seat are listed, a season with ballots is answered with its reasons, and the menus of a board are made,
anew and kept. Processor time. Ends with status 1 where a median misses its limit.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

from talleyrand import rulebooks
from talleyrand.engine import legality, movement
from talleyrand.engine.orders import Convoy, Hold, Move, Order, Support
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import adjudication
from talleyrand.formats.position_json import write_position
from talleyrand.simulation.batch_adjudicator import BatchAdjudicator, PhaseBatchAnswers
from talleyrand.variants import load

UNITS, SEASON = 140, Phase("S", 2002, "M")
SCENES = 12
RESULTS = Path(__file__).parent / "results" / "world.txt"
VARIANT = load("diplomatie_2000")
BOARD, BOOK = VARIANT.definition.board, rulebooks.load("anjou_feu").adjudication_rules
Accepted = dict[tuple[str, str], Order]


class Part(NamedTuple):
    """What is measured: its name, what is done, and the limit in milliseconds, if it has one."""

    name: str
    seconds: Callable[[], float]
    limit: float | None = None


class Scene(NamedTuple):
    """A position of 140 units with a legal order for each."""

    position: Position
    orders: Accepted


def scene(seed: int) -> Scene:
    """The start with units added wherever there is room, and orders drawn by a seed."""
    dice = random.Random(f"{seed} world")
    start = VARIANT.definition.start
    units = [unit for unit in start.units if unit.power in BOARD.powers]
    free = sorted(set(BOARD.provinces) - {unit.province for unit in units})
    for code in dice.sample(free, UNITS - len(units)):
        places = [(kind, place) for kind in "AFV" for place in BOARD.standable_locations(kind, code)]
        units.append(Unit(*dice.choice(places), dice.choice(BOARD.powers)))
    position = Position(SEASON, tuple(units), centres=start.centres)
    return Scene(position, _orders(position, dice))


def _orders(position: Position, dice: random.Random) -> Accepted:
    """Half of the units move; the others support what is ordered, where they can, or convoy."""
    legal = {unit: list(legality.legal_unit_orders(BOARD, position, unit, BOOK)) for unit in position.units}
    moving = dice.sample(position.units, UNITS // 2)
    ordered: dict[Unit, Order] = {}
    for unit in moving:
        moves = [one for one in legal[unit] if isinstance(one, Move) and not one.via]
        ordered |= {unit: dice.choice(moves)} if moves else {}
    said = {(order.unit, getattr(order, "to", None)) for order in ordered.values()}
    for unit in position.units:
        others = (one for one in legal[unit] if isinstance(one, Support | Convoy))
        useful = [one for one in others if (one.target, one.to) in said]
        ordered.setdefault(unit, dice.choice(useful or [Hold(unit.name)]))
    return {(unit.power, unit.province): order for unit, order in ordered.items()}


def asked(played: Scene) -> dict[str, Any]:
    """The same as a question, with proposals and everybody's ballots."""
    dice = random.Random(len(played.orders))
    own = [unit for unit in played.position.units if unit.kind == "M"]
    units = write_position(played.position, BOARD)
    proposals = {state: ["1A RUSS 20"] for state in BOARD.powers[:9]}
    proposals["CHIN"] = ["1B ETUN 20", "2 " + " / ".join(f"{unit} H" for unit in sorted(own))]
    sheets: dict[str, list[str]] = {state: [] for state in BOARD.powers}
    for (power, _), order in played.orders.items():
        if order.unit and order.unit.kind != "M":
            sheets[power].append(str(order))
    for state, lines in sheets.items():
        names = dice.sample(sorted(proposals), 3)
        lines += [
            f"1) {', '.join(names)} / 2) CHIN",
            f"Aide : 1 : {dice.choice(sorted({*sheets} - {state}))}",
        ]
    fields = {"variant": "diplomatie_2000", "politics": {"proposals": proposals}, "orders": sheets}
    return {**units, **fields}


def each(do: Callable[[int], object], count: int) -> float:
    """The median processor seconds of doing something so many times."""
    taken = []
    for number in range(count):
        begun = process_time()
        do(number)
        taken.append(process_time() - begun)
    return median(taken)


def parts() -> list[Part]:
    """Everything that is measured, made ready."""
    scenes = [scene(seed) for seed in range(SCENES)]
    compiled = BatchAdjudicator(BOARD, BOOK)
    rows = [compiled.encode([played]) for played in scenes]
    room = PhaseBatchAnswers.blank(1, len(BOARD.provinces))
    asking = [asked(played) for played in scenes[:5]]
    left = sum(sum(compiled.adjudicate(row).left_to_engine.values()) for row in rows)
    print(f"of {SCENES} scenes the compiled judge leaves {left} to the readable one")
    count = len(asking)
    return [
        Part("the compiled judge", lambda: each(lambda n: compiled.adjudicate(rows[n], room), SCENES), 3.0),
        Part("the readable judge, legal orders known", lambda: each(lambda n: judge(scenes[n]), SCENES), 3.0),
        Part("the readable judge, orders checked first", lambda: each(lambda n: check(scenes[n]), SCENES)),
        Part("legal orders of every seat", lambda: each(lambda n: listed(scenes[n]), SCENES), 300.0),
        Part("an answer without reasons", lambda: each(lambda n: plain(asking[n]), count)),
        Part("an answer with reasons", lambda: each(lambda n: told(asking[n]), count), 2000.0),
        Part("menus of every seat, anew", lambda: each(lambda n: menus(asking[n]), count), 300.0),
        Part("menus of every seat, kept", lambda: each(lambda n: kept(asking[n]), count), 30.0),
    ]


def judge(played: Scene) -> None:
    movement.adjudicate_legal_orders(BOARD, replace(played.position), played.orders, BOOK)


def check(played: Scene) -> None:
    sheets: dict[str, list[Order]] = {}
    for (power, _), order in played.orders.items():
        sheets.setdefault(power, []).append(order)
    movement.adjudicate(BOARD, replace(played.position), sheets, BOOK)


def listed(played: Scene) -> int:
    rules = VARIANT.definition.rules_for(SEASON)
    position = replace(played.position)
    seats = rules.powers_with_choices(BOARD, position, BOOK)
    return sum(len(rules.legal_orders(BOARD, position, seat, BOOK)) for seat in seats)


def menus(question: Mapping[str, Any]) -> None:
    """The menus of a position nobody has looked at; the site sets itself up before the first."""
    choices = _choices()
    choices._menu.cache_clear()
    choices._choosers.cache_clear()
    choices.menus(question, "en")


def kept(question: Mapping[str, Any]) -> None:
    _choices().menus(question, "en")


@cache
def _choices() -> Any:
    with TemporaryDirectory() as folder:
        os.environ.setdefault("TALLEYRAND_DATA", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
        import django

        django.setup()
    from talleyrand.web.boards import order_menus

    return order_menus


def told(question: Mapping[str, Any]) -> None:
    answer = adjudication.adjudicate_question(dict(question))
    assert "error" not in answer, answer["error"]


def plain(question: Mapping[str, Any]) -> None:
    adjudication.adjudicate_question(dict(question), StepBudget(0))


def main() -> int:
    """Measure, print, and say whether all is fast enough."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diplomatie_2000")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--keep", action="store_true", help=f"write results/{RESULTS.name}")
    wanted = parser.parse_args()
    lines = [
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"load {os.getloadavg()[0]:.1f}; {UNITS} units, {SCENES} scenes, {wanted.rounds} rounds",
        f"{'milliseconds of processor':44}{'least':>9}{'median':>9}{'most':>9}{'limit':>9}",
    ]
    missed = 0
    for part in parts():
        taken = [part.seconds() * 1000 for _ in range(wanted.rounds + 1)][1:]
        missed += part.limit is not None and median(taken) > part.limit
        limit = f"{part.limit:9.0f}" if part.limit else ""
        lines.append(f"{part.name:44}{min(taken):9.2f}{median(taken):9.2f}{max(taken):9.2f}{limit}")
    text = "\n".join([*lines, "a limit is missed" if missed else "every limit is kept"])
    print(text)
    if wanted.keep:
        RESULTS.write_text(text + "\n", "utf-8")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
