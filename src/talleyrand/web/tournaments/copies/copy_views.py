"""Copies that one holds, and the door where they are filled."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament, random_token

from . import copy_parcels, copy_texts, held_copies
from .held_copies import ParcelOutcome
from .models import HeldCopy

OUTCOME_STATUSES = {
    ParcelOutcome.ACCEPTED: 204,
    ParcelOutcome.ENDED: 204,
    ParcelOutcome.OLDER: 409,
    ParcelOutcome.WHOLE_NEEDED: 412,
}
BEARER = "Bearer "


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def copies_page(request: HttpRequest) -> HttpResponse:
    """Mine, and the button for another; an address with its secret is shown once, in the answer to it."""
    assert isinstance(request.user, Person)
    if request.method != "POST":
        return _listed(request, request.user)
    what, _mark, key = request.POST.get("press", "").partition("?")
    if what == "hold":
        return _hold(request, request.user)
    if "\0" in key:
        raise Http404
    copy = get_object_or_404(held_copies.copies_of(request.user), tournament__key=key)
    if what == "renew":
        return _listed(request, request.user, copy, held_copies.renew_copy_secret(copy))
    if what == "drop":
        held_copies.delete_copy(copy)
        messages.success(request, _("Copy deleted."))
    return redirect("tournaments:copies")


def _hold(request: HttpRequest, keeper: Person) -> HttpResponse:
    submission = request.POST.get("submission", "").replace("\0", "")[:64] or random_token()
    try:
        copy, fresh = held_copies.create_copy(keeper, submission)
    except held_copies.TooManyCopies:
        refused = _("You already host %(most)s copies, the most allowed. Delete one first.")
        return _listed(request, keeper, refusal=refused % {"most": held_copies.MOST_COPIES}, status=409)
    if fresh:
        return _listed(request, keeper, copy, fresh)
    messages.info(
        request, _("This copy already exists. Its secret key is shown only once: create a new one.")
    )
    return redirect("tournaments:copies")


def _listed(
    request: HttpRequest,
    keeper: Person,
    copy: HeldCopy | None = None,
    fresh: str = "",
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    made = f"{copy_url(request, copy)}#{fresh}" if copy is not None else ""
    context = {
        "copies": [_line(one) for one in held_copies.copies_of(keeper)],
        "made": made,
        "refusal": refusal,
        "submission": random_token(),
    }
    return render(request, "tournaments/copies/copies.html", context, status=status)


def _line(copy: HeldCopy) -> dict[str, Any]:
    row = copy.tournament
    shown = (
        copy_texts.copy_as_of_text(event_of(row), row.copied_at) if row.is_listed and row.copied_at else ""
    )
    return {"key": row.key, "name": row.name, "as_of": shown}


def copy_url(request: HttpRequest, copy: HeldCopy) -> str:
    """Where a copy is filled, and where who follows it is led to what it shows."""
    return absolute_url(request, reverse("tournaments:copy", args=[copy.tournament.key]))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def copy_endpoint(request: HttpRequest, key: str) -> HttpResponse:
    """The door of a copy: whoever has its secret fills it; whoever has not is told that nothing is there."""
    bare = key.replace("\0", "")
    if request.method != "POST":
        shown = get_object_or_404(Tournament, key=bare, copied_at__isnull=False, is_listed=True)
        return redirect("tournaments:welcome", shown.key)
    found = held_copies.find_copy(bare, request.headers.get("Authorization", "").removeprefix(BEARER))
    return HttpResponse(status=_accept_parcel(request, found) if found is not None else 404)


def _accept_parcel(request: HttpRequest, found: HeldCopy) -> int:
    try:
        return OUTCOME_STATUSES[held_copies.accept_parcel(found, copy_parcels.unpack_parcel(request.body))]
    except (copy_parcels.ParcelTooLarge, RequestDataTooBig):
        return 413
    except UnreadablePostError:
        return 400
    except TalleyrandError:
        return 422
    except ObjectDoesNotExist:  # deleted meanwhile
        return 404
