"""Addresses of what is projected."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.index, name="screens"),
    path("clock.json", views.clock_data, name="clock_data"),
    path("<slug:name>/", views.screen, name="screen"),
]
