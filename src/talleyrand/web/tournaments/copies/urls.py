"""Addresses of copies: those one holds, and the desk's page."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import desk_pages, pages

desk = [path(_("copy/"), desk_pages.copy, name="desk_copy")]
urlpatterns = [
    path("", pages.copies, name="copies"),
    path("<str:key>/", pages.copy, name="copy"),
]
