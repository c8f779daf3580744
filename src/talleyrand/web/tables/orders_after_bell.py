"""Orders that a phone had when the bell rang and that come after it: kept until the referee decides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.boards import display_names, order_drafts, order_requests
from talleyrand.web.boards.adjudicator import Lines
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import order_submission, phase_deadlines, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import ENDED_STATES, RUNNING_STATES, Game, OrderSet

from . import table_seats
from .models import LateOrders, TablePlayer

TORN = "torn"
MOST_CHANGES = 200
MOST_UNDECIDED = 20  # late orders of one seat for one phase
LATE_ORDERS = PreparedQuery(lambda: LateOrders.objects.filter(player=Given(LateOrders, "player")))


class LateRefusal(Exception):
    """Nothing is kept: `open` (the phase still takes orders: they are to be submitted), `counted` (the same
    orders count already, by the sheet `receipt`), `many` (so many wait for the referee already).
    """

    def __init__(self, code: str, receipt: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.receipt = receipt


@dataclass(frozen=True)
class LateSheet:
    """What a phone sends after the bell; `key` makes a sheet sent twice one."""

    power: str
    phase_number: int
    key: str
    lines: list[str]
    written_at: datetime | None
    received_at: datetime


def has_held(player: TablePlayer, power: str, number: int) -> bool:
    """Whether a seat has played a power, and the game has come to a phase."""
    game = player.table.game
    played = game.seats.filter(power=power, tenures__person=player.person_id).exists()
    return played and 1 <= number <= game.phase_number


def lines_after(game: Game, power: str, number: int, lines: list[str], changes: Sequence[Any]) -> list[str]:
    """The orders of a phone that had `lines` of the table, and `changes` that the table had not heard of.

    What does not fit the position any more is kept as it was written.
    """
    question = GameHistory(game).question(number)
    draft: Lines = {power: lines} if lines else {}
    for one in changes[:MOST_CHANGES]:
        try:
            if question is None or not isinstance(one, Mapping):
                raise order_requests.meaningless_request()
            whatever = {**one, "base": None}  # what was written stands in place of what the table had
            draft = order_requests.change_from_json(whatever, power)(question, draft)
        except order_requests.REFUSALS:
            draft = {power: [*draft.get(power, []), *_words(one)]}
    found = [line.strip() for line in draft.get(power, []) if line.strip()]
    order_drafts.check_order_text("\n".join(found))
    return found


def _words(sent: Any) -> Iterator[str]:
    """Whatever is written in a change, line by line."""
    if isinstance(sent, str):
        yield from sent.splitlines()
    elif isinstance(sent, Mapping):
        for name, one in sent.items():
            yield from () if name == "base" else _words(one)
    elif isinstance(sent, list):
        for one in sent:
            yield from _words(one)


@write_transaction
def keep_late_orders(player: TablePlayer, sheet: LateSheet) -> LateOrders:
    """Keep orders that came after the bell; the same again by the same key is the same sheet. Raises
    LateRefusal.

    Those of a phase before the last one are kept and do not count: the table has gone on.
    """
    game = Game.objects.select_for_update().get(pk=player.table.game_id)
    told = "\n".join((sheet.key, sheet.power, str(sheet.phase_number), *sheet.lines))
    key = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
    known = player.late_orders.filter(idempotency_key=key).first()
    if known is not None:
        return known
    counted = order_submission.counting_order_set(game, sheet.power, sheet.phase_number)
    if counted is not None and counted.lines == sheet.lines and _may_know(player, counted):
        raise LateRefusal("counted", counted.receipt_number)
    if sheet.phase_number == game.phase_number and game.state in RUNNING_STATES:
        closes = phase_deadlines.orders_accepted_until(game, missing=counted is None)
        if closes is None or sheet.received_at <= closes:
            raise LateRefusal("open")
    if player.late_orders.filter(phase_number=sheet.phase_number).count() >= MOST_UNDECIDED:
        raise LateRefusal("many")
    too_old = sheet.phase_number < game.phase_number - 1
    kept = LateOrders.objects.create(
        player=player,
        phase_number=sheet.phase_number,
        power=sheet.power,
        idempotency_key=key,
        lines=sheet.lines,
        written_at=sheet.written_at,
        received_at=sheet.received_at,
        decision=TORN if too_old else "",
        decided_at=sheet.received_at if too_old else None,
    )
    table_seats.tell_table(player.table)
    return kept


def _may_know(player: TablePlayer, counted: OrderSet) -> bool:
    """Whether the orders are a player's: who only had the power before must not find out by guesses."""
    holder = power_assignments.player_of(counted.game, counted.power)
    return player.person_id in (holder, counted.submitted_by_id)


def late_rows(player: TablePlayer) -> list[dict[str, Any]]:
    """A phone's own late orders, the last ones first, with what became of them."""
    recent = late_orders_of(player)[:-6:-1]
    return [{"text": late_orders_text(one), "lines": one.lines, "pk": one.pk} for one in recent]


def late_orders_of(player: TablePlayer) -> list[LateOrders]:
    """All there are, the first ones first."""
    found: list[LateOrders] = LATE_ORDERS.rows(player=player.pk)
    for one in found:
        one.player = player
    return found


def late_orders_text(late: LateOrders) -> str:
    """What a phone is told of its late orders: which phase, when they came, what becomes of them."""
    game = late.player.table.game
    variant = variants.load(game.variant)
    code = GameHistory(game).published_phases[late.phase_number - 1 : late.phase_number] or [game.phase]
    facts = {
        "phase": display_names.phase_name(variant, code[0]),
        "power": display_names.power_name(variant, late.power),
        "time": f"{timezone.localtime(late.received_at):%H:%M:%S}",
    }
    if not late.decision and (late.phase_number < game.phase_number - 1 or game.state in ENDED_STATES):
        said = _("%(power)s, %(phase)s: these orders came at %(time)s, after the bell. They do not count.")
    elif not late.decision:
        said = _("%(power)s, %(phase)s: these orders came at %(time)s, after the bell. The referee decides.")
    elif late.decision != TORN:
        said = _("%(power)s, %(phase)s: these orders came late, at %(time)s. The referee counted them.")
    elif late.decided_at != late.received_at:
        said = _("%(power)s, %(phase)s: these orders came late, at %(time)s. The referee tore them.")
    else:
        said = _("%(power)s, %(phase)s: these orders came at %(time)s, phases too late. They do not count.")
    return said % facts
