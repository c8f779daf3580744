"""What each order sent asks of the database, as prepared queries."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery

from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from . import power_assignments
from .models import Game, GameSeat, OrderSet

BOT, DRAFT = "computer", "draft"  # origins of what nobody has sent

GAME = PreparedQuery(lambda: Game.objects.filter(pk=Given(Game, "id")))
HELD = PreparedQuery(lambda: Game.objects.select_for_update().filter(pk=Given(Game, "id")))
COUNT = PreparedQuery(
    lambda: Game.objects.filter(pk=Given(Game, "id")),
    lambda: {name: F(name) + 1 for name in ("receipt_count", "version")},
)


def _with_its_sheets() -> QuerySet[Game]:
    """A game with what a power has handed in: `same`, the sheet that a key has brought before, how many it
    has, when the `last` of its open phase came that counts; and its `holder`, who may order it.
    """
    handed = OrderSet.objects.filter(game=OuterRef("pk"), power=Given(OrderSet, "power")).order_by()
    same = handed.filter(idempotency_key=Given(OrderSet, "idempotency_key"))
    # sheets that count and somebody sent: neither a bot's nor a draft taken at the deadline
    sent = handed.filter(phase_number=OuterRef("phase_number"), withdrawn_at=None).exclude(
        origin__in=(DRAFT, BOT)
    )
    return Game.objects.filter(pk=Given(Game, "id")).annotate(
        same=Subquery(same.values("pk")),
        sheet_count=Subquery(handed.values("game").annotate(count=Count("pk")).values("count")),
        last=Subquery(sent.values("game").annotate(last=Max("received_at")).values("last")),
        holder=power_assignments.holder_of_power(OuterRef("pk")),
    )


WITH_ITS_SHEETS = PreparedQuery(_with_its_sheets)


DRAFTED_SEATS = PreparedQuery(
    lambda: GameSeat.objects.filter(
        game=Given(GameSeat, "game"), draft_phase_number=Given(GameSeat, "draft_phase_number")
    )
)


def _sheets_of_phase() -> QuerySet[OrderSet]:
    """Those of a power that count, the last one first."""
    given = {name: Given(OrderSet, name) for name in ("game", "power", "phase_number")}
    return OrderSet.objects.filter(**given, withdrawn_at=None).order_by("-receipt_number")


COUNTING = PreparedQuery(_sheets_of_phase)


def _seat_changes() -> dict[str, Any]:
    names = ("draft_orders", "draft_phase_number", "drafted_at", "is_ready")
    return {name: Given(GameSeat, name) for name in names}


def _one_seat() -> QuerySet[GameSeat]:
    return GameSeat.objects.filter(game=Given(GameSeat, "game"), power=Given(GameSeat, "power"))


SEAT = PreparedQuery(_one_seat, _seat_changes)
DRAFTED = PreparedQuery(
    lambda: GameSeat.objects.filter(pk=Given(GameSeat, "id")),
    lambda: {name: Given(GameSeat, name) for name in ("draft_orders", "draft_phase_number", "drafted_at")},
)
SEAT_WITH_PLAYER = PreparedQuery(
    _one_seat, lambda: _seat_changes() | {"missed_phases": 0, "in_civil_disorder": False}
)
