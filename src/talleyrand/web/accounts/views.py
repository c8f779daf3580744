"""One's own pages: preferences, what opens the account, what the site keeps, leaving; what it promises."""

from __future__ import annotations

import json

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse, translate_url
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.web.common import absolute_urls
from talleyrand.web.common.language_choice import remember_language

from . import passkeys, personal_data, signed_in_devices, time_zones
from .forms import DeleteAccountForm, PreferencesForm
from .models import Person, signed_in_person


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Language and time zone, and the doors to everything else of one's own."""
    person = signed_in_person(request)
    known = {"language": person.language, "zone": person.time_zone}
    form = PreferencesForm(request.POST if request.method == "POST" else None, initial=known)
    if request.method == "POST" and form.is_valid():
        return _prefer(request, person, form.cleaned_data)
    shown = {"form": form, "now": timezone.now(), "place": time_zones.zone_label(person.time_zone)}
    return render(request, "accounts/preferences.html", shown)


def _prefer(request: HttpRequest, person: Person, wanted: dict[str, str]) -> HttpResponse:
    person.language, person.time_zone = wanted["language"], wanted["zone"]
    person.save(update_fields=["language", "time_zone"])
    with translation.override(person.language):
        messages.success(request, _("Preferences saved."))
    response = HttpResponseRedirect(translate_url(reverse("accounts:preferences"), person.language))
    remember_language(response, person.language)
    return response


@never_cache
@login_required
@require_safe
def export_data(request: HttpRequest) -> HttpResponse:
    """Everything that is one's own, as a file."""
    kept = personal_data.export_personal_data(signed_in_person(request))
    text = json.dumps(kept, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="talleyrand.json"'
    return response


@never_cache
@login_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def delete_own_account(request: HttpRequest) -> HttpResponse:
    """Says what stays and what becomes of one's games; then asks for the password. The last administrator
    stays.
    """
    person = signed_in_person(request)
    form = DeleteAccountForm(person, request.POST if request.method == "POST" else None)
    last = personal_data.is_last_administrator(person)
    if request.method == "POST" and not last and form.is_valid():
        try:
            personal_data.delete_account(person)
        except personal_data.LastAdministrator:  # another went in the same moment
            return redirect("accounts:delete")
        get_adapter().logout(request)
        messages.success(request, _("Your account has been deleted."))
        return redirect("home:page")
    told = personal_data.deletion_notes(person)
    return render(request, "accounts/delete.html", {"form": form, "told": told, "last": last})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def security_page(request: HttpRequest) -> HttpResponse:
    """Passkeys, recovery codes and devices; a button signs a device out, or all the others."""
    person = signed_in_person(request)
    if request.method == "POST":
        messages.success(request, _ended(request, person))
        return redirect("mfa_index")
    shown = {
        "keys": [key.wrap() for key in passkeys.passkeys_of(person)],
        "most": passkeys.MOST,
        "codes_left": passkeys.recovery_codes_left(person),
        "why_not": passkeys.passkeys_unavailable(request),
        "own": absolute_urls.url_at_host(request, passkeys.HERE),
        "devices": signed_in_devices.signed_in_devices(request, person),
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


@require_safe
def house_rules_page(request: HttpRequest) -> HttpResponse:
    """What whoever plays here promises; there is no page where the site has no rules."""
    mine = translation.get_language() or ""
    texts = {code: text for code, text in settings.HOUSE_RULES.items() if text}
    if not texts:
        raise Http404
    language = mine if mine in texts else next(iter(texts))
    shown = {"lines": texts[language].splitlines(), "language": language}
    return render(request, "accounts/house_rules.html", shown)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What the site keeps of people, who may read it, and for how long."""
    return render(request, "accounts/privacy.html")
