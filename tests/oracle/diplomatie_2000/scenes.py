"""Years of the world in which much happens at once, drawn by a seed: where they begin, and readings."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from tests.oracle.diplomatie_2000.annexes import (
    CENTRES,
    EVERYWHERE,
    INLAND,
    PLAIN,
    SEAS,
    SECTORS,
    STATES,
    places,
)
from tests.oracle.diplomatie_2000.standing import DEFAULTS, Json
from tests.oracle.diplomatie_2000.winters import BOOK

OTHERS = {
    "type1_adopted": "as_ballots",
    "nine_proposals": "2",
    "unranked_tie": "first_code",
    "mandate_nationality": "owner",
    "canal_convoy": "no",
    "colour": "never",
    "mixed_builds": "m_only",
    "host_all": "states_only",
    "russ_subversion_from": "2",
    "disgraced_mandates": "after_winter",
    "repeated_intervention": "same_state",
}
CHOICES = {
    "build_fleet_inland": ("fails", "army"),
    "too_many_builds": ("first_legal", "last_legal", "none"),
    "two_builds_one_centre": ("first", "last", "none"),
    "too_many_removals": ("first_legal", "last_legal", "civil_disorder"),
    "unused_builds": ("lost_for_the_year", "kept", "must_build"),
    "missing_removals": ("complete_by_civil_disorder", "random"),
    "removal_reference": ("home_centres", "country", "owned_centres"),
    "removal_metric": ("any_space_graph", "army_any_fleet_sea", "by_unit_moves"),
    "removal_alphabet": ("english", "english_annex_number", "french"),
}


def draw_start(dice: Random) -> dict[str, Json]:
    """Where a year begins: in spring, or half-way; a question without orders."""
    year = dice.choice((2001, 2002, 2003, 2003, 2007))
    season = dice.choice("SSSF")
    gone = dice.sample(list(STATES), dice.choice((0, 0, 0, 1, 2)))
    owned = draw_centres(dice, gone)
    book = dice.random() < 0.4
    choices = {name: dice.choice(values) for name, values in CHOICES.items()} if book else BOOK
    return {
        "variant": "diplomatie_2000",
        "phase": f"{season}{year}P",
        "rulebook": {"extends": "datc", "options": dict(choices)},
        "seed": dice.choice(("", "Lyon", 'é\n"')),
        "units": draw_units(dice, owned, gone),
        "centers": {state: sorted(codes) for state, codes in owned.items()},
        "politics": draw_affairs(dice, 2 * year + (season == "F"), owned, gone),
    }


def draw_centres(dice: Random, gone: Iterable[str]) -> dict[str, list[str]]:
    """Centres dealt so that many states are at a threshold: of aid, subversion, scoring, victory, life."""
    free = set(CENTRES)
    owned: dict[str, list[str]] = {state: [] for state in STATES}
    states = [state for state in STATES if state not in gone]
    dice.shuffle(states)
    for state in states:
        row = STATES[state]
        base = len(row.arsenals)
        goal = base + 1000 // row.rate
        edges = [0, 1, row.subversion, row.subversion + 1, base, base + 1]
        edges += [edge for least in row.aid for edge in (least - 1, least)]
        edges += [goal, goal + 1] * 9 if dice.random() < 0.01 else []
        count = min(dice.choice(edges), len(free))
        own = sorted(free & set(row.arsenals))
        first = dice.sample(own, min(count, max(0, len(own) - dice.choice((0, 0, 1, 3)))))
        rest = dice.sample(sorted(free - set(first)), max(0, count - len(first)))
        owned[state] = [*first, *rest]
        free -= {*first, *rest}
    for code in sorted(free):
        if dice.random() < 0.5:
            owned[dice.choice(states)].append(code)
    return owned


def draw_units(dice: Random, owned: dict[str, list[str]], gone: Iterable[str]) -> dict[str, list[str]]:
    """About as many units as centres, at home and around, of every kind, one to a sector."""
    taken: set[str] = set()
    units: dict[str, list[str]] = {}
    for state, codes in owned.items():
        if state in gone:
            continue
        count = max(0, len(codes) + dice.choice((-3, -2, -1, 0, 0, 1, 1, 2)))
        count += 0 if codes else dice.choice((1, 2, 3))
        home = codes or list(STATES[state].arsenals)
        for _ in range(count):
            code = dice.choice(home)
            if dice.random() < 0.65:
                code = dice.choice(sorted(EVERYWHERE[code]))
            if dice.random() < 0.05:
                code = dice.choice(sorted(SECTORS))
            if code not in taken:
                taken.add(code)
                units.setdefault(state, []).append(_unit(dice, code))
    free = sorted(set(SECTORS) - taken)
    if dice.random() < 0.8:
        units["ONU"] = [f"M {dice.choice(free)}"]
    return units


def _unit(dice: Random, code: str) -> str:
    kinds = "VM" + ("" if code in SEAS else "AAAA") + ("" if code in INLAND else "FFF")
    kind = dice.choice(kinds)
    return f"{kind} {dice.choice(places(code)) if kind == 'F' else code}"


def draw_affairs(dice: Random, turn: int, owned: dict[str, list[str]], gone: list[str]) -> dict[str, Json]:
    """Affairs in which everything has happened before."""
    states = [state for state in STATES if state not in gone]
    poor = [state for state in states if not owned[state]]
    long = dice.random() < 0.1
    most = 144 if long else 125
    imf, embargo = dice.sample(states, 2)
    imf = dice.choice(poor) if poor and dice.random() < 0.5 else imf
    aided = [*states, *gone, *poor * 6]
    spread = dice.random() < 0.4
    last = [dice.choice(sorted(CENTRES | PLAIN)), dice.choice([*states, None])]
    return {
        "game": "long" if long else "normal",
        "options": {
            name: OTHERS[name] if dice.random() < 0.4 else DEFAULTS[name] for name in DEFAULTS if spread
        },
        "grace": {
            state: _turn(turn + dice.choice((-1, 0, 0, 1, 2, 4))) for state in states if dice.random() < 0.15
        },
        "adjustment": {
            state: dice.choice((-most, 1 - most, -20, -3, 5, 20, most - 7, most))
            for state in states
            if dice.random() < 0.4
        },
        "aid": {
            state: [dice.choice([*aided, None, state]) for _ in range(3)]
            for state in states
            if dice.random() < 0.6
        },
        "imf": imf if dice.random() < 0.6 else None,
        "embargo": embargo if embargo != imf and dice.random() < 0.6 else None,
        "control": {code: dice.choice([*states, None]) for code in dice.sample(sorted(PLAIN), 12)},
        "subversion": sorted(seat for seat in ("ONU", *states) if dice.random() < 0.1),
        "intervention": {"target": None, "last": last if dice.random() < 0.5 else None},
        "eliminated": sorted(gone),
    }


def _turn(number: int) -> str:
    return f"{'SF'[number % 2]}{number // 2}"
