"""What the referee's pages show: what the room may know, and what each seat's state asks for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.boards import display_names
from talleyrand.web.bots import bot_players
from talleyrand.web.games import order_state_labels, order_submission, power_assignments
from talleyrand.web.games.endings.end_proposals import EndProposalState
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.game_master.action_base import last_published_revision
from talleyrand.web.games.models import ENDED_STATES, RUNNING_STATES, Game, GameState
from talleyrand.web.tables import clock_consents, clock_control, table_reading, table_stage
from talleyrand.web.tables.models import LateOrders, TablePlayer

from . import consents, orders_acts, orders_as_received, referee_texts, seat_acts
from .referee_desk import RefereeDesk, seat_name


def referee_context(desk: RefereeDesk) -> dict[str, Any]:
    """The context of the referee's page."""
    game = desk.game
    running = game.state in RUNNING_STATES
    last = last_published_revision(game)
    missing = deadline_actions.powers_missing_orders(game)
    bell_over = orders_acts.is_bell_over(game, desk.now)
    bots = power_assignments.bots_by_power(game)
    return {
        **table_stage.clock_context(desk.table, desk.now),
        **_reading(desk),
        "clock_mark": clock_control.clock_mark(game),
        "gathers": game.state == GameState.GATHERING,
        "running": running,
        "over": game.state in ENDED_STATES,
        "paused": game.state == GameState.PAUSED,
        "ticks": game.state == GameState.PLAYING and game.deadline is not None and not bell_over,
        "phase_title": display_names.phase_name(desk.variant, game.phase) if game.phase else "",
        "bell_over": bell_over,
        "missing": desk.names(missing),
        "seats": [seat_row(desk, one) for one in desk.seats if one.number],
        "free_powers": [
            {"code": power, "name": display_names.power_name(desk.variant, power), "is_bot": power in bots}
            for power in seat_acts.powers_to_give(game)
        ],
        "late": [_late(desk, one) for one in orders_acts.late_orders_to_decide(game)] if running else [],
        "last": last if last and last.phase_number else None,
        "last_title": display_names.phase_name(desk.variant, last.phase) if last and last.phase else "",
        "proposal": _proposal(game) if running else None,
        "consent_asked": consents.is_asked(desk.table),
        "all_agree": consents.all_agree(consents.consents_of(desk.table, players(desk))),
        "resolved": bool(orders_as_received.resolved_phases(game)),
    }


def _reading(desk: RefereeDesk) -> dict[str, Any]:
    """How far the screen has read the orders of the last phase, for the buttons that turn its pages."""
    ran = table_stage.has_begun(desk.table.game, desk.now)
    found = table_reading.reading_of(desk.table, clock_ran=ran)
    if found is None:
        return {}
    names = {table_reading.OPENING: _("Orders in"), table_reading.ALL: _("All orders")}
    names |= {table_reading.RESULT: _("Result")}
    stop = names.get(found.stop) or display_names.power_name(desk.variant, found.stop)
    return {"reading": found, "reading_stop": stop}


def players(desk: RefereeDesk) -> list[TablePlayer]:
    """Those who play: before the start everyone with a seat, then those who have a power."""
    seats = [one for one in desk.seats if one.number]
    if desk.game.state == GameState.GATHERING:
        return seats
    return [one for one in seats if one.person_id in desk.powers_by_person]


def seat_row(desk: RefereeDesk, seat: TablePlayer) -> dict[str, Any]:
    """A seat: who sits there, with which powers, and how far these are with the open phase."""
    given = desk.powers_by_person.get(seat.person_id, [])
    codes = given if desk.game.state != GameState.GATHERING else seat.powers
    marks = seat_acts.player_marks(desk.game) if codes else {}
    for_bot = seat.pk in desk.seats_for_bots
    ready = set(desk.game.seats.filter(power__in=codes, is_ready=True).values_list("power", flat=True))
    return {
        "number": seat.number,
        "name": seat_name(seat),
        "has_phone": bool(seat.phone_digest),
        "votes_here": not seat.phone_digest and seat.person.is_guest,
        "on_paper": not for_bot and (seat.is_on_paper or not seat.phone_digest),
        "for_bot": for_bot,
        "is_beginner": seat.is_beginner,
        "is_referee": seat.is_referee,
        "is_me": seat.pk == desk.player.pk,
        "powers": [power_row(desk, one, marks.get(one, 0), is_ready=one in ready) for one in codes],
    }


def power_row(desk: RefereeDesk, power: str, mark: int, *, is_ready: bool) -> dict[str, Any]:
    """A power: whether its orders are in, as the whole table may know; never whether it has a draft."""
    received = desk.order_sets.get(power) if desk.game.state in RUNNING_STATES else None
    code = order_submission.READY if is_ready else order_submission.SUBMITTED
    code = code if received else order_submission.NO_ORDERS
    decides = power in desk.deciding_powers
    state = order_state_labels.order_state_label(code if decides else order_state_labels.NOTHING_TO_ORDER)
    return {
        "code": power,
        "name": display_names.power_name(desk.variant, power),
        "colour": display_names.power_colour(desk.variant, power),
        "mark": mark,
        "decides": decides,
        "received_at": received.received_at if received else None,
        "state": state if desk.game.state in RUNNING_STATES else None,
    }


def seat_context(desk: RefereeDesk, seat: TablePlayer) -> dict[str, Any]:
    """The context of the page of one seat."""
    game = desk.game
    running = game.state in RUNNING_STATES
    torn = orders_acts.torn_orders(game) if running else {}
    standing_in = seat_acts.stand_ins(game)
    row = seat_row(desk, seat)
    for power in row["powers"]:
        power["torn"] = power["code"] in torn
        power["stood_in"] = power["code"] in standing_in
    asks = not seat.phone_digest and bool(row["powers"])
    return {
        "seat": row,
        "wishes": clock_consents.wishes(desk.table) if asks else [],
        "gathers": game.state == GameState.GATHERING,
        "running": running,
        "others": [
            {"number": one.number, "name": seat_name(one)}
            for one in desk.seats
            if one.number and one.pk != seat.pk
        ],
        "takers": takers(desk, seat),
        "has_bots": bot_players.bots_available(),
        "voting": _proposal(game) if running else None,
        "clock_mark": clock_control.clock_mark(game),
    }


def takers(desk: RefereeDesk, seat: TablePlayer | None) -> list[dict[str, Any]]:
    """The people at the table who may take over a power: not those who play another one."""
    playing = set(power_assignments.player_ids(desk.game))
    return [
        {"number": one.number, "name": seat_name(one) if one.number else ""}
        for one in desk.seats
        if one.person_id not in playing and (seat is None or one.pk != seat.pk)
    ]


def _late(desk: RefereeDesk, late: LateOrders) -> dict[str, Any]:
    return {
        "pk": late.pk,
        "text": referee_texts.late_orders_text(desk, late),
        "decision": late.decision,
        "open": late.phase_number == desk.game.phase_number,
    }


def _proposal(game: Game) -> Any:
    return EndProposalState(game).proposal
