"""Addresses for machines, the same in every language: what a monitor asks."""

from django.urls import path

from . import views

app_name = "signs"
urlpatterns = [
    path("health/", views.health_json, name="health"),
    path("health.txt", views.health_text, name="line"),
    path("metrics/", views.metrics, name="metrics"),
]
