"""Addresses of seasons: under `/tournois/circuits/` in French."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import circuit_settings_views, circuit_views

urlpatterns = [
    path("", circuit_views.circuit_list_page, name="seasons"),
    path(_("new-circuit/"), circuit_settings_views.new_circuit_page, name="season_new"),
    path("<str:key>/", circuit_views.circuit_standings_page, name="season"),
    path(_("<str:key>/winners/"), circuit_views.winners_page, name="season_winners"),
    path(_("<str:key>/statistics/"), circuit_views.statistics_page, name="season_statistics"),
    path(_("<str:key>/settings/"), circuit_settings_views.circuit_settings_page, name="season_keep"),
    path(_("<str:key>/people/"), circuit_settings_views.same_people_page, name="season_people"),
]
