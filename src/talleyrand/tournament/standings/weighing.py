"""What the rounds of a person count against each other, and what the whole is multiplied by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from talleyrand.tournament.model import Event, EventBoard
from talleyrand.tournament.regulations import RoundWeights

from .score_factors import ONE, regulation_number
from .scored_games import (
    BEGUN_STATES,
    PlayedGames,
    counting_result,
    did_not_happen,
    is_intimate,
)
from .standing_values import ScoreFactor, StandingEntry, WorkingStep

WHOLE_WEIGHTS = RoundWeights()
ANY = "any"


def weights_in_force(played: PlayedGames) -> RoundWeights:
    """The case of the regulations that holds; where none does, every round counts whole."""
    return next((case for case in played.rules.weighing if _holds(played, case)), WHOLE_WEIGHTS)


def _holds(played: PlayedGames, case: RoundWeights) -> bool:
    if case.final is not None and case.final != played.final:
        return False
    return not case.given or len(_rounds(played, case) - played.barren) in case.given


def _rounds(played: PlayedGames, case: RoundWeights) -> set[int]:
    """The rounds that are weighed against each other, those still to come too."""
    last = max(len(played.rules.rounds), max(played.event.rounds, default=0))
    return set(case.rounds or range(1, last + 1))


def weigh_entries(
    played: PlayedGames, person: int, entries: Sequence[StandingEntry], rested: Iterable[int]
) -> list[StandingEntry]:
    """The entries with their weights, in their order.

    `rested`: rounds in which he stood down as asked. Any of them counts, also one that is not weighed, but
    not one that did not happen.
    """
    case = weights_in_force(played)
    among = _rounds(played, case)
    pool = [entry for entry in entries if entry.counted and entry.round in among]
    best = sorted(pool, key=lambda entry: (-entry.weighted, entry.round, entry.board))
    down = [at for at in sorted(rested) if not did_not_happen(played.event.rounds[at])]
    weights = dict(_weights(played, person, case, best, down))
    return [_with_weight(entry, weights.get((entry.round, entry.board, entry.power))) for entry in entries]


def _weights(
    played: PlayedGames, person: int, case: RoundWeights, best: Sequence[StandingEntry], down: Sequence[int]
) -> Iterator[tuple[tuple[int, int, str], ScoreFactor]]:
    outside = played.event.people[person].office not in played.rules.organisation
    table = case.rested if down and outside and str(len(best)) in case.rested else case.weights
    listed = table.get(str(len(best)), table.get(ANY))
    for at, entry in enumerate(best):
        weight = ONE if listed is None else regulation_number(listed[at]) if at < len(listed) else Fraction(0)
        facts: dict[str, str | Fraction] = {"percent": weight * 100, "rank": Fraction(at + 1)}
        facts["of"] = Fraction(len(best))
        kind = "weight_whole" if listed is None else "weight"
        if table is case.rested:
            kind, facts = "weight_rested", {**facts, "rounds": ", ".join(map(str, down))}
        yield (entry.round, entry.board, entry.power), ScoreFactor(kind, weight, facts)


def _with_weight(entry: StandingEntry, why: ScoreFactor | None) -> StandingEntry:
    if not entry.counted:
        return entry
    why = why or ScoreFactor("weight_apart", ONE, {"percent": Fraction(100), "round": str(entry.round)})
    step = WorkingStep(why.kind, entry.weighted * why.value, why.facts)
    return replace(entry, weight=why.value, why=why, steps=(*entry.steps, step))


def intimate_results(
    event: Event, through: int, *, provisional: bool
) -> Mapping[int, tuple[tuple[int, str], ...]]:
    """How intimate games ended for each person: "won", "lost" or "level", by round."""
    found: dict[int, list[tuple[int, str]]] = {}
    for at, one in sorted(event.rounds.items()):
        if at > through or one.state not in BEGUN_STATES or one.cancelled:
            continue
        for person, balance in _balances(one.boards.values(), provisional=provisional).items():
            word = "level" if not balance else "won" if balance > 0 else "lost"
            found.setdefault(person, []).append((at, word))
    return {person: tuple(games) for person, games in found.items()}


def _balances(tables: Iterable[EventBoard], *, provisional: bool) -> dict[int, int]:
    """Intimate games won less those lost, of each person who played any to an end."""
    found: dict[int, int] = {}
    for table in filter(is_intimate, tables):
        result = counting_result(table, provisional=provisional)
        for power, seat in table.seats.items() if result else ():
            if seat.person is not None and result is not None:
                won = (power == result.winner) - (result.winner not in ("", power))
                found[seat.person] = found.get(seat.person, 0) + won
    return found


def rounds_sat_out(event: Event, person: int, through: int) -> set[int]:
    """The rounds in which somebody stood down at the organisation's request."""
    asked = {
        at
        for at, one in event.rounds.items()
        if one.state in BEGUN_STATES and person in one.resting and one.resting[person].asked
    }
    return {at for at in asked if at <= through}
