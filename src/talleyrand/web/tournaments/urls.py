"""Addresses of tournaments: under `/tournois/` in French, `/en/tournaments/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import pages
from .copies import urls as copies
from .desk import urls as desk
from .hall import urls as hall
from .news import urls as news
from .papers import archives
from .papers import urls as papers
from .screens import urls as screens
from .seasons import urls as seasons

app_name = "tournaments"
urlpatterns = [
    path(_("tournaments/"), pages.every, name="all"),
    path(_("tournaments/new/"), pages.new, name="new"),
    path(_("tournaments/restore/"), archives.restore, name="restore"),
    path(_("tournaments/copies/"), include(copies.urlpatterns)),
    path(_("tournaments/seasons/"), include(seasons.urlpatterns)),
    path(_("tournaments/<str:key>/desk/"), include([*desk.urlpatterns, *news.desk, *copies.desk])),
    path(_("tournaments/<str:key>/screens/"), include(screens.urlpatterns)),
    path(_("tournaments/<str:key>/papers/"), include(papers.urlpatterns)),
    path(_("tournaments/<str:key>/"), include([*hall.urlpatterns, *news.people])),
]
