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

from talleyrand.web.accounts import zones
from talleyrand.web.accounts.models import Person

from . import owning, signing, words
from .models import Hook
from .owning import NotPossible, Wanted

LONGEST_SUBMISSION = 64


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def every(request: HttpRequest) -> HttpResponse:
    """My hooks, and the form for another; its secret is shown once, in the answer to the form."""
    if request.method != "POST":
        return _listed(request, Wanted(""))
    wanted = _wanted(request)
    submission = _sent(request, "submission")[:LONGEST_SUBMISSION] or secrets.token_urlsafe(16)
    try:
        hook, fresh = owning.add(_person(request), wanted, submission, timezone.now())
    except NotPossible as problem:
        return _listed(request, wanted, problem)
    if not fresh:
        messages.info(request, _("This webhook was added already. Its secret is shown only once."))
        return redirect("webhooks:one", hook.key)
    return _shown(request, hook, made=signing.secret(hook))


@never_cache
@login_required
@require_safe
def one(request: HttpRequest, hook: str) -> HttpResponse:
    """A hook, and its last calls."""
    return _shown(request, _mine(request, hook))


def _changing(change: Callable[[HttpRequest, Hook], None]) -> Callable[..., HttpResponse]:
    """A form of the page of a hook."""

    @require_POST
    @login_required
    def changed(request: HttpRequest, hook: str) -> HttpResponse:
        change(request, _mine(request, hook))
        return redirect("webhooks:one", hook)

    return changed


@_changing
def pause(request: HttpRequest, hook: Hook) -> None:
    owning.pause(hook, timezone.now())
    messages.success(request, _("The webhook is paused."))


@_changing
def resume(request: HttpRequest, hook: Hook) -> None:
    owning.resume(hook)
    messages.success(request, _("The webhook hears what happens from now on."))


@_changing
def trial(request: HttpRequest, hook: Hook) -> None:
    try:
        owning.trial(hook, timezone.now())
    except NotPossible as problem:
        messages.warning(request, words.refusal(problem))
    else:
        messages.success(request, _("A trial is on its way: open this page again to see what became of it."))


@require_POST
@login_required
def delete(request: HttpRequest, hook: str) -> HttpResponse:
    """End it for good; twice does no harm."""
    found = owning.of(_person(request)).filter(key=hook).first() if "\0" not in hook else None
    if found is not None:
        owning.delete(found)
    messages.success(request, _("The webhook is deleted."))
    return redirect("webhooks:all")


@require_POST
@login_required
@never_cache
def renew(request: HttpRequest, hook: str) -> HttpResponse:
    """Another secret, shown once."""
    found = _mine(request, hook)
    if not owning.renew(found, _sent(request, "seal")):
        messages.info(request, _("The secret was changed already. It is shown only once."))
        return redirect("webhooks:one", hook)
    return _shown(request, found, made=signing.secret(found))


def _listed(request: HttpRequest, wanted: Wanted, problem: NotPossible | None = None) -> HttpResponse:
    person = _person(request)
    hooks = [{"hook": hook, "title": words.title(hook), **_about(hook)} for hook in owning.of(person)]
    shown = {
        "hooks": hooks,
        "wanted": wanted,
        "choices": words.choices(set(wanted.kinds), is_administrator=person.is_administrator),
        "games": owning.games(person),
        "full": len(hooks) >= owning.MOST,
        "refused": words.refusal(problem) if problem else "",
        "wrong": problem.code if problem else "",
        "submission": secrets.token_urlsafe(16),
    }
    return render(request, "webhooks/all.html", shown, status=400 if problem else 200)


def _shown(request: HttpRequest, hook: Hook, **more: Any) -> HttpResponse:
    person = _person(request)
    shown = {
        "hook": hook,
        "title": words.title(hook),
        **_about(hook),
        "calls": [words.call(row) for row in owning.calls(hook)],
        "zone": zones.zone(person.zone),
        "place": zones.label(person.zone),
        **more,
    }
    return render(request, "webhooks/one.html", shown)


def _about(hook: Hook) -> dict[str, str]:
    return {"host": words.host(hook), "scope": words.scope(hook), "standing": words.standing(hook)}


def _wanted(request: HttpRequest) -> Wanted:
    return Wanted(
        address=_sent(request, "address"),
        kinds=tuple(kind.replace("\0", "") for kind in request.POST.getlist("kind")),
        game=_sent(request, "game"),
        note=_sent(request, "note"),
    )


def _sent(request: HttpRequest, name: str) -> str:
    """What was typed, without the one sign that PostgreSQL cannot keep."""
    return str(request.POST.get(name, "")).replace("\0", "")


def _mine(request: HttpRequest, key: str) -> Hook:
    """Somebody else’s is as one that does not exist."""
    found = owning.of(_person(request)).filter(key=key).first() if "\0" not in key else None
    if found is None:
        raise Http404
    return found


def _person(request: HttpRequest) -> Person:
    assert isinstance(request.user, Person)
    return request.user
