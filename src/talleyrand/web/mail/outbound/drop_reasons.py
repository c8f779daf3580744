"""Why a mail never left, in a sentence."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, Promise] = {
    "refused": _("The reader’s server refuses it for good."),
    "undeliverable": _("It was refused for three days."),
    "paused": _("Other mails to the same reader came back: none is sent to him for now."),
    "inactive": _("The account of its reader is closed."),
    "no_address": _("Its reader has no confirmed address any more."),
    "no_longer_his": _("Its reader does not play this power, or may not open this game, any more."),
    "restored": _("It waited in a backup that was put back an hour or more later: it had left since."),
    "joined": _("The invitation was accepted before."),
    "declined": _("The invitation was declined before."),
    "overtaken": _("Something newer about the same was written instead."),
    "unwanted": _("Its reader wants no such mails any more."),
    "withdrawn": _("The invitation was withdrawn before."),
}


def drop_reason_text(code: str) -> str:
    """The same for a code; "" for one without words."""
    return str(SENTENCES.get(code, ""))
