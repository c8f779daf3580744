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

from talleyrand.web.common import absolute_urls

from . import passkeys, signed_in_devices
from .models import Person


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def security_page(request: HttpRequest) -> HttpResponse:
    """Look at them; a button signs a device out, or all the others."""
    assert isinstance(request.user, Person)
    if request.method == "POST":
        messages.success(request, _ended(request, request.user))
        return redirect("mfa_index")
    shown = {
        "keys": [key.wrap() for key in passkeys.passkeys_of(request.user)],
        "most": passkeys.MOST,
        "codes_left": passkeys.recovery_codes_left(request.user),
        "why_not": passkeys.passkeys_unavailable(request),
        "own": absolute_urls.url_at_host(request, passkeys.HERE),
        "devices": signed_in_devices.signed_in_devices(request, request.user),
    }
    return render(request, "accounts/security.html", shown)


def _ended(request: HttpRequest, person: Person) -> str:
    if request.POST.get("press") == "others":
        count = signed_in_devices.sign_out_other_devices(request, person)
        told = ngettext("%(count)s other device signed out.", "%(count)s other devices signed out.", count)
        return told % {"count": count}
    name = signed_in_devices.sign_out_device(request, person, request.POST.get("device", ""))
    if not name:
        return _("This device is already signed out.")
    return _("%(device)s is signed out; this takes effect within a minute.") % {"device": name}
