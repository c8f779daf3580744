"""What the rounds of a person count against each other, and what the whole is multiplied by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from talleyrand.tournament.model import Board, Event
from talleyrand.tournament.regulations import Weighing

from .coefficients import ONE, number
from .games import BEGUN, Played, is_intimate, is_nothing, result_of
from .values import Entry, Factor, Step

WHOLE = Weighing()
ANY = "any"


def case_of(played: Played) -> Weighing:
    """The case of the regulations that holds; where none does, every round counts whole."""
    return next((case for case in played.rules.weighing if _holds(played, case)), WHOLE)


def _holds(played: Played, case: Weighing) -> bool:
    if case.final is not None and case.final != played.final:
        return False
    return not case.given or len(_rounds(played, case) - played.barren) in case.given


def _rounds(played: Played, case: Weighing) -> set[int]:
    """The rounds that are weighed against each other, those still to come too."""
    last = max(len(played.rules.rounds), max(played.event.rounds, default=0))
    return set(case.rounds or range(1, last + 1))


def weighed(played: Played, person: int, entries: Sequence[Entry], rested: Iterable[int]) -> list[Entry]:
    """The entries with their weights, in their order.

    `rested`: rounds in which he stood down as asked. Any of them counts, also one that is not weighed, but
    not one that did not happen.
    """
    case = case_of(played)
    among = _rounds(played, case)
    pool = [entry for entry in entries if entry.counted and entry.round in among]
    best = sorted(pool, key=lambda entry: (-entry.weighted, entry.round, entry.board))
    down = [at for at in sorted(rested) if not is_nothing(played.event.rounds[at])]
    weights = dict(_weights(played, person, case, best, down))
    return [_with_weight(entry, weights.get((entry.round, entry.board, entry.power))) for entry in entries]


def _weights(
    played: Played, person: int, case: Weighing, best: Sequence[Entry], down: Sequence[int]
) -> Iterator[tuple[tuple[int, int, str], Factor]]:
    outside = played.event.people[person].office not in played.rules.organisation
    table = case.rested if down and outside and str(len(best)) in case.rested else case.weights
    listed = table.get(str(len(best)), table.get(ANY))
    for at, entry in enumerate(best):
        weight = ONE if listed is None else number(listed[at]) if at < len(listed) else Fraction(0)
        facts: dict[str, str | Fraction] = {"percent": weight * 100, "rank": Fraction(at + 1)}
        facts["of"] = Fraction(len(best))
        kind = "weight_whole" if listed is None else "weight"
        if table is case.rested:
            kind, facts = "weight_rested", {**facts, "rounds": ", ".join(map(str, down))}
        yield (entry.round, entry.board, entry.power), Factor(kind, weight, facts)


def _with_weight(entry: Entry, why: Factor | None) -> Entry:
    if not entry.counted:
        return entry
    why = why or Factor("weight_apart", ONE, {"percent": Fraction(100), "round": str(entry.round)})
    step = Step(why.kind, entry.weighted * why.value, why.facts)
    return replace(entry, weight=why.value, why=why, steps=(*entry.steps, step))


def intimate(event: Event, through: int, *, provisional: bool) -> Mapping[int, tuple[tuple[int, str], ...]]:
    """How intimate games ended for each person: "won", "lost" or "level", by round."""
    found: dict[int, list[tuple[int, str]]] = {}
    for at, one in sorted(event.rounds.items()):
        if at > through or one.state not in BEGUN or one.cancelled:
            continue
        for person, balance in _balances(one.boards.values(), provisional=provisional).items():
            word = "level" if not balance else "won" if balance > 0 else "lost"
            found.setdefault(person, []).append((at, word))
    return {person: tuple(games) for person, games in found.items()}


def _balances(tables: Iterable[Board], *, provisional: bool) -> dict[int, int]:
    """Intimate games won less those lost, of each person who played any to an end."""
    found: dict[int, int] = {}
    for table in filter(is_intimate, tables):
        result = result_of(table, provisional=provisional)
        for power, seat in table.seats.items() if result else ():
            if seat.person is not None and result is not None:
                won = (power == result.winner) - (result.winner not in ("", power))
                found[seat.person] = found.get(seat.person, 0) + won
    return found


def rested(event: Event, person: int, through: int) -> set[int]:
    """The rounds in which somebody stood down at the organisation's request."""
    asked = {
        at
        for at, one in event.rounds.items()
        if one.state in BEGUN and person in one.resting and one.resting[person].asked
    }
    return {at for at in asked if at <= through}
