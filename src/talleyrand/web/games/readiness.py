"""Who has submitted orders for the open phase and who is ready: only whether, never what."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names

from . import open_seats, order_state_labels
from .game_history import GameHistory
from .models import RUNNING_STATES, Game
from .open_seats import SeatWithHolders
from .order_state_labels import NOT_AWAITED, NOTHING_TO_ORDER, OrderStateLabel
from .order_submission import NO_ORDERS, READY, SUBMITTED
from .viewer_permissions import GameViewer

MOST_NAMED = 2  # powers named in one line of a phone; of more their number is told
MOST_MARKS = 8  # powers of which each has a mark in the header


@dataclass(frozen=True)
class PowerReadiness:
    """How far a power is; drafts are nobody's business."""

    name: str
    colour: str
    state: OrderStateLabel

    @property
    def is_awaited(self) -> bool:
        return self.state.code not in (NOTHING_TO_ORDER, NOT_AWAITED)


@dataclass(frozen=True)
class Readiness:
    """Of all powers with a seat, in the order of the seats."""

    powers: list[PowerReadiness]

    @property
    def awaited(self) -> list[PowerReadiness]:
        return [one for one in self.powers if one.is_awaited]

    @property
    def submitted_count(self) -> int:
        return sum(one.state.code in (SUBMITTED, READY) for one in self.powers)

    @property
    def has_marks(self) -> bool:
        """Whether there is room for a mark for each power."""
        return len(self.powers) <= MOST_MARKS

    @property
    def text(self) -> str:
        """How many powers are ready, and whose orders are missing."""
        told = _("Ready: %(ready)d of %(all)d") % {
            "ready": sum(one.state.code == READY for one in self.awaited),
            "all": len(self.awaited),
        }
        missing = [one.name for one in self.awaited if one.state.code == NO_ORDERS]
        if not missing:
            return " · ".join((told, _("All submitted")))
        names = ", ".join(missing) if len(missing) <= MOST_NAMED else str(len(missing))
        return " · ".join((told, _("Missing: %(powers)s") % {"powers": names}))

    @property
    def sentence(self) -> str:
        """The same where there is room for every name."""
        told = _("Orders submitted: %(submitted)d of %(all)d.") % {
            "submitted": self.submitted_count,
            "all": len(self.awaited),
        }
        missing = ", ".join(one.name for one in self.awaited if one.state.code == NO_ORDERS)
        return " ".join((told, _("Missing: %(powers)s.") % {"powers": missing})) if missing else told


def visible_readiness(
    sight: GameViewer, variant: Variant, seats: Collection[SeatWithHolders] | None = None
) -> Readiness | None:
    """What one may know of `game_readiness`."""
    return game_readiness(sight.game, variant, seats) if sight.may_see_readiness else None


def game_readiness(
    game: Game, variant: Variant, seats: Collection[SeatWithHolders] | None = None
) -> Readiness | None:
    """The readiness of the open phase; None where none is open, or nobody is waited for.

    `seats` are those of the game, where they have been read already.
    """
    if game.state not in RUNNING_STATES:
        return None
    if seats is None:
        seats = open_seats.seats_of_games([game])[game.pk]
    try:
        deciding = GameHistory(game).deciding_powers(game.phase_number)
    except TalleyrandError:  # a position that the desk has to mend first
        return None
    found = Readiness(
        [
            PowerReadiness(
                display_names.power_name(variant, one.power),
                display_names.power_colour(variant, one.power),
                order_state_labels.order_state_label(_state(one, asked=one.power in deciding)),
            )
            for one in seats
        ]
    )
    return found if found.awaited else None


def _state(one: SeatWithHolders, *, asked: bool) -> str:
    if not asked:
        return NOTHING_TO_ORDER
    if one.is_handed_in:
        return READY if one.seat.is_ready else SUBMITTED
    has_player = one.seat.bot or any(one.holders)
    return NOT_AWAITED if one.seat.in_civil_disorder or not has_player else NO_ORDERS
