"""Addresses of the library: under `/reglements/` in French, `/en/rulebooks/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import comparison_urls, rules_urls, variant_urls
from .lessons import urls

app_name = "library"
urlpatterns = [
    path(_("rulebooks/"), include(comparison_urls.urlpatterns)),
    path(_("rulebooks/"), include(rules_urls.urlpatterns)),
    path("", include(urls.urlpatterns)),
    path("", include(variant_urls.urlpatterns)),
]
