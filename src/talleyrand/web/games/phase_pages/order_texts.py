"""What is said of a sheet: how far it is, its receipt, why it was not taken."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.web.boards import display_names, order_requests, phase_maps
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.games import order_state_labels, order_submission, page_context
from talleyrand.web.games.deadlines import date_texts, zone_names
from talleyrand.web.games.models import OrderSet

from .own_orders import OwnOrders, units_without_order

SHORT_DIGEST = 8  # letters of a digest that a person compares


def receipt_time(at: datetime) -> str:
    """ "22 novembre à 09:14:07, heure de Paris": when a sheet was received, to the second."""
    local, language = timezone.localtime(at), display_names.reader_language()
    day = date_texts.day_text(f"{local:%m-%d}", language)
    clock = f"{'à' if language == 'fr' else 'at'} {local:%H:%M:%S}"
    return f"{day} {clock}, {zone_names.zone_text(page_context.reader_time_zone(), language)}"


def order_status(own: OwnOrders) -> dict[str, Any]:
    """The state of a power’s sheet as its page shows it."""
    return {
        "state": order_state_labels.order_state_label(own.state),
        "power": own.power,
        "sentence": _sentence(own),
        "missing": missing_orders_text(own.preparation),
        "handed": receipt_row(own.submitted) if own.submitted else None,
        "differs": own.draft_differs,
        "final": own.state == order_submission.READY,
        "counts": own.game.settings.drafts_count,
    }


def _sentence(own: OwnOrders) -> str:
    if own.submitted is None:
        return _unhanded(own)
    told = receipt_row(own.submitted)
    if own.draft_differs:
        return (
            _(
                "Your draft differs from the sheet you handed in on %(when)s (No %(receipt)d), which counts. "
                "Hand it in again, or go back to that sheet."
            )
            % told
        )
    if own.state == order_submission.READY:
        return _("Sheet No %(receipt)d of %(when)s counts. It is final: nobody need wait for you.") % told
    if own.counting_preparation.binding_orders:
        return (
            _(
                "Sheet No %(receipt)d of %(when)s counts, and what it proposes can no longer be withdrawn: "
                "another sheet may only add to it."
            )
            % told
        )
    return _("Sheet No %(receipt)d of %(when)s counts, unless you hand in another.") % told


def _unhanded(own: OwnOrders) -> str:
    if own.state == order_submission.NO_ORDERS:
        asked = not own.preparation.asks_nothing
        return (
            _("You have not given any order yet.") if asked else _("Nothing is asked of you in this phase.")
        )
    if own.game.settings.drafts_count:
        return _("Not handed in. If it stays so until the deadline, this draft counts as your sheet.")
    return _("Not handed in: as long as it is not, it does not count.")


def order_outlook_text(own: OwnOrders) -> str:
    """What the orders in preparation lead to, and what of them could no longer be taken back."""
    prepared = own.preparation
    before = own.counting_preparation.binding_orders if own.submitted else []
    fresh = [
        phase_maps.order_label(prepared.variant, one, "")
        for one in prepared.binding_orders
        if one not in before
    ]
    said = _("Once handed in, this can no longer be withdrawn: %(orders)s.")
    return " ".join(
        filter(None, (prepared.outlook_text, said % {"orders": "; ".join(fresh)} if fresh else ""))
    )


def receipt_row(sheet: OrderSet) -> dict[str, Any]:
    """A sheet that was received."""
    return {
        "receipt": sheet.receipt_number,
        "when": receipt_time(sheet.received_at),
        "at": sheet.received_at,
        "digest": sheet.digest[:SHORT_DIGEST],
        "whole_digest": sheet.digest,
        "orders": len(sheet.lines),
        "origin": order_state_labels.origin_label(sheet.origin),
        "final": sheet.is_ready,
        "withdrawn": sheet.withdrawn_at is not None,
    }


def acknowledgement(sheet: OrderSet, own: OwnOrders) -> str:
    """What is said when a sheet has been received."""
    told = receipt_row(sheet)
    parts = [
        _("Sheet No %(receipt)d received on %(when)s, number %(digest)s.") % told,
        _understood(own),
        missing_orders_text(own.preparation),
    ]
    if own.state == order_submission.READY:
        parts.append(_("It is final: nobody need wait for you."))
    return " ".join(part for part in parts if part)


def _understood(own: OwnOrders) -> str:
    """How many units are ordered, of how many; where there are none to order, how many lines were read."""
    told = own.preparation.progress()
    if told["total"]:
        return (
            ngettext(
                "%(given)d order of %(total)d understood.",
                "%(given)d orders of %(total)d understood.",
                told["given"],
            )
            % told
        )
    read = sum(one.is_followed for one in own.preparation.readings)
    return ngettext("%(n)d line understood.", "%(n)d lines understood.", read) % {"n": read}


def short_acknowledgement(sheet: OrderSet) -> str:
    """The same where there is little room."""
    facts = {"receipt": sheet.receipt_number, "time": f"{timezone.localtime(sheet.received_at):%H:%M:%S}"}
    return _("Sheet No %(receipt)d received at %(time)s") % facts


def missing_orders_text(preparation: OrderPreparation) -> str:
    """What becomes of the units that are not ordered; "" where all are, or where nothing can be said."""
    units = ", ".join(units_without_order(preparation))
    if not units:
        return _unfilled(preparation)
    if preparation.question["phase"].endswith("R"):
        return _("Without an order, and so disbanded: %(units)s.") % {"units": units}
    return _("Without an order, and so holding: %(units)s.") % {"units": units}


def _unfilled(preparation: OrderPreparation) -> str:
    """In adjustments: what is left to the rulebook."""
    progress = preparation.progress()
    if not preparation.question["phase"].endswith("A") or progress["given"] >= progress["total"]:
        return ""
    return _("What is not ordered is left to the rulebook: builds are given up, removals follow its rule.")


def orders_refusal_text(refusal: order_submission.OrdersRefusal) -> str:
    """Why orders were not taken, and what can be done."""
    sentences = {
        "late": _("The deadline has passed: these orders were not taken. The game master may still help."),
        "moved": _("This phase is no longer open: these orders were not taken."),
        "over": _("The game is over: these orders were not taken."),
        "not_begun": _("The game has not begun: there is nothing to order yet."),
        "repeated": _(
            "This form has brought other orders before. Open the page again and hand in once more."
        ),
        "nothing": _("There is no sheet to make final: hand one in first."),
        "no_seat": _("This power has no seat in the game: these orders were not taken."),
        "not_yours": _("Somebody else plays this power now: these orders were not taken."),
    }
    return sentences[refusal.code]


def own_draft_refusal_text(problem: DraftRefusal) -> str:
    """Why a sheet cannot be kept."""
    if problem.code != "other_power":
        return order_requests.draft_refusal_text(problem)
    told = _(
        "This line is another power’s: “%(line)s”. You order your own units alone; nothing has been changed."
    )
    return told % {"line": problem.line}
