"""Addresses of the library: under `/livres/` in French, `/en/books/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import comparison_urls, rules_urls, variant_urls
from .lessons import urls

app_name = "library"
urlpatterns = [
    path(_("books/"), include(comparison_urls.urlpatterns)),
    path(_("books/"), include(rules_urls.urlpatterns)),
    path("", include(urls.urlpatterns)),
    path("", include(variant_urls.urlpatterns)),
]
