"""Hooks, calls and refusals in words."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.common import outbound_urls
from talleyrand.web.notifications.forms import GROUP_TITLES
from talleyrand.web.notifications.notification_kinds import KINDS
from talleyrand.web.notifications.preferences import OF_ADMINISTRATORS

from . import webhook_actions
from .models import Webhook, WebhookCall
from .webhook_actions import WebhookRefused

REFUSALS: dict[str, Promise] = {
    "many": _("You have ten webhooks, and there may be no more: delete one first."),
    "kinds": _("There is no such kind of news. Tick those you want, or none for all."),
    "game": _("You have no part in this game. Choose one of yours, or all."),
    "waiting": _("A trial is on its way already: look again in a moment."),
    "often": _("Ten trials within ten minutes are enough: wait a little."),
}
ADDRESSES: dict[str, Promise] = {
    "shape": _("This is no address of a program. It looks like this: https://example.org/talleyrand"),
    "long": _("This address is too long: five hundred characters at most."),
    "scheme": _("The address has to begin with https://, so that nobody listens on the way."),
    "user": _("No name or password in the address, please: check the signature instead."),
    "port": _("This port is not called. Possible are 443 (the usual one), 4443 and 8443."),
    "inner": _("This address leads into an inner network, not out into the world: nothing is sent there."),
}
OUTCOMES: dict[str, Promise] = {
    "delivered": _("heard"),
    "given_up": _("given up after a day"),
    "failed": _("not heard"),
    "no_longer": _("not sent: it no longer concerns you"),
    "stale": _("not sent: too old"),
    "paused": _("not sent: the webhook was paused"),
}
PROBLEMS: dict[str, Promise] = {
    "nowhere": _("nothing in the world answers to this name"),
    "refused": _("nobody listens there"),
    "late": _("no answer within ten seconds"),
    "insecure": _("the connection is not secure: its certificate was refused"),
    "broken": _("the connection broke"),
}
PAUSES: dict[str, Promise] = {
    "owner": _("Paused by you. Nothing is sent, and what happens meanwhile is not sent later."),
    "failing": _("Paused: for a day no call was heard. Mend the program, send a trial, and start it again."),
    "password": _(
        "Paused by your new password. If you know this webhook, start it again; if not, delete it."
    ),
    "gone": _("Paused: the program answered that it wants to hear nothing more (410)."),
}


def webhook_refusal(problem: WebhookRefused) -> str:
    """Why not, and what to do."""
    return str(ADDRESSES[problem.detail] if problem.code == "address" else REFUSALS[problem.code])


def webhook_title(hook: Webhook) -> str:
    """The owner’s note, or where it leads."""
    return hook.label or webhook_host(hook)


def webhook_host(hook: Webhook) -> str:
    """The machine alone: what follows it may be as good as a password."""
    try:
        return outbound_urls.parse_public_url(hook.address).host_header
    except outbound_urls.UrlNotAllowed:
        return "…"


def webhook_scope(hook: Webhook) -> str:
    """Which news, of which game."""
    games = hook.game.name if hook.game else _("all my games")
    kinds = ", ".join(hook.kinds) if hook.kinds else _("all news")
    return f"{games} · {kinds}"


def webhook_status(hook: Webhook) -> str:
    """Whether it is heard."""
    if hook.paused_at is not None:
        return str(PAUSES.get(hook.pause_reason, PAUSES["owner"]))
    return str(_("Not heard lately; it is called again.") if hook.failure_count else _("Active."))


def call_row(one: WebhookCall) -> dict[str, Any]:
    """A call for the page."""
    return {
        "number": one.message_id,
        "kind": one.kind,
        "made": one.created_at,
        "tries": one.attempts,
        "said": OUTCOMES[one.outcome] if one.outcome in OUTCOMES else _waiting(one),
        "well": one.outcome == "delivered",
        "status": one.status_code,
        "problem": PROBLEMS.get(one.error, ""),
        "answer": one.response_text,
    }


def _waiting(one: WebhookCall) -> str:
    return str(_("will be tried again") if one.attempts else _("on its way"))


def kind_choices(chosen: set[str], *, is_administrator: bool) -> list[dict[str, Any]]:
    """The kinds by their groups, for the form: those that its reader may be told."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for name in webhook_actions.webhook_kinds():
        kind = KINDS[name]
        row = {"name": name, "said": kind.sentences[-1], "chosen": name in chosen}
        groups.setdefault(kind.group, []).append(row)
    if not is_administrator:
        groups = {group: rows for group, rows in groups.items() if group not in OF_ADMINISTRATORS}
    titles = {group: GROUP_TITLES[group][0] if group in GROUP_TITLES else group for group in groups}
    return [{"title": titles[group], "kinds": rows} for group, rows in groups.items()]
