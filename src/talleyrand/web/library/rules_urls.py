"""Addresses of the rules: the words before a book's name are in the reader's language."""

from django.urls import URLPattern, path

from . import rules_views as views
from .rules_addresses import spoken


def _under(french: str, english: str) -> str:
    return spoken(f"regles/{french}", f"rules/{english}")


def _book(french: str, english: str) -> str:
    return _under(f"<str:book>/{french}", f"<str:book>/{english}")


urlpatterns: list[URLPattern] = [
    path(_under("", ""), views.shelf, name="rules"),
    path(_under("carte/", "map/"), views.conference, name="conference"),
    path(_under("carte.svg", "map.svg"), views.conference_picture, name="conference_picture"),
    path(_under("carte.pdf", "map.pdf"), views.conference_pdf, name="conference_pdf"),
    path(_under("<str:book>.pdf", "<str:book>.pdf"), views.book_pdf, name="rules_pdf"),
    path(_book("", ""), views.book, name="rules_book"),
    path(_book("chercher/", "search/"), views.search, name="rules_search"),
    path(
        _book("demonstration/<int:number>/", "demonstration/<int:number>/"),
        views.demonstration,
        name="demonstration",
    ),
    path(
        _book("planches/<str:board>.svg", "boards/<str:board>.svg"),
        views.board,
        name="rules_board",
    ),
    path(
        _book("planches/<str:board>/resultat.svg", "boards/<str:board>/result.svg"),
        views.board_solved,
        name="rules_board_solved",
    ),
    path(
        _book("point/<str:option>/", "point/<str:option>/"),
        views.point,
        name="rules_point",
    ),
    path(_book("<str:chapter>/", "<str:chapter>/"), views.chapter, name="rules_chapter"),
]
