"""Addresses of what is projected."""

from django.urls import path

from . import script_views, views

urlpatterns = [
    path("", views.screens_page, name="screens"),
    path("clock.json", views.clock_json, name="clock_data"),
    path("script/", script_views.script_page, name="script"),
    path("<slug:name>/", views.screen_page, name="screen"),
]
