"""Addresses of the games: under `/parties/` in French, `/en/games/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from .deadlines import urls as deadlines
from .endings import urls as endings
from .game_master import urls as desk
from .lobby import urls as table
from .person_pages import urls as people
from .phase_pages import urls as playing

app_name = "games"
urlpatterns = [
    path(_("games/<str:key>/"), include(playing.order_urlpatterns)),
    path(_("games/"), include(table.urlpatterns)),
    path(_("games/"), include(deadlines.urlpatterns)),
    path(_("games/<str:key>/"), include(desk.urlpatterns)),
    path(_("games/<str:key>/"), include(endings.urlpatterns)),
    path(_("games/<str:key>/"), include(playing.urlpatterns)),
    path("", include(people.urlpatterns)),
]
