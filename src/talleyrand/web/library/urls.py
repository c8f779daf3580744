"""Addresses of the library: under `/livres/` in French, `/en/books/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import comparison_urls, lessons_urls, rules_urls, variants_urls

app_name = "library"
urlpatterns = [
    path(_("books/"), include(comparison_urls.urlpatterns)),
    path(_("books/"), include(rules_urls.urlpatterns)),
    path("", include(lessons_urls.urlpatterns)),
    path("", include(variants_urls.urlpatterns)),
]
