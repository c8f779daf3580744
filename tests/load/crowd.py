"""Many games like one: the same people at each table, the same phases behind them."""

from __future__ import annotations

from itertools import islice
from typing import Any

from talleyrand.web.games.models import (
    Game,
    GameMembership,
    GameSeat,
    PhaseRevision,
    PowerAssignment,
    new_game_key,
    random_token,
)


def copies(game: Game, count: int, **changed: Any) -> list[Game]:
    """So many more games, with other names and keys; `changed` are fields of the games."""
    rows = [_again(game, key=new_game_key(), submission_id=random_token(), **changed) for _ in range(count)]
    made = Game.objects.bulk_create(rows)
    for model in (GameMembership, PhaseRevision):
        Model: Any = model  # noqa: N806 any of the two
        known = list(Model.objects.filter(game=game))
        Model.objects.bulk_create(_again(one, game=other) for other in made for one in known)
    _seat(game, made)
    return made


def _seat(game: Game, made: list[Game]) -> None:
    known = list(GameSeat.objects.filter(game=game))
    held = {seat.pk: list(PowerAssignment.objects.filter(seat=seat)) for seat in known}
    seats = iter(GameSeat.objects.bulk_create(_again(seat, game=other) for other in made for seat in known))
    tenures = [
        _again(one, seat=seat)
        for _ in made
        for before, seat in zip(known, islice(seats, len(known)), strict=True)
        for one in held[before.pk]
    ]
    PowerAssignment.objects.bulk_create(tenures)


def _again(row: Any, **changed: Any) -> Any:
    fields = {
        field.attname: getattr(row, field.attname) for field in row._meta.fields if not field.primary_key
    }
    for name, value in changed.items():
        fields.pop(f"{name}_id", None)
        fields[name] = value
    return type(row)(**fields)
