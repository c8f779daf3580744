"""Addresses: French without prefix, English under `/en/`; those that machines ask have one for all."""

from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.urls import URLPattern, URLResolver, include, path
from django.utils.translation import gettext_lazy as _

from talleyrand.web.common import lan_page

LANGUAGES = {"prefix_default_language": False}
# In the order in which they are tried: games first, where a crowd comes at a deadline.
urlpatterns: list[URLPattern | URLResolver] = [
    *i18n_patterns(path("", include("talleyrand.web.games.urls")), **LANGUAGES),
    path("", include("talleyrand.web.monitoring.probe_urls")),
    path("", include("talleyrand.web.push.worker_urls")),
    path("", include("talleyrand.web.api.api_entry_urls")),
    path("", include("talleyrand.web.common.former_urls")),
    *i18n_patterns(
        path("", include("talleyrand.web.accounts.urls")),
        path("", include("talleyrand.web.accounts.allauth_urls")),
        path("", include("talleyrand.web.notifications.urls")),
        path("", include("talleyrand.web.api.urls")),
        path("", include("talleyrand.web.monitoring.urls")),
        path("", include("talleyrand.web.administration.urls")),
        path("", include("talleyrand.web.webhooks.urls")),
        path("", include("talleyrand.web.push.urls")),
        path("", include("talleyrand.web.mail.urls")),
        path("", include("talleyrand.web.press.urls")),
        path("", include("talleyrand.web.moderation.urls")),
        path("", include("talleyrand.web.onlookers.urls")),
        path(_("network/"), lan_page.lan_page, name="nearby"),
        path("", include("talleyrand.web.tournaments.urls")),
        path("", include("talleyrand.web.tables.urls")),
        path("", include("talleyrand.web.home.urls")),
        path("", include("talleyrand.web.practice.urls")),
        path("", include("talleyrand.web.library.urls")),
        **LANGUAGES,
    ),
]

handler400 = "talleyrand.web.common.error_pages.bad_request"
handler403 = "talleyrand.web.common.error_pages.forbidden"
handler404 = "talleyrand.web.common.error_pages.not_found"
handler429 = "talleyrand.web.common.error_pages.too_many"
handler500 = "talleyrand.web.common.error_pages.server_error"
