"""Addresses of dates and calendars."""

from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from . import views

urlpatterns: list[URLPattern | URLResolver] = [
    path(_("dates/"), views.deadline_preview, name="dates"),
    path(_("calendar/"), views.calendar_page, name="calendar"),
    path(_("calendar/new/"), views.renew_calendar, name="calendar_renew"),
    path(_("calendar/<str:token>.ics"), views.serve_calendar, name="feed"),
    path(_("calendar/<str:token>/<str:key>.ics"), views.serve_calendar, name="feed_of_game"),
]
