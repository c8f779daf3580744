"""Addresses of the desk: `bureau/` in French."""

from django.urls import path

from . import views

urlpatterns = [path("", views.desk, name="desk")]
