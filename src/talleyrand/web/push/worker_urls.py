"""Addresses that browsers ask for by themselves, the same in every language."""

from django.urls import path

from . import views

app_name = "push_signs"
urlpatterns = [
    path("travailleur.js", views.service_worker, name="worker"),
    path("site.webmanifest", views.web_manifest, name="manifest"),
]
