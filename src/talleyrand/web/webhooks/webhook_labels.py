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
    "many": _("You have ten webhooks, the maximum. Delete one first."),
    "kinds": _("There is no such event. Tick the ones you want, or none to get all."),
    "game": _("You are not in this game. Choose one of yours, or all."),
    "waiting": _("A test is already being sent. Check again in a moment."),
    "often": _("Ten tests in ten minutes is the limit. Please wait a few minutes."),
}
ADDRESSES: dict[str, Promise] = {
    "shape": _("Not a valid URL. It should look like this: https://example.org/talleyrand"),
    "long": _("This URL is too long: 500 characters at most."),
    "scheme": _("The URL must begin with https://, so that no one can listen in."),
    "user": _("Don’t put a name or password in the URL: check the signature instead."),
    "port": _("This port is not allowed. Use 443 (the default), 4443 or 8443."),
    "inner": _("This URL points to a private network; nothing is sent there."),
}
OUTCOMES: dict[str, Promise] = {
    "delivered": _("delivered"),
    "given_up": _("abandoned after a day"),
    "failed": _("not delivered"),
    "no_longer": _("not sent: it no longer concerns you"),
    "stale": _("not sent: too old"),
    "paused": _("not sent: the webhook was paused"),
}
PROBLEMS: dict[str, Promise] = {
    "nowhere": _("unknown host"),
    "refused": _("connection refused"),
    "late": _("no response within ten seconds"),
    "insecure": _("not secure: the certificate was refused"),
    "broken": _("connection lost"),
}
PAUSES: dict[str, Promise] = {
    "owner": _("Paused by you. Nothing is sent, and events missed meanwhile won’t be sent later."),
    "failing": _("Paused: no delivery succeeded for a day. Fix the program, send a test, then resume."),
    "password": _(
        "Paused because you changed your password. If you recognise this webhook, resume it; "
        "otherwise delete it."
    ),
    "gone": _("Paused: the program asked for no more deliveries (410)."),
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
    kinds = ", ".join(hook.kinds) if hook.kinds else _("all events")
    return f"{games} · {kinds}"


def webhook_status(hook: Webhook) -> str:
    """Whether it is heard."""
    if hook.paused_at is not None:
        return str(PAUSES.get(hook.pause_reason, PAUSES["owner"]))
    return str(_("Recent deliveries failed; retrying.") if hook.failure_count else _("Active."))


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
    return str(_("will be retried") if one.attempts else _("sending"))


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
