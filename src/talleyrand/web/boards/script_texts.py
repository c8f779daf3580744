"""The sentences that the scripts of the pages say."""

from __future__ import annotations

from django.utils.translation import gettext as _

from .touch_texts import touch_texts


def script_texts() -> dict[str, str]:
    return {
        **touch_texts(),
        "start": _("Touch one of your units, then where it goes or whom it helps."),
        "start_builds": _(
            "Touch a home centre to build there, or a unit to remove it; once more takes it back."
        ),
        "start_removals": _("Touch a unit to remove it; once more takes it back."),
        "start_nothing": _("Nothing is asked of you in this phase."),
        "start_forms": _("There is nothing to order on the map in this phase: fill in the forms."),
        "start_written": _("More units stand here than menus can list: write the orders as text."),
        "start_retreats": _("Touch a dislodged unit, then where it retreats, or “Disband”."),
        "helped": _("{unit}: touch where the unit of {place} goes, or itself again to support it there."),
        "aim": _("{what}: touch a province on the map. Escape: leave it."),
        "aimed": _("{what}: {place}. “Undo” takes it back."),
        "unaimed": _("{what}: taken back."),
        "not_aimed": _("{what}: left as it is."),
        "not_found": _("No province is called “{text}”: a name, the beginning of one, or a code."),
        "which_coast": _("{place}: which coast?"),
        "which_unit": _("{place}: which unit?"),
        "cleared": _("{unit}: order taken away."),
        "let_go": _("{unit}: no longer chosen."),
        "nothing_here": _("{place}: nothing of yours to order here."),
        "out_of_reach": _("{place} is out of reach of {unit}."),
        "undone": _("Undone."),
        "saved": _("Saved at {time}"),
        "saving": _("Saving…"),
        "unsaved": _("Not saved: {why}"),
        "fault": _("The fault is ours, and it has been noted."),
        "offline": _("Not saved yet: the server does not answer. Trying again."),
        "progress": _("{given} of {total}"),
        "copied": _("Link copied."),
        "computer_silent": _("The site does not answer; asking again."),
        "why": _("Why?"),
        "why_before": _("Step before"),
        "why_after": _("Next step"),
        "why_close": _("Close"),
        "why_keys": _("Arrows: from step to step. Escape: close."),
    }
