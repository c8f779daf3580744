"""Orders at a table by the referee's hand: late ones count or are torn, and a sheet is torn at a wish."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import order_submission, phase_deadlines
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.game_master.action_base import locked_game
from talleyrand.web.games.models import RUNNING_STATES, Game, GameSeat, OrderSet
from talleyrand.web.tables import clock_control
from talleyrand.web.tables.models import LateOrders

from .referee_desk import RefereeDesk, RefereeRefusal

COUNTED, TORN = "counted", "torn"


def late_orders_to_decide(game: Game) -> list[LateOrders]:
    """The orders that came after the bell of the open phase, the first one first; and those for the phase
    before that came when it was resolved, as long as no one has decided on them.
    """
    here = Q(phase_number=game.phase_number) | Q(phase_number=game.phase_number - 1, decision="")
    found = LateOrders.objects.filter(here, player__table__game=game)
    return list(found.select_related("player__person"))


def is_bell_over(game: Game, now: datetime) -> bool:
    """Whether the time of the open phase is up, so that the table may read on."""
    return game.state in RUNNING_STATES and clock_control.is_time_up(game, now)


def read_on(desk: RefereeDesk, number: int) -> None:
    """Resolve phase `number` after the bell, whoever is missing. Raises RefereeRefusal (`before_bell`), and
    what `gm_adjudicate_phase` raises.
    """
    if not is_bell_over(desk.game, desk.now):
        raise RefereeRefusal("before_bell")
    deadline_actions.gm_adjudicate_phase(desk.game, number, hand=desk.hand, now=desk.now)


@write_transaction
def count_late_orders(desk: RefereeDesk, pk: int) -> OrderSet:
    """Late orders count for the open phase, as received when they came; their player sent them.

    Raises RefereeRefusal (`no_late_orders`, `late_phase_over`, `late_counted`) and OrdersRefusal.
    """
    late = _undecided(desk, pk)
    sheet = order_submission.submit_orders(
        desk.game,
        late.power,
        late.lines,
        number=late.phase_number,
        key=f"late {late.pk}",
        origin=order_submission.LATE,
        at=late.received_at,
        by=late.player.person,
    )
    _decide(desk, late, COUNTED)
    return sheet


@write_transaction
def tear_late_orders(desk: RefereeDesk, pk: int) -> LateOrders:
    """Late orders don't count. Raises RefereeRefusal like `count_late_orders`."""
    late = _undecided(desk, pk)
    _decide(desk, late, TORN)
    return late


def _undecided(desk: RefereeDesk, pk: int) -> LateOrders:
    """Late orders of the open phase that don't count yet: torn ones may count after all."""
    found = LateOrders.objects.select_for_update(of=("self",)).select_related("player__person")
    late = found.filter(player__table=desk.table, pk=pk).first()
    if late is None:
        raise RefereeRefusal("no_late_orders")
    fresh = Game.objects.get(pk=desk.game.pk)
    if fresh.state not in RUNNING_STATES or fresh.phase_number != late.phase_number:
        raise RefereeRefusal("late_phase_over")
    if late.decision == COUNTED:
        raise RefereeRefusal("late_counted")
    return late


def _decide(desk: RefereeDesk, late: LateOrders, decision: str) -> None:
    late.decision, late.decided_at = decision, desk.now
    late.save(update_fields=["decision", "decided_at"])
    kind = "late_counted" if decision == COUNTED else "late_torn"
    desk.note(kind, power=late.power, phase=desk.game.phase)


def written_before_bell(late: LateOrders, bell: datetime | None) -> timedelta | None:
    """How long before the bell late orders were written, by the phone's clock; None where it is not known."""
    return bell - late.written_at if bell is not None and late.written_at is not None else None


@write_transaction
def tear_orders(desk: RefereeDesk, power: str) -> None:
    """At its player's wish a power's orders for the open phase count no more; they stay in what was received.

    Raises RefereeRefusal: not_playing, binding (orders of this phase can't be taken back), no_orders.
    """
    with locked_game(desk.game) as fresh:
        if fresh.state not in RUNNING_STATES:
            raise RefereeRefusal("not_playing")
        if phase_deadlines.is_draft(fresh, fresh.phase) or GameHistory(fresh).is_optional(fresh.phase):
            raise RefereeRefusal("binding")
        received = OrderSet.objects.filter(game=fresh, power=power, phase_number=fresh.phase_number)
        if not received.filter(withdrawn_at=None).update(withdrawn_at=desk.now):
            raise RefereeRefusal("no_orders")
        _lay_before(fresh, power, None)
        desk.note("torn", power=power, phase=fresh.phase)


@write_transaction
def put_back_orders(desk: RefereeDesk, power: str) -> None:
    """What was torn last counts again, where nothing has been received since.

    Raises RefereeRefusal: not_playing, not_torn.
    """
    with locked_game(desk.game) as fresh:
        if fresh.state not in RUNNING_STATES:
            raise RefereeRefusal("not_playing")
        torn = torn_orders(fresh).get(power)
        if torn is None:
            raise RefereeRefusal("not_torn")
        torn.withdrawn_at = None
        torn.save(update_fields=["withdrawn_at"])
        _lay_before(fresh, power, torn)
        desk.note("put_back", power=power, phase=fresh.phase)


def torn_orders(game: Game) -> dict[str, OrderSet]:
    """The last orders of each power for the open phase, of those that the referee has torn."""
    found = OrderSet.objects.filter(
        game=game, phase_number=game.phase_number, withdrawn_at__gt=game.phase_opened_at
    )
    counting = order_submission.counting_order_sets(game, game.phase_number)
    return {one.power: one for one in found.order_by("receipt_number") if one.power not in counting}


def _lay_before(game: Game, power: str, sheet: OrderSet | None) -> None:
    """What a seat has before it: these orders, or none."""
    GameSeat.objects.filter(game=game, power=power).update(
        is_ready=False,
        draft_orders=sheet.lines if sheet else [],
        draft_phase_number=game.phase_number if sheet else 0,
        drafted_at=sheet.received_at if sheet else None,
    )
