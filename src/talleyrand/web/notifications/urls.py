"""Addresses of the news: under `/notifications/` in French, `/en/notifications/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "notices"
urlpatterns = [
    path(_("notifications/"), views.all_notifications, name="all"),
    path(_("notifications/read/"), views.mark_read, name="read"),
    path(_("notifications/settings/"), views.edit_preferences, name="choices"),
    path(_("notifications/mute/<str:key>/"), views.mute_game, name="mute"),
    path("events/", views.no_stream, name="stream"),
    path("events/versions/", views.poll_versions, name="versions"),
]
