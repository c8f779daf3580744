"""Addresses of the boards: `/variantes/` in French, `/en/variants/` in English."""

from django.urls import URLPattern, path

from . import variant_rules_views as rules
from . import variants_views as views
from .rules_addresses import spoken


def _of(french: str, english: str) -> str:
    return spoken(f"variantes/<str:name>/{french}", f"variants/<str:name>/{english}")


urlpatterns: list[URLPattern] = [
    path(spoken("variantes/", "variants/"), views.every, name="variants"),
    path(_of("", ""), views.one, name="variant"),
    path(_of("glossaire/", "glossary/"), views.glossary, name="variant_glossary"),
    path(_of("regles/", "rules/"), rules.contents, name="variant_rules"),
    path(_of("regles.pdf", "rules.pdf"), rules.pdf, name="variant_rules_pdf"),
    path(_of("regles/<str:chapter>/", "rules/<str:chapter>/"), rules.chapter, name="variant_rules_chapter"),
    path(
        _of("demonstration/<int:number>/", "demonstration/<int:number>/"),
        rules.demonstration,
        name="variant_demonstration",
    ),
    path(
        _of("demonstration/<int:number>/<str:picture>.svg", "demonstration/<int:number>/<str:picture>.svg"),
        rules.picture,
        name="variant_demonstration_picture",
    ),
]
