"""Seats that nobody plays: which of them call for somebody, and how they become free."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from . import power_assignments
from .game_history import GameHistory
from .models import (
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
    GameSeat,
    OrderSet,
    PhaseRevision,
    PowerAssignment,
)


def open_powers(game: Game, seats: Collection[SeatWithHolders] | None = None) -> tuple[str, ...]:
    """The powers without a player that still have a unit or a centre, while the game is played.

    `seats` are those of the game, where they have been read already.
    """
    if game.state not in RUNNING_STATES:
        return ()
    free = free_powers(game, seats_of_games([game])[game.pk] if seats is None else seats)
    if not free:
        return ()
    # a first phase may be a draft, in which nobody has anything yet
    alive = _living(GameHistory(game).situation(game.phase_number) or {}) or free
    return tuple(power for power in free if power in alive)


def joinable_powers(game: Game) -> tuple[str, ...]:
    """The powers that somebody may take who comes: the open ones, and where the terms say so, the bots' that
    have something left.
    """
    if game.state not in RUNNING_STATES or not game.settings.bot_seats_open:
        return open_powers(game)
    alive = _living(GameHistory(game).situation(game.phase_number) or {})
    played = [power for power in power_assignments.bots_by_power(game) if power in alive or not alive]
    aside = power_assignments.seats_for_no_player(game)
    return (*open_powers(game), *(power for power in played if power not in aside))


def joinable_powers_for(game: Game, person: Person | None) -> tuple[str, ...]:
    """Those among them that somebody may take; all of them for a visitor, who may be anybody."""
    free = joinable_powers(game)
    return (
        tuple(power for power in free if not power_assignments.why_barred(game, person, power))
        if person
        else free
    )


def open_powers_of_games(
    games: Collection[Game], seats: SeatsOfGames, revisions: RevisionsOfGames
) -> dict[int, tuple[str, ...]]:
    """The same for many games at once, by primary key, with the bots’ seats that one may take over; nothing
    for those in which every seat is taken.
    """
    found = {}
    for game in games:
        free = [one.power for one in seats_to_take(game, seats.get(game.pk, ()))]
        before = [one for one in revisions.get(game.pk, ()) if one.phase_number == game.phase_number - 1]
        alive = _living((before[0].next_situation if before else None) or {})
        found[game.pk] = tuple(power for power in free if power in (alive or free))
    return {game: powers for game, powers in found.items() if powers}


def free_powers(game: Game, seats: Collection[SeatWithHolders]) -> list[str]:
    """The powers of a game that is played which nobody plays, nor the computer, whatever they have left."""
    if game.state not in RUNNING_STATES:
        return []
    aside = power_assignments.seats_for_no_player(game)
    return [
        one.power for one in seats if not one.seat.bot and not any(one.holders) and one.power not in aside
    ]


def seats_to_take(game: Game, seats: Collection[SeatWithHolders]) -> list[SeatWithHolders]:
    """The seats of a game that is played which somebody may take who comes, whatever they have left."""
    free = free_powers(game, seats)
    return [one for one in seats if one.power in free or _is_bots_to_take(game, one)]


def _is_bots_to_take(game: Game, one: SeatWithHolders) -> bool:
    offered = game.offers_bot_seats and game.state in RUNNING_STATES and bool(one.seat.bot)
    return offered and one.power not in power_assignments.seats_for_no_player(game)


@dataclass
class SeatWithHolders:
    """A seat with those who have it now, by primary key, a stand-in after whom they stand in for; whether a
    sheet was handed in for the open phase.
    """

    seat: GameSeat
    is_handed_in: bool
    holders: list[int | None] = field(default_factory=list)

    @property
    def power(self) -> str:
        return self.seat.power


SeatsOfGames = Mapping[int, Collection[SeatWithHolders]]
RevisionsOfGames = Mapping[int, Collection[PhaseRevision]]


def seats_of_games(games: Collection[Game]) -> dict[int, list[SeatWithHolders]]:
    """The seats of several games in their order, by the primary key of the game."""
    if len(games) == 1:
        rows: Iterable[GameSeat] = SEATS_OF_GAME.rows(game=next(iter(games)).pk)
    else:
        rows = _with_holders(GameSeat.objects.filter(game__in=games))
    found: dict[int, dict[int, SeatWithHolders]] = {game.pk: {} for game in games}
    for row in rows:
        told = vars(row)
        seat = found[row.game_id].setdefault(row.pk, SeatWithHolders(row, told["handed"]))
        if told["tenure"] is not None:
            seat.holders.append(told["holder"])
    return {game: list(seats.values()) for game, seats in found.items()}


def _with_holders(seats: QuerySet[GameSeat]) -> QuerySet[GameSeat]:
    """A row for each that has a seat, with whether orders were `handed` in for it."""
    handed = OrderSet.objects.filter(
        game=OuterRef("game"),
        power=OuterRef("power"),
        phase_number=OuterRef("game__phase_number"),
        withdrawn_at=None,
    )
    held = seats.annotate(held=FilteredRelation("tenures", condition=Q(tenures__ended_at=None)))
    told = held.annotate(handed=Exists(handed), tenure=F("held__pk"), holder=F("held__person"))
    return told.order_by("pk", "held__is_stand_in")


SEATS_OF_GAME = PreparedQuery(lambda: _with_holders(GameSeat.objects.filter(game=Given(GameSeat, "game"))))


def open_phases_of_games(games: Collection[Game]) -> dict[int, list[PhaseRevision]]:
    """Of several games, what their open phase begins with: the current revisions before it, and of itself."""
    found: dict[int, list[PhaseRevision]] = {}
    around = Q(phase_number=F("game__phase_number")) | Q(phase_number=F("game__phase_number") - 1)
    rows = PhaseRevision.objects.filter(around, is_current=True, game__in=[game.pk for game in games])
    for row in rows.defer("answer", "order_lines", "situation"):
        found.setdefault(row.game_id, []).append(row)
    return found


def seats_without_player() -> QuerySet[GameSeat]:
    """Seats of any game that nobody has, nor the computer."""
    return GameSeat.objects.filter(bot="").filter(
        ~Exists(PowerAssignment.objects.filter(seat=OuterRef("pk"), ended_at=None).exclude(person=None))
    )


def bot_seats_to_take() -> QuerySet[GameSeat]:
    """Seats of any game that a bot has and whoever comes may take over."""
    return GameSeat.objects.exclude(bot="").filter(game__offers_bot_seats=True)


def look_on(game: Game, person: int) -> None:
    """Whoever plays nothing any more is an observer; `person` by primary key."""
    player = GameMembership.objects.filter(game=game, person=person, role=GameRole.PLAYER, left_at=None)
    if player.update(left_at=timezone.now()):
        GameMembership.objects.create(game=game, person_id=person, role=GameRole.OBSERVER)


def _living(situation: Mapping[str, Any]) -> frozenset[str]:
    """The powers that have anything at the beginning of a phase."""
    parts = (situation.get(part) or {} for part in ("units", "dislodged", "centers"))
    return frozenset(power for part in parts for power, things in part.items() if things)


def end_assignments_of(game: Game, person: Person) -> tuple[str, ...]:
    """End all that somebody plays in a game; the powers that nobody plays from now on.

    To be called inside a transaction. A stand-in keeps the seat of a player who leaves.
    """
    held = list(
        PowerAssignment.objects.filter(seat__game=game, person=person, ended_at=None).select_related("seat")
    )
    for tenure in held:
        power = tenure.seat.power
        others = tenure.seat.tenures.filter(ended_at=None).exclude(pk=tenure.pk)
        if tenure.is_stand_in or not others.exists():
            power_assignments.end_assignment(game, power, stand_in=tenure.is_stand_in)
        else:
            PowerAssignment.objects.filter(pk=tenure.pk).update(
                ended_at=timezone.now(), last_phase_number=max(game.phase_number - 1, 0)
            )
    return tuple(
        power
        for power in power_assignments.unplayed_powers(game)
        if power in {one.seat.power for one in held}
    )
