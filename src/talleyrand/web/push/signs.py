"""Addresses that browsers ask for by themselves, the same in every language."""

from django.urls import path

from . import pages

app_name = "push_signs"
urlpatterns = [
    path("travailleur.js", pages.worker, name="worker"),
    path("site.webmanifest", pages.manifest, name="manifest"),
]
