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

from talleyrand.web.accounts.administration import for_administrators
from talleyrand.web.boards import wording
from talleyrand.web.games import frame
from talleyrand.web.games.deadlines.zones import said_zone

from . import oversight


@never_cache
@for_administrators
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What waits, what failed, and whether anybody is at work."""
    zone = said_zone(frame.zone(), wording.language())
    return render(request, "mail/office.html", {**oversight.context(timezone.now()), "zone": zone})


@for_administrators
@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """Read the mails once more that could not be processed."""
    count = oversight.try_again()
    if count:
        told = ngettext("%(count)s mail is read once more.", "%(count)s mails are read once more.", count)
        messages.success(request, told % {"count": count})
    else:
        messages.success(request, _("No mail waits for that."))
    return redirect("mail:office")
