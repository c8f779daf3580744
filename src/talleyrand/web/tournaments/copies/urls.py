"""Addresses of copies: those one holds, and the desk's page."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import copy_settings_view, copy_views

desk = [path(_("copy/"), copy_settings_view.copy_settings_page, name="desk_copy")]
urlpatterns = [
    path("", copy_views.copies_page, name="copies"),
    path("<str:key>/", copy_views.copy_endpoint, name="copy"),
]
