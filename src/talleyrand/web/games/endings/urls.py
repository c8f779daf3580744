"""Addresses of the end of a game, below the game’s own."""

from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from . import views

urlpatterns: list[URLPattern | URLResolver] = [
    path(_("end/"), views.end_page, name="end"),
    path(_("end/propose/"), views.propose_end_view, name="propose_end"),
    path(_("end/answer/"), views.answer_end_view, name="answer_end"),
    path(_("end/withdraw/"), views.withdraw_end_view, name="withdraw_end"),
]
