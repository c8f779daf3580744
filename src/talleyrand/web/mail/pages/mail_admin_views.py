"""How the post fares: the page of whoever runs the site."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.accounts.administration_views import administrators_only
from talleyrand.web.boards import display_names
from talleyrand.web.games import page_context
from talleyrand.web.games.deadlines.zone_names import zone_text

from . import mail_health


@never_cache
@administrators_only
@require_safe
def mail_status_page(request: HttpRequest) -> HttpResponse:
    """What waits, what failed, and whether anybody is at work."""
    zone = zone_text(page_context.reader_time_zone(), display_names.reader_language())
    return render(
        request, "mail/office.html", {**mail_health.mail_health_context(timezone.now()), "zone": zone}
    )


@administrators_only
@require_POST
def process_again(request: HttpRequest) -> HttpResponse:
    """Read the mails once more that could not be processed."""
    count = mail_health.retry_failed()
    if count:
        told = ngettext(
            "%(count)s email will be processed again.", "%(count)s emails will be processed again.", count
        )
        messages.success(request, told % {"count": count})
    else:
        messages.success(request, _("No emails to process again."))
    return redirect("mail:office")
