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
from talleyrand.web.bots.talk_texts import TalkTexts
from talleyrand.web.games import order_state_labels, order_submission, page_context
from talleyrand.web.games.bot_agreements import GameAgreements
from talleyrand.web.games.bot_letter_models import BotAgreement
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
    told = receipt_row(own.submitted) if own.submitted else None
    return {
        "state": order_state_labels.order_state_label(own.state),
        "power": own.power,
        "sentence": _sentence(own, told) if told else _unhanded(own),
        "missing": missing_orders_text(own.preparation),
        "handed": told,
        "differs": own.draft_differs,
        "refused": own.counting_preparation.refused_text,
        "unsent": own.has_unsent_orders,
        "final": own.state == order_submission.READY,
        "counts": own.game.settings.drafts_count,
    }


def _sentence(own: OwnOrders, told: dict[str, Any]) -> str:
    if own.draft_differs:
        return (
            _(
                "Your draft differs from orders v%(receipt)d (received on %(when)s), which "
                "count. Submit again, or go back to v%(receipt)d."
            )
            % told
        )
    if own.state == order_submission.READY:
        return _("Orders v%(receipt)d (received on %(when)s) will be used. You are ready.") % told
    if own.counting_preparation.binding_orders:
        return (
            _(
                "Orders v%(receipt)d (received on %(when)s) count, and their proposals can’t "
                "be withdrawn: you can only add to them."
            )
            % told
        )
    return _("Orders v%(receipt)d (received on %(when)s) will be used unless you submit again.") % told


def _unhanded(own: OwnOrders) -> str:
    if own.state == order_submission.NO_ORDERS:
        asked = not own.preparation.asks_nothing
        return _("No orders yet.") if asked else _("Nothing for you to do in this phase.")
    if own.game.settings.drafts_count:
        return _("Not submitted. If you don’t submit, this draft will be used at the deadline.")
    return _("Not submitted: this draft doesn’t count until you submit it.")


def order_outlook_text(own: OwnOrders) -> str:
    """What the orders in preparation lead to, what of them could no longer be taken back, and which
    agreements with bots they would break."""
    prepared = own.preparation
    before = own.counting_preparation.binding_orders if own.submitted else []
    fresh = [
        phase_maps.order_label(prepared.variant, one, "")
        for one in prepared.binding_orders
        if one not in before
    ]
    said = _("Can’t be withdrawn once submitted: %(orders)s.")
    binding = said % {"orders": "; ".join(fresh)} if fresh else ""
    return " ".join(filter(None, (prepared.outlook_text, binding, *_broken_words(own))))


def _broken_words(own: OwnOrders) -> list[str]:
    """A sentence for each bot that had the power’s word, and that the orders in preparation would betray."""
    given = list(own.preparation.followed_orders.values())
    if (
        not own.question["phase"].endswith("M")
        or not given
        or not BotAgreement.objects.filter(game=own.game).exists()
    ):
        return []
    texts = TalkTexts(own.preparation.variant)
    found = GameAgreements(own.game).broken_by(own.question, own.power, given)
    return [texts.would_break(account, own.power) for account in found]


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


def acknowledgement(sheet: OrderSet, own: OwnOrders, status: dict[str, Any]) -> str:
    """What is said when a sheet has been received; `status` is that of `order_status` now."""
    told = status["handed"] if own.submitted is sheet else receipt_row(sheet)
    parts = [
        _("Orders v%(receipt)d received on %(when)s. Receipt: %(digest)s.") % told,
        _understood(own),
        status["missing"],
    ]
    if own.state == order_submission.READY:
        parts.append(_("You are ready."))
    return " ".join(part for part in parts if part)


def _understood(own: OwnOrders) -> str:
    """How many units are ordered, of how many; where there are none to order, or where a line is refused,
    how many lines were read, and which were not."""
    told, refused = own.preparation.progress(), own.preparation.refused_lines
    read = sum(one.is_followed for one in own.preparation.readings)
    if refused:
        lines = ", ".join(_("“%(line)s”") % {"line": one.line} for one in refused)
        facts = {"n": read, "total": read + len(refused), "lines": lines}
        return _("Refused: %(lines)s. Lines understood: %(n)d of %(total)d.") % facts
    if told["total"]:
        return (
            ngettext(
                "%(given)d of %(total)d orders understood.",
                "%(given)d of %(total)d orders understood.",
                told["given"],
            )
            % told
        )
    return ngettext("%(n)d line understood.", "%(n)d lines understood.", read) % {"n": read}


def short_acknowledgement(sheet: OrderSet) -> str:
    """The same where there is little room."""
    facts = {"receipt": sheet.receipt_number, "time": f"{timezone.localtime(sheet.received_at):%H:%M:%S}"}
    return _("Orders v%(receipt)d received at %(time)s") % facts


def missing_orders_text(preparation: OrderPreparation) -> str:
    """What becomes of the units that are not ordered; "" where all are, or where nothing can be said."""
    units = ", ".join(units_without_order(preparation))
    if not units:
        return preparation.unfilled_text
    if preparation.question["phase"].endswith("R"):
        return _("No order, disbanded: %(units)s.") % {"units": units}
    return _("No order, holding: %(units)s.") % {"units": units}


def orders_refusal_text(refusal: order_submission.OrdersRefusal) -> str:
    """Why orders were not taken, and what can be done."""
    sentences = {
        "late": _("The deadline has passed: these orders were not accepted. If the game has a GM, ask them."),
        "later": _("These orders were delayed on their way. Newer orders already count."),
        "moved": _("This phase is no longer in progress: these orders were not accepted."),
        "over": _("The game is over: these orders were not accepted."),
        "not_begun": _("The game hasn’t started: no orders yet."),
        "repeated": _("This page has already sent other orders. Reload it and submit again."),
        "nothing": _("Submit your orders first, then mark yourself ready."),
        "no_seat": _("This power has no seat in the game: these orders were not accepted."),
        "not_yours": _("Someone else plays this power now: these orders were not accepted."),
    }
    return sentences[refusal.code]


def own_draft_refusal_text(problem: DraftRefusal) -> str:
    """Why a sheet cannot be kept."""
    if problem.code != "other_power":
        return order_requests.draft_refusal_text(problem)
    told = _(
        "This line is for another power: “%(line)s”. You can only order your own units; nothing was changed."
    )
    return told % {"line": problem.line}
