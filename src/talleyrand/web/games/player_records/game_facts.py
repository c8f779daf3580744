"""What the published phases of a finished game tell of each person who played in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from talleyrand import notation, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.orders import Support
from talleyrand.engine.position import Phase, UnitName
from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameState, Json, PowerAssignment
from talleyrand.web.games.record_models import FinishedGame, PlayedGame

LEAST_SUPPORTS = 2  # phases in which each of two powers supported the other, to call them allies
WITHOUT_EFFECT = "void"


class _Due(NamedTuple):
    """A phase in which a power had something to decide."""

    number: int
    is_missed: bool


class _Seat(NamedTuple):
    """A power that somebody had for some phases."""

    power: str
    is_stand_in: bool
    first: int
    last: int | None

    def holds(self, number: int) -> bool:
        return self.first <= number and (self.last is None or number <= self.last)

    def takes_over(self, other: _Seat, number: int) -> bool:
        """Whether a stand-in here answers for the phase instead."""
        return self.power == other.power and self.holds(number)


def played_games(finished: FinishedGame) -> list[PlayedGame]:
    """A row for each person who held a power of the game while it was played, none of them saved."""
    game = finished.game
    phases = [*game.revisions.filter(is_current=True, phase_number__gt=0).order_by("phase_number")]
    due: dict[str, list[_Due]] = defaultdict(list)
    for one in phases:
        absent = set(one.powers_without_orders)
        for power in sorted({*one.order_lines, *absent}):
            due[power].append(_Due(one.phase_number, power in absent))
    openings = _openings(game, phases[0].answer if phases else None)
    allies = _alliances(game, [(one.phase, one.situation, one.answer) for one in phases])
    rows = []
    held = _seats(game)
    stand_ins = [seat for seats in held.values() for seat in seats if seat.is_stand_in]
    for person, seats in held.items():
        if person is None:
            continue
        facts = _PlayerFacts(game, seats, due, stand_ins)
        rows.append(
            PlayedGame(
                finished=finished,
                person_id=person,
                powers=facts.own_powers,
                outcome=facts.outcome,
                points=facts.points,
                centres=sum(
                    ((game.result or {}).get("centres") or {}).get(one, 0) for one in facts.own_powers
                ),
                phases_due=len(facts.due),
                phases_missed=sum(one.is_missed for one in facts.due),
                has_left=facts.has_left,
                is_rated=bool(facts.started and (game.result or {}).get("points")),
                openings=[
                    {"power": power, "orders": openings[power]}
                    for power in facts.started
                    if power in openings
                ],
                alliances=[ally for power in facts.own_powers for ally in allies.get(power, ())],
            )
        )
    return rows


def _seats(game: Game) -> dict[int | None, list[_Seat]]:
    """What each person held while the game was played, without the seats that no player chooses; None: those
    whose account is gone."""
    held = PowerAssignment.objects.filter(seat__game=game).order_by("started_at", "pk")
    held = held.exclude(ended_at__lte=game.started_at)
    held = held.exclude(seat__power__in=power_assignments.seats_for_no_player(game))
    found: dict[int | None, list[_Seat]] = defaultdict(list)
    for person, power, is_stand_in, first, last in held.values_list(
        "person", "seat__power", "is_stand_in", "first_phase_number", "last_phase_number"
    ):
        found[person].append(_Seat(power, is_stand_in, first, last))
    return found


class _PlayerFacts:
    """What one person did, of the seats that they held."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[_Seat],
        due: Mapping[str, Sequence[_Due]],
        stand_ins: Sequence[_Seat],
    ) -> None:
        self.game, self.result = game, game.result or {}
        own = [seat for seat in seats if not seat.is_stand_in]
        self.started = list(dict.fromkeys(seat.power for seat in own if seat.first <= 1))
        self.own_powers = self.started or list(dict.fromkeys(seat.power for seat in own))
        self.due = [
            one
            for seat in seats
            for one in due.get(seat.power, ())
            if seat.holds(one.number)
            and (seat.is_stand_in or not any(other.takes_over(seat, one.number) for other in stand_ins))
        ]
        given_up = any(
            one.number > seat.last for seat in own if seat.last is not None for one in due.get(seat.power, ())
        )
        self.has_left = given_up and all(seat.last is not None for seat in own)

    @property
    def outcome(self) -> str:
        if not self.own_powers:
            return "stand_in"
        if self.has_left:
            return "left"
        if self.game.state == GameState.ABANDONED:
            return "abandoned"
        if not self.started:
            return "replacement"
        ahead = self.result.get("powers") or []
        if set(ahead) & set(self.own_powers):
            shared = set(ahead) - set(self.own_powers)
            kind = str(self.result["kind"])
            return ("draw" if kind == "draw" else "first") if shared else "solo"
        standing = (
            (self.result.get(what) or {}).get(one, 0)
            for what in ("centres", "units")
            for one in self.own_powers
        )
        return "survived" if any(standing) else "eliminated"

    @property
    def points(self) -> str:
        """The sum of one's powers, each side once; whoever left has none."""
        kept: Mapping[str, str] = self.result.get("points") or {}
        if not self.started or not kept or self.has_left:
            return ""
        sides = {power: at for at, side in enumerate(self.result.get("sides") or ()) for power in side}
        counted = {sides.get(power, power): kept.get(power, "0") for power in self.started}
        return str(sum((Fraction(text) for text in counted.values()), Fraction(0)))


def _openings(game: Game, answer: Json | None) -> dict[str, list[str]]:
    """The orders of each power in the first phase, where the game begins as its variant does."""
    found: dict[str, list[str]] = defaultdict(list)
    if not game.settings.start:
        for entry in (answer or {}).get("orders") or ():
            if entry.get("order") and not entry.get("error"):
                found[entry["power"]].append(str(entry["order"]))
    return {power: sorted(orders) for power, orders in found.items()}


def _alliances(game: Game, phases: Iterable[tuple[str, Json | None, Json | None]]) -> dict[str, list[Json]]:
    """For each power the others with which supports went both ways."""
    given: dict[tuple[str, str], list[int]] = defaultdict(list)
    for phase, situation, answer in phases:
        for pair in sorted(set(_supports(game, situation or {}, answer or {}))):
            given[pair].append(Phase.parse(phase).year)
    found: dict[str, list[Json]] = defaultdict(list)
    for (giver, taker), years in given.items():
        back = given.get((taker, giver), [])
        if min(len(years), len(back)) >= LEAST_SUPPORTS:
            both = sorted((*years, *back))
            found[giver].append({"power": taker, "first": both[0], "last": both[-1], "supports": len(both)})
    return found


def _supports(game: Game, situation: Json, answer: Json) -> Iterator[tuple[str, str]]:
    """Who supported whose unit in a phase."""
    variant = variants.load(game.variant)
    owners = {
        UnitName.parse(unit).province: power
        for power, units in (situation.get("units") or {}).items()
        for unit in units
    }
    for entry in answer.get("orders") or ():
        if not entry.get("order") or entry.get("error") or WITHOUT_EFFECT in entry["results"]:
            continue
        try:
            order = notation.parse_order(entry["order"], variant)
        except TalleyrandError:
            continue
        taker = owners.get(order.target.province, "") if isinstance(order, Support) else ""
        if taker and taker != entry["power"]:
            yield str(entry["power"]), taker
