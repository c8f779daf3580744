"""The page of passkeys, recovery codes and devices: what opens one's account, and where it is open."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web import addresses

from . import passkeys, signed_in
from .models import Person


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Look at them; a button signs a device out, or all the others."""
    assert isinstance(request.user, Person)
    if request.method == "POST":
        messages.success(request, _ended(request, request.user))
        return redirect("mfa_index")
    shown = {
        "keys": [key.wrap() for key in passkeys.of(request.user)],
        "most": passkeys.MOST,
        "codes_left": passkeys.codes_left(request.user),
        "why_not": passkeys.why_not(request),
        "own": addresses.at(request, passkeys.HERE),
        "devices": signed_in.devices(request, request.user),
    }
    return render(request, "accounts/security.html", shown)


def _ended(request: HttpRequest, person: Person) -> str:
    if request.POST.get("press") == "others":
        count = signed_in.end_others(request, person)
        told = ngettext(
            "%(count)s other device is signed out.", "%(count)s other devices are signed out.", count
        )
        return told % {"count": count}
    name = signed_in.end_one(request, person, request.POST.get("device", ""))
    if not name:
        return _("This device is signed out already.")
    return _("%(device)s is signed out: within a minute nothing is shown there any more.") % {"device": name}
