"""One's own hooks: a list with a form, and a page of each with what it was told lately."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts import time_zones
from talleyrand.web.accounts.models import signed_in_person

from . import webhook_actions, webhook_events, webhook_labels
from .models import Webhook
from .webhook_actions import WebhookRefused, WebhookRequest

LONGEST_SUBMISSION = 64


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_list(request: HttpRequest) -> HttpResponse:
    """My hooks, and the form for another; its secret is shown once, in the answer to the form."""
    if request.method != "POST":
        return _listed(request, WebhookRequest(""))
    wanted = _wanted(request)
    submission = _posted(request, "submission")[:LONGEST_SUBMISSION] or secrets.token_urlsafe(16)
    try:
        hook, fresh = webhook_actions.add_webhook(
            signed_in_person(request), wanted, submission, timezone.now()
        )
    except WebhookRefused as problem:
        return _listed(request, wanted, problem)
    if not fresh:
        messages.info(request, _("This webhook has already been added. Its secret is shown only once."))
        return redirect("webhooks:one", hook.key)
    return _webhook_page(request, hook, made=webhook_events.signing_secret(hook))


@never_cache
@login_required
@require_safe
def webhook_page(request: HttpRequest, hook: str) -> HttpResponse:
    """A hook, and its last calls."""
    return _webhook_page(request, _mine(request, hook))


def _changing(change: Callable[[HttpRequest, Webhook], None]) -> Callable[..., HttpResponse]:
    """A form of the page of a hook."""

    @require_POST
    @login_required
    def changed(request: HttpRequest, hook: str) -> HttpResponse:
        change(request, _mine(request, hook))
        return redirect("webhooks:one", hook)

    return changed


@_changing
def pause_view(request: HttpRequest, hook: Webhook) -> None:
    webhook_actions.pause_webhook(hook, timezone.now())
    messages.success(request, _("Webhook paused."))


@_changing
def resume_view(request: HttpRequest, hook: Webhook) -> None:
    webhook_actions.resume_webhook(hook)
    messages.success(request, _("Webhook resumed: it gets what happens from now on."))


@_changing
def test_call_view(request: HttpRequest, hook: Webhook) -> None:
    try:
        webhook_actions.send_test_call(hook, timezone.now())
    except WebhookRefused as problem:
        messages.warning(request, webhook_labels.webhook_refusal(problem))
    else:
        messages.success(request, _("Test sent. Reload this page to see the result."))


@require_POST
@login_required
def delete_view(request: HttpRequest, hook: str) -> HttpResponse:
    """End it for good; twice does no harm."""
    found = (
        webhook_actions.webhooks_of(signed_in_person(request)).filter(key=hook).first()
        if "\0" not in hook
        else None
    )
    if found is not None:
        webhook_actions.delete_webhook(found)
    messages.success(request, _("Webhook deleted."))
    return redirect("webhooks:all")


@require_POST
@login_required
@never_cache
def renew_secret_view(request: HttpRequest, hook: str) -> HttpResponse:
    """Another secret, shown once."""
    found = _mine(request, hook)
    if not webhook_actions.renew_secret(found, _posted(request, "seal")):
        messages.info(request, _("The secret has already been changed. It is shown only once."))
        return redirect("webhooks:one", hook)
    return _webhook_page(request, found, made=webhook_events.signing_secret(found))


def _listed(
    request: HttpRequest, wanted: WebhookRequest, problem: WebhookRefused | None = None
) -> HttpResponse:
    person = signed_in_person(request)
    hooks = [
        {"hook": hook, "title": webhook_labels.webhook_title(hook), **_about(hook)}
        for hook in webhook_actions.webhooks_of(person)
    ]
    shown = {
        "hooks": hooks,
        "wanted": wanted,
        "choices": webhook_labels.kind_choices(set(wanted.kinds), is_administrator=person.is_administrator),
        "games": webhook_actions.games_of(person),
        "full": len(hooks) >= webhook_actions.MOST,
        "refused": webhook_labels.webhook_refusal(problem) if problem else "",
        "wrong": problem.code if problem else "",
        "submission": secrets.token_urlsafe(16),
    }
    return render(request, "webhooks/all.html", shown, status=400 if problem else 200)


def _webhook_page(request: HttpRequest, hook: Webhook, **more: Any) -> HttpResponse:
    person = signed_in_person(request)
    shown = {
        "hook": hook,
        "title": webhook_labels.webhook_title(hook),
        **_about(hook),
        "calls": [webhook_labels.call_row(row) for row in webhook_actions.recent_calls(hook)],
        "zone": time_zones.zone_named(person.time_zone),
        "place": time_zones.zone_label(person.time_zone),
        **more,
    }
    return render(request, "webhooks/one.html", shown)


def _about(hook: Webhook) -> dict[str, str]:
    return {
        "host": webhook_labels.webhook_host(hook),
        "scope": webhook_labels.webhook_scope(hook),
        "standing": webhook_labels.webhook_status(hook),
    }


def _wanted(request: HttpRequest) -> WebhookRequest:
    return WebhookRequest(
        address=_posted(request, "address"),
        kinds=tuple(kind.replace("\0", "") for kind in request.POST.getlist("kind")),
        game=_posted(request, "game"),
        label=_posted(request, "note"),
    )


def _posted(request: HttpRequest, name: str) -> str:
    """What was typed, without the one sign that PostgreSQL cannot keep."""
    return str(request.POST.get(name, "")).replace("\0", "")


def _mine(request: HttpRequest, key: str) -> Webhook:
    """Somebody else’s is as one that does not exist."""
    found = (
        webhook_actions.webhooks_of(signed_in_person(request)).filter(key=key).first()
        if "\0" not in key
        else None
    )
    if found is None:
        raise Http404
    return found
