"""Addresses of the games: under `/parties/` in French, `/en/games/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from .deadlines import urls as deadlines
from .desk import urls as desk
from .endings import urls as endings
from .playing import urls as playing
from .table import urls as table

app_name = "games"
urlpatterns = [
    path(_("games/"), include(table.urlpatterns)),
    path(_("games/"), include(deadlines.urlpatterns)),
    path(_("games/<str:key>/"), include(desk.urlpatterns)),
    path(_("games/<str:key>/"), include(endings.urlpatterns)),
    path(_("games/<str:key>/"), include(playing.urlpatterns)),
]
