"""Addresses of tournaments: under `/tournois/` in French, `/en/tournaments/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import views
from .circuit_pages import urls as seasons
from .copies import urls as copies
from .desk import urls as desk
from .league_pages import urls as leagues
from .notifications import urls as news
from .papers import tournament_archives
from .papers import urls as papers
from .public_site import urls as hall
from .screens import urls as screens

app_name = "tournaments"
urlpatterns = [
    path(_("tournaments/"), views.tournament_list_page, name="all"),
    path(_("tournaments/new/"), views.new_tournament_page, name="new"),
    path(_("tournaments/restore/"), tournament_archives.restore_page, name="restore"),
    path(_("tournaments/copies/"), include(copies.urlpatterns)),
    path(_("tournaments/circuits/"), include(seasons.urlpatterns)),
    path(_("tournaments/leagues/"), include(leagues.urlpatterns)),
    path(_("tournaments/<str:key>/desk/"), include([*desk.urlpatterns, *news.desk, *copies.desk])),
    path(_("tournaments/<str:key>/screens/"), include(screens.urlpatterns)),
    path(_("tournaments/<str:key>/papers/"), include(papers.urlpatterns)),
    path(_("tournaments/<str:key>/"), include([*hall.urlpatterns, *news.people])),
]
