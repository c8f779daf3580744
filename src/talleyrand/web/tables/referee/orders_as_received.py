"""What was received for a phase, to the second: for a table that quarrels about its orders.

Of a resolved phase the exact text of every order set, those included that did not count; of the open one only
that something came, and when. What a phase keeps secret (votes, lists of a draft) stays so until the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.games import order_state_labels, order_submission, phase_deadlines
from talleyrand.web.games.models import ENDED_STATES, Game, OrderSet, PhaseRevision
from talleyrand.web.tables.models import LateOrders

from .orders_acts import COUNTED, TORN


@dataclass(frozen=True)
class OrderSetAsReceived:
    """An order set as it came. `lines` is None where no one may read it yet; `state` says what became of it,
    `receipt` is 0 for late orders, which have none until they count.
    """

    received_at: datetime
    origin: str
    receipt: int
    state: str
    lines: tuple[str, ...] | None
    written_at: datetime | None = None


@dataclass(frozen=True)
class PowerOrders:
    """All that was received from one power."""

    name: str
    colour: str
    received: list[OrderSetAsReceived]


def resolved_phases(game: Game) -> list[tuple[int, str]]:
    """The phases whose orders may be read, each with its number and name, the last one first."""
    variant = variants.load(game.variant)
    found = game.revisions.filter(is_current=True, phase_number__gt=0).order_by("-phase_number")
    return [
        (number, display_names.phase_name(variant, phase))
        for number, phase in found.values_list("phase_number", "phase")
    ]


def orders_received(game: Game, number: int) -> list[PowerOrders]:
    """What was received for phase `number`, power by power in the variant's order."""
    is_readable = shows_text(game, number)
    found: dict[str, list[OrderSetAsReceived]] = {}
    counting = order_submission.counting_order_sets(game, number)
    for one in _order_sets(game, number):
        found.setdefault(one.power, []).append(
            _received_order_set(one, one == counting.get(one.power), is_readable)
        )
    late_ones = LateOrders.objects.filter(player__table__game=game, phase_number=number)
    for late in late_ones.select_related("player__table__game"):
        if late.decision != COUNTED:  # those that count have a receipt, and are among the others
            found.setdefault(late.power, []).append(_told_late(late, is_readable))
    return list(_rows(game, found))


def shows_text(game: Game, number: int) -> bool:
    """Whether everyone at the table may read what was received for a phase."""
    revision = game.revisions.filter(is_current=True, phase_number=number).first()
    if revision is None:
        return False
    has_secrets = revision.secret_part is not None or phase_deadlines.is_draft(game, revision.phase)
    return not has_secrets or game.state in ENDED_STATES


def _order_sets(game: Game, number: int) -> list[OrderSet]:
    """Without those set aside because the phase before was rolled back: their phase never was."""
    rolled_back = PhaseRevision.objects.filter(
        game=game, phase_number=number - 1, withdrawn_at__isnull=False
    ).values_list("withdrawn_at", flat=True)
    found = OrderSet.objects.filter(game=game, phase_number=number).order_by("receipt_number")
    aside = set(rolled_back)
    return [one for one in found if one.withdrawn_at is None or one.withdrawn_at not in aside]


def _received_order_set(one: OrderSet, counts: bool, is_readable: bool) -> OrderSetAsReceived:
    state = _("counts") if counts else _("replaced")
    state = state if one.withdrawn_at is None else _("torn up")
    lines = tuple(one.lines) if is_readable else None
    return OrderSetAsReceived(one.received_at, origin_text(one.origin), one.receipt_number, state, lines)


def origin_text(origin: str) -> str:
    """How an order set came to a table."""
    return _("typed by the referee") if origin == "master" else order_state_labels.origin_label(origin)


def _told_late(late: LateOrders, is_readable: bool) -> OrderSetAsReceived:
    lines = tuple(late.lines) if is_readable else None
    is_open = late.phase_number == late.player.table.game.phase_number
    state = _("to be decided") if is_open else _("does not count")
    state = _("torn up") if late.decision == TORN else state
    return OrderSetAsReceived(late.received_at, _("after the bell"), 0, state, lines, late.written_at)


def _rows(game: Game, found: dict[str, list[OrderSetAsReceived]]) -> Iterator[PowerOrders]:
    variant = variants.load(game.variant)
    for power in variant.definition.seats:
        if power in found:
            received = sorted(found[power], key=lambda one: one.received_at)
            name, colour = (
                display_names.power_name(variant, power),
                display_names.power_colour(variant, power),
            )
            yield PowerOrders(name, colour, received)
