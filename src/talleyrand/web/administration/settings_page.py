"""The site's settings, for its administrators: the second step of setting up a site, and later changes."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts.administration_views import administrators_only
from talleyrand.web.accounts.models import signed_in_person
from talleyrand.web.common import rate_limits
from talleyrand.web.games import house_rules
from talleyrand.web.settings import kept_settings

from .mail_trial import send_test_message
from .site_settings_form import SiteSettingsForm

TESTS = (10, 600)  # test messages of an administrator, in so many seconds
CONFLICT, TOO_MANY = 409, 429


@never_cache
@administrators_only
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def site_settings_page(request: HttpRequest) -> HttpResponse:
    """`action` test sends a message by the server that was typed, and keeps nothing."""
    if request.method != "POST":
        return _show(request, SiteSettingsForm())
    form = SiteSettingsForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=400)
    if request.POST.get("action") == "test":
        return _test(request, form)
    is_first, former = not _has_file(), settings.HOUSE_RULES
    try:
        kept_settings.save(form.values())
    except OSError:
        messages.error(request, _("Not saved: the data folder cannot be written to. Is the disk full?"))
        return _show(request, form, status=500)
    except ImproperlyConfigured:
        told = _("Not saved: %(file)s, in the data folder, is damaged. Repair it or move it away, then save.")
        messages.error(request, told % {"file": kept_settings.FILE})
        return _show(request, form, status=CONFLICT)
    if former != settings.HOUSE_RULES:
        house_rules.tell_of_site_rules()
    messages.success(request, _("Saved. The settings are in force."))
    return redirect("home:page" if is_first else "administration:settings")


def _test(request: HttpRequest, form: SiteSettingsForm) -> HttpResponse:
    address, sender = form.cleaned_data["test_address"], form.cleaned_data["sender"]
    if not form.cleaned_data["host"]:
        form.add_error("host", _("Name the server first."))
    if not address:
        form.add_error("test_address", _("Give the address for the test message."))
    if form.errors:
        return _show(request, form, status=400)
    if rate_limits.hit("mail_trial", signed_in_person(request).pk, TESTS).wait:
        often = _("Too many test messages: try again in a few minutes.")
        return _show(request, form, status=TOO_MANY, mail_fault=often)
    fault = send_test_message(form.smtp_settings(), sender, address)
    if fault:
        return _show(request, form, status=400, mail_fault=fault)
    sent = _("The server accepted the message for %(address)s. Check that it arrives, then save.") % {
        "address": address
    }
    return _show(request, form, mail_sent=sent)


def _show(request: HttpRequest, form: SiteSettingsForm, status: int = 200, **more: Any) -> HttpResponse:
    groups = [
        (_("The site"), [form["name"], form["language"]]),
        (_("People"), [form["signup"], form["makers"]]),
        (_("House rules of the site"), [form["rules_fr"], form["rules_en"]]),
    ]
    mail = [form[name] for name in ("host", "port", "encryption", "user", "password", "sender")]
    context = {"form": form, "groups": groups, "mail": mail, "is_first": not _has_file(), **more}
    return render(request, "administration/settings.html", context, status=status)


def _has_file() -> bool:
    return (settings.DATA / kept_settings.FILE).exists()
