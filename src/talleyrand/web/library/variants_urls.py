"""Addresses of the boards: `/variantes/` in French, `/en/variants/` in English."""

from django.urls import URLPattern, path

from . import variants_views as views
from .rules_addresses import spoken

urlpatterns: list[URLPattern] = [
    path(spoken("variantes/", "variants/"), views.every, name="variants"),
    path(spoken("variantes/<str:name>/", "variants/<str:name>/"), views.one, name="variant"),
    path(
        spoken("variantes/<str:name>/glossaire/", "variants/<str:name>/glossary/"),
        views.glossary,
        name="variant_glossary",
    ),
]
