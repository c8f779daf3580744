"""Where phones of the same network find a site that runs on somebody's own machine."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web import addresses, network, qr


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every address, the most likely one large; there is no such page on a site of the world."""
    if not settings.LAN or settings.ADDRESS:
        raise Http404
    found = [f"{addresses.at(request, one)}/" for one in network.addresses()]
    first, *others = found or [""]
    context = {
        "first": first,
        "square": qr.svg(first, _("QR code of %(address)s") % {"address": first}) if first else "",
        "others": others,
        "by_name": f"{addresses.at(request, network.local_name())}/",
    }
    return render(request, "nearby.html", context)
