"""Addresses of the boards: `/variantes/` in French, `/en/variants/` in English."""

from django.urls import URLPattern, path

from . import variant_rules_views as rules
from . import variant_views as views
from .translated_paths import translated_path


def _variant_path(french: str, english: str) -> str:
    return translated_path(f"variantes/<str:name>/{french}", f"variants/<str:name>/{english}")


urlpatterns: list[URLPattern] = [
    path(translated_path("variantes/", "variants/"), views.variant_list_page, name="variants"),
    path(_variant_path("", ""), views.variant_page, name="variant"),
    path(_variant_path("glossaire/", "glossary/"), views.variant_glossary_page, name="variant_glossary"),
    path(
        _variant_path("carte-<str:paper>.pdf", "map-<str:paper>.pdf"), views.blank_map_pdf, name="blank_map"
    ),
    path(
        _variant_path("feuilles-d-ordres.pdf", "order-sheets.pdf"),
        views.variant_sheets_pdf,
        name="variant_sheets",
    ),
    path(_variant_path("regles/", "rules/"), rules.variant_rules_page, name="variant_rules"),
    path(_variant_path("regles.pdf", "rules.pdf"), rules.variant_rules_pdf, name="variant_rules_pdf"),
    path(
        _variant_path("regles/<str:chapter>/", "rules/<str:chapter>/"),
        rules.variant_chapter_page,
        name="variant_rules_chapter",
    ),
    path(
        _variant_path("demonstration/<int:number>/", "demonstration/<int:number>/"),
        rules.variant_demonstration_page,
        name="variant_demonstration",
    ),
    path(
        _variant_path(
            "demonstration/<int:number>/<str:picture>.svg", "demonstration/<int:number>/<str:picture>.svg"
        ),
        rules.variant_demonstration_image,
        name="variant_demonstration_picture",
    ),
]
