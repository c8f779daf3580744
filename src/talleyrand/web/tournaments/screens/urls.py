"""Addresses of what is projected."""

from django.urls import path

from . import script_page, views

urlpatterns = [
    path("", views.index, name="screens"),
    path("clock.json", views.clock_data, name="clock_data"),
    path("script/", script_page.script, name="script"),
    path("<slug:name>/", views.screen, name="screen"),
]
