"""The address that programs ask: one for all languages."""

from django.urls import path

from .entry_point import api_view

app_name = "calls"
urlpatterns = [path("api/<path:rest>", api_view, name="call")]
