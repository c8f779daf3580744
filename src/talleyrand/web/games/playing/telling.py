"""What is said of a sheet: how far it is, its receipt, why it was not taken."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.web.boards import incoming, picture, wording
from talleyrand.web.boards.drafts import Unfit
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.games import frame, inbox, states
from talleyrand.web.games.deadlines import words, zones
from talleyrand.web.games.models import Sheet

from .sheets import OwnSheet, without_order

SHORT = 8  # letters of a digest that a person compares


def moment(at: datetime) -> str:
    """ "22 novembre à 09:14:07, heure de Paris": when a sheet was received, to the second."""
    local, language = timezone.localtime(at), wording.language()
    day = words.day(f"{local:%m-%d}", language)
    clock = f"{'à' if language == 'fr' else 'at'} {local:%H:%M:%S}"
    return f"{day} {clock}, {zones.said_zone(frame.zone(), language)}"


def standing(own: OwnSheet) -> dict[str, Any]:
    """The state of a power’s sheet as its page shows it."""
    return {
        "state": states.told(own.state),
        "power": own.power,
        "sentence": _sentence(own),
        "missing": missing(own.preparation),
        "handed": receipt(own.handed) if own.handed else None,
        "differs": own.differs,
        "final": own.state == inbox.FINAL,
        "counts": own.game.terms.drafts_count,
    }


def _sentence(own: OwnSheet) -> str:
    if own.handed is None:
        return _unhanded(own)
    told = receipt(own.handed)
    if own.differs:
        return (
            _(
                "Your draft differs from the sheet you handed in on %(when)s (No %(receipt)d), which counts. "
                "Hand it in again, or go back to that sheet."
            )
            % told
        )
    if own.state == inbox.FINAL:
        return _("Sheet No %(receipt)d of %(when)s counts. It is final: nobody need wait for you.") % told
    if own.counted.lasting:
        return (
            _(
                "Sheet No %(receipt)d of %(when)s counts, and what it proposes can no longer be withdrawn: "
                "another sheet may only add to it."
            )
            % told
        )
    return _("Sheet No %(receipt)d of %(when)s counts, unless you hand in another.") % told


def _unhanded(own: OwnSheet) -> str:
    if own.state == inbox.NOTHING:
        asked = not own.preparation.asks_nothing
        return (
            _("You have not given any order yet.") if asked else _("Nothing is asked of you in this phase.")
        )
    if own.game.terms.drafts_count:
        return _("Not handed in. If it stays so until the deadline, this draft counts as your sheet.")
    return _("Not handed in: as long as it is not, it does not count.")


def outlook(own: OwnSheet) -> str:
    """What the orders in preparation lead to, and what of them could no longer be taken back."""
    prepared = own.preparation
    before = own.counted.lasting if own.handed else []
    fresh = [picture.order_label(prepared.variant, one, "") for one in prepared.lasting if one not in before]
    said = _("Once handed in, this can no longer be withdrawn: %(orders)s.")
    return " ".join(filter(None, (prepared.outlook, said % {"orders": "; ".join(fresh)} if fresh else "")))


def receipt(sheet: Sheet) -> dict[str, Any]:
    """A sheet that was received."""
    return {
        "receipt": sheet.receipt,
        "when": moment(sheet.at),
        "at": sheet.at,
        "digest": sheet.digest[:SHORT],
        "whole_digest": sheet.digest,
        "orders": len(sheet.lines),
        "origin": states.origin(sheet.origin),
        "final": sheet.final,
        "withdrawn": sheet.withdrawn is not None,
    }


def acknowledged(sheet: Sheet, own: OwnSheet) -> str:
    """What is said when a sheet has been received."""
    told = receipt(sheet)
    parts = [
        _("Sheet No %(receipt)d received on %(when)s, number %(digest)s.") % told,
        _understood(own),
        missing(own.preparation),
    ]
    if own.state == inbox.FINAL:
        parts.append(_("It is final: nobody need wait for you."))
    return " ".join(part for part in parts if part)


def _understood(own: OwnSheet) -> str:
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
    read = sum(one.given for one in own.preparation.readings)
    return ngettext("%(n)d line understood.", "%(n)d lines understood.", read) % {"n": read}


def short(sheet: Sheet) -> str:
    """The same where there is little room."""
    facts = {"receipt": sheet.receipt, "time": f"{timezone.localtime(sheet.at):%H:%M:%S}"}
    return _("Sheet No %(receipt)d received at %(time)s") % facts


def missing(preparation: Preparation) -> str:
    """What becomes of the units that are not ordered; "" where all are, or where nothing can be said."""
    units = ", ".join(without_order(preparation))
    if not units:
        return _unfilled(preparation)
    if preparation.question["phase"].endswith("R"):
        return _("Without an order, and so disbanded: %(units)s.") % {"units": units}
    return _("Without an order, and so holding: %(units)s.") % {"units": units}


def _unfilled(preparation: Preparation) -> str:
    """In adjustments: what is left to the rulebook."""
    progress = preparation.progress()
    if not preparation.question["phase"].endswith("A") or progress["given"] >= progress["total"]:
        return ""
    return _("What is not ordered is left to the rulebook: builds are given up, removals follow its rule.")


def not_taken(refusal: inbox.NotTaken) -> str:
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


def unfit(problem: Unfit) -> str:
    """Why a sheet cannot be kept."""
    if problem.code != "other_power":
        return incoming.unfit(problem)
    told = _(
        "This line is another power’s: “%(line)s”. You order your own units alone; nothing has been changed."
    )
    return told % {"line": problem.line}
