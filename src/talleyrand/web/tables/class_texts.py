"""Words for a class."""

from __future__ import annotations

from django.utils.translation import gettext as _


def receipt_words() -> dict[str, str]:
    """For kinds of rows that were erased, by their labels, what they are to a reader."""
    return {
        "tables.Table": _("boards"),
        "pupils": _("names"),
        "sessions": _("phones and computers that were logged in to the class"),
        "games.OrderSet": _("orders received"),
        "games.PhaseRevision": _("phases resolved"),
        "games.GameLogEntry": _("lines of the game logs"),
        "games.GameSeat": _("powers, with their drafts"),
        "games.PowerAssignment": _("who played which power"),
        "tables.LateOrders": _("orders that came late"),
        "games.EndProposal": _("proposals to end the game"),
        "games.EndProposalBallot": _("votes"),
        "press.Message": _("messages"),
        "notices.Notification": _("notifications"),
    }
