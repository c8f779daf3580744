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
from talleyrand.web.addresses import absolute
from talleyrand.web.tournaments.documents import event_of
from talleyrand.web.tournaments.models import Tournament, secret

from . import holding, parcels, words
from .holding import Taken
from .models import Copy

STATUSES = {Taken.WELL: 204, Taken.ENDED: 204, Taken.OLDER: 409, Taken.WANTED: 412}
BEARER = "Bearer "


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def copies(request: HttpRequest) -> HttpResponse:
    """Mine, and the button for another; an address with its secret is shown once, in the answer to it."""
    assert isinstance(request.user, Person)
    if request.method != "POST":
        return _listed(request, request.user)
    what, _mark, key = request.POST.get("press", "").partition("?")
    if what == "hold":
        return _hold(request, request.user)
    if "\0" in key:
        raise Http404
    copy = get_object_or_404(holding.of(request.user), tournament__key=key)
    if what == "renew":
        return _listed(request, request.user, copy, holding.renew(copy))
    if what == "drop":
        holding.drop(copy)
        messages.success(request, _("The copy has been deleted."))
    return redirect("tournaments:copies")


def _hold(request: HttpRequest, keeper: Person) -> HttpResponse:
    submission = request.POST.get("submission", "").replace("\0", "")[:64] or secret()
    try:
        copy, fresh = holding.hold(keeper, submission)
    except holding.TooMany:
        refused = _("You hold %(most)s copies, and there may be no more: delete one first.")
        return _listed(request, keeper, refusal=refused % {"most": holding.MOST}, status=409)
    if fresh:
        return _listed(request, keeper, copy, fresh)
    messages.info(request, _("This copy was made already. Its secret is shown only once: make a new one."))
    return redirect("tournaments:copies")


def _listed(
    request: HttpRequest,
    keeper: Person,
    copy: Copy | None = None,
    fresh: str = "",
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    made = f"{address(request, copy)}#{fresh}" if copy is not None else ""
    context = {
        "copies": [_line(one) for one in holding.of(keeper)],
        "made": made,
        "refusal": refusal,
        "submission": secret(),
    }
    return render(request, "tournaments/copies/copies.html", context, status=status)


def _line(copy: Copy) -> dict[str, Any]:
    row = copy.tournament
    shown = words.as_of(event_of(row), row.copied) if row.listed and row.copied else ""
    return {"key": row.key, "name": row.name, "as_of": shown}


def address(request: HttpRequest, copy: Copy) -> str:
    """Where a copy is filled, and where who follows it is led to what it shows."""
    return absolute(request, reverse("tournaments:copy", args=[copy.tournament.key]))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, key: str) -> HttpResponse:
    """The door of a copy: whoever has its secret fills it; whoever has not is told that nothing is there."""
    bare = key.replace("\0", "")
    if request.method != "POST":
        shown = get_object_or_404(Tournament, key=bare, copied__isnull=False, listed=True)
        return redirect("tournaments:welcome", shown.key)
    found = holding.find(bare, request.headers.get("Authorization", "").removeprefix(BEARER))
    return HttpResponse(status=_taken(request, found) if found is not None else 404)


def _taken(request: HttpRequest, found: Copy) -> int:
    try:
        return STATUSES[holding.take(found, parcels.read(request.body))]
    except (parcels.TooLarge, RequestDataTooBig):
        return 413
    except UnreadablePostError:
        return 400
    except TalleyrandError:
        return 422
    except ObjectDoesNotExist:  # deleted meanwhile
        return 404
