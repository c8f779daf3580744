"""Addresses of the news: under `/nouvelles/` in French, `/en/news/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "notices"
urlpatterns = [
    path(_("news/"), views.all_notifications, name="all"),
    path(_("news/read/"), views.mark_read, name="read"),
    path(_("news/choices/"), views.edit_preferences, name="choices"),
    path("events/", views.no_stream, name="stream"),
    path("events/versions/", views.poll_versions, name="versions"),
]
