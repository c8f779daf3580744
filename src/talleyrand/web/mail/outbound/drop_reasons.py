"""Why a mail never left, in a sentence."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, Promise] = {
    "refused": _("The recipient’s server permanently refuses it."),
    "undeliverable": _("Refused for three days."),
    "paused": _("Emails to this recipient came back: sending is paused."),
    "inactive": _("The recipient’s account is closed."),
    "no_address": _("The recipient no longer has a confirmed address."),
    "no_longer_his": _("The recipient no longer plays this power, or can no longer view this game."),
    "restored": _("It was waiting in a backup restored an hour or more later; it had already left by then."),
    "joined": _("The invitation had already been accepted."),
    "declined": _("The invitation had already been declined."),
    "overtaken": _("Replaced by a newer email about the same thing."),
    "unwanted": _("The recipient no longer wants these emails."),
    "withdrawn": _("The invitation had already been withdrawn."),
}


def drop_reason_text(code: str) -> str:
    """The same for a code; "" for one without words."""
    return str(SENTENCES.get(code, ""))
