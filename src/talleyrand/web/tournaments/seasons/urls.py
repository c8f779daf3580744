"""Addresses of seasons: under `/tournois/circuits/` in French."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import keep_pages, pages

urlpatterns = [
    path("", pages.every, name="seasons"),
    path(_("new-circuit/"), keep_pages.new, name="season_new"),
    path("<str:key>/", pages.ranking, name="season"),
    path(_("<str:key>/winners/"), pages.winners, name="season_winners"),
    path(_("<str:key>/statistics/"), pages.statistics, name="season_statistics"),
    path(_("<str:key>/keep/"), keep_pages.keep, name="season_keep"),
    path(_("<str:key>/people/"), keep_pages.people, name="season_people"),
]
