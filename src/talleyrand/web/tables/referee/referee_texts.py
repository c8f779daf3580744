"""What is said of a referee's acts: why one is refused, and what one does, before it is done."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import error_sentence
from talleyrand.web.boards import display_names
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import order_submission
from talleyrand.web.games.deadlines.date_texts import count_text
from talleyrand.web.games.endings import end_texts
from talleyrand.web.games.endings.end_proposals import EndProposalRefusal
from talleyrand.web.games.game_master import action_effects, deadline_actions, game_master_texts
from talleyrand.web.games.game_master.action_base import last_published_revision
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.tables.models import LateOrders

from .orders_acts import written_before_bell
from .referee_desk import RefereeDesk, RefereeRefusal, Refusal


def refusal_text(refused: Refusal) -> str:
    """Why nothing was done, and what to do next."""
    if isinstance(refused, RefereeRefusal):
        return {**_of_orders(), **_of_seats()}[refused.code]
    if isinstance(refused, QuestionRefusal):
        return refused.sentence
    if isinstance(refused, TalleyrandError):
        return error_sentence(refused, display_names.reader_language())
    if isinstance(refused, EndProposalRefusal):
        return end_texts.end_refusal_text(refused.code)
    if isinstance(refused, OrdersRefusal):
        return _of_submissions().get(refused.code) or game_master_texts.entered_orders_refusal_text(
            refused.code
        )
    return game_master_texts.game_master_refusal_text(refused.code)


def _of_submissions() -> dict[str, str]:
    return {
        "moved": _("Nothing was changed: another phase is in progress now."),
        "over": _("The game is over."),
        "not_begun": _("The game has not started."),
        "not_yours": _("Nothing was changed: someone else plays this power now."),
        "later": _("Nothing was changed: newer orders stand."),
    }


def _of_orders() -> dict[str, str]:
    return {
        "before_bell": _("The bell has not rung yet. Ring it first."),
        "no_late_orders": _("These late orders don’t exist."),
        "late_phase_over": _(
            "That phase is resolved. Roll it back first, then decide; otherwise these orders don’t count."
        ),
        "late_counted": _("These orders count already. To undo that, tear up this power’s orders."),
        "not_playing": _("No phase is in progress."),
        "binding": _("Orders of this phase are binding."),
        "no_orders": _("Nothing to tear up: no orders received from this power."),
        "not_torn": _("Nothing to restore: newer orders stand, or none were torn up."),
        "no_power": _("Choose a power of this game."),
        "not_on_paper": _("This player has a phone and answers on it."),
    }


def _of_seats() -> dict[str, str]:
    return {
        "no_seat": _("Choose a seat of this table."),
        "same_seat": _("Choose two different players’ seats."),
        "begun": _("Seats can only be swapped before the game starts. Replace the player instead."),
        "too_many": _("This table has had too many people."),
        "last_referee": _("No one else is referee. Name another one first."),
        "no_phone": _("A referee needs a phone: let this player join with one first."),
        "unchanged": _("Nothing to change: it is already so."),
        "unknown": _("Nothing was changed: this page does not offer that."),
    }


def read_on_effects(desk: RefereeDesk) -> Iterator[str]:
    """What it does to resolve the phase although someone is missing."""
    missing = deadline_actions.powers_missing_orders(desk.game)
    drafts = [
        seat.power
        for seat in desk.game.seats.filter(power__in=missing)
        if order_submission.draft_lines(seat, desk.game.phase_number)
    ]
    without = [power for power in missing if power not in drafts]
    if drafts:
        yield _("Not submitted, but on the phone when the bell rang, so they count: %(powers)s.") % {
            "powers": desk.names(drafts)
        }
    if without:
        kind = desk.game.phase[-1:]
        yield _missing_text(kind) % {"powers": desk.names(without)}
    yield _("The orders are read, and the next phase opens.")
    yield _("You can still roll back this phase afterwards.")


def _missing_text(kind: str) -> str:
    """What becomes of powers without orders in a kind of phase, by the rulebook."""
    return {
        "R": _("No orders from %(powers)s: their dislodged units are disbanded."),
        "A": _("No orders from %(powers)s: no builds; removals follow the rulebook’s civil disorder."),
    }.get(kind, _("No orders from %(powers)s: civil disorder for this phase, their units hold."))


def roll_back_effects(desk: RefereeDesk) -> Iterator[str]:
    """What it does to open the last resolved phase again."""
    yield from action_effects.roll_back_effects(desk.game)
    last = last_published_revision(desk.game)
    if last is not None:
        yield from action_effects.orders_lost_by_rolling_back(desk.game, last)


def late_orders_text(desk: RefereeDesk, late: LateOrders) -> str:
    """When late orders came and were written, and what the rules of tournaments make of it."""
    if late.phase_number != desk.game.phase_number:
        return _too_late_text(desk, late)
    bell = desk.game.deadline
    facts = {
        "power": display_names.power_name(desk.variant, late.power),
        "late": _length((late.received_at - bell).total_seconds()) if bell else "",
    }
    told = (
        _("%(power)s’s orders came %(late)s after the bell.") if bell else _("%(power)s’s orders came late.")
    ) % facts
    before = written_before_bell(late, bell)
    if before is None:
        return f"{told} " + _("The phone does not say when they were written.")
    seconds = before.total_seconds()
    facts["ago"] = _length(abs(seconds))
    if seconds >= 0:
        written = _("By the phone’s clock they were written %(ago)s before it.")
        rule = _(
            "Anjou Feu, article IV: of late orders that are torn away, what was written in time still "
            "counts. By that rule, count them."
        )
    else:
        written = _("By the phone’s clock they were last changed %(ago)s after it.")
        rule = _(
            "Anjou Feu, article IV: late orders may be torn up; units without a written order are then in "
            "civil disorder. By that rule, tear them up."
        )
    return " ".join((told, written % facts, rule))


def _too_late_text(desk: RefereeDesk, late: LateOrders) -> str:
    last = last_published_revision(desk.game)
    return _(
        "%(power)s’s orders for %(phase)s came when it was resolved. To count them, roll back first."
    ) % {
        "power": display_names.power_name(desk.variant, late.power),
        "phase": display_names.phase_name(desk.variant, last.phase) if last and last.phase else "",
    }


def _length(seconds: float) -> str:
    """Up to two minutes in seconds, then in minutes."""
    language, whole = display_names.reader_language(), max(0, round(seconds))
    return (
        count_text(whole, "second", language) if whole < 120 else count_text(whole // 60, "minute", language)
    )


def tear_effects(desk: RefereeDesk, power: str) -> Iterator[str]:
    """What it does to tear up a power's orders."""
    names = {"power": display_names.power_name(desk.variant, power)}
    yield _("The orders received from %(power)s for this phase no longer count.") % names
    yield _("They stay listed among the orders received, which everyone can read after the resolution.")
    yield _("Other orders can be submitted until the bell; until then you can also restore these.")


def replacement_effects(desk: RefereeDesk, power: str, newcomer: str, *, for_a_while: bool) -> Iterator[str]:
    """What it does to give a power to someone."""
    names = {"power": display_names.power_name(desk.variant, power), "newcomer": newcomer}
    yield _("%(newcomer)s plays %(power)s from this phase on, and sees its orders so far.") % names
    if for_a_while:
        yield _("Until you end the replacement, its player can only look on.")
    else:
        yield _("The player before loses it for good.")
    yield _("Orders already submitted stay. Orders not submitted yet are lost.")
