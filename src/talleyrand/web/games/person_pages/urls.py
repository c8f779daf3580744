"""Addresses of people's pages: under `/joueurs/` in French, `/en/players/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import blocked_views, person_views

urlpatterns = [
    path(_("account/page/"), person_views.page_choices, name="page_choices"),
    path(_("account/blocked/"), blocked_views.blocked_people, name="blocked"),
    path(_("players/<str:name>/"), person_views.person_page, name="person"),
]
