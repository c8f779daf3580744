"""Addresses of leagues: under `/tournois/ligues/` in French."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import league_feed, league_views

urlpatterns = [
    path("", league_views.league_list_page, name="leagues"),
    path("<str:key>/", league_views.league_page, name="league"),
    path(_("<str:key>/results.atom"), league_feed.LeagueFeed(), name="league_feed"),
    path(_("<str:key>/settings/"), league_views.league_settings_page, name="league_keep"),
]
