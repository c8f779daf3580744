"""The administrator's page: links for those who have no account or lost their password."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from talleyrand.web.common.absolute_urls import absolute_url

from . import one_time_links, personal_data
from .forms import CloseAccountForm
from .models import Approval, Person, signed_in_person
from .person_names import folded_name

View = Callable[..., HttpResponse]
LONGEST, MOST_LISTED = 80, 200


def administrators_only(view: View) -> View:
    """For everybody else the page does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not (isinstance(request.user, Person) and request.user.is_administrator):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@never_cache
@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
def links_page(request: HttpRequest) -> HttpResponse:
    """The links that still work; a new one is shown once, in the answer to the form."""
    if request.method != "POST":
        return _show(request)
    try:
        return _make(request)
    except one_time_links.LinkMadeAlready:
        sentence = _(
            "This link has already been created and is shown only once. Delete it below and create another."
        )
        messages.warning(request, sentence)
        return redirect("accounts:links")


def _make(request: HttpRequest) -> HttpResponse:
    typed = " ".join(_posted(request, "whom").split())
    submission = _posted(request, "submission")[:64] or secrets.token_urlsafe(16)
    if request.POST.get("kind") != one_time_links.Kind.PASSWORD:
        token = one_time_links.make_link(
            one_time_links.Kind.ACCOUNT, submission, by=signed_in_person(request), remark=typed[:LONGEST]
        )
        return _show(request, made=_address(request, token))
    person = _person_named(typed)
    if person is None:
        return _show(request, typed=typed, refused=_("No one here has this name."))
    token = one_time_links.make_link(
        one_time_links.Kind.PASSWORD,
        submission,
        by=signed_in_person(request),
        person=person,
        remark=person.name,
    )
    return _show(request, made=_address(request, token), whom=person.name)


def _show(request: HttpRequest, **more: Any) -> HttpResponse:
    shown = {
        "alive": one_time_links.usable_links()
        .filter(kind__in=(one_time_links.Kind.ACCOUNT, one_time_links.Kind.PASSWORD))
        .select_related("created_by"),
        "administrators": Person.objects.filter(is_administrator=True).order_by("folded_name"),
        "game_makers": settings.GAME_MAKERS,
        "approved": Person.objects.exclude(approval="").order_by("folded_name")[:MOST_LISTED],
        "submission": secrets.token_urlsafe(16),
        **more,
    }
    status = 400 if more.get("refused") else 200
    return render(request, "accounts/links.html", shown, status=status)


@administrators_only
@require_POST
def revoke_link(request: HttpRequest, pk: int) -> HttpResponse:
    """End a link; twice does no harm."""
    one_time_links.usable_links().filter(pk=pk).delete()
    messages.success(request, _("The link no longer works."))
    return redirect("accounts:links")


@administrators_only
@require_POST
def change_administrators(request: HttpRequest) -> HttpResponse:
    """Make somebody an administrator, or no longer: the last one stays."""
    person = _person_named(_posted(request, "name"))
    wanted = request.POST.get("action") == "add"
    if person is None:
        messages.error(request, _("No one here has this name."))
    elif not wanted and personal_data.is_last_administrator(person):
        messages.error(request, _("The site needs an administrator: appoint another one first."))
    else:
        Person.objects.filter(pk=person.pk).update(is_administrator=wanted)
        messages.success(request, _("Saved."))
    return redirect("accounts:links")


@administrators_only
@require_POST
def change_approval(request: HttpRequest) -> HttpResponse:
    """Say of an account whether it may make games, where not every one may."""
    person, wanted = _person_named(_posted(request, "name")), request.POST.get("approval", "")
    if person is None:
        messages.error(request, _("No one here has this name."))
    elif wanted not in Approval.values:
        messages.error(request, _("Choose one from the list."))
    else:
        Person.objects.filter(pk=person.pk).update(approval=wanted)
        messages.success(request, _("Saved."))
    return redirect("accounts:links")


@never_cache
@administrators_only
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def close_account(request: HttpRequest) -> HttpResponse:
    """Close somebody's account for good, as he could himself; says first what becomes of it.

    In which games he is, an administrator is not told.
    """
    form = CloseAccountForm(signed_in_person(request), request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/close.html", {"form": form})
    person = form.cleaned_data["whose"]
    try:
        personal_data.delete_account(person)
    except personal_data.LastAdministrator:
        messages.error(request, _("The site needs an administrator: appoint another one first."))
    else:
        messages.success(request, _("Account closed: %(name)s.") % {"name": person.name})
    return redirect("accounts:links")


def _posted(request: HttpRequest, name: str) -> str:
    """What was typed, without the one sign that PostgreSQL cannot keep."""
    return str(request.POST.get(name, "")).replace("\0", "")


def _person_named(name: str) -> Person | None:
    return Person.objects.filter(folded_name=folded_name(name[:LONGEST]), is_guest=False).first()


def _address(request: HttpRequest, token: str) -> str:
    return absolute_url(request, reverse("accounts:link", args=[token]))
