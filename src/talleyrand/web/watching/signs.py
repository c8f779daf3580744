"""Addresses for machines, the same in every language: what a monitor asks."""

from django.urls import path

from . import answers

app_name = "signs"
urlpatterns = [
    path("health/", answers.health, name="health"),
    path("health.txt", answers.line, name="line"),
    path("metrics/", answers.metrics, name="metrics"),
]
