"""Addresses of the news: under `/nouvelles/` in French, `/en/news/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "notices"
urlpatterns = [
    path(_("news/"), views.every, name="all"),
    path(_("news/read/"), views.read, name="read"),
    path(_("news/choices/"), views.choose, name="choices"),
    path("events/", views.stream, name="stream"),
    path("events/versions/", views.versions, name="versions"),
]
