"""One's own devices: registered by a script, tried out and removed by forms; and what browsers ask for."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web import background
from talleyrand.web.accounts.models import signed_in_person

from . import devices, push_payload, vapid_keys
from .models import PushDevice

LONGEST = 4000  # bytes of what a browser says of itself
WORKER = Path(__file__).parents[1] / "static" / "js" / "worker.js"
SIZES = (192, 512)


@require_safe
@never_cache
@login_required
def device_list(request: HttpRequest) -> HttpResponse:
    """My devices; a script adds the one that reads."""
    person, here = signed_in_person(request), request.session.session_key or ""
    mine = list(PushDevice.objects.filter(person=person))
    alive = devices.signed_in_devices(mine)
    shown = {
        "rows": [push_payload.device_row(one, here) for one in mine if one.pk in alive],
        "key": vapid_keys.public_key(),
    }
    return render(request, "push/devices.html", shown)


@require_POST
@never_cache
@login_required
def add_device(request: HttpRequest) -> JsonResponse:
    """Register the browser that asks; again does no harm."""
    try:
        told = json.loads(request.body) if len(request.body) <= LONGEST else None
    except (ValueError, RecursionError):
        told = None
    try:
        device = devices.register_device(request, signed_in_person(request), told)
    except devices.DeviceRefused as problem:
        return JsonResponse({"refused": push_payload.device_refusal(problem)}, status=400)
    messages.success(request, _("Notifications are now on for this device."))
    return JsonResponse({"device": device.key})


@require_POST
@login_required
def send_test_push(request: HttpRequest) -> HttpResponse:
    """Send something to one of my devices."""
    if devices.queue_test_push(signed_in_person(request), _posted_address(request)):
        background.run_soon("push")
        messages.success(request, _("Test sent: it should arrive within a minute."))
    else:
        messages.error(request, _("This device is no longer registered."))
    return redirect("push:devices")


@require_POST
@login_required
def remove_device(request: HttpRequest) -> HttpResponse:
    """Tell one of my devices nothing more; twice does no harm."""
    devices.remove_device(signed_in_person(request), _posted_address(request))
    messages.success(request, _("Notifications are off for this device."))
    return redirect("push:devices")


def _posted_address(request: HttpRequest) -> str:
    return str(request.POST.get("device", "")).replace("\0", "")[:32]


# what browsers ask for


@require_safe
@cache_control(no_cache=True)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """The script that shows what comes while no page is open; only from the root may it answer for all."""
    return HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")


@cache
def _worker() -> bytes:
    return WORKER.read_bytes()


@require_safe
@cache_control(max_age=3600)
def web_manifest(_request: HttpRequest) -> HttpResponse:
    """What a telephone needs to keep the site on its home screen."""
    told: dict[str, Any] = {
        "id": "/",
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6efdf",
        "theme_color": "#1f3a4d",
        "icons": [_icon(size, purpose) for size in SIZES for purpose in ("any", "maskable")],
    }
    return HttpResponse(json.dumps(told), content_type="application/manifest+json")


def _icon(size: int, purpose: str) -> dict[str, str]:
    name = f"icons/{'full' if purpose == 'maskable' else 'icon'}-{size}.png"
    return {"src": static(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
