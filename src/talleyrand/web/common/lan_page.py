"""Where phones of the same network find a site that runs on somebody's own machine."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.common import absolute_urls, network, qr_codes


@never_cache
@require_safe
def lan_page(request: HttpRequest) -> HttpResponse:
    """Every address, the most likely one large; there is no such page on a site of the world."""
    if not settings.LAN or settings.SITE_URL:
        raise Http404
    start = reverse("home:page")
    found = [f"{absolute_urls.url_at_host(request, one)}{start}" for one in network.lan_addresses()]
    first, *others = found or [""]
    context = {
        "first": first,
        "square": qr_codes.address_qr_svg(first) if first else "",
        "others": others,
        "by_name": f"{absolute_urls.url_at_host(request, network.mdns_name())}{start}",
    }
    return render(request, "nearby.html", context)
