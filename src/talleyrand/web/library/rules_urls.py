"""Addresses of the rules: the words before a book's name are in the reader's language."""

from django.urls import URLPattern, path

from . import rules_views as views
from .translated_paths import translated_path


def _under(french: str, english: str) -> str:
    return translated_path(f"regles/{french}", f"rules/{english}")


def _book(french: str, english: str) -> str:
    return _under(f"<str:book>/{french}", f"<str:book>/{english}")


urlpatterns: list[URLPattern] = [
    path(_under("", ""), views.rulebook_list_page, name="rules"),
    path(_under("carte/", "map/"), views.conference_map_page, name="conference"),
    path(_under("carte.svg", "map.svg"), views.conference_map_image, name="conference_picture"),
    path(_under("carte.pdf", "map.pdf"), views.conference_pdf, name="conference_pdf"),
    path(_under("<str:book>.pdf", "<str:book>.pdf"), views.rulebook_pdf, name="rules_pdf"),
    path(_book("", ""), views.rulebook_page, name="rules_book"),
    path(_book("chercher/", "search/"), views.search_page, name="rules_search"),
    path(
        _book("demonstration/<int:number>/", "demonstration/<int:number>/"),
        views.demonstration_page,
        name="demonstration",
    ),
    path(
        _book("planches/<str:board>.svg", "boards/<str:board>.svg"),
        views.board_svg,
        name="rules_board",
    ),
    path(
        _book("planches/<str:board>/resultat.svg", "boards/<str:board>/result.svg"),
        views.board_result_svg,
        name="rules_board_solved",
    ),
    path(
        _book("point/<str:option>/", "point/<str:option>/"),
        views.option_redirect,
        name="rules_point",
    ),
    path(_book("<str:chapter>/", "<str:chapter>/"), views.chapter_page, name="rules_chapter"),
]
