"""The address that programs ask: one for all languages."""

from django.urls import path

from .door import door

app_name = "calls"
urlpatterns = [path("api/<path:rest>", door, name="call")]
