"""The sentences that the scripts of the pages say."""

from __future__ import annotations

from django.utils.translation import gettext as _

from .touch_texts import touch_texts


def script_texts() -> dict[str, str]:
    return {
        **touch_texts(),
        "start": _("Select one of your units, then its destination or the unit it supports."),
        "start_builds": _(
            "Select a home centre to build there, or a unit to remove it; select again to undo."
        ),
        "start_removals": _("Select a unit to remove it; select again to undo."),
        "start_nothing": _("Nothing for you to do in this phase."),
        "start_forms": _("Nothing to order on the map in this phase: fill in the forms."),
        "start_written": _("Too many units for menus: write the orders as text."),
        "start_retreats": _("Select a dislodged unit, then its retreat, or “Disband”."),
        "helped": _(
            "{unit}: select the destination of the unit in {place}, or that unit again to support it there."
        ),
        "aim": _("{what}: select a province on the map. Escape to cancel."),
        "aimed": _("{what}: {place}. Use “Undo” to cancel."),
        "unaimed": _("{what}: undone."),
        "not_aimed": _("{what}: unchanged."),
        "not_found": _("No province matches “{text}”. Type a name, its beginning, or a code."),
        "which_coast": _("{place}: which coast?"),
        "which_unit": _("{place}: which unit?"),
        "cleared": _("{unit}: order removed."),
        "let_go": _("{unit}: deselected."),
        "nothing_here": _("{place}: nothing for you to order here."),
        "out_of_reach": _("{place} is out of reach for {unit}."),
        "undone": _("Undone."),
        "saved": _("Saved at {time}"),
        "saving": _("Saving…"),
        "unsaved": _("Not saved: {why}"),
        "fault": _("The fault is ours and has been recorded."),
        "offline": _("Not saved yet: no answer from the server. Retrying…"),
        "busy": _(
            "Not saved yet: a great many orders are coming in. Retrying in {seconds} s; the time of your "
            "first attempt counts."
        ),
        "progress": _("{given} of {total}"),
        "copied": _("Link copied."),
        "computer_silent": _("No answer from the site. Retrying…"),
        "why": _("Why?"),
        "why_before": _("Previous step"),
        "why_after": _("Next step"),
        "why_close": _("Close"),
        "why_keys": _("Arrows: previous or next step. Escape: close."),
    }
